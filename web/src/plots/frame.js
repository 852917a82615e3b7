// The frame of a drawing over two axes: round numbers, lines of the grid, names.

import { s } from '../base/dom.js';
import { number } from '../base/format.js';

const MARGIN = { left: 64, right: 14, top: 12, bottom: 38 };

/** Round numbers of an axis. */
function ticks(low, high, about) {
  const raw = (high - low) / about, tens = 10 ** Math.floor(Math.log10(raw || 1));
  const step = tens * [1, 2, 5, 10].find((k) => k * tens >= raw);
  const list = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list;
}

/**
 * The grid of axes that reach from x[0] to x[1] and from y[0] to y[1], and where their numbers lie: px(x), py(y), and at(px) back;
 * box: where they end. bare: no numbers and lines across.
 */
export function frameOf({ width, height, x: [x0, x1], y: [y0, y1], names: [across, up], bare = false }) {
  const wide = width - MARGIN.left - MARGIN.right, high = height - MARGIN.top - MARGIN.bottom;
  const px = (x) => MARGIN.left + ((x - x0) / (x1 - x0)) * wide, py = (y) => height - MARGIN.bottom - ((y - y0) / (y1 - y0)) * high;
  const grid = s('g', { class: 'grid' }, (bare ? [] : ticks(x0, x1, width / 90)).map((x) => [s('path', { d: `M${px(x)} ${MARGIN.top}V${height - MARGIN.bottom}` }), s('text', { x: px(x), y: height - MARGIN.bottom + 15, 'text-anchor': 'middle' }, number(x, Math.abs(x1 - x0) * 1e-6))]),
    ticks(y0, y1, 5).map((y) => [s('path', { d: `M${MARGIN.left} ${py(y)}H${width - MARGIN.right}` }), s('text', { x: MARGIN.left - 6, y: py(y) + 4, 'text-anchor': 'end' }, number(y, Math.abs(y1 - y0) * 1e-6))]),
    s('text', { class: 'axis', x: width - MARGIN.right, y: height - 6, 'text-anchor': 'end' }, across), s('text', { class: 'axis', x: MARGIN.left + 4, y: MARGIN.top + 2 }, up));
  return { grid, px, py, at: (px) => x0 + ((px - MARGIN.left) / wide) * (x1 - x0), x: [x0, x1], y: [y0, y1], box: { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom } };
}
