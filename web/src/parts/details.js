// The panel of what is chosen: what it is, its wrench over time, its verdict and why, what would make it unique.

import { h, show } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { say } from './notice.js';
import { sample } from './toolbar.js';
import { overview } from './overview.js';
import { why } from './why.js';
import { smallPlot } from '../plots/small.js';
import { showLine } from './text.js';

export function details(app) {
  const panel = h('div', { class: 'details', 'aria-label': 'Details' });
  const { store } = app.session;
  let live = () => {};
  const build = () => {
    const { thing, body } = store.get('chosen');
    live = () => {};
    if (thing >= 0) live = ofThing(app, panel, thing);
    else if (body >= 0) live = ofBody(app, panel, body);
    else show(panel, overview(app.session));
    live();
  };
  store.on(['chosen', 'system', 'angles'], build);
  store.on(['place', 'playing', 'pushes', 'equilibrium', 'mode', 'virtual'], () => live());
  build();
  return panel;
}

const chip = (verdict) => verdict && h('span', { class: `chip v-${verdict.replace(' ', '-')}` }, sample(`v-${verdict.replace(' ', '-')}`), verdict);

const lineLink = (line) => line && h('button', { class: 'link', onclick: () => showLine(line) }, `line ${line}`);

function bodyLink(session, index) {
  const name = session.first.scene.bodies[index]?.name;
  return h('button', { class: 'link', onclick: () => session.choose(-1, index) }, name);
}

function heading(session, { name, type, kind, line, markers }, verdict) {
  const pair = markers?.map((marker) => session.first.scene.markers[marker]);
  return [h('div', { class: 'title' }, h('h2', {}, name), chip(verdict)),
    h('p', { class: 'sub' }, [kind, type && type !== kind ? type : null].filter(Boolean).join(', '),
      pair && [' between ', bodyLink(session, pair[0].on), ' and ', bodyLink(session, pair[1].on)], line && [' · ', lineLink(line)])];
}

/** Columns of the series and components of result.json that belong to a thing. */
export function componentsOf({ answer, series, scene }, thing) {
  const list = new Map(), { kind, name } = scene.things[thing];
  const entry = { joint: answer.reactions, drive: answer.drives, constraint: answer.constraints, load: answer.loads }[kind]?.[name];
  const put = (column, facts) => list.set(column, { column, end: column.slice(name.length + 1), unit: series.column(column)?.unit, verdict: series.column(column)?.verdict, ...facts });
  for (const { name: column } of series.columns) if (column.startsWith(name + '.') && !column.slice(name.length + 1).includes('.')) put(column, {});
  for (const [end, facts] of Object.entries(entry?.components ?? {})) put(`${name}.${end}`, facts);
  if (entry && 'first' in entry && series.has(`${name}.effort`)) put(`${name}.effort`, entry);
  return [...list.values()].filter(({ verdict }) => verdict !== 'free');
}

function ofThing(app, panel, index) {
  const { session } = app, { first } = session, thing = first.scene.things[index];
  const components = componentsOf(first, index), { reactions, drives, constraints } = first.answer;
  const verdict = { joint: reactions, drive: drives, constraint: constraints }[thing.kind]?.[thing.name]?.verdict;
  const resultant = reactions?.[thing.name]?.resultant;
  const table = components.length ? componentTable(session, components, resultant && thing.kind === 'joint' ? { name: thing.name, ...resultant } : null) : null;
  const shown = components.filter(({ column }) => first.series.has(column)).map(({ column }) => column);
  const plot = first.samples > 1 && shown.length ? smallPlot(app, shown) : null;
  show(panel, heading(session, thing, verdict), table?.element, plot?.element, why(session, thing, components, verdict),
    shown.length > 0 && first.samples > 1 && h('button', { class: 'quiet', onclick: () => app.plots.add(shown) }, 'Add to the plots below'));
  plot?.start();
  say(`${thing.kind} ${thing.name}${verdict ? ', ' + verdict : ''}`);
  return () => {
    table?.tell();
    plot?.tell();
  };
}

const MEANS = { Fx: 'x', Fy: 'y', Fz: 'z' };

/** A row for each component: now, smallest, largest, verdict. */
function componentTable(session, components, resultant) {
  const numbers = components.some(({ column, first }) => Number.isFinite(first) || session.first.series.has(column)), heads = numbers ? ['', 'now', 'min', 'max', 'unit', ''] : ['', 'self-stress', 'unit', ''];   // a check has no forces: what the sliders add alone
  const now = components.map(() => h('td', { class: 'now' })), total = h('td', { class: 'now' });
  const cell = (facts, key) => h('td', {}, facts[key] === undefined ? '' : session.number(facts[key], facts.unit, facts.error));
  const one = (facts, k) => h('tr', {}, h('th', { scope: 'row' }, facts.end), now[k], numbers && [cell(facts, 'min'), cell(facts, 'max')], h('td', { class: 'unit' }, pretty(session.unit(facts.unit).unit)),
    h('td', {}, facts.verdict && sampleOf(facts.verdict)));
  const element = h('table', { class: 'components' }, h('thead', {}, h('tr', {}, heads.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, components.map(one), numbers && resultant && h('tr', { class: 'sum' }, h('th', { scope: 'row' }, '|F|'), total, cell(resultant, 'min'), cell(resultant, 'max'), h('td', { class: 'unit' }, session.unit('N').unit), h('td'))));
  const tell = () => {
    const { pushed } = session;
    let sum = 0;
    components.forEach(({ column, unit, error, end, first }, k) => {
      const value = (session.first.series.has(column) ? session.now(session.first.series.of(column)) : first ?? (pushed.has(column) ? 0 : NaN)) + (pushed.get(column) ?? 0);
      if (MEANS[end]) sum += value * value;
      now[k].textContent = session.elsewhere || session.swings ? '' : session.number(value, unit, error);
      now[k].classList.toggle('moved', pushed.has(column));
      now[k].dataset.column = column;
    });
    total.textContent = session.number(Math.sqrt(sum), 'N');
  };
  return { element, tell };
}

function sampleOf(verdict) {
  const figure = sample(`v-${verdict.replace(' ', '-')}`);
  figure.setAttribute('aria-hidden', 'false');
  figure.setAttribute('role', 'img');
  figure.setAttribute('aria-label', verdict);
  return figure;
}

function ofBody(app, panel, index) {
  const { session } = app, { scene } = session.first, body = scene.bodies[index];
  const place = h('dd', {}), turn = h('dd', {});
  const touching = scene.things.map((thing, k) => ({ thing, k })).filter(({ thing }) => thing.markers?.some((marker) => scene.markers[marker].on === index) || scene.markers[thing.point]?.on === index);
  const length = session.unit('m').unit;
  show(panel, h('div', { class: 'title' }, h('h2', {}, body.name)), h('p', { class: 'sub' }, body.particle ? 'particle' : index ? 'body' : 'ground', body.line && [' · ', lineLink(body.line)]),
    h('dl', {}, body.mass !== null && body.mass !== undefined && [h('dt', {}, 'mass'), h('dd', {}, `${session.number(body.mass, 'kg')} ${session.unit('kg').unit}`)],
      h('dt', {}, 'centroid'), h('dd', {}, body.centroid ? `${body.centroid.slice(0, scene.space === 'planar' ? 2 : 3).map((x) => session.number(x, 'm', 1e-12)).join(', ')} ${length}, in its axes` : '–'),
      h('dt', {}, 'at'), place, h('dt', {}, 'turn'), turn),
    touching.length > 0 && [h('h3', {}, 'What acts on it'), h('ul', { class: 'plain' }, touching.map(({ thing, k }) => h('li', {}, h('button', { class: 'link', onclick: () => session.choose(k) }, thing.name), ` ${thing.type ?? thing.kind}`)))]);
  say(`body ${body.name}`);
  return () => {
    const frame = session.frames(0)[index], planar = scene.space === 'planar';
    place.textContent = `${frame.at.slice(0, planar ? 2 : 3).map((x) => session.number(x, 'm', 1e-12 * (scene.size || 1))).join(', ')} ${length}`;
    const angles = session.first.series.of(body.name + '.angle'), angle = (angles && session.now(angles)) ?? 2 * Math.atan2(frame.turn[3], frame.turn[0]);
    turn.textContent = planar ? `${session.number(angle, 'rad', 1e-12)} ${session.unit('rad').unit}` : `quaternion ${frame.turn.map((x) => session.number(x, null, 1e-12)).join(', ')}`;
  };
}
