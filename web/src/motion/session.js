// The page's state and what follows from it: where bodies are and which forces act at this moment.

import { Store } from '../base/store.js';
import { add, placed, times } from '../base/vectors.js';
import { shownUnit } from '../base/units.js';
import { number } from '../base/format.js';
import { swung } from './swing.js';
import { velocityArrows, virtuallyMoved } from './virtual.js';
import { Poses, middleOf, posesOf, reach, reachOfMoving } from './poses.js';
import { spread } from './guides.js';
import { Series } from '../base/data.js';
import { Wrenches, arrowLength, pushedBy } from './wrenches.js';

const TRACE_LOOKS = 3000;   // corners of a trace, at most
const ARROW_LOOKS = 12;   // at most so many samples are looked at for the arrows of a picture

const STATE = {
  place: 0, playing: false, speed: 1, loop: true,       // between samples; times real time
  chosen: { thing: -1, body: -1 },
  forces: true, loads: true, parted: false, scaled: 'motion', traces: [],   // scaled: arrows by the largest of the motion, or of this instant
  names: false, values: false, reach: 1, second: true, follow: false,
  system: 'si', angles: 'rad', theme: '',
  pushes: [],                                            // of each self-stress: what times its shares is added [N]
  equilibrium: -1, mode: -1, virtual: -1, amplitude: 1, phase: 0,
};

export class Session {
  #most;

  constructor(results) {
    this.results = results;
    this.first = results[0];
    const { units = {} } = this.first.scene;
    this.store = new Store({ ...STATE, system: Object.keys(units).length ? 'model' : 'si', angles: units.angle && units.angle !== 'rad' ? 'deg' : 'rad', pushes: (this.first.answer.self_stress ?? []).map(() => 0) });
    this.#most = this.#magnitudes();
    this.poses = results.map((result) => new Poses(result));
    results.forEach((result, k) => { result.figures = spread(result, this.poses[k]); });
    this.wrenches = results.map((result) => new Wrenches(result));
    this.box = this.#box();
    this.largest = this.wrenches.reduce((most, { largest }) => ({ force: Math.max(most.force, largest.force), torque: Math.max(most.torque, largest.torque) }),
      { force: 0, torque: 0 });
    this.largest.force ||= this.largest.torque || 1;   // of a check: what a self-stress of 1 N is drawn with
    this.largest.torque ||= this.largest.force * (this.first.scene.size || 1);
  }

  /** The box of all that is drawn, with the arrows of forces at some samples, so that none is cut off at the edge. */
  #withArrows(box, samples) {
    const long = arrowLength(this.first, box), { points } = box, tips = [];
    for (const k of samples) {
      this.results.forEach((result, number) => {
        const at = Math.min(k, Math.max(result.samples - 1, 0));
        for (const { kind, at: tail, vector, verdict } of this.wrenches[number].at(at, this.poses[number].at(at))) {
          if (kind === 'force') tips.push(add(tail, times(((verdict === 'load' ? -1 : 1) * long) / this.largest.force, vector)));
        }
      });
    }
    const all = tips.filter((tip) => tip.every(Number.isFinite)), bound = (pick, from) => [0, 1, 2].map((i) => all.reduce((most, tip) => pick(most, tip[i]), from[i]));
    return { low: bound(Math.min, box.low), high: bound(Math.max, box.high), points: points.concat(all) };
  }

  #box() {
    return this.results.map((result, k) => reach(result, this.poses[k])).reduce((a, b) => ({
      low: a.low.map((x, i) => Math.min(x, b.low[i])), high: a.high.map((x, i) => Math.max(x, b.high[i])), points: a.points.concat(b.points) }));
  }

  /** Does all that moves go far together, seen over its own extent? */
  get travels() {
    const [poses] = this.poses, { samples } = this.first;
    if (samples < 2) return false;
    const extent = (frames) => reachOfMoving(this.first.scene, frames), frames = [0, 1, 2, 3, 4, 5, 6].map((k) => poses.at((k / 6) * (samples - 1)));
    const start = middleOf(frames[0]), size = Math.max(extent(frames[0]), this.first.scene.size || 0);
    return frames.some((now) => Math.hypot(...middleOf(now).map((x, i) => x - start[i])) > 1.2 * size) && frames.every((now) => extent(now) < 2 * size);
  }

  /** Everything that is reached, or with `follow` the mechanism where it begins: arrows are measured with it. */
  get reached() {
    if (!this.get('follow')) return this.box;
    this.start ??= reach(this.first, { at: () => this.poses[0].at(0) }, this.first.scene.figures.filter(({ guide }) => !guide));
    return this.start;
  }

  /** What a picture should show: that, and the arrows. */
  get shown() {
    const virtual = this.get('virtual');
    if (virtual >= 0) return this.#virtualBox(virtual);
    const last = Math.max(this.first.samples - 1, 0), follows = this.get('follow');
    this.whole ??= {};
    this.whole[follows] ??= this.#withArrows(this.reached, follows ? [0] : Array.from({ length: ARROW_LOOKS }, (_, k) => Math.round((k * last) / (ARROW_LOOKS - 1))));
    return this.whole[follows];
  }

  /** How far the middle of what moves has come since the first sample. */
  travelled(frames) {
    if (!this.get('follow')) return [0, 0, 0];
    const now = middleOf(frames), start = middleOf(this.poses[0].at(0));
    return now.map((x, i) => x - start[i]);
  }

  /** What a result is called where two are shown. */
  label(k) {
    const { title, file } = this.results[k].scene, other = this.results[1 - k]?.scene, own = title || file || '';
    return !other || own !== (other.title || other.file || '') ? own : k ? `${own} (second result)` : `${own} (first result)`;
  }

  get(name) {
    return this.store.get(name);
  }

  /** The value of a series at the place that is shown. */
  now(values, k = 0) {
    return Series.at(values, this.placeIn(k));
  }

  /** Which of the equilibria is the state whose forces are known, or -1. */
  get reachedEquilibrium() {
    const near = 1e-6 * (this.first.scene.size || 1), state = this.poses[0].at(0);
    const same = (one, two) => Math.hypot(...one.at.map((x, i) => x - two.at[i])) <= near && Math.abs(one.turn.reduce((sum, q, i) => sum + q * two.turn[i], 0)) > 1 - 1e-12;
    this.arrived ??= (this.first.answer.equilibria ?? []).findIndex((one) => posesOf(one, this.first.scene).every((frame, body) => same(frame, state[body])));
    return this.arrived;
  }

  /** Is an equilibrium shown whose forces are not known? */
  get elsewhere() {
    const equilibrium = this.get('equilibrium');
    return equilibrium >= 0 && equilibrium !== this.reachedEquilibrium;
  }

  get sample() {
    return Math.round(this.get('place'));
  }

  /** The place in the series of another result that belongs to the same time. */
  placeIn(k) {
    const place = this.get('place'), result = this.results[k], { first } = this;
    if (k === 0) return place;
    if (result.axisName === first.axisName && result.rising && first.rising) return result.place(this.axisAt(place));
    return first.samples > 1 ? (place * (result.samples - 1)) / (first.samples - 1) : 0;
  }

  /** The axis (time, or the parameter) at a place between samples. */
  axisAt(place) {
    const { axis } = this.first.series, low = Math.min(Math.floor(place), axis.length - 1), part = place - low;
    return axis.length ? axis[low] + (part > 0 ? part * (axis[low + 1] - axis[low]) : 0) : 0;
  }

  /** Frames of all bodies of a result, now. */
  frames(k) {
    const result = this.results[k], mode = this.get('mode'), virtual = this.get('virtual'), equilibrium = this.get('equilibrium');
    if (k === 0 && mode >= 0) return swung(result, mode, this.get('amplitude'), this.get('phase'));
    if (k === 0 && virtual >= 0) return virtuallyMoved(result.scene, virtual, this.get('amplitude'), this.get('phase'));
    if (k === 0 && equilibrium >= 0) return posesOf(result.answer.equilibria[equilibrium], result.scene);
    return this.poses[k].at(this.placeIn(k));
  }

  /** The box of a virtual motion to both sides, with its velocities. */
  #virtualBox(index) {
    const { scene } = this.first, ends = [1, -1].map((side) => virtuallyMoved(scene, index, this.get('amplitude'), (side * Math.PI) / 2));
    const { low, high, points } = reach({ scene, samples: 2 }, { at: (k) => ends[k] }), long = arrowLength(this.first, this.reached);
    const all = points.concat(ends.flatMap((frames) => velocityArrows(scene, index, frames).map(({ at, vector }) => add(at, times(long, vector)))));
    const bound = (pick, from) => [0, 1, 2].map((i) => all.reduce((most, p) => pick(most, p[i]), from[i]));
    return { low: bound(Math.min, low), high: bound(Math.max, high), points: all };
  }

  /** Is it not the motion that is shown but a mode or a virtual motion? */
  get swings() {
    return this.get('mode') >= 0 || this.get('virtual') >= 0;
  }

  /** Shows a mode, a virtual motion or, with neither, the motion again. */
  swing({ mode = -1, virtual = -1 } = {}) {
    const playing = mode >= 0 || virtual >= 0;
    this.store.set({ mode, virtual, equilibrium: -1, phase: 0, playing, ...(playing ? { place: 0 } : {}) });
  }

  /** Is what self-stresses add shown? They belong to the first state. */
  get pushing() {
    return this.sample === 0 && !this.elsewhere && !this.swings && this.get('pushes').some((amount) => amount !== 0);
  }

  /** What is added to each component by name. */
  get pushed() {
    return this.pushing ? pushedBy(this.first.answer.self_stress, this.get('pushes')) : new Map();
  }

  /** Arrows of a result now; none where forces are not known. */
  arrows(k, frames) {
    if (this.get('virtual') >= 0) return k === 0 ? velocityArrows(this.first.scene, this.get('virtual'), frames) : [];
    if (this.get('mode') >= 0 || this.elsewhere) return [];
    const all = this.wrenches[k].at(this.placeIn(k), frames, k === 0 ? this.pushed : new Map(), this.get('parted'));
    return all.filter(({ verdict }) => (verdict === 'load' ? this.get('loads') : this.get('forces')));
  }

  /** What the longest arrow stands for: of the whole motion, or of these arrows; what is rounding of the largest is not drawn large. */
  scale(arrows) {
    if (this.get('virtual') >= 0) return { force: 1, torque: 1 };   // virtual motions: 1 m/s
    if (this.get('scaled') === 'motion') return this.largest;
    const most = (wanted) => arrows.reduce((sum, { kind, vector }) => (kind === wanted ? Math.max(sum, Math.hypot(...vector)) : sum), 1e-9 * this.largest[wanted]);
    return { force: most('force'), torque: most('torque') };
  }

  /** Points that can be traced: markers and centroids of bodies that move. */
  get points() {
    const { bodies, markers } = this.first.scene, near = 1e-6 * (this.first.scene.size || 1);
    const named = markers.filter(({ on }) => on > 0).map(({ name, on, at }) => ({ name, on, at }));
    const masses = bodies.flatMap(({ name, mass, centroid }, on) => (on > 0 && mass > 0 && !named.some((one) => one.on === on && Math.hypot(...one.at.map((x, i) => x - centroid[i])) <= near) ? [{ name: `${name} (centroid)`, on, at: centroid }] : []));
    return named.concat(masses);
  }

  /** The way of a point of a result over the motion, in ground's axes; its parts where it was kept whole. */
  trace(k, { name, on, at }) {
    this.ways ??= new Map();
    const key = `${k} ${name}`, { samples } = this.results[k], body = k === 0 ? on : this.results[k].scene.bodies.findIndex((one) => one.name === this.first.scene.bodies[on].name);
    if (!this.ways.has(key)) {
      const steps = Math.min(samples, TRACE_LOOKS);
      this.ways.set(key, body < 0 ? [] : Array.from({ length: steps }, (_, i) => placed(this.poses[k].of(body, steps > 1 ? (i * (samples - 1)) / (steps - 1) : 0), at)));
    }
    return this.ways.get(key);
  }

  unit(siUnit) {
    return shownUnit(siUnit, this.first.scene.units, this.get('system'), this.get('angles'));
  }

  /** Below this a value of a unit is rounding. */
  noise(siUnit) {
    return 1e-13 * (this.#most.get(siUnit) ?? 0);
  }

  /** A number with SI unit as it is shown now. What is below 1e-13 of the largest of its unit is rounding, and is shown as 0. */
  number(value, siUnit, error = 0) {
    const { factor } = this.unit(siUnit);
    if (value !== null && Math.abs(value) < this.noise(siUnit)) return '0';
    return number(value === null || value === undefined ? NaN : value / factor, error / factor);
  }

  /** Does a column change by more than rounding? */
  changes(name) {
    const values = this.first.series.of(name), [low, high] = values.reduce(([a, b], value) => [value < a ? value : a, value > b ? value : b], [Infinity, -Infinity]);
    return high - low > 1e-8 * (this.#most.get(this.first.series.column(name).unit) ?? 0);
  }

  /** The largest magnitude of each unit; of angles at least 1, of lengths the size, of forces what torques are over the size. */
  #magnitudes() {
    const most = new Map(), { series, scene } = this.first;
    series.columns.forEach(({ unit }, k) => most.set(unit, series.values[k].reduce((old, value) => (Math.abs(value) > old ? Math.abs(value) : old), most.get(unit) ?? 0)));
    const least = (unit, value) => most.set(unit, Math.max(most.get(unit) ?? 0, value || 0));
    least('rad', 1);
    least('m', scene.size);
    if (scene.size > 0) {
      least('N', (most.get('N.m') ?? 0) / scene.size);
      least('N.m', (most.get('N') ?? 0) * scene.size);
    }
    return most;
  }

  /** What is selected, by its place in things or bodies. */
  choose(thing, body = -1) {
    this.store.set({ chosen: { thing, body } });
  }

  chooseBody(name) {
    this.choose(-1, this.first.scene.bodies.findIndex((body) => body.name === name));
  }
}
