// Title, what was computed, how many variants there are and how they ended, units, light and dark.

import { h, show } from '../base/dom.js';
import { count } from '../base/format.js';
import { theme } from '../parts/header.js';

const NAMES = { grid: 'a grid', latin: 'a Latin square', sobol: 'a Sobol sequence', 'monte-carlo': 'Monte Carlo' };
const file = (path) => path.replace(/^.*[/\\]/, '');

export function head(view, navigation) {
  const { answer } = view.study, { study } = answer, title = study.title || study.model_title || file(study.file);
  const facts = [study.title && study.model_title, file(study.model), study.analysis, study.options && `{${study.options}}`, NAMES[study.design] ?? study.design, study.design === 'monte-carlo' && `seed ${study.seed}`, count(view.study.parameters.length, 'parameter')];
  const failed = Object.entries(answer.failed), limited = view.study.quantities.some(({ limit }) => limit);
  const counts = [count(answer.variants, 'variant'), `${answer.done} done`, ...failed.map(([kind, n]) => h('b', { class: 'bad' }, `${n} failed: ${kind}`)), limited && h(answer.over_limit ? 'b' : 'span', { class: answer.over_limit ? 'bad' : null }, `${answer.over_limit} over a limit`)];
  const spans = (list) => list.filter(Boolean).map((fact) => h('span', {}, fact));
  return h('header', { class: 'head' }, h('div', { class: 'heading' }, h('h1', {}, title), h('p', { class: 'facts' }, spans(facts)), h('p', { class: 'facts counts' }, spans(counts))),
    h('div', { class: 'settings' }, units(view), theme(view), h('button', { class: 'quiet', onclick: () => print() }, 'Print')), navigation, h('span', { class: 'made' }, `Roberval ${answer.roberval ?? ''}`));
}

/** Quantities are SI, or in the units in which their limits were written. */
function units({ store, study }) {
  if (!study.quantities.some(({ other }) => other)) return null;
  const choice = h('select', { 'aria-label': 'Units', onchange: () => store.set({ units: choice.value }) }, h('option', { value: 'si' }, 'SI units'), h('option', { value: 'limits' }, 'units of the limits'));
  return choice;
}

/** Which variants the page holds of a large study; null: all. */
export function heldText({ study }) {
  const { rows } = study;
  if (!study.thinned) return null;
  const strides = study.parameters.filter(({ axis }) => (rows.strides?.[axis] ?? 1) > 1).map(({ name, axis, levels }) => (rows.strides[axis] >= levels ? `the first value of ${name}` : `every ${ordinal(rows.strides[axis])} value of ${name} and the last`));
  const parts = [rows.strides ? strides.join(', ') : `the first ${rows.first}`, 'where quantities are least and largest', rows.failed[1] > 0 && `${rows.failed[0]} of ${rows.failed[1]} that failed`, rows.over[1] > 0 && `${rows.over[0]} of ${rows.over[1]} over a limit`];
  return `This page holds ${rows.count} of ${rows.of} variants: ${parts.filter(Boolean).join('; ')}. The others are left out of scatter plots, carpets and the list of variants; quantities, correlations and histograms are of all. study.csv has every one.`;
}

const ordinal = (n) => `${n}${[11, 12, 13].includes(n % 100) ? 'th' : { 1: 'st', 2: 'nd', 3: 'rd' }[n % 10] ?? 'th'}`;

export function held(view) {
  const text = heldText(view);
  return text && show(h('p', { class: 'hint held' }), text);
}
