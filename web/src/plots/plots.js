// Panels of curves over the motion, chosen from all series.

import { h, show } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { saveCsv, savePlots } from '../parts/export.js';
import { CurvePlot } from './curves.js';
import { chooser } from './chooser.js';

/** What is shown at first: efforts of drives, then outputs of one unit, else the first forces. */
function firstChoice({ answer, series }) {
  const efforts = Object.keys(answer.drives ?? {}).map((name) => `${name}.effort`).filter((name) => series.has(name));
  const outputs = Object.keys(answer.outputs ?? {}).filter((name) => series.has(name));
  const panels = ['im', 're'].map((part) => series.columns.map(({ name }) => name).filter((name) => new RegExp(`^mode\\d+\\.${part}$`).test(name)).slice(0, 7)).filter((names) => names.length);
  if (panels.length) return panels;   // modes along a parameter: Campbell's diagram, and what grows
  const alike = (names) => names.filter((name) => series.column(name).unit === series.column(names[0]).unit).slice(0, 6);
  if (efforts.length) panels.push(alike(efforts));
  if (outputs.length) panels.push(alike(outputs));
  if (!panels.length) panels.push(alike(series.columns.slice(1).filter(({ verdict }) => verdict !== 'free').map(({ name }) => name)).slice(0, 4));
  return panels.filter((names) => names.length);
}

class Panel {
  constructor(app, board, names) {
    Object.assign(this, { app, board, names: [...names] });
    this.host = h('div', { class: 'plot' });
    this.key = h('div', { class: 'key' });
    this.chooser = chooser(app.session, this.names, (name, on) => this.change(name, on));
    const remove = h('button', { class: 'quiet', 'aria-label': 'Remove this panel', title: 'Remove this panel', onclick: () => board.remove(this) }, '×');
    this.element = h('div', { class: 'panel' }, h('div', { class: 'panelhead' }, this.key, this.chooser.element, remove), this.host);
  }

  start() {
    this.plot = new CurvePlot(this.app.session, this.host, this.names, { sync: 'panels', zoomed: (...zoom) => this.board.zoom(...zoom) });
    this.plot.hovered = () => this.tellKey();
    this.#keys();
  }

  make() {
    this.plot.make();
    this.#keys();
  }

  change(name, on) {
    this.names = on ? [...this.names.filter((one) => one !== name), name] : this.names.filter((one) => one !== name);
    this.plot.names = this.names;
    this.chooser.mark(this.names);
    this.make();
  }

  #keys() {
    this.values = this.plot.curves.map(() => h('span', { class: 'reading' }));
    show(this.key, this.plot.curves.map(({ name, unit, verdict, second }, k) => h('span', { class: second ? 'entry second' : 'entry' }, h('i', { style: `--ink:${this.plot.inks[k]}`, class: `swatch ${second ? 'dashed' : ''}` }), h('span', { class: 'name' }, name, second && h('i', { class: 'whose' }, ' second')),
      this.values[k], h('span', { class: 'unit' }, pretty(unit ?? '')), verdict && !['unique', 'free'].includes(verdict) && !second && h('span', { class: 'verdict' }, verdict),
      !second && h('button', { class: 'remove', 'aria-label': `Remove ${name}`, onclick: () => this.change(name, false) }, '×'))));
    this.tellKey();
  }

  tellKey() {
    this.values?.forEach((output, k) => { const { siUnit, factor } = this.plot.curves[k]; output.textContent = this.app.session.number((this.plot.valueOf(k) ?? NaN) * factor, siUnit); });
  }

  tell() {
    this.plot.tell();
    this.tellKey();
  }
}

class Board {
  constructor(app) {
    this.app = app;
    this.host = h('div', { class: 'panels' });
    this.panels = [];
    const { store } = app.session;
    store.on(['place', 'playing'], () => {
      if (!this.seen) return;
      this.panels.forEach((panel) => panel.tell());
    });
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.seen = isIntersecting;
      if (this.seen) this.panels.forEach((panel) => panel.tell());
    }).observe(this.host);
    addEventListener('beforeprint', () => this.panels.forEach((panel) => panel.tell()));   // also what is not seen is printed
    store.on(['system', 'angles', 'second'], () => this.panels.forEach((panel) => panel.make()));
    store.on(['theme'], () => requestAnimationFrame(() => this.panels.forEach((panel) => panel.make())));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.panels.forEach((panel) => panel.make()));
    new ResizeObserver(() => this.panels.forEach((panel) => panel.plot.resize())).observe(this.host);
  }

  add(names) {
    const panel = new Panel(this.app, this, names);
    this.panels.push(panel);
    this.host.append(panel.element);
    panel.start();
    return panel;
  }

  remove(panel) {
    this.panels = this.panels.filter((one) => one !== panel);
    panel.plot.plot.destroy();
    panel.element.remove();
  }

  /** All panels show the same part of the axis. */
  zoom(from, { min, max }) {
    if (this.zooming) return;
    this.zooming = true;
    for (const { plot } of this.panels) {
      if (plot && plot !== from && (plot.plot.scales.x.min !== min || plot.plot.scales.x.max !== max)) plot.plot.setScale('x', { min, max });
      plot?.plot && requestAnimationFrame(() => plot.tell());
    }
    this.zooming = false;
  }
}

export function plots(app) {
  const { first } = app.session;
  if (first.samples < 2) return null;
  const board = new Board(app);
  app.plots = board;
  requestAnimationFrame(() => firstChoice(first).forEach((names) => board.add(names)));
  const button = (label, title, act) => h('button', { class: 'quiet', title, onclick: act }, label);
  return h('div', {}, h('div', { class: 'row' }, button('Add a panel', 'One more panel of curves', () => board.add([])), button('CSV', 'Save the series that are shown', () => saveCsv(app)), button('PNG', 'Save the curves as PNG', () => savePlots(app)),
    h('span', { class: 'hint' }, 'Drag to zoom, double-click for all; a click takes the picture to that time.')), board.host);
}
