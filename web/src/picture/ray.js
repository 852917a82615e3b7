// What a line of sight meets first: it is turned into each body's axes and cut with the triangles there.

import { cross, dot, inverse, minus, turned } from '../base/vectors.js';

/** The distance at which a ray meets a triangle, or Infinity. */
function meets(from, along, a, b, c) {
  const ab = minus(b, a), ac = minus(c, a);
  const p = cross(along, ac), volume = dot(ab, p);
  if (Math.abs(volume) < 1e-30) return Infinity;
  const t = minus(from, a), u = dot(t, p) / volume;
  if (u < 0 || u > 1) return Infinity;
  const q = cross(t, ab), v = dot(along, q) / volume;
  if (v < 0 || u + v > 1) return Infinity;
  const distance = dot(ac, q) / volume;
  return distance > 0 ? distance : Infinity;
}

/** The figure nearest to the eye along a ray; null where there is none. Symbols win over bodies that hide them by little. */
export function pickFigure({ ranges, frames, result }, from, along) {
  let best = null, least = Infinity;
  const slack = result.scene.symbol;
  for (const { figure, on, corners, triangles } of ranges) {
    const corner = (k) => corners.slice(3 * triangles[k], 3 * triangles[k] + 3);
    const { at, turn } = frames[on], back = inverse(turn);
    const local = turned(back, minus(from, at)), direction = turned(back, along);
    const bonus = figure.of >= 0 ? slack : 0;
    for (let k = 0; k < triangles.length; k += 3) {
      const distance = meets(local, direction, corner(k), corner(k + 1), corner(k + 2)) - bonus;
      if (distance < least) [best, least] = [figure, distance];
    }
  }
  return best;
}
