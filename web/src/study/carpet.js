// Carpet plots of grids: a quantity over two parameters a and b, as curves of constant a and of constant b over the shifted abscissa
// x = a + shift b, both from 0 to 1. Other parameters are held.

import { h, s, show } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { entry, marks, stroke } from '../plots/diagrams.js';
import { frameOf } from '../plots/frame.js';
import { Grid } from './data.js';
import { chooser, drawing, rangeOf } from './drawing.js';

const HEIGHT = 420, SHIFT = 0.6, LABELS = 14, SELECTED = 12;   // levels of a select; more have a slider

export function carpet(view) {
  const { study } = view, grid = study.answer.study.design === 'grid' && study.parameters.every(({ axis }) => axis >= 0) ? new Grid(study) : null;
  const wide = (grid?.axes ?? []).filter(({ held }) => held.length > 1), there = study.quantities.filter(({ values }) => values.some((value) => !Number.isNaN(value)));
  if (wide.length < 2 || !there.length) return null;
  const parameters = wide.flatMap((axis) => axis.parameters), key = (one) => `parameter ${one.name}`;
  const state = { z: there[0], a: wide.at(-1).parameters[0], b: wide.at(-2).parameters[0], shift: SHIFT, levels: grid.axes.map(({ held }) => held[Math.floor((held.length - 1) / 2)]) };
  const fixed = h('div', { class: 'row fixed' });
  const a = chooser('over', [['parameters', parameters]], key(state.a), (value) => pick('a', 'b', value)), b = chooser('and', [['parameters', parameters]], key(state.b), (value) => pick('b', 'a', value));
  const z = chooser('', [['quantities', there]], `quantity ${state.z.name}`, (value) => { state.z = study.get(value); plot.again(); });
  z.choice.setAttribute('aria-label', 'Quantity of the carpet');
  const shift = h('input', { type: 'range', min: 0, max: 2, step: 0.05, value: SHIFT, 'aria-label': 'Shift', oninput: () => { state.shift = Number(shift.value); plot.again(); } });
  // The two parameters move along different axes: where both choices are on one, the other choice gives way.
  const pick = (one, other, value) => {
    const before = state[one];
    state[one] = study.get(value);
    if (grid.axisOf(state[one]) === grid.axisOf(state[other])) state[other] = grid.axisOf(before) !== grid.axisOf(state[one]) ? before : parameters.find((free) => grid.axisOf(free) !== grid.axisOf(state[one]));
    a.choice.value = key(state.a);
    b.choice.value = key(state.b);
    fill();
    plot.again();
  };
  const plot = drawing(view, { height: HEIGHT, draw: (width) => draw(view, grid, state, width), tell: (row) => view.tell(row, [state.z]) });
  const fill = () => show(fixed, grid.axes.map((axis, k) => axis.held.length > 1 && k !== grid.axisOf(state.a) && k !== grid.axisOf(state.b) && holder(view, grid, axis, k, state, () => plot.again())));
  view.store.on(['units'], fill);
  fill();
  return h('figure', { class: 'carpet' }, h('figcaption', { class: 'row' }, z.element, a.element, b.element, h('label', {}, 'shift ', shift)), fixed, plot.element);
}

/** The choice of the level at which an axis is held: a select, or a slider where there are many. */
function holder(view, grid, axis, k, state, again) {
  const text = (level) => axis.parameters.map((one) => `${one.name} = ${view.text(one, grid.value(one, level))}`).join(', '), name = axis.parameters.map((one) => one.name).join(', ');
  const set = (level) => { state.levels[k] = level; again(); };
  if (axis.held.length <= SELECTED) {
    const select = h('select', { 'aria-label': name, onchange: () => set(Number(select.value)) }, axis.held.map((level) => h('option', { value: level }, text(level))));
    select.value = state.levels[k];
    return h('label', {}, 'at ', select);
  }
  const shown = h('output', {}, text(state.levels[k])), slider = h('input', { type: 'range', min: 0, max: axis.held.length - 1, step: 1, value: axis.held.indexOf(state.levels[k]), 'aria-label': name, 'aria-valuetext': text(state.levels[k]), oninput: () => {
    const level = axis.held[Number(slider.value)];
    shown.textContent = text(level);
    slider.setAttribute('aria-valuetext', text(level));
    set(level);
  } });
  return h('label', {}, 'at ', slider, shown);
}

/** The levels of a parameter in the order of its values, and where they lie between 0 and 1. */
export function placesOf(grid, parameter) {
  const { held } = grid.axes[grid.axisOf(parameter)], list = held.map((level) => ({ level, value: grid.value(parameter, level) })).filter(({ value }) => !Number.isNaN(value)).sort((one, other) => one.value - other.value);
  const low = list[0]?.value ?? 0, reach = (list.at(-1)?.value ?? 1) - low || 1;
  return list.map((one) => ({ ...one, place: (one.value - low) / reach }));
}

function draw(view, grid, { z, a, b, shift, levels }, width) {
  const { study } = view, { factor } = view.unit(z), along = placesOf(grid, a), across = placesOf(grid, b), [i, j] = [grid.axisOf(a), grid.axisOf(b)];
  const node = (p, q) => {
    const at = levels.slice();
    at[i] = p.level;
    at[j] = q.level;
    const row = grid.row(at);
    return { row, x: p.place + shift * q.place, z: row === undefined ? NaN : z.values[row] / factor };
  };
  const table = across.map((q) => along.map((p) => node(p, q))), flat = table.flat(), values = flat.map((one) => one.z).filter((value) => !Number.isNaN(value));
  const frame = frameOf({ width, height: HEIGHT, x: [-0.09 * (1 + shift), 1.13 * (1 + shift)], y: rangeOf(values, 0.08), names: ['', view.label(z)], bare: true }), { box } = frame;
  const placed = ({ x, z: value }) => [frame.px(x), frame.py(value)];
  const curves = (name, lists) => s('path', { class: `curve ${name}`, d: lists.map((list) => broken(list.filter(Boolean).map((one) => (Number.isNaN(one.z) ? null : placed(one))))).join('') });
  const constantB = table, constantA = along.map((_, k) => table.map((list) => list[k]));
  const there = flat.filter((one) => !Number.isNaN(one.z)), over = there.filter(({ row }) => study.isOver(z, row)), open = there.filter(({ row }) => study.isOpen(z, row)), bound = z.limit && z.limit.value / factor;
  const points = there.map((one) => [...placed(one), one.row]).sort((one, other) => one[0] - other[0]);
  return { label: `Carpet of ${z.name} over ${a.name} and ${b.name}`, points, content: [frame.grid, z.limit && bound >= frame.y[0] && bound <= frame.y[1] && s('path', { class: 'limit lasting', d: `M${box.left} ${frame.py(bound)}H${box.right}` }), curves('ofa', constantA), curves('ofb', constantB),
    marks('dot', 'node', there.filter(({ row }) => !study.isOver(z, row) && !study.isOpen(z, row)).map(placed)), marks('cross', 'beyond', over.map(placed)), marks('ring', 'open', open.map(placed)), names(view, a, along, constantA, placed, 'ofa', true), names(view, b, across, constantB, placed, 'ofb', false)],
  key: [entry(stroke('curve ofa'), `${a.name} constant${unitOf(view, a)}`), entry(stroke('curve ofb'), `${b.name} constant${unitOf(view, b)}`), over.length > 0 && entry(marks('cross', 'beyond', [[13, 6]]), `over ${z.limit.shown} (${over.length})`), open.length > 0 && entry(marks('ring', 'open', [[13, 6]]), `not unique (${open.length})`),
    z.limit && entry(stroke('limit lasting'), z.limit.shown), there.length < flat.length && h('li', {}, `${flat.length - there.length} of ${flat.length} without a value`)].filter(Boolean) };
}

const unitOf = (view, one) => (view.unit(one).unit ? ` [${pretty(view.unit(one).unit)}]` : '');

/** A line through points; null parts it. */
function broken(list) {
  let d = '', on = false;
  for (const point of list) {
    if (point) d += `${on ? 'L' : 'M'}${point[0].toFixed(2)} ${point[1].toFixed(2)}`;
    on = Boolean(point);
  }
  return d;
}

/** The value of each curve at its end: those of constant a below or above where they start, those of constant b at the right. */
function names(view, one, places, lists, placed, name, lower) {
  const each = Math.max(1, Math.ceil(places.length / LABELS));
  return places.map(({ value }, k) => {
    const list = lists[k].filter((node) => !Number.isNaN(node.z)), node = lower ? list[0] : list.at(-1);
    if (!node || (k % each && k !== places.length - 1)) return null;
    const [x, y] = placed(node), next = lower ? list[1] : null, under = !next || placed(next)[1] <= y;
    return s('text', { class: `curvename ${name}`, x: lower ? x : x + 7, y: lower ? y + (under ? 15 : -7) : y + 4, 'text-anchor': lower ? 'middle' : 'start' }, `${k === 0 || k === places.length - 1 ? `${one.name} = ` : ''}${view.number(one, value)}`);
  });
}
