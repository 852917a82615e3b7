// Curves over the axis of the result: what uPlot draws, and the line that follows the picture.

import uPlot from 'uplot';
import { palette } from '../picture/palette.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';

const DASHES = { 'not unique': [7, 4], compliance: [9, 3, 2, 3], unsure: [2, 3] };

/** Values in the units that are shown; what does not exist is null, and what is rounding 0. */
function converted(values, factor, noise = 0) {
  let plain = factor === 1;
  for (let k = 0; plain && k < values.length; ++k) plain = Math.abs(values[k]) >= noise || values[k] === 0;
  return plain ? values : Array.from(values, (value) => (Number.isNaN(value) ? null : Math.abs(value) < noise ? 0 : value / factor));
}

/** The axis of a result, or the number of the sample where the axis turns back. */
export function axisOf(session, result) {
  const column = result.series.columns[0];
  if (!result.rising) return { values: Float64Array.from(result.series.axis, (_, k) => k), name: 'place on the path', unit: '' };
  const { unit, factor } = session.unit(column?.unit);
  return { values: converted(result.series.axis, factor), name: column?.name === 'time' ? 't' : column?.name ?? '', unit };
}

/** The series to draw for column names: first result's curves, then the second's. */
export function curvesOf(session, names) {
  const both = session.get('second') ? session.results : [session.first];
  return both.flatMap((result, k) => names.filter((name) => result.series.has(name)).map((name) => {
    const { unit, verdict } = result.series.column(name), shown = session.unit(unit);
    return { name, unit: shown.unit, siUnit: unit, factor: shown.factor, verdict, second: k > 0, result, values: converted(result.series.of(name), shown.factor, session.noise(unit)) };
  }));
}

function tables(session, curves) {
  const results = session.results.filter((result) => curves.some((curve) => curve.result === result));
  const each = results.map((result) => [axisOf(session, result).values, ...curves.filter((curve) => curve.result === result).map(({ values }) => values)]);
  if (each.length < 2) return each[0] ?? [[]];
  const same = each[0][0].length === each[1][0].length && each[0][0].every((x, k) => x === each[1][0][k]);
  return same ? [each[0][0], ...each[0].slice(1), ...each[1].slice(1)] : uPlot.join(each.map((one) => one.map((column) => Array.from(column))));
}

function axisStyle(colours) {
  const font = '11px system-ui, sans-serif';
  return { stroke: colours.quiet, grid: { stroke: colours.rule, width: 1 }, ticks: { stroke: colours.rule, width: 1, size: 4 }, font, labelFont: font, labelSize: 14, labelGap: 0,
    values: (u, splits) => splits.map((value) => number(value)) };
}

/** Names of the units on the y axis, each once. */
const unitsOf = (curves) => [...new Set(curves.map(({ unit }) => unit).filter(Boolean))].map(pretty).join(', ');

/** A plot of columns in a host; the caller calls tell() when the picture moves. */
export class CurvePlot {
  constructor(session, host, names, { height = 190, sync = null, zoomed = () => {} } = {}) {
    Object.assign(this, { session, host, names, height, sync, zoomed });
    this.line = document.createElement('div');
    this.line.className = 'now';
    this.make();
  }

  make() {
    this.plot?.destroy();
    const { session, host } = this, colours = palette.now(), inks = palette.curves();
    this.curves = curvesOf(session, this.names);
    const axis = axisOf(session, session.first), base = axisStyle(colours);
    const order = [...new Set(this.curves.map(({ name }) => name))];
    this.inks = this.curves.map(({ name }) => inks[order.indexOf(name) % inks.length]);
    const series = this.curves.map((curve, k) => ({ label: curve.name, stroke: this.inks[k], width: curve.second ? 1 : 1.6, dash: curve.second ? [4, 4] : DASHES[curve.verdict], spanGaps: curve.second || session.results.length > 1, points: { show: false } }));
    this.plot = new uPlot({
      width: Math.max(host.clientWidth, 200), height: this.height, legend: { show: false }, pxAlign: 0,
      scales: { x: { time: false } }, series: [{}, ...series],
      axes: [{ ...base, size: 24, label: `${axis.name}${axis.unit ? ` [${pretty(axis.unit)}]` : ''}` }, { ...base, size: 58, label: unitsOf(this.curves), values: (u, splits) => splits.map((value) => number(value, 0, 5)) }],
      cursor: { sync: this.sync ? { key: this.sync, setSeries: false } : undefined, points: { size: 6 }, drag: { x: true, y: false, dist: 6 } },
      hooks: { setScale: [(u, key) => key === 'x' && this.zoomed(this, u.scales.x)], setCursor: [() => this.hovered?.()] },
    }, tables(session, this.curves), host);
    this.plot.over.append(this.line);
    this.plot.over.addEventListener('click', (event) => this.#click(event));
    this.tell();
  }

  /** A click takes the picture to that time. */
  #click(event) {
    const box = this.plot.over.getBoundingClientRect();
    const { unit } = this.session.first.series.columns[0] ?? {}, { rising } = this.session.first;
    const x = this.plot.posToVal(event.clientX - box.left, 'x');
    const place = rising ? this.session.first.place(x * this.session.unit(unit).factor) : x;
    this.session.store.set({ playing: false, place: Math.max(0, Math.min(this.session.first.samples - 1, Math.round(place))), equilibrium: -1, mode: -1, virtual: -1 });
  }

  /** Moves the line to where the picture is. */
  tell() {
    const { session } = this, { unit } = session.first.series.columns[0] ?? {};
    const x = session.first.rising ? session.axisAt(session.get('place')) / session.unit(unit).factor : session.get('place');
    const left = this.plot.valToPos(x, 'x');
    this.line.style.visibility = left >= -1 && left <= this.plot.bbox.width / (devicePixelRatio || 1) + 1 ? 'visible' : 'hidden';
    this.line.style.transform = `translateX(${left.toFixed(1)}px)`;
  }

  /** The value of a curve where the picture is, or where the pointer is over the plot. */
  valueOf(k) {
    const { idx } = this.plot.cursor, curve = this.curves[k];
    if (idx !== null && idx !== undefined && this.plot.cursor.left >= 0) return this.plot.data[k + 1][idx];
    return this.session.now(curve.values, curve.result.number);
  }

  resize() {
    if (this.host.clientWidth > 0) this.plot.setSize({ width: this.host.clientWidth, height: this.height });
    this.tell();
  }
}
