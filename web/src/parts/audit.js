// How well the result holds: imbalances, rank, notes, events.

import { h } from '../base/dom.js';
import { count, number } from '../base/format.js';

const AUDIT = [['max_force_imbalance', 'forces out of balance', 'N'], ['max_torque_imbalance', 'torques out of balance', 'N·m'], ['max_power_imbalance', 'power out of balance', 'W'], ['max_constraint_error', 'error of a constraint', '']];

export function audit({ session, player }) {
  const { answer } = session.first, { audit: found, mobility, notes = [] } = answer;
  const facts = (found ? AUDIT.filter(([key]) => found[key] !== null && found[key] !== undefined).map(([key, name, unit]) => [name, `${number(found[key], 0, 2)} ${unit}`]) : []).concat(ranks(mobility));
  if (answer.integration?.method) facts.push(['integrated by', answer.integration.method], ['steps', `${answer.integration.steps}, ${answer.integration.rejected} rejected`], ['balance of energy', `${number(answer.integration.energy_error, 0, 2)} J`]);
  if (answer.least_norm?.length) facts.push(['values that are not unique', `of least norm, ${answer.least_norm.metric.replace('length [m]', `${number(answer.least_norm.length, 0, 4)} m`)}`]);
  const events = answer.integration?.events ?? [];
  if (!facts.length && !notes.length) return null;
  return h('div', { class: 'audit' }, h('dl', {}, facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    notes.length > 0 && [h('h3', {}, count(notes.length, 'note')), h('ul', {}, notes.map((note) => h('li', {}, note)))],
    events.length > 0 && [h('h3', {}, 'Events'), eventTable(session, player, events)]);
}

function ranks(mobility) {
  if (!mobility) return [];
  const { coordinates, rows, rank, redundant, degrees_of_freedom: left, mobility_without_drives: without, decision } = mobility;
  const facts = [['rank', `${coordinates} coordinates, ${rows} rows of rank ${rank}: ${count(left, 'degree of freedom left', 'degrees of freedom left')}, ${redundant} redundant`], ['mobility without drives', `${without}; Gruebler's count says ${mobility.gruebler}`]];
  if (decision) facts.push(['rank decided', `${decision.safe ? 'safely' : 'not safely'}${decision.exact ? ', in exact arithmetic' : ''}: smallest kept ${number(decision.smallest_kept, 0, 2)}, largest dropped ${number(decision.largest_dropped, 0, 2)}, threshold ${number(decision.threshold, 0, 2)}`]);
  return facts;
}

function eventTable(session, player, events) {
  return h('table', {}, h('thead', {}, h('tr', {}, ['t [s]', 'what', 'kind', 'impulse'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, events.slice(0, 500).map(({ t, name, kind, impulse }) => h('tr', {}, h('td', {}, h('button', { class: 'link', onclick: () => player.go(session.first.place(t)) }, number(t))), h('td', { class: 'left' }, name), h('td', { class: 'left' }, kind), h('td', {}, number(impulse))))));
}
