// Histograms of quantities over all variants, with the limit and the mean as lines.

import { h, s, show } from '../base/dom.js';
import { count, number } from '../base/format.js';
import { entry, stroke } from '../plots/diagrams.js';
import { frameOf } from '../plots/frame.js';

const HEIGHT = 240, FIRST = 8, COUNTS = [10, 12, 15, 20, 30, 40, 60, 120, 240];   // parts of the bars that the program counted

/** Bars joined so that there are no more than `wanted`. */
export function joined(bars, wanted) {
  const each = bars.length / wanted;
  return Array.from({ length: wanted }, (_, k) => bars.slice(k * each, (k + 1) * each).reduce((sum, n) => sum + n, 0));
}

export function histograms(view) {
  const there = view.study.quantities.filter(({ facts }) => facts.count > 1);
  if (!there.length) return null;
  const most = Math.sqrt(there[0].facts.count), bars = h('select', { onchange: () => view.store.set({ bars: Number(bars.value) }) }, COUNTS.map((n) => h('option', { value: n }, n)));
  view.store.set({ bars: COUNTS.findLast((n) => n <= Math.min(most, 60)) ?? COUNTS[0] });
  bars.value = view.store.get('bars');
  const host = h('div', { class: 'charts' }), shown = new Set(there.slice(0, FIRST)), made = new Map();
  const fill = () => show(host, there.filter((one) => shown.has(one)).map((one) => {
    if (!made.has(one)) made.set(one, histogram(view, one));
    return made.get(one);
  }));
  fill();
  return h('div', {}, h('div', { class: 'row' }, h('label', {}, 'Bars ', bars), there.length > 1 && choice(there, shown, fill)), host);
}

function choice(there, shown, fill) {
  const box = (one) => h('label', {}, h('input', { type: 'checkbox', checked: shown.has(one), onchange: (event) => { shown[event.target.checked ? 'add' : 'delete'](one); fill(); } }), one.name);
  return h('details', { class: 'chooser left' }, h('summary', {}, 'Quantities'), h('div', { class: 'menu' }, h('div', { class: 'options' }, there.map(box))));
}

function histogram(view, one) {
  const host = h('div', { class: 'chart' }), key = h('ul', { class: 'chartkey' }), { limit, facts } = one;
  let drawn = 0;
  const again = () => {
    const width = drawn || 480, { content, label, outside } = draw(view, one, width);
    show(host, s('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label }, content));
    show(key, entry(stroke('mean'), `mean ${view.text(one, facts.mean)}`), limit && entry(stroke('limit lasting'), `${limit.shown}: ${limit.over} of ${facts.count} over${outside ? '; it lies outside' : ''}`));
  };
  view.store.on(['units', 'bars'], again);
  new ResizeObserver(() => host.clientWidth && host.clientWidth !== drawn && (drawn = host.clientWidth) && again()).observe(host);
  return h('figure', { class: 'histogram' }, h('figcaption', {}, one.name), host, key);
}

function draw(view, one, width) {
  const { facts, limit } = one, { factor } = view.unit(one), least = facts.least.value / factor, largest = facts.largest.value / factor;
  const heights = largest > least ? joined(one.bars, view.store.get('bars')) : [facts.count], reach = largest > least ? largest - least : Math.abs(least) || 1;
  const from = largest > least ? least : least - reach / 20, each = (largest > least ? reach : reach / 10) / heights.length, bound = limit ? limit.value / factor : NaN;
  let [x0, x1] = [from - reach * 0.02, from + each * heights.length + reach * 0.02];
  const inside = bound >= least - reach && bound <= largest + reach;
  if (inside) [x0, x1] = [Math.min(x0, bound - reach * 0.05), Math.max(x1, bound + reach * 0.05)];
  const { grid, px, py, box } = frameOf({ width, height: HEIGHT, x: [x0, x1], y: [0, 1.06 * Math.max(...heights)], names: [view.label(one), 'variants'] });
  const bar = (n, k) => n > 0 && s('rect', { class: 'bar', x: px(from + k * each).toFixed(2), y: py(n).toFixed(2), width: Math.max(px(each) - px(0) - 0.6, 0.6).toFixed(2), height: (py(0) - py(n)).toFixed(2) }, s('title', {}, `${number(from + k * each)} … ${number(from + (k + 1) * each)}: ${count(n, 'variant')}`));
  const beyond = inside && (limit.sign.startsWith('<') ? [px(bound), box.right] : [box.left, px(bound)]);
  return { outside: limit && !inside, label: `Histogram of ${one.name}: ${count(facts.count, 'value')} from ${view.text(one, facts.least.value)} to ${view.text(one, facts.largest.value)}`,
    content: [grid, beyond && s('rect', { class: 'beyond', x: beyond[0], y: box.top, width: Math.max(beyond[1] - beyond[0], 0), height: box.bottom - box.top }), heights.map(bar),
      s('path', { class: 'mean', d: `M${px(facts.mean / factor)} ${box.top}V${box.bottom}` }), inside && s('path', { class: 'limit lasting', d: `M${px(bound)} ${box.top}V${box.bottom}` })] };
}
