// A drawing of variants: points that can be pointed at, chosen, and walked through with the keys.

import { h, s, show } from '../base/dom.js';

const NEAR = 24;   // px
const KEYS = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 };

/** Values between 0 and 1 as colours from the low end of the scale over its middle to its high end. */
export function colour(part) {
  const [from, to, share] = part < 0.5 ? ['low', 'middle', 2 * part] : ['middle', 'high', 2 * part - 1];
  return `color-mix(in oklab, var(--${to}) ${(100 * share).toFixed(1)}%, var(--${from}))`;
}

/** The least and the largest number, with some room; of one number alone an interval around it. */
export function rangeOf(values, room = 0.04) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high >= low)) return [0, 1];
  const reach = (high > low ? high - low : Math.abs(low) || 1) * room || 1;
  return [low - reach, high + reach];
}

/**
 * draw(width) gives {label, content, points: [[x, y, row], ...] sorted along x, key}. What is near the pointer is told below
 * the drawing; a click or the arrow keys choose a variant.
 */
export function drawing(view, { height, tell, draw }) {
  const host = h('div', { class: 'chart' }), key = h('ul', { class: 'chartkey' }), reading = h('p', { class: 'reading' });
  const here = s('path', { class: 'chosen' });
  let points = [], drawn = 0;
  const whileThere = (act) => () => (host.isConnected || !drawn) && act();   // a plot may have been taken away
  const nearest = (event) => {
    const box = host.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = -1, least = NEAR ** 2;
    for (const [px, py, row] of points) {
      const away = (px - x) ** 2 + (py - y) ** 2;
      if (away < least) [best, least] = [row, away];
    }
    return best;
  };
  const say = (row) => show(reading, row >= 0 ? tell(row) : '');
  const mark = () => {
    const row = view.store.get('row'), point = points.find((one) => one[2] === row);
    here.setAttribute('d', point ? `M${point[0]} ${point[1]}m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0` : '');
    say(point ? row : -1);
  };
  const step = (event) => {
    const by = KEYS[event.key];
    if (event.key === 'Escape') view.choose(-1);
    if (!by || !points.length) return;
    event.preventDefault();
    const at = points.findIndex((one) => one[2] === view.store.get('row'));
    view.choose(points[at < 0 ? 0 : Math.max(0, Math.min(points.length - 1, at + by))][2]);
  };
  const again = () => {
    const width = host.clientWidth || 480, made = draw(width);
    ({ points } = made);
    show(host, s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', tabindex: 0, 'aria-label': `${made.label}. Arrow keys go from variant to variant.`, onclick: (event) => view.choose(nearest(event)), onkeydown: step,
      onpointermove: (event) => say(nearest(event)), onpointerleave: mark }, made.content, here));
    show(key, made.key);
    mark();
  };
  view.store.on(['units'], whileThere(again));
  view.store.on(['row'], whileThere(mark));
  new ResizeObserver(() => host.clientWidth !== drawn && (drawn = host.clientWidth) && again()).observe(host);
  return { element: [host, key, reading], again };
}

/** A choice among parameters and quantities. */
export function chooser(label, groups, value, change) {
  const options = (list) => list.map((one) => h('option', { value: `${one.kind} ${one.name}` }, one.name));
  const named = groups.filter(([, list]) => list.length), choice = h('select', { onchange: () => change(choice.value) }, named.map(([title, list]) => (title === null ? list.map(([key, text]) => h('option', { value: key }, text)) : named.length > 1 ? h('optgroup', { label: title }, options(list)) : options(list))));
  choice.value = value;
  return { choice, element: h('label', {}, `${label} `, choice) };
}
