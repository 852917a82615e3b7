// What a line of sight meets first: it is turned into each body's axes and cut with the triangles there.

import { cross, dot, inverse, minus, turned } from '../base/vectors.js';

/** The distance at which a ray meets a triangle (numbers of nine from k), or Infinity. */
function meets(from, along, numbers, k) {
  const a = [numbers[k], numbers[k + 1], numbers[k + 2]];
  const ab = [numbers[k + 3] - a[0], numbers[k + 4] - a[1], numbers[k + 5] - a[2]], ac = [numbers[k + 6] - a[0], numbers[k + 7] - a[1], numbers[k + 8] - a[2]];
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
  for (const { figure, on, triangles } of ranges) {
    const { at, turn } = frames[on], back = inverse(turn);
    const local = turned(back, minus(from, at)), direction = turned(back, along);
    const bonus = figure.of >= 0 ? slack : 0;
    for (let k = 0; k < triangles.length; k += 9) {
      const distance = meets(local, direction, triangles, k) - bonus;
      if (distance < least) [best, least] = [figure, distance];
    }
  }
  return best;
}
