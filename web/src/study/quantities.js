// The quantities: least and largest with their variants, means, percentiles, limits, verdicts; correlations with the parameters.

import { h, show } from '../base/dom.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';

const share = (value) => `${number(100 * value, 0, 3)} %`;

export function quantities(view) {
  const host = h('div', { class: 'tables' }), fill = () => show(host, h('div', { class: 'scroll' }, statistics(view)), h('div', { class: 'scroll' }, correlations(view)));
  view.store.on(['units'], fill);
  fill();
  return h('div', {}, host, intervals(view));
}

/** What the intervals are, where there are any. */
function intervals({ study }) {
  const confident = study.quantities.some(({ facts }) => facts.mean_interval), limited = study.quantities.some(({ limit }) => limit?.share_interval);
  const words = [confident && 'of means and deviations: 95 % confidence, by Student’s t and chi squared', limited && 'of shares over a limit: 95 %, by Wilson'].filter(Boolean);
  return words.length > 0 && h('p', { class: 'hint' }, `Intervals ${words.join('; ')}.`);
}

function statistics(view) {
  const { study } = view, percents = Object.keys(study.quantities.find(({ facts }) => facts.percentiles)?.facts.percentiles ?? {}).sort((a, b) => a - b);
  const limited = study.quantities.some(({ limit }) => limit);
  const heads = ['unit', 'count', 'least', 'at', 'largest', 'at', 'mean', 'sigma', ...percents.map((p) => `${p} %`), ...(limited ? ['limit', 'over'] : []), 'verdict'];
  const left = ['at', 'limit', 'verdict'];
  return h('table', { class: 'numbers statistics' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'quantity'), heads.map((name) => h('th', { scope: 'col', class: left.includes(name) ? 'left' : null }, name)))),
    h('tbody', {}, study.quantities.map((one) => row(view, one, percents, limited))));
}

function row(view, one, percents, limited) {
  const { facts } = one, cell = (value) => h('td', {}, view.number(one, value)), ranged = (value, interval) => h('td', {}, view.number(one, value), interval && h('span', { class: 'interval' }, `${view.number(one, interval[0])} … ${view.number(one, interval[1])}`));
  const end = (extreme) => (extreme ? [cell(extreme.value), h('td', { class: 'left place' }, place(view, extreme))] : [cell(null), h('td')]);
  return h('tr', {}, h('th', { scope: 'row', title: facts.value }, one.name, h('span', { class: 'expression' }, facts.value)), h('td', { class: 'unit' }, pretty(view.unit(one).unit)), h('td', {}, number(facts.count)),
    end(facts.least), end(facts.largest), ranged(facts.mean, facts.mean_interval), ranged(facts.sigma, facts.sigma_interval), percents.map((p) => cell(facts.percentiles?.[p])), limited && limitCells(one),
    h('td', { class: 'left' }, facts.verdict ? verdictCell(facts.verdict) : 'no value'));
}

export const verdictCell = (verdict) => h('span', { class: 'verdictcell' }, h('span', { class: `dot v-${verdict.replace(' ', '-')}`, 'aria-hidden': 'true' }), verdict);

function limitCells({ limit }) {
  if (!limit) return [h('td'), h('td')];
  return [h('td', { class: 'left limited' }, limit.shown), h('td', { class: limit.over > 0 ? 'exceeded' : null }, number(limit.over), limit.share !== undefined && h('span', { class: 'interval' }, `${share(limit.share)} (${share(limit.share_interval[0])} … ${share(limit.share_interval[1])})`))];
}

/** The variant of an extreme, which can be chosen, and its parameters. */
function place(view, { variant, parameters }) {
  const found = view.study.rowOf.get(variant);
  const name = found === undefined ? `${variant}` : h('button', { class: 'link', title: 'Choose this variant', onclick: () => view.choose(found) }, variant);
  return [name, parameters && h('span', { class: 'interval' }, view.place(({ name: one }) => parameters[one]))];
}

function correlations(view) {
  const { study } = view, there = study.quantities.filter(({ facts }) => facts.correlations && Object.values(facts.correlations).some((value) => value !== null));
  if (!there.length) return null;
  const cell = (value) => h('td', value === null || value === undefined ? {} : { class: 'tinted', style: `--size:${Math.round(100 * Math.abs(value))}%;--side:var(--${value < 0 ? 'negative' : 'positive'})` }, number(value ?? NaN, 0, 3));
  return h('table', { class: 'numbers correlations' }, h('caption', {}, 'Correlation with the parameters'), h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, ''), study.parameters.map(({ name }) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, there.map(({ name, facts }) => h('tr', {}, h('th', { scope: 'row' }, name), study.parameters.map((one) => cell(facts.correlations[one.name]))))));
}
