// Rails, plates, racks and hatching (figures with a `guide`), drawn out so that they reach `beside` to both sides of what goes along them, wherever that comes over the motion.
// u = e . d, d the second marker's origin in the first's frame: [least u - beside, largest u + beside] is covered along each axis e.

import { add, dot, inverse, minus, placed, times, turned } from '../base/vectors.js';

const LOOKS = 1500, MOST_PERIODS = 2000, SAME = 1e-6;   // samples that are looked at; whole teeth or strokes on each side; of `beside`: rounding of poses
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** The least and the largest d. */
function rangeOf(result, poses, { markers }) {
  const [first, second] = markers.map((k) => result.scene.markers[k]), low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const steps = Math.min(Math.max(result.samples, 1), LOOKS);
  for (let k = 0; k < steps; ++k) {
    const place = steps > 1 ? Math.round((k * (result.samples - 1)) / (steps - 1)) : 0, frame = poses.of(first.on, place);
    const onBody = turned(inverse(frame.turn), minus(placed(poses.of(second.on, place), second.at), frame.at));
    turned(inverse(first.turn), minus(onBody, first.at)).forEach((x, i) => {
      low[i] = Math.min(low[i], x);
      high[i] = Math.max(high[i], x);
    });
  }
  return { low, high };
}

const edgesOf = ({ turn, size }, e) => Object.values(AXES).map((axis, i) => Math.abs(dot(turned(turn, axis), e)) * size[i]);

/** From where to where a figure reaches along e. */
function extent(figure, along) {
  const { kind, points, from, to, at } = figure;
  if (kind === 'box') {
    const half = edgesOf(figure, along.e).reduce((sum, x) => sum + x, 0) / 2, middle = along.of(at);
    return [middle - half, middle + half];
  }
  const all = (kind === 'line' ? points : [from, to]).map(along.of);
  return [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** Whole periods before the first point of a line and behind its last one. */
function repeated(points, period, e, [low, high]) {
  const step = minus(points[period], points[0]), along = dot(step, e), length = Math.abs(along);
  const count = (grow) => (length > 0 ? Math.min(MOST_PERIODS, Math.ceil(grow / length)) : 0);
  const [before, behind] = (along > 0 ? [low, high] : [high, low]).map(count), all = [];
  for (let k = -before * period; k < points.length + behind * period; ++k) {
    const turns = k < 0 ? Math.floor(k / period) : k >= points.length ? Math.ceil((k - points.length + 1) / period) : 0;
    all.push(add(points[k - turns * period], times(turns, step)));
  }
  return all;
}

/** A figure that has grown along e by [low, high]. */
function drawnOut(figure, along, [a, b], grow) {
  const { kind, points, guide } = figure, { e } = along, middle = (a + b) / 2, rounding = SAME * (b - a);
  const moved = (p) => add(p, times(along.of(p) > middle + rounding ? grow[1] : along.of(p) < middle - rounding ? -grow[0] : 0, e));
  if (kind === 'line') return { ...figure, points: guide.period > 0 && guide.period < points.length ? repeated(points, guide.period, e, grow) : points.map(moved) };
  if (kind === 'cylinder') return { ...figure, from: moved(figure.from), to: moved(figure.to) };
  const share = Object.values(AXES).map((axis) => Math.abs(dot(turned(figure.turn, axis), e)));
  return { ...figure, at: add(figure.at, times((grow[1] - grow[0]) / 2, e)), size: figure.size.map((x, i) => x + share[i] * (grow[0] + grow[1])) };
}

function spreadOne(result, poses, figure) {
  const { guide } = figure, { low, high } = rangeOf(result, poses, guide), first = result.scene.markers[guide.markers[0]];
  let now = figure;
  for (const axis of guide.axes) {
    const i = 'xyz'.indexOf(axis), e = turned(first.turn, AXES[axis]), along = { e, of: (p) => dot(e, minus(p, first.at)) };
    const [a, b] = extent(now, along), grow = [a - low[i] + guide.beside, high[i] + guide.beside - b].map((x) => (x > SAME * guide.beside ? x : 0));
    if (Number.isFinite(low[i]) && grow.some((x) => x > 0)) now = drawnOut(now, along, [a, b], grow);
  }
  return now;
}

/** The figures of a result, its guides as long as its motion needs them. */
export const spread = (result, poses) => result.scene.figures.map((figure) => (figure.guide ? spreadOne(result, poses, figure) : figure));
