// Where bodies are: at a sample, between two, in one of many equilibria.

import { add, times, turned } from '../base/vectors.js';

/** The columns of a body's pose, or null. */
function columnsOf(series, name, spatial) {
  if (!series.has(name + '.x')) return null;
  const at = ['.x', '.y', '.z'].map((end) => series.of(name + end));
  const turn = spatial ? ['.qw', '.qx', '.qy', '.qz'].map((end) => series.of(name + end)) : null;
  return { at, turn: turn?.every(Boolean) ? turn : null, angle: series.of(name + '.angle') };
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
    this.columns = this.bodies.map(({ name }) => columnsOf(result.series, name, result.scene.space === 'spatial'));
    this.samples = result.samples;
  }

  /** The frame of every body at a place between samples. */
  at(place) {
    return this.bodies.map((_, body) => this.#frame(body, place));
  }

  #frame(body, place) {
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

/** Middle and radius of a ball around what the scene's figures and markers reach over the motion. */
export function reach(result, poses) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const grow = (point, by) => point.forEach((x, i) => {
    low[i] = Math.min(low[i], x - by);
    high[i] = Math.max(high[i], x + by);
  });
  const { scene } = result, extents = extentsOf(scene);
  const steps = Math.min(Math.max(result.samples, 1), 60);
  for (let k = 0; k < steps; ++k) {
    const frames = poses.at(steps > 1 ? Math.round((k * (result.samples - 1)) / (steps - 1)) : 0);
    frames.forEach((frame, body) => {
      const extent = extents[body];
      if (extent) grow(turnedMiddle(frame, extent.middle), extent.radius);
    });
  }
  if (!Number.isFinite(low[0])) grow([0, 0, 0], scene.size || 1);
  return { low, high };
}

const turnedMiddle = (frame, middle) => add(frame.at, turned(frame.turn, middle));

/** For each body a ball around the points of its figures, in its own axes. */
function extentsOf(scene) {
  const points = scene.bodies.map(() => []);
  for (const figure of scene.figures) {
    const [one, two] = [].concat(figure.on);
    const wide = figure.radius ?? (figure.size ? Math.hypot(...figure.size) / 2 : 0);
    const put = (body, point) => point && points[body]?.push({ point, wide });
    put(one, figure.at);
    put(one, figure.from);
    put(two ?? one, figure.to);
    for (const point of figure.points ?? []) put(one, point);
    for (const point of figure.vertices ?? []) put(one, point);
  }
  scene.markers.forEach(({ on, at }) => on > 0 && points[on].push({ point: at, wide: 0 }));
  return points.map((list) => {
    if (!list.length) return null;
    const middle = times(1 / list.length, list.reduce((sum, { point }) => add(sum, point), [0, 0, 0]));
    return { middle, radius: Math.max(...list.map(({ point, wide }) => Math.hypot(...point.map((x, i) => x - middle[i])) + wide)) };
  });
}
