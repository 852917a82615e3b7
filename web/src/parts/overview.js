// The panel while nothing is chosen: how many reactions may be trusted, and what is largest.

import { h } from '../base/dom.js';
import { count } from '../base/format.js';
import { pretty } from '../base/units.js';
import { sample } from './toolbar.js';

const MEANING = { unique: 'can be used for sizing', 'not unique': 'one of many values that are as right', compliance: 'as good as the compliances given', unsure: 'the decision is not safe' };
const MOST = 6;

export function overview(session) {
  const { answer } = session.first;
  return h('div', { class: 'overview' }, verdicts(answer), largest(session, 'Largest forces of joints', Object.entries(answer.reactions ?? {}).map(([name, one]) => ({ kind: 'joint', name, verdict: one.verdict, facts: one.resultant }))),
    largest(session, 'Drives', Object.entries(answer.drives ?? {}).map(([name, one]) => ({ kind: 'drive', name, verdict: one.verdict, facts: one }))),
    h('p', { class: 'hint' }, 'Choose a joint, body, load or drive in the picture or in the list above: its forces over time, its verdict and why, and what would make it unique.'));
}

function verdicts({ reactions = {}, drives = {}, constraints = {}, self_stress: modes }) {
  const all = Object.values(reactions).flatMap(({ components }) => Object.values(components)).concat(Object.values(drives), Object.values(constraints)).map(({ verdict }) => verdict).filter((verdict) => MEANING[verdict]);
  if (!all.length) return null;
  return [h('h3', {}, 'Reactions and efforts'), h('ul', { class: 'plain' }, Object.keys(MEANING).filter((name) => all.includes(name)).map((name) =>
    h('li', {}, h('span', { class: 'count' }, all.filter((one) => one === name).length), sample(`v-${name.replace(' ', '-')}`), h('span', {}, h('b', {}, name), `: ${MEANING[name]}`)))),
  modes?.length > 0 && h('p', {}, h('a', { href: '#self-stress' }, count(modes.length, 'self-stress', 'self-stresses')), ': load can shift without any load.')];
}

function largest(session, title, rows) {
  const size = ({ facts }) => Math.max(Math.abs(facts?.min), Math.abs(facts?.max));
  const shown = rows.filter((row) => size(row) > 0 && session.number(size(row), row.facts.unit) !== '0').sort((a, b) => size(b) - size(a)).slice(0, MOST);
  if (!shown.length) return null;
  const unit = session.first.series.columns[0]?.unit, along = session.first.samples > 1;
  return [h('h3', {}, title), h('table', {}, h('tbody', {}, shown.map((row) => {
    const { facts, kind, name, verdict } = row, value = session.number(size(row), facts.unit), at = Math.abs(facts.max) >= Math.abs(facts.min) ? facts.at_max : facts.at_min;
    return h('tr', {}, h('th', { scope: 'row' }, h('button', { class: 'link', onclick: () => session.choose(session.first.thingOf.get(`${kind} ${name}`) ?? -1) }, name)),
      h('td', {}, verdict === 'not unique' ? `[${value}]` : value), h('td', { class: 'unit' }, pretty(session.unit(facts.unit).unit)), along && h('td', { class: 'unit' }, verdict === 'not unique' ? '' : `at ${session.number(at, unit)} ${session.unit(unit).unit}`));
  })))];
}
