// Scatter plots: a quantity over a parameter or another quantity, coloured by a parameter.

import { h, s } from '../base/dom.js';
import { entry, marks, stroke } from '../plots/diagrams.js';
import { frameOf } from '../plots/frame.js';
import { chooser, colour, drawing, rangeOf } from './drawing.js';
import { held } from './head.js';

const HEIGHT = 320, FEW = 9, FIRST = 3;

/** Parameters that vary, those a quantity depends on most first. */
function byCorrelation(study, quantity) {
  const size = ({ name }) => Math.abs(quantity?.facts.correlations?.[name] ?? 0);
  return study.parameters.filter(({ values }) => values.some((value) => value !== values[0])).sort((a, b) => size(b) - size(a));
}

export function scatter(view) {
  const { study } = view, panels = h('div', { class: 'charts' }), there = study.quantities.filter(({ values }) => values.some((value) => !Number.isNaN(value)));
  if (!there.length || study.count < 2) return null;
  const add = (quantity) => {
    const [x, by] = byCorrelation(study, quantity), made = panel(view, { y: quantity, x: x ?? study.parameters[0] ?? quantity, by: by ?? null });
    panels.append(made.element);
    return made;
  };
  const more = h('button', { class: 'quiet', onclick: () => add(there[panels.childElementCount % there.length]).focus() }, 'Another plot');
  there.slice(0, FIRST).forEach(add);
  return h('div', {}, held(view), panels, h('div', { class: 'row' }, more));
}

function panel(view, chosen) {
  const { study } = view, key = (one) => (one ? `${one.kind} ${one.name}` : ''), state = { ...chosen };
  const all = [['parameters', study.parameters], ['quantities', study.quantities]];
  const set = (name) => (value) => { state[name] = study.get(value) ?? null; plot.again(); };
  const y = chooser('', [['quantities', study.quantities]], key(state.y), set('y')), x = chooser('over', all, key(state.x), set('x')), by = chooser('colour', [[null, [['', 'none']]], ...all], key(state.by), set('by'));
  y.choice.setAttribute('aria-label', 'Quantity');
  const shown = () => [...new Set([state.y, state.x].filter(({ kind }) => kind === 'quantity'))];
  const plot = drawing(view, { height: HEIGHT, draw: (width) => draw(view, state, width), tell: (row) => view.tell(row, [...new Set([...shown(), ...(state.by?.kind === 'quantity' ? [state.by] : [])])]) });
  const element = h('figure', { class: 'scatter' }, h('figcaption', { class: 'row' }, y.element, x.element, by.element, h('button', { class: 'remove', title: 'Take this plot away', 'aria-label': 'Take this plot away', onclick: () => element.remove() }, '×')), plot.element);
  return { element, focus: () => y.choice.focus() };
}

/** Classes of colour: each value of a parameter with few of them, else equal parts of the range. */
export function classesOf(by) {
  const values = by ? [...new Set(by.values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b) : [];
  if (!values.length) return { of: () => 0, count: 1, colour: () => 'var(--unique)' };
  const low = values[0], high = values.at(-1), few = values.length <= FEW, count = few ? values.length : FEW, place = new Map(few ? values.map((value, k) => [value, k]) : []);
  const of = (value) => (Number.isNaN(value) ? -1 : few ? place.get(value) : Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count)));
  return { of, count, low, high, values: few ? values : null, colour: (k) => (k < 0 ? 'var(--free)' : colour(count > 1 ? k / (count - 1) : 0)) };
}

function put(groups, name, point) {
  const list = groups.get(name);
  if (list) list.push(point);
  else groups.set(name, [point]);
}

function draw(view, { x, y, by }, width) {
  const { study } = view, [u, v] = [view.unit(x).factor, view.unit(y).factor], classes = classesOf(by), rows = [];
  for (let row = 0; row < study.count; ++row) if (!Number.isNaN(x.values[row]) && !Number.isNaN(y.values[row])) rows.push(row);
  const frame = frameOf({ width, height: HEIGHT, x: rangeOf(rows.map((row) => x.values[row] / u)), y: rangeOf(rows.map((row) => y.values[row] / v)), names: [view.label(x), view.label(y)] });
  const shown = [x, y].filter(({ kind }) => kind === 'quantity'), groups = new Map(), points = [];
  let over = 0, open = 0;
  for (const row of rows) {
    const point = [frame.px(x.values[row] / u), frame.py(y.values[row] / v), row], beyond = shown.some((one) => study.isOver(one, row)), unsure = shown.some((one) => study.isOpen(one, row));
    const shape = beyond ? 'cross' : unsure ? 'ring' : 'dot', name = `${by ? classes.of(by.values[row]) : 0} ${shape}`;
    over += beyond;
    open += unsure;
    points.push(point);
    put(groups, name, point);
    if (beyond && unsure) put(groups, name.replace('cross', 'ring'), point);
  }
  points.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const inked = [...groups].map(([name, list]) => s('g', { style: `--verdict:${classes.colour(Number(name.split(' ')[0]))}` }, marks(name.split(' ')[1], 'variant', list)));
  return { label: `${y.name} over ${x.name}${by ? `, coloured by ${by.name}` : ''}`, points, content: [frame.grid, limits(view, frame, x, y), inked], key: [...scale(view, by, classes), over > 0 && entry(marks('cross', 'variant', [[13, 6]]), `over a limit (${over})`), open > 0 && entry(marks('ring', 'variant', [[13, 6]]), `not unique (${open})`),
    (x.limit || y.limit) && entry(stroke('limit lasting'), [...new Set([y, x].filter(({ limit }) => limit).map(({ name, limit }) => `${name} ${limit.shown}`))].join(', '))].filter(Boolean) };
}

/** The limits as lines, where they lie within the frame. */
function limits(view, { box, px, py, x: [x0, x1], y: [y0, y1] }, x, y) {
  const across = x.limit && x.limit.value / view.unit(x).factor, up = y.limit && y.limit.value / view.unit(y).factor;
  return [up !== null && up !== undefined && up >= y0 && up <= y1 && s('path', { class: 'limit lasting', d: `M${box.left} ${py(up)}H${box.right}` }), across !== null && across !== undefined && across >= x0 && across <= x1 && s('path', { class: 'limit lasting', d: `M${px(across)} ${box.top}V${box.bottom}` })];
}

/** What the colours mean. */
function scale(view, by, { values, count, low, high, colour: of }) {
  if (!by || low === undefined) return [];
  const dot = (k) => s('g', { style: `--verdict:${of(k)}` }, marks('dot', 'variant', [[13, 6]]));
  if (values) return [h('li', { class: 'of' }, `${view.label(by)}:`), ...values.map((value, k) => entry(dot(k), view.number(by, value)))];
  return [h('li', { class: 'of' }, `${view.label(by)}: ${view.number(by, low)}`, h('span', { class: 'ramp', 'aria-hidden': 'true' }, Array.from({ length: count }, (_, k) => h('i', { style: `background:${of(k)}` }))), view.number(by, high))];
}
