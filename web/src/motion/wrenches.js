// Forces and torques at a sample, as vectors along ground's axes.
//
// A reaction acts on the second body at the thing's point; its components are along the axes of a marker, or ground's.
// A self-stress adds s times its shares: a force share is a number, a torque share a length.

import { Series } from '../base/data.js';
import { minus, placed, product, times, turned, unit } from '../base/vectors.js';

const FORCES = ['Fx', 'Fy', 'Fz'], TORQUES = ['Tx', 'Ty', 'Tz'];
const BADNESS = { free: 0, unique: 1, compliance: 2, unsure: 3, 'not unique': 4 };

export const worst = (verdicts) => verdicts.reduce((a, b) => (BADNESS[b] > BADNESS[a] ? b : a), 'free');

/** How long the arrow of the largest force is [m], in a picture of a box. */
export const arrowLength = ({ scene }, { low, high }) => 0.22 * Math.max(...high.map((x, i) => x - low[i]), scene.symbol * 2);

/** What the wrench of a thing is read from. */
function readerOf(result, thing, index) {
  const { series, answer } = result;
  const value = (end) => series.of(`${thing.name}.${end}`);
  const verdict = (end) => verdictOf(answer, thing, end) ?? series.column(`${thing.name}.${end}`)?.verdict ?? (thing.kind === 'load' ? 'load' : 'unique');
  const spatial = result.scene.space === 'spatial', ofPlane = ['Fx', 'Fy', 'Tz'];
  const whole = (ends) => ends.filter((end) => spatial || ofPlane.includes(end)).every(value);   // a part (--only) would pass for the whole
  const parts = (ends) => ends.map((end) => ({ name: `${thing.name}.${end}`, values: whole(ends) ? value(end) : null, verdict: verdict(end) }));
  return { thing, index, force: parts(FORCES), torque: parts(TORQUES), effort: value('effort') ?? value('force') ?? value('torque'),
    effortName: ['effort', 'force', 'torque'].map((end) => `${thing.name}.${end}`).find((name) => series.has(name)),
    effortVerdict: thing.kind === 'load' ? 'load' : answer.drives?.[thing.name]?.verdict ?? 'unique' };
}

function verdictOf(answer, thing, end) {
  if (thing.kind === 'load') return 'load';
  const entry = answer.reactions?.[thing.name] ?? answer.constraints?.[thing.name];
  return entry?.components?.[end]?.verdict;
}

export class Wrenches {
  constructor(result) {
    this.result = result;
    const { scene, answer } = result;
    this.markers = scene.markers;
    const named = scene.things.map((thing, index) => readerOf(result, thing, index));
    this.readers = named.filter(({ thing, force, torque, effort }) =>
      (Number.isInteger(thing.point) && (answer.reactions?.[thing.name] || [...force, ...torque].some(({ values }) => values))) || effort);
    this.drawn = new Map(scene.things.map(({ figure }, index) => [index, scene.figures[figure]]));   // the figure along which a single value acts
    this.largest = this.#largest();
  }

  /** The largest force and torque of reactions and efforts over all samples, to scale arrows with. */
  #largest() {
    const largest = { force: 0, torque: 0 };
    const over = (parts, kind) => {
      const held = parts.filter(({ values }) => values);
      for (let k = 0; k < this.result.samples; ++k) {
        let sum = 0;
        for (const { values } of held) sum += values[k] * values[k];
        if (sum > largest[kind]) largest[kind] = sum;
      }
    };
    for (const reader of this.readers) {
      over(reader.force, 'force');
      over(reader.torque, 'torque');
      if (reader.effort) over([{ values: reader.effort }], this.#turns(reader) ? 'torque' : 'force');
    }
    return { force: Math.sqrt(largest.force), torque: Math.sqrt(largest.torque) };
  }

  #turns({ effortName, index }) {
    const unitOfIt = this.result.series.column(effortName)?.unit;
    return unitOfIt ? unitOfIt === 'N.m' : this.drawn.get(index)?.kind === 'turning';
  }

  /** Arrows at a place between samples for frames of bodies; pushed: Map of component name to what self-stresses add; parted: one arrow per component. */
  at(instant, frames, pushed = new Map(), parted = false) {
    const list = [];
    const place = (marker) => ({ at: placed(frames[this.markers[marker].on], this.markers[marker].at),
      turn: product(frames[this.markers[marker].on].turn, this.markers[marker].turn) });
    for (const reader of this.readers) {
      const { thing } = reader;
      if (Number.isInteger(thing.point)) this.#components(reader, instant, place, pushed, parted, list);
      if (reader.effort) this.#effort(reader, instant, frames, place, pushed, list);
    }
    return list;
  }

  #components({ thing, index, force, torque }, instant, place, pushed, parted, list) {
    const turn = Number.isInteger(thing.axes) ? place(thing.axes).turn : [1, 0, 0, 0];
    const { at } = place(thing.point);
    for (const [parts, kind] of [[force, 'force'], [torque, 'torque']]) {
      const shown = parts.map(({ name, values, verdict }, i) => ({ i, verdict, name, value: ((values && Series.at(values, instant)) ?? 0) + (pushed.get(name) ?? 0), there: values || pushed.has(name) }))
        .filter(({ there, verdict }) => there && verdict !== 'free');
      const groups = parted ? shown.map((one) => [one]) : [shown];
      for (const group of groups.filter((one) => one.length)) {
        const local = [0, 0, 0];
        group.forEach(({ i, value }) => { local[i] = Number.isNaN(value) ? 0 : value; });
        list.push({ of: index, kind, at, vector: turned(turn, local), verdict: worstOf(group), moved: group.some(({ name }) => pushed.has(name)) });
      }
    }
  }

  /** Efforts of drives, forces of springs: along the line between two points, or along or about the axis of the thing's symbol. */
  #effort(reader, instant, frames, place, pushed, list) {
    const { thing, index } = reader, figure = this.drawn.get(index);
    const value = Series.at(reader.effort, instant) + (pushed.get(reader.effortName) ?? 0);
    if (!figure || Number.isNaN(value)) return;
    const facts = { of: index, verdict: reader.effortVerdict, moved: pushed.has(reader.effortName) };
    const [one, two] = [].concat(figure.on);
    if (figure.axis) {
      const axis = unit(turned(frames[figure.along ?? one].turn, figure.axis));
      const at = Number.isInteger(thing.point) ? place(thing.point).at : placed(frames[one], figure.at);
      list.push({ ...facts, kind: figure.kind === 'turning' ? 'torque' : 'force', at, vector: times(value, axis) });
    } else if (two !== undefined) {
      const p = placed(frames[one], figure.from), q = placed(frames[two], figure.to), along = unit(minus(q, p));
      const pull = thing.kind === 'drive' ? -value : value;   // a spring pulls when it is positive, a drive pushes
      list.push({ ...facts, kind: 'force', at: q, vector: times(-pull, along) }, { ...facts, kind: 'force', at: p, vector: times(pull, along) });
    }
  }
}

function worstOf(group) {
  const verdicts = group.map(({ verdict }) => verdict);
  return verdicts.includes('load') ? 'load' : worst(verdicts);
}

/** What all pushed self-stresses add to each component: a Map from its name. */
export function pushedBy(modes, amounts) {
  const sum = new Map();
  modes.forEach((mode, k) => {
    if (!amounts[k]) return;
    for (const [name, share] of Object.entries(mode)) sum.set(name, (sum.get(name) ?? 0) + amounts[k] * share);
  });
  return sum;
}
