// Virtual motions: how bodies can move in the first state when one freedom moves and the others stand still (scene.virtual_motions).
//
// u = du/dc c': to first order a point p of a body with frame origin r moves by s (v + w x (p - r)). That is drawn enlarged, with s = amplitude sin(phase) times a tenth of the size.

import { number } from '../base/format.js';
import { add, cross, minus, norm, placed, product, times, turnBy } from '../base/vectors.js';

const FARTHEST = 0.1, WIDEST = 0.3;   // of the size: how far the fastest point goes; rad: how far a body turns

const cache = new WeakMap();

/** For each body what moves it: at and turn, the velocities for the rate at which the fastest point has 1 m/s; null: it stands. */
export function velocities(scene, index) {
  const motion = scene.virtual_motions[index];
  if (!cache.has(motion)) {
    cache.set(motion, scene.bodies.map(({ name }) => {
      const moves = motion.bodies[name];
      return moves ? { at: [...moves.velocity, 0].slice(0, 3), turn: Array.isArray(moves.angular) ? moves.angular : [0, 0, moves.angular] } : null;
    }));
  }
  return cache.get(motion);
}

/** Frames of all bodies at a phase: phase 0 is the first state. */
export function virtuallyMoved(scene, index, amplitude, phase) {
  const moves = velocities(scene, index), wide = moves.reduce((most, one) => Math.max(most, one ? norm(one.turn) : 0), 0);
  const size = scene.size || 5 * scene.symbol || 1, way = amplitude * Math.sin(phase) * Math.min(FARTHEST * size, wide > 0 ? WIDEST / wide : Infinity);
  return scene.bodies.map((body, k) => (moves[k] ? { at: add(body.at, times(way, moves[k].at)), turn: product(turnBy(times(way, moves[k].turn)), body.turn) } : body));
}

/** Points of a body that are worth an arrow, in its axes: where joints, drives and loads hold it, and its centroid. */
function pointsOf(scene, body) {
  const { mass, centroid } = scene.bodies[body], near = 1e-6 * (scene.size || 1), points = mass && centroid ? [centroid] : [];
  for (const { markers, point, kind } of scene.things) {
    if (kind === 'coordinate' || kind === 'stop') continue;
    for (const index of [...(markers ?? []), point]) {
      const marker = scene.markers[index];
      if (marker?.on === body && points.every((p) => norm(minus(p, marker.at)) > near)) points.push(marker.at);
    }
  }
  return points.length ? points : [[0, 0, 0]];
}

/** Velocities as arrows, at points of the bodies as they stand in `frames`: those of the first state. */
export function velocityArrows(scene, index, frames) {
  const moves = velocities(scene, index), arrows = [], near = 1e-6 * (scene.size || 1), same = (p, q, bound) => norm(minus(p, q)) <= bound;
  scene.bodies.forEach((body, k) => {
    if (!moves[k]) return;
    for (const point of pointsOf(scene, k)) {
      const first = placed(body, point), vector = add(moves[k].at, cross(moves[k].turn, minus(first, body.at)));
      if (arrows.some((one) => same(one.first, first, near) && same(one.vector, vector, 1e-6))) continue;   // both sides of a pin
      arrows.push({ of: null, body: k, kind: 'velocity', first, at: placed(frames[k], point), vector, verdict: 'velocity' });
    }
  });
  return arrows;
}

/** What a freedom is measured in, a turn, a way, or null: as its scene says; of an older one as far as its name tells. */
const unitOfFreedom = ({ freedom, unit }) => (unit !== undefined ? (['m', 'rad'].includes(unit) ? unit : null) : /[.](angle|r[xyz])$|^angle[(]/.test(freedom) ? 'rad' : /[.](distance|[xyz])$|^(distance|[xyz])[(]/.test(freedom) ? 'm' : null);

/** A speed (m) or a rate of turning (rad) of the virtual motion that is shown, over the rate of its freedom: what turns it into a number to show, and its unit. */
export function ratio(session, unit) {
  const motion = session.first.scene.virtual_motions[session.get('virtual')], { rate } = motion, of = unitOfFreedom(motion);
  const above = session.unit(unit), below = session.unit(of);
  if (unit === of) return { factor: 1 / rate, unit: '' };   // a way for a way, a turn for a turn
  return { factor: (below.factor || 1) / above.factor / rate, unit: of ? `${above.unit}/${below.unit}` : above.unit };
}

/** The speed of an arrow for a freedom that moves with 1 unit in a second. */
export function perFreedom(session, speed) {
  const { factor, unit } = ratio(session, 'm');
  return `${number(speed * factor, 0, 4)} ${unit}`.trim();
}
