// Why a reaction has its verdict, and what would make it unique: sentences from result.json.

import { h } from '../base/dom.js';
import { count, number } from '../base/format.js';

const SENTENCES = {
  unique: 'Every solution of the rigid model has these values. They can be used for sizing.',
  'not unique': 'Every value that a self-stress adds to these is as right: the rigid model does not decide. Do not size with them.',
  compliance: 'The rigid model does not decide. The compliances that the model gives do: the values are as good as these.',
  unsure: 'The decision about the rank is not safe here, or rounding is too large: the position is nearly singular, or the geometry fits to some digits only.',
};

/** A share of a self-stress: a number, of a torque in m. */
const term = (name, share) => `${name} ${share > 0 ? '+' : ''}${number(share, 0, 4)}`;

export function combination(parts) {
  return Object.entries(parts).map(([name, share]) => term(name, share)).join('  ');
}

export function why(session, thing, components, verdict) {
  if (!verdict) return null;
  const { answer } = session.first, names = new Set(components.map(({ column }) => column));
  const takes = (answer.self_stress ?? []).map((mode, k) => ({ mode, k })).filter(({ mode }) => Object.keys(mode).some((name) => names.has(name)));
  const mixed = verdict === 'not unique' && components.some((one) => one.verdict === 'unique');
  return h('div', { class: 'why' }, h('h3', {}, 'Why'), h('p', {}, SENTENCES[verdict] ?? ''),
    mixed && h('p', {}, 'But ', components.filter((one) => one.verdict === 'unique').map(({ end }) => end).join(', '), ' can be used: no self-stress touches it.'),
    verdict === 'unsure' && margin(answer), takes.length > 0 && stresses(takes), sums(answer, names), advice(answer, names));
}

function margin({ mobility }) {
  const decision = mobility?.decision;
  if (!decision) return null;
  return h('p', {}, `Smallest singular value kept ${number(decision.smallest_kept, 0, 3)}, largest dropped ${number(decision.largest_dropped, 0, 3)}, threshold ${number(decision.threshold, 0, 3)}.`);
}

const stresses = (takes) => [h('p', {}, `${count(takes.length, 'self-stress takes', 'self-stresses take')} part at the first state:`),
  h('ul', { class: 'code' }, takes.map(({ mode, k }) => h('li', {}, h('a', { href: '#self-stress' }, `${k + 1}`), ': ', combination(mode))))];

function sums({ groups }, names) {
  const held = (groups ?? []).filter(({ combination: parts }) => Object.keys(parts).some((name) => names.has(name))).slice(0, 4);
  return held.length > 0 && [h('p', {}, 'Sums that are determined all the same:'), h('ul', { class: 'code' }, held.map(({ combination: parts }) => h('li', {}, combination(parts))))];
}

/** One way to free: "low.y (low: type x)". */
function freeing({ directions = [], replace = {}, edits = {} }) {
  const types = Object.entries(replace).map(([joint, type]) => (type === 'no joint' ? `leave out ${joint}` : `${joint}: type ${type}`));
  const changes = Object.entries(edits ?? {}).map(([from, to]) => (to ? `${from} becomes ${to}` : `${from} goes`));
  return [directions.join(', '), types.length && `(${types.join('; ')})`, changes.length && `– ${changes.join('; ')}`].filter(Boolean).join(' ');
}

function advice(answer, names) {
  const groups = (answer.advice ?? []).filter(({ between }) => between.some((name) => names.has(name)));
  const together = answer.advice_together;
  if (!groups.length) return null;
  return [h('h3', {}, 'What makes it unique'), groups.map((group) => [
    groups.length > 1 && h('p', { class: 'sub' }, `between ${group.between.join(', ')}`),
    h('ul', {}, group.free.slice(0, 3).map((way) => h('li', {}, 'free ', h('b', {}, freeing(way)))),
      group.otherwise && h('li', {}, `free ${group.otherwise.directions.join(', ')}: ${group.otherwise.obstacle}`),
      group.measure.slice(0, 2).map(({ at }) => h('li', {}, 'or measure ', h('b', {}, at.join(', ')))),
      group.compliance.slice(0, 1).map(({ at }) => h('li', {}, 'or give compliances, at least at ', h('b', {}, at.join(', ')))))]),
  together && h('p', {}, 'All reactions at once: ', h('b', {}, freeing(together)), '.')];
}
