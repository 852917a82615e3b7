// Where bodies are: at a sample, between two, in one of many equilibria.

import { add, minus, placed, times, turned, unit } from '../base/vectors.js';

/** The columns of a body's pose, or null where it was not kept whole (--only). */
function columnsOf(series, { name, particle }, spatial) {
  const at = ['.x', '.y', '.z'].map((end) => series.of(name + end));
  const turn = spatial ? ['.qw', '.qx', '.qy', '.qz'].map((end) => series.of(name + end)) : null;
  const angle = series.of(name + '.angle'), turns = spatial ? turn.every(Boolean) : Boolean(angle);
  if (!at.slice(0, spatial ? 3 : 2).every(Boolean) || !(turns || particle)) return null;
  return { at, turn: turn?.every(Boolean) ? turn : null, angle };
}

const about = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

function unitOf(q) {
  const length = Math.hypot(...q);
  return q.map((part) => part / length);
}

export class Poses {
  constructor(result) {
    this.bodies = result.scene.bodies;
    this.first = this.bodies.map(({ at, turn }) => ({ at, turn }));
    this.columns = this.bodies.map((body) => columnsOf(result.series, body, result.scene.space === 'spatial'));
    this.samples = result.samples;
  }

  /** The frame of every body at a place between samples. */
  at(place) {
    return this.bodies.map((_, body) => this.of(body, place));
  }

  of(body, place) {
    const columns = this.columns[body], first = this.first[body];
    if (!columns || this.samples === 0) return first;
    const low = Math.max(0, Math.min(this.samples - 1, Math.floor(place)));
    const high = Math.min(low + 1, this.samples - 1), part = place - low;
    const between = (values) => (values ? values[low] + (part > 0 ? part * (values[high] - values[low]) : 0) : 0);
    const at = columns.at.map(between);
    let turn = first.turn;
    if (columns.turn) turn = unitOf(columns.turn.map(between));
    else if (columns.angle) turn = about(between(columns.angle));
    return at.some(Number.isNaN) || turn.some(Number.isNaN) ? first : { at, turn };
  }
}

/** Frames of an equilibrium of result.json. */
export function posesOf(equilibrium, scene) {
  return scene.bodies.map(({ name, at, turn }) => {
    const place = equilibrium.bodies?.[name];
    if (!place) return { at, turn };
    return {
      at: [...place.at, 0].slice(0, 3),
      turn: place.quaternion ?? (place.angle !== undefined ? about(place.angle) : turn),
    };
  });
}

const LOOKS = 24;   // at most so many samples are looked at for the size of a picture

/** The box, along ground's axes, around everything that is drawn over the motion; `points`: corners of bodies' boxes; `travel`: of what moves. */
export function reach(result, poses, figures = result.figures ?? result.scene.figures) {
  const boxes = boxesOf({ ...result.scene, figures }), points = [];
  const steps = Math.min(Math.max(result.samples, 1), LOOKS);
  for (let k = 0; k < steps; ++k) {
    const frames = poses.at(steps > 1 ? Math.round((k * (result.samples - 1)) / (steps - 1)) : 0);
    frames.forEach((frame, body) => (body > 0 || k === 0) && boxes[body]?.forEach((corner) => points.push(placed(frame, corner))));
  }
  if (!points.length) points.push([0, 0, 0]);
  const low = [0, 1, 2].map((i) => points.reduce((least, p) => Math.min(least, p[i]), Infinity));
  const high = [0, 1, 2].map((i) => points.reduce((most, p) => Math.max(most, p[i]), -Infinity));
  return { low, high, points };
}

/** The middle of all bodies that move, to go along with them. */
export function middleOf(frames) {
  const moving = frames.slice(1);
  return moving.length ? times(1 / moving.length, moving.reduce((sum, { at }) => add(sum, at), [0, 0, 0])) : [0, 0, 0];
}

/** The diagonal of the box around all bodies that move. */
export function reachOfMoving(scene, frames) {
  const points = boxesOf(scene).flatMap((corners, body) => (body > 0 && corners ? corners.map((corner) => placed(frames[body], corner)) : []));
  return Math.hypot(...[0, 1, 2].map((i) => points.reduce((most, p) => Math.max(most, p[i]), -Infinity) - points.reduce((least, p) => Math.min(least, p[i]), Infinity)));
}

const NONE = [0, 0, 0], AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** How far a figure reaches from its points along each axis of its body. */
function halfOf({ kind, size, radius, turn, width, from, to }) {
  if (size) {   // a box: sum over its edges of half their parts along the axis
    const edges = AXES.map((axis, k) => times(size[k] / 2, turned(turn, axis)));
    return AXES.map((_, i) => edges.reduce((sum, edge) => sum + Math.abs(edge[i]), 0));
  }
  const axis = kind === 'wheel' || kind === 'circle' ? turned(turn, [0, 0, 1]) : kind === 'cylinder' || kind === 'cone' ? unit(minus(to, from)) : null;
  if (!axis) return [radius ?? 0, radius ?? 0, radius ?? 0];
  return axis.map((part) => (radius ?? 0) * Math.sqrt(Math.max(0, 1 - part * part)) + (Math.abs(part) * (width ?? 0)) / 2);   // a disk, as thick as it is wide
}

/** For each body the corners of a box around its figures and markers, in its own axes; null where it has none. */
function boxesOf(scene) {
  const boxes = scene.bodies.map(() => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] }));
  const put = (body, point, wide) => point && boxes[body] && point.forEach((x, i) => {
    boxes[body].low[i] = Math.min(boxes[body].low[i], x - wide[i]);
    boxes[body].high[i] = Math.max(boxes[body].high[i], x + wide[i]);
  });
  for (const figure of scene.figures) {
    const [one, two] = [].concat(figure.on), wide = halfOf(figure);
    put(one, figure.at, wide);
    put(one, figure.from, wide);
    put(two ?? one, figure.to, wide);
    for (const point of figure.points ?? figure.vertices ?? []) put(one, point, NONE);
  }
  scene.markers.forEach(({ on, at }) => on > 0 && put(on, at, NONE));
  return boxes.map(({ low, high }) => (low[0] <= high[0]
    ? [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]) : null));
}
