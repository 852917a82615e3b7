// What is sized, drawn: efforts of a motor over its speed, loads over time.

import { h, s, show } from '../base/dom.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';
import { allowed, cornersOf, motorOf } from '../motion/motor.js';
import { frameOf } from './frame.js';

const HEIGHT = 260, ROOM = 1.08;   // ROOM: of axes, above what is largest

/** The unit in which the speed of a shaft is shown: rpm, whatever angles are in. */
export const speedUnit = (session, unit) => (unit === 'rad/s' ? { unit: 'rpm', factor: Math.PI / 30 } : session.unit(unit));

/** A figure by its name, with four digits, or one more than its error leaves sure; a dash where it is missing. */
export function figure(item, name, { factor }) {
  const value = item[name];
  if (!Number.isFinite(value)) return number(NaN);
  const size = Math.abs(value / factor), error = (item.errors?.[name] ?? 0) / factor / 10;
  return number(value / factor, Math.min(Math.max(error, 1e-4 * size), 0.5 * size), 4);
}

const named = (name, { unit }) => `${name} [${pretty(unit)}]`;
const largest = (values, least = 0) => values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), least);
const round = (x) => Number(x.toFixed(2));
const line = (points) => points.map(([x, y], k) => `${k ? 'L' : 'M'}${round(x)} ${round(y)}`).join('');

/** Marks at points of the page, as one path: it has as many elements as it has kinds of points. */
const SHAPES = {
  dot: (x, y) => `M${round(x)} ${round(y)}h0`,
  ring: (x, y) => `M${round(x)} ${round(y)}m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0`,
  cross: (x, y) => `M${round(x)} ${round(y)}m-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4`,
  diamond: (x, y) => `M${round(x)} ${round(y)}m-6 0l6-6l6 6l-6 6z`,
};
export const marks = (shape, name, points) => (points.length ? s('path', { class: `${shape} ${name}`, d: points.map(([x, y]) => SHAPES[shape](x, y)).join('') }) : null);

/** A drawing with the line that says what is what; drawn again when it gets another width, other units, or another result over it. */
function drawing({ session }, label, { draw, key, pick, follow }) {
  const host = h('div', { class: 'chart' }), legend = h('ul', { class: 'chartkey' });
  const again = () => {
    const width = host.clientWidth || 480;
    show(host, s('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label, onclick: pick && ((event) => pick(event.clientX - host.getBoundingClientRect().left)) }, draw(width)));
    show(legend, key());
    follow?.();
  };
  session.store.on(['system', 'angles', 'second'], again);
  if (follow) session.store.on(['place'], follow);
  new ResizeObserver(again).observe(host);
  again();
  return [host, legend];
}

/** A line of the key of a drawing. */
export const entry = (mark, ...words) => h('li', {}, s('svg', { class: 'sample', width: 26, height: 12, 'aria-hidden': 'true' }, mark), h('span', {}, words));
export const stroke = (name) => s('path', { class: name, d: 'M1 6H25' });

/** What of several results is shown: the second only where it is wanted. */
const shownOf = (session, items) => items.filter(({ item, second }) => item.plot && (!second || session.get('second')));

/** Points [speed, effort, power] of a drive without their signs, where the plot has both. */
const pointsOf = ({ x, y }) => x.map((speed, k) => [Math.abs(speed), Math.abs(y[k]), speed * y[k]]).filter((_, k) => x[k] !== null && y[k] !== null);

/** Effort over speed at the shaft of a rated motor: the cloud of its run within what it can do. items: of the first result and of the second. */
export function motorDiagram(app, name, items) {
  const { session } = app;
  const parts = ({ item }) => {
    const motor = motorOf(item.plot), points = pointsOf(item.plot), within = ([speed, effort]) => speed <= motor.top && effort <= allowed(motor.peak, speed);
    const inside = points.filter(within), rms = item.rms !== null && item.mean_speed !== null ? [item.mean_speed, item.rms] : null;
    return { motor, points, rms, hot: rms && motor.continuous && rms[1] > allowed(motor.continuous, rms[0]), beyond: points.filter((point) => !within(point)), motoring: inside.filter(([, , power]) => power >= 0), regenerating: inside.filter(([, , power]) => power < 0) };
  };
  const units = () => ({ speed: speedUnit(session, items[0].item.units.mean_speed), effort: session.unit(items[0].item.units.rms) });
  const draw = (width) => {
    const shown = shownOf(session, items).map((one) => ({ ...one, ...parts(one) })), { speed, effort } = units();
    const right = ROOM * largest(shown.flatMap(({ motor, points }) => [Number.isFinite(motor.top) ? motor.top : 0, ...points.map(([x]) => x)])) || 1;
    const lines = shown.map(({ motor }) => [motor.peak, motor.continuous].map((limit) => limit && cornersOf(limit, right)));
    const above = ROOM * largest(shown.flatMap(({ points, rms }, k) => [...lines[k].flatMap((corners) => corners ?? []), ...points, ...(rms ? [rms] : [])].map(([, y]) => y))) || 1;
    const { grid, px, py } = frameOf({ width, height: HEIGHT, x: [0, right / speed.factor], y: [0, above / effort.factor], names: [named('speed', speed), named(items[0].item.units.rms === 'N' ? 'force' : 'torque', effort)] });
    const placed = (points) => points.map(([x, y]) => [px(x / speed.factor), py(y / effort.factor)]);
    return [grid, shown.map(({ second, motor, motoring, regenerating, beyond, rms, hot }, k) => {
      const [peak, lasting] = lines[k].map((corners) => corners && line(placed(corners)));
      if (second) return s('g', { class: 'over' }, s('path', { class: 'limit', d: peak }), marks('ring', 'second', placed([...motoring, ...regenerating])), marks('cross', 'second', placed(beyond)), rms && marks('diamond', 'second', placed([rms])));
      return s('g', {}, lasting && s('path', { class: 'area', d: `${lasting}${motor.top <= right ? '' : `V${py(0)}`}H${px(0)}Z` }), s('path', { class: 'limit', d: peak }), lasting && s('path', { class: 'limit lasting', d: lasting }),
        marks('ring', 'regenerating', placed(regenerating)), marks('dot', 'motoring', placed(motoring)), marks('cross', 'beyond', placed(beyond)), rms && marks('diamond', hot ? 'rms beyond' : 'rms', placed([rms])));
    })];
  };
  const key = () => {
    const { speed, effort } = units(), shown = shownOf(session, items), first = shown.find(({ second }) => !second);
    const other = shown.some(({ second }) => second) && entry(marks('ring', 'second', [[13, 6]]), session.label(1));
    if (!first) return [other].filter(Boolean);
    const { motor, motoring, regenerating, beyond, rms, hot } = parts(first), text = (name, of) => `${figure(first.item, name, of)} ${pretty(of.unit)}`;
    return [entry(stroke('limit'), 'peak'), motor.continuous && entry(stroke('limit lasting'), 'continuous'), motoring.length > 0 && entry(marks('dot', 'motoring', [[13, 6]]), 'motoring'), regenerating.length > 0 && entry(marks('ring', 'regenerating', [[13, 6]]), 'regenerating'),
      beyond.length > 0 && entry(marks('cross', 'beyond', [[13, 6]]), 'beyond its limits'), rms && entry(marks('diamond', hot ? 'rms beyond' : 'rms', [[13, 6]]), `rms ${text('rms', effort)} at the mean speed ${text('mean_speed', speed)}`),
      other];
  };
  return drawing(app, `Effort over speed of ${name}`, { draw, key });
}

/** A load over time with its mean as a level. mean: the figure that is the mean, `what` is drawn in `unit`. */
export function loadDiagram(app, name, { what, mean, meant, unit }, items) {
  const { session, player } = app, now = s('path', { class: 'instant' });
  let frame = null, time = null;
  const draw = (width) => {
    const shown = shownOf(session, items), load = session.unit(unit);
    time = session.unit('s');
    const times = shown.flatMap(({ item }) => item.plot.x), above = ROOM * largest(shown.flatMap(({ item }) => [...item.plot.y, item[mean]])) || 1;
    const [from, to] = times.reduce(([a, b], t) => [Math.min(a, t), Math.max(b, t)], [Infinity, -Infinity]);
    frame = frameOf({ width, height: HEIGHT, x: to > from ? [from / time.factor, to / time.factor] : [0, 1], y: [0, above / load.factor], names: [named('t', time), named(what, load)] });
    const { grid, px, py } = frame, y = (value) => py(value / load.factor);
    return [grid, shown.map(({ item, second }) => s('g', { class: second ? 'over' : null }, s('path', { class: 'load', d: line(item.plot.x.map((t, k) => [t, item.plot.y[k]]).filter(([t, value]) => t !== null && value !== null).map(([t, value]) => [px(t / time.factor), y(value)])) }),
      Number.isFinite(item[mean]) && s('path', { class: 'level', d: `M${round(px(item.plot.x[0] / time.factor))} ${round(y(item[mean]))}H${round(px(item.plot.x.at(-1) / time.factor))}` }))), now];
  };
  const follow = () => {
    const t = session.axisAt(session.get('place')) / time.factor;
    now.setAttribute('d', `M${round(frame.px(t))} ${frame.py(0)}V12`);
  };
  const key = () => {
    const load = session.unit(unit), shown = shownOf(session, items), first = shown.find(({ second }) => !second);
    return [first && entry(stroke('load'), what), first && Number.isFinite(first.item[mean]) && entry(stroke('level'), `${meant} ${figure(first.item, mean, load)} ${pretty(load.unit)}`),
      shown.some(({ second }) => second) && entry(s('g', { class: 'over' }, stroke('load')), session.label(1))];
  };
  return drawing(app, `${what} of ${name} over time`, { draw, key, follow, pick: (x) => player.go(Math.round(session.first.place(frame.at(x) * time.factor))) });
}
