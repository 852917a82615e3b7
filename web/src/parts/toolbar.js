// Above the picture: how it is seen and what is drawn. Below it: what the lines mean.

import { h, s } from '../base/dom.js';
import { savePicture, saveSketch } from './export.js';

const SIDES = [['corner', 'Corner'], ['front', 'Front'], ['right', 'Right'], ['top', 'Top']];

export function toolbar({ session, picture }) {
  const button = (label, title, action) => h('button', { title, onclick: action }, label);
  const view = [button('Fit', 'Fit everything (F)', () => picture.view.fit())];
  if (picture.spatial) {
    view.push(...SIDES.map(([name, label], k) => button(label, `Look from the ${name} (${k + 1})`, () => picture.view.view(name))));
    const kind = h('select', { 'aria-label': 'Projection', onchange: () => picture.view.project3(kind.value === 'orthographic') },
      h('option', { value: 'perspective' }, 'perspective'), h('option', { value: 'orthographic' }, 'orthographic'));
    view.push(kind);
  } else view.push(button('+', 'Nearer', () => picture.view.zoom(1.25)), button('−', 'Farther', () => picture.view.zoom(0.8)));
  return h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' },
    h('div', { class: 'group' }, view),
    h('div', { class: 'group checks' }, switches(session).map(([name, label, title]) => check(session.store, name, label, title))),
    h('div', { class: 'group' }, forceScale(session.store), session.first.samples > 1 && scaling(session.store), parting(session.store), tracing(session)),
    h('div', { class: 'group end' }, button('PNG', 'Save the picture as PNG', () => savePicture({ session, picture })),
      !picture.spatial && button('SVG', 'Save the sketch as SVG', () => saveSketch({ session, picture }))));
}

function switches({ results, travels }) {
  return [['forces', 'Reactions', 'Reactions and efforts as arrows'], ['loads', 'Loads', 'Loads as arrows'], ['values', 'Values', 'Numbers at the arrows'],
    ['names', 'Names', 'Names of joints and loads'], ...(travels ? [['follow', 'Go along', 'The picture goes along with what moves']] : []),
    ...(results[1] ? [['second', 'Second result', 'The result laid over it']] : [])];
}

function check(store, name, label, title) {
  const box = h('input', { type: 'checkbox', onchange: () => store.set({ [name]: box.checked }) });
  box.checked = store.get(name);
  store.on([name], () => { box.checked = store.get(name); });
  return h('label', { title }, box, label);
}

function forceScale(store) {
  const slider = h('input', { type: 'range', min: -1.5, max: 1.5, step: 0.05, value: 0, 'aria-label': 'Length of arrows',
    oninput: () => store.set({ reach: 10 ** Number(slider.value) }), ondblclick: () => { slider.value = 0; store.set({ reach: 1 }); } });
  return h('label', { title: 'Length of arrows' }, 'Arrows', slider);
}

/** A peak makes all other arrows vanish: then each instant may have a scale of its own. */
function scaling(store) {
  const choice = h('select', { 'aria-label': 'Arrows measured by', title: 'What the longest arrow is', onchange: () => store.set({ scaled: choice.value }) },
    h('option', { value: 'motion' }, 'largest of the motion'), h('option', { value: 'instant' }, 'largest of this instant'));
  store.on(['scaled'], () => { choice.value = store.get('scaled'); });
  return choice;
}

/** Points whose way over the motion is drawn. */
function tracing(session) {
  const { store, points } = session;
  if (session.first.samples < 2 || !points.length) return null;
  const box = (point) => h('label', {}, h('input', { type: 'checkbox', onchange: (event) => store.set({ traces: event.target.checked ? [...store.get('traces'), point] : store.get('traces').filter((one) => one !== point) }) }), point.name);
  return h('details', { class: 'chooser' }, h('summary', { title: 'Points whose way over the motion is drawn' }, 'Traces'), h('div', { class: 'menu' }, h('div', { class: 'options' }, points.map(box))));
}

function parting(store) {
  const choice = h('select', { 'aria-label': 'Arrows for', onchange: () => store.set({ parted: choice.value === 'parts' }) },
    h('option', { value: 'whole' }, 'resultants'), h('option', { value: 'parts' }, 'components'));
  return choice;
}

const MEANINGS = [['unique', 'unique'], ['not-unique', 'not unique'], ['compliance', 'by compliance'], ['unsure', 'unsure'], ['load', 'load']];

/** One line of the legend for each verdict that there is. */
export function legend({ session }) {
  const there = new Set(session.results.flatMap(verdictsOf));
  const shown = MEANINGS.filter(([name]) => there.has(name));
  const forces = shown.map(([name, label]) => h('li', {}, sample(`v-${name}`), label)), speed = h('li', {}, sample('v-velocity'), 'velocity');
  const tell = () => {
    const virtual = session.get('virtual') >= 0;
    for (const line of forces) line.hidden = virtual;
    speed.hidden = !virtual;
  };
  session.store.on(['virtual'], tell);
  tell();
  return h('ul', { class: 'legend', 'aria-label': 'What the arrows mean' }, forces, session.first.scene.virtual_motions?.length > 0 && speed,
    session.results[1] && h('li', {}, s('svg', { width: 34, height: 12, 'aria-hidden': 'true' }, s('path', { class: 'sampleline second', d: 'M1 6H33' })), session.label(1)));
}

export function sample(style) {
  return s('svg', { class: 'sample', width: 34, height: 12, 'aria-hidden': 'true' }, s('path', { class: `shaft ${style}`, d: 'M1 6H24' }), s('path', { class: `head ${style}`, d: 'M33 6L24 2.2L24 9.8Z' }));
}

function verdictsOf({ answer, scene }) {
  const names = [];
  for (const one of Object.values(answer.reactions ?? {})) for (const { verdict } of Object.values(one.components ?? {})) names.push(verdict);
  for (const one of [...Object.values(answer.drives ?? {}), ...Object.values(answer.constraints ?? {})]) names.push(one.verdict);
  if (scene.things.some(({ kind }) => kind === 'load')) names.push('load');
  return names.filter(Boolean).map((name) => name.replace(' ', '-'));
}
