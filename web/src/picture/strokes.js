// Lines of what has no fixed form: springs, dashpots, belts; and of toothed wheels.
// A stroke is a list of polylines {points, closed}; points are [x, y, z].

import { add, cross, dot, minus, norm, square, times, turned, unit } from '../base/vectors.js';

/** The two directions across a line; in the plane the first lies in it. */
function across(direction) {
  const flat = Math.abs(direction[2]) < 1e-9 ? [-direction[1], direction[0], 0] : square(direction);
  return [unit(flat), unit(cross(direction, flat))];
}

/** A coil spring from p to q: a zigzag in the plane, a helix in space. */
export function coil(p, q, radius, turns, spatial) {
  const along = minus(q, p), length = norm(along);
  if (length === 0) return [];
  const [u, v] = across(unit(along));
  const points = [p], lead = 0.12, rounds = turns || 8;
  const at = (share, side, out = 0) => add(add(add(p, times(share, along)), times(side, u)), times(out, v));
  points.push(at(lead, 0));
  if (spatial) {
    for (let k = 0; k <= rounds * 12; ++k) {
      const angle = (k * Math.PI) / 6;
      points.push(at(lead + ((1 - 2 * lead) * k) / (rounds * 12), radius * Math.cos(angle), radius * Math.sin(angle)));
    }
  } else {
    for (let k = 0; k < 2 * rounds; ++k) points.push(at(lead + ((1 - 2 * lead) * (k + 0.5)) / (2 * rounds), k % 2 ? -radius : radius));
  }
  points.push(at(1 - lead, 0), q);
  return [{ points }];
}

/** A dashpot: a pot on the first side, a piston on the second. */
export function damper(p, q, radius) {
  const along = minus(q, p), length = norm(along);
  if (length === 0) return [];
  const [u] = across(unit(along));
  const at = (share, side) => add(add(p, times(share, along)), times(side, u));
  return [
    { points: [p, at(0.3, 0)] },
    { points: [at(0.68, radius), at(0.3, radius), at(0.3, -radius), at(0.68, -radius)] },
    { points: [at(0.52, 0.8 * radius), at(0.52, -0.8 * radius)] },
    { points: [at(0.52, 0), q] },
  ];
}

/** A belt around two wheels whose axes are n: both strands and the arcs. */
export function strand(p, q, n, [r1, r2], crossed) {
  const line = minus(q, p), flat = minus(line, times(dot(line, n), n)), d = norm(flat);
  const cosine = (crossed ? r1 + r2 : r1 - r2) / d;
  if (!(d > 0) || Math.abs(cosine) >= 1) return [];
  const u = unit(flat), v = cross(n, u), lean = Math.acos(cosine);
  const on = (centre, radius, angle) => add(centre, add(times(radius * Math.cos(angle), u), times(radius * Math.sin(angle), v)));
  const arc = (centre, radius, from, to) => Array.from({ length: 25 }, (_, k) => on(centre, radius, from + ((to - from) * k) / 24));
  const first = arc(p, r1, lean, 2 * Math.PI - lean);
  const second = crossed ? arc(q, r2, Math.PI - lean, lean - Math.PI) : arc(q, r2, -lean, lean);
  return [{ points: [...first, ...second], closed: true }];
}

/** The outline of a wheel in its own axes: teeth of the reference profile where it has some. */
export function wheelOutline(radius, teeth, internal, steps = 96) {
  if (!teeth) return Array.from({ length: steps }, (_, k) => ring(radius, (2 * Math.PI * k) / steps));
  const module = (2 * radius) / teeth, sign = internal ? -1 : 1;
  const tip = radius + sign * module * 0.9, root = radius - sign * module * 1.1, pitch = (2 * Math.PI) / teeth;
  const points = [];
  for (let k = 0; k < teeth; ++k) {
    const middle = k * pitch;
    for (const [share, r] of [[-0.36, root], [-0.11, tip], [0.11, tip], [0.36, root]]) points.push(ring(r, middle + share * pitch));
  }
  return points;
}

/** The outer rim of a wheel with inner teeth. */
export const rimRadius = (radius, teeth) => radius + (teeth ? (2 * radius * 3) / teeth : 0.12 * radius);

const ring = (r, angle) => [r * Math.cos(angle), r * Math.sin(angle), 0];

/** Points of a circle about the z of a turn. */
export const circle = (at, turn, radius, steps = 48) =>
  Array.from({ length: steps }, (_, k) => add(at, turned(turn, ring(radius, (2 * Math.PI * k) / steps))));

/** An arc with its middle at a point, right-handed about an axis, from an angle over a sweep. */
export function arc(at, axis, radius, sweep, from = 0, steps = 28) {
  const flat = Math.abs(Math.abs(axis[2]) - 1) < 1e-9;
  const u = flat ? [1, 0, 0] : square(axis), v = flat ? [0, Math.sign(axis[2]), 0] : cross(axis, u);
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + (sweep * k) / steps;
    return add(at, add(times(radius * Math.cos(angle), u), times(radius * Math.sin(angle), v)));
  });
}
