// What is sized: figures of rated motors, bearings, guides and screws, with their verdicts, and a drawing of each.

import { h, show } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { figure, loadDiagram, motorDiagram, speedUnit } from '../plots/diagrams.js';
import { sample } from './toolbar.js';

/** Columns: head, figure, and perhaps a second one in the same cell: `at` an instant, `to` the other end of a range. */
const ROLLING = [['P0', 'P0'], ['P', 'P'], ['L10', 'L10'], ['L10h', 'L10h'], ['Lnmh', 'Lnmh'], ['s0', 's0']];
const LOAD = { what: 'P', mean: 'P', meant: 'equivalent load', unit: 'N' };
const KINDS = [
  { key: 'drives', title: 'Motors', one: 'motor', thing: 'drive', columns: [['peak', 'peak'], ['at', 'peak_at'], ['rms', 'rms'], ['mean speed', 'mean_speed'], ['top speed', 'top_speed'], ['power', 'motoring_mean'], ['regenerated', 'regenerating_mean'],
    ['rms/continuous', 'rms_to_continuous'], ['least margin to peak', 'margin_to_peak', { at: 'margin_at' }], ['inertia ratio', 'inertia_ratio_least', { to: 'inertia_ratio_largest' }]] },
  { key: 'bearings', title: 'Bearings', one: 'bearing', thing: 'joint', columns: ROLLING, plot: LOAD },
  { key: 'plain', title: 'Plain bearings', one: 'plain bearing', thing: 'joint', columns: [['p', 'p'], ['share', 'p_share'], ['v', 'v'], ['share', 'v_share'], ['p v', 'pv'], ['share', 'pv_share'], ['wear', 'wear_per_hour'], ['life', 'life']],
    plot: { what: 'p', mean: 'p_mean', meant: 'mean', unit: 'Pa' } },
  { key: 'guides', title: 'Guides', one: 'guide', thing: 'joint', columns: ROLLING, plot: LOAD },
  { key: 'screws', title: 'Ball screws', one: 'ball screw', thing: 'joint', columns: ROLLING, plot: LOAD },
];
const LEAST = [['L10', 'L10_least'], ['life', 'life_least']];   // bounds where compliances are ranges

export function sizing(app) {
  const { session } = app, made = KINDS.map((kind) => ({ ...kind, items: itemsOf(session, kind.key) })).filter(({ items }) => items.length);
  if (!made.length) return null;
  const host = h('div', { class: 'tables' }), fill = () => show(host, made.map((kind) => h('div', { class: 'scroll' }, table(app, kind))));
  session.store.on(['system', 'angles', 'second'], fill);
  fill();
  return h('div', { class: 'sized' }, host, thinned(session, made), h('div', { class: 'charts' }, made.flatMap((kind) => [...new Set(kind.items.map(({ name }) => name))].map((name) => chart(app, kind, name)))));
}

/** Long runs are drawn by some of their samples. */
function thinned({ first }, made) {
  const points = Math.max(...made.flatMap(({ items }) => items.map(({ item, second }) => (second ? 0 : item.plot?.x.length ?? 0)))), { all } = first.series;
  return points > 0 && points < all && h('p', { class: 'hint' }, `Diagrams show ${points} of ${all} samples, of each stretch the one of the largest load; figures are of all.`);
}

/** {name, item, second} of a kind: those of the first result, each with that of the second below it. */
function itemsOf({ results }, key) {
  const all = results.map(({ answer }) => answer.sizing?.[key] ?? {}), names = new Set(all.flatMap(Object.keys));
  return [...names].flatMap((name) => all.flatMap((one, k) => (Object.hasOwn(one, name) ? [{ name, item: one[name], second: k > 0 }] : [])));
}

function chart(app, kind, name) {
  const items = kind.items.filter((one) => one.name === name && one.item.plot);
  if (!items.length) return null;
  const { item } = items[0];
  return h('figure', { class: `v-${item.verdict.replace(' ', '-')}` }, h('figcaption', {}, link(app.session, kind, name), h('span', { class: 'type' }, ` ${kind.one}`), item.outside > 0 && h('span', { class: 'outside' }, `: ${outside(app.session, item)}`)),
    kind.plot ? loadDiagram(app, name, kind.plot, items) : motorDiagram(app, name, items));
}

function outside(session, { outside: count, outside_first: first, outside_last: last }) {
  const [from, to] = [first, last].map((time) => instant(session, time));
  return count === 1 ? `1 sample beyond its limits, at ${from}` : `${count} samples beyond its limits, from ${from} to ${to}`;
}

const instant = (session, time) => `${session.number(time, 's')} ${session.unit('s').unit}`;

/** The name, which chooses the drive or the joint; "shaft.a" is a bearing of joint "shaft". */
function link(session, { thing }, name) {
  const of = (one) => session.first.thingOf.get(`${thing} ${one}`), index = of(name) ?? of(name.replace(/\.[^.]*$/, ''));
  return index === undefined ? h('span', {}, name) : h('button', { class: 'link', onclick: () => session.choose(index) }, name);
}

/** How a figure is shown: lives of guides in km, shafts in rpm. */
function shownIn(session, name, unit) {
  if (unit === 'rad/s') return speedUnit(session, unit);
  if (unit === '10^6') return { unit: '10⁶ turns', factor: 1 };
  if (unit === 'm' && name.startsWith('L10')) return { unit: 'km', factor: 1000 };
  if (unit === 'm/h') return { unit: `${session.unit('m').unit}/h`, factor: session.unit('m').factor };
  return session.unit(unit);
}

const has = ({ item }, name) => Number.isFinite(item[name]);

/** Is a column shown? Where something has its figure, and where a reason says why it is missing. Lnmh only where it is not L10h. */
function wanted(items, [, name]) {
  if (!items.some(({ item }) => name in item)) return false;
  if (name === 'Lnmh') return items.some((one) => has(one, name) && one.item.Lnmh !== one.item.L10h);
  return items.some((one) => has(one, name) || one.item.why);
}

function table({ session }, kind) {
  const items = kind.items.filter(({ second }) => !second || session.get('second')), columns = kind.columns.filter((column) => wanted(items, column));
  const reasons = items.map((one) => reason(session, one)), units = columns.map(([, name]) => new Set(items.map(({ item }) => pretty(shownIn(session, name, item.units?.[name] ?? '').unit))));
  const head = ([title], k) => h('th', { scope: 'col' }, title, units[k].size === 1 && [...units[k]][0] && ` [${[...units[k]][0]}]`);   // of several units each cell has its own
  const row = (one, k) => h('tr', { class: one.second ? 'second' : null }, h('th', { scope: 'row' }, link(session, kind, one.name), one.second && h('i', { class: 'whose' }, ' second')), columns.map((column, c) => cell(session, one, column, units[c].size > 1)),
    h('td', { class: 'left' }, h('span', { class: 'verdictcell' }, sample(`v-${one.item.verdict.replace(' ', '-')}`), one.item.verdict)), reasons.some(Boolean) && h('td', { class: 'left reason' }, reasons[k]));
  return h('table', { class: 'numbers' }, h('caption', {}, kind.title), h('thead', {}, h('tr', {}, h('th', { scope: 'col' }), columns.map(head), h('th', { scope: 'col', class: 'left' }, 'verdict'), reasons.some(Boolean) && h('th', { scope: 'col', class: 'left' }, 'remark'))),
    h('tbody', {}, items.map(row)));
}

/** Is a share above one, or a margin below? */
const exceeded = (name, value) => (name === 'margin_to_peak' ? value < 1 : (name.endsWith('_share') || name === 'rms_to_continuous') && value > 1);

function cell(session, { item }, [, name, more], mixed) {
  const text = (key) => figure(item, key, shownIn(session, key, item.units?.[key] ?? ''));
  const { unit } = shownIn(session, name, item.units?.[name] ?? '');
  if (!Number.isFinite(item[name])) return h('td', { title: item.why }, text(name));
  const known = (key) => key && Number.isFinite(item[key]), rest = [known(more?.at) && ` at ${instant(session, item[more.at])}`, known(more?.to) && item[more.to] !== item[name] && ` … ${text(more.to)}`];
  return h('td', { class: exceeded(name, item[name]) ? 'exceeded' : null }, text(name), mixed && unit && ` ${pretty(unit)}`, rest);
}

/** Why a figure is missing, or what a life is at least. */
function reason(session, one) {
  const least = LEAST.filter(([, name]) => has(one, name)).map(([name, bound]) => {
    const shown = shownIn(session, bound, one.item.units[bound]);
    return `${name} at least ${figure(one.item, bound, shown)} ${pretty(shown.unit)}`;
  });
  return [one.item.why, ...least].filter(Boolean).join('; ');
}
