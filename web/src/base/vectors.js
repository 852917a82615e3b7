// Points [x, y, z] and unit quaternions [w, x, y, z], as in the scene.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);

export function unit(a) {
  const length = norm(a);
  return length > 0 ? times(1 / length, a) : [0, 0, 0];
}

/** Some unit vector square to a. */
export function square(a) {
  const [x, y, z] = unit(a);
  return unit(Math.abs(x) < 0.8 ? cross([x, y, z], [1, 0, 0]) : cross([x, y, z], [0, 1, 0]));
}

/** q v q*. */
export function turned(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = times(2, cross(u, v));
  return add(add(v, times(q[0], t)), cross(u, t));
}

export const inverse = (q) => [q[0], -q[1], -q[2], -q[3]];

export const product = (p, q) => [
  p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
  p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
  p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
  p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
];

/** The turn by a rotation vector. */
export function turnBy(vector) {
  const angle = norm(vector);
  const part = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), ...times(part, vector)];
}

/** A point of a frame {at, turn}, seen from outside. */
export const placed = (frame, point) => add(frame.at, turned(frame.turn, point));

/** A frame inside a frame, seen from outside. */
export const within = (outer, inner) => ({ at: placed(outer, inner.at), turn: product(outer.turn, inner.turn) });

/** The shortest turn of z to a direction. */
export function turnOfZ(direction) {
  const [x, y, z] = unit(direction);
  if (z < -1 + 1e-12) return [0, 1, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [w, -y / (2 * w), x / (2 * w), 0];
}
