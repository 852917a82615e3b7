// A path of equilibria: a quantity over the parameter, which may turn back. Stable parts heavy, others thin and dashed; events are marked.

import { h, show, s } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { frameOf } from './frame.js';

const HEIGHT = 280;

/** Stretches of samples that have one stability: {from, to, stable}. */
export function stretches({ series, samples }) {
  const unstable = series.of('equilibrium.unstable'), list = [];
  for (let k = 0; k < samples; ++k) {
    const stable = !unstable || unstable[k] === 0;
    if (list.length && list.at(-1).stable === stable) list.at(-1).to = k;
    else list.push({ from: Math.max(k - 1, 0), to: k, stable });
  }
  return list;
}

export function pathPlot({ session, player }) {
  const { first } = session, { series } = first, names = series.columns.slice(1).map(({ name }) => name).filter((name) => name !== 'equilibrium.unstable');
  const outputs = Object.keys(first.answer.outputs ?? {}), moving = (first.followed.events ?? []).map(({ moves }) => moves?.replace(/^(\w+)\((.*)\)$/, '$2.$1'));
  const choice = h('select', { 'aria-label': 'What is drawn over the parameter' }, names.map((name) => h('option', { value: name }, name)));
  choice.value = [...moving, ...outputs, ...names].find((name) => series.has(name) && session.changes(name)) ?? names[0];
  const host = h('div', { class: 'pathplot' }), dot = s('circle', { r: 5, class: 'here' });
  let frame = null;
  const draw = () => {
    frame = axes(session, choice.value, host.clientWidth || 600);
    show(host, s('svg', { viewBox: `0 0 ${frame.width} ${HEIGHT}`, role: 'img', 'aria-label': `${choice.value} over ${first.axisName}`, onclick: (event) => pick(event) }, frame.grid, curves(frame, first), marks(frame, first, player), dot));
    move();
  };
  const move = () => {
    const [x, y] = frame.at(session.sample);
    dot.setAttribute('cx', x);
    dot.setAttribute('cy', y);
  };
  const pick = (event) => {
    const box = host.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = 0, least = Infinity;
    for (let k = 0; k < first.samples; ++k) {
      const [px, py] = frame.at(k), away = Math.hypot(px - x, py - y);
      if (away < least) [best, least] = [k, away];
    }
    if (least < 40) player.go(best);
  };
  choice.addEventListener('change', draw);
  session.store.on(['system', 'angles'], draw);
  session.store.on(['place'], () => frame && move());
  new ResizeObserver(draw).observe(host);
  return h('div', {}, h('label', { class: 'row' }, 'Over the parameter: ', choice), host);
}

function axes(session, name, width) {
  const { series, followed } = session.first, column = series.columns[0];
  const [u, v] = [session.unit(column.unit), session.unit(series.column(name).unit)];
  const xs = series.axis, ys = series.of(name);
  const range = (values, factor) => values.reduce(([low, high], value) => (Number.isNaN(value) ? [low, high] : [Math.min(low, value / factor), Math.max(high, value / factor)]), [Infinity, -Infinity]);
  const padded = ([low, high]) => (high > low ? [low - 0.04 * (high - low), high + 0.04 * (high - low)] : [low - 1, high + 1]);
  const [x0, x1] = padded(range(xs, u.factor)), [y0, y1] = padded(range(ys, v.factor));
  const { grid, px, py } = frameOf({ width, height: HEIGHT, x: [x0, x1], y: [y0, y1], names: [`${followed.parameter ?? column.name} [${pretty(u.unit)}]`, `${name} [${pretty(v.unit)}]`] });
  return { width, grid, at: (k) => [px(xs[k] / u.factor), py(ys[k] / v.factor)] };
}

function curves({ at }, result) {
  return stretches(result).map(({ from, to, stable }) => {
    let d = '';
    for (let k = from; k <= to; ++k) {
      const [x, y] = at(k);
      if (!Number.isNaN(y)) d += `${d ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    }
    return s('path', { class: stable ? 'stable' : 'unstable', d });
  });
}

function marks({ at }, result, player) {
  return (result.followed.events ?? []).map((event) => {
    const [x, y] = at(event.sample);
    return s('g', { class: 'event', onclick: (click) => { click.stopPropagation(); player.go(event.sample); } }, s('rect', { x: x - 4.5, y: y - 4.5, width: 9, height: 9, transform: `rotate(45 ${x} ${y})` }), s('text', { x: x + 9, y: y - 8 }, event.kind));
  });
}
