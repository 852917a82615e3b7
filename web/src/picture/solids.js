// Triangles and edges of figures, in the axes of their body. One list for all, so that a scene is drawn in few calls.

import { ShapeUtils, Vector2 } from 'three';
import { add, cross, minus, norm, square, turned, turnOfZ, unit } from '../base/vectors.js';
import { circle, rimRadius, wheelOutline } from './strokes.js';

/** Corners of triangles with their normals, and ends of edges, as they are made. */
export class Maker {
  triangles = [];
  normals = [];
  edges = [];

  flat(a, b, c) {
    const normal = unit(cross(minus(b, a), minus(c, a)));
    this.triangles.push(...a, ...b, ...c);
    this.normals.push(...normal, ...normal, ...normal);
  }

  smooth(corners, normals) {
    corners.forEach((corner) => this.triangles.push(...corner));
    normals.forEach((normal) => this.normals.push(...normal));
  }

  edge(a, b) {
    this.edges.push(...a, ...b);
  }

  loop(points, closed = true) {
    points.forEach((point, k) => (closed || k > 0) && this.edge(points.at(k - 1), point));
  }
}

function box(maker, { at, turn, size }) {
  const corner = (i, j, k) => add(at, turned(turn, [((2 * i - 1) * size[0]) / 2, ((2 * j - 1) * size[1]) / 2, ((2 * k - 1) * size[2]) / 2]));
  const face = (a, b, c, d) => {
    maker.flat(a, b, c);
    maker.flat(a, c, d);
  };
  const [o, x, y, xy, z, xz, yz, xyz] = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => corner(n & 1, (n >> 1) & 1, n >> 2));
  face(o, y, xy, x);
  face(z, xz, xyz, yz);
  face(o, x, xz, z);
  face(y, yz, xyz, xy);
  face(o, z, yz, y);
  face(x, xy, xyz, xz);
  for (const [a, b] of [[o, x], [x, xy], [xy, y], [y, o], [z, xz], [xz, xyz], [xyz, yz], [yz, z], [o, z], [x, xz], [xy, xyz], [y, yz]]) maker.edge(a, b);
}

/** A cylinder or a cone. */
function round(maker, { kind, from, to, radius }, steps = 20) {
  const along = minus(to, from);
  if (norm(along) === 0) return;
  const turn = turnOfZ(along), low = circle(from, turn, radius, steps);
  const high = kind === 'cone' ? low.map(() => to) : circle(to, turn, radius, steps);
  const out = low.map((point) => unit(minus(point, from)));
  low.forEach((a, k) => {
    const n = (k + 1) % steps;
    maker.smooth([a, low[n], high[n]], [out[k], out[n], out[n]]);
    if (kind !== 'cone') {
      maker.smooth([a, high[n], high[k]], [out[k], out[n], out[k]]);
      maker.flat(to, high[k], high[n]);
    }
    maker.flat(from, low[n], a);
  });
  maker.loop(low);
  if (kind !== 'cone') maker.loop(high);
}

function sphere(maker, { at, radius }, around = 18, down = 9) {
  const on = (i, j) => {
    const [theta, phi] = [(Math.PI * i) / down, (2 * Math.PI * j) / around];
    return [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
  };
  const put = (...normals) => maker.smooth(normals.map((n) => add(at, n.map((x) => radius * x))), normals);
  for (let i = 0; i < down; ++i) {
    for (let j = 0; j < around; ++j) {
      const [a, b, c, d] = [on(i, j), on(i + 1, j), on(i + 1, j + 1), on(i, j + 1)];
      if (i < down - 1) put(a, b, c);
      if (i > 0) put(a, c, d);
    }
  }
}

/** A polygon with a thickness along its z: fills with holes. */
function prism(maker, at, turn, outer, holes, width) {
  const flat = (points) => points.map(([x, y]) => new Vector2(x, y));
  const contour = flat(outer), inner = holes.map(flat);
  const all = [...outer, ...holes.flat()];
  const put = ([x, y], z) => add(at, turned(turn, [x, y, z]));
  for (const [i, j, k] of ShapeUtils.triangulateShape(contour, inner)) {
    maker.flat(put(all[i], width / 2), put(all[j], width / 2), put(all[k], width / 2));
    maker.flat(put(all[k], -width / 2), put(all[j], -width / 2), put(all[i], -width / 2));
  }
  for (const rim of [outer, ...holes]) {
    rim.forEach((p, k) => {
      const q = rim[(k + 1) % rim.length];
      maker.flat(put(p, -width / 2), put(q, -width / 2), put(q, width / 2));
      maker.flat(put(p, -width / 2), put(q, width / 2), put(p, width / 2));
    });
    for (const z of [-width / 2, width / 2]) maker.loop(rim.map((p) => put(p, z)));
  }
}

function wheel(maker, { at, turn, radius, width, teeth, internal }) {
  const rim = wheelOutline(radius, teeth, internal, 40);
  const thick = width || 0.2 * radius;
  if (internal) prism(maker, at, turn, wheelOutline(rimRadius(radius, teeth), 0, false, 64), [rim], thick);
  else {
    prism(maker, at, turn, rim, [], thick);
    for (const z of [-0.505, 0.505]) maker.edge(add(at, turned(turn, [0.2 * radius, 0, z * thick])), add(at, turned(turn, [0.85 * radius, 0, z * thick])));
  }
}

function mesh(maker, { vertices, triangles }) {
  const shared = new Map();
  for (const corners of triangles) {
    const [a, b, c] = corners.map((k) => vertices[k]);
    maker.flat(a, b, c);
    const normal = unit(cross(minus(b, a), minus(c, a)));
    corners.forEach((k, i) => {
      const [low, high] = [k, corners[(i + 1) % 3]].sort((p, q) => p - q), key = `${low} ${high}`;
      if (!shared.has(key)) shared.set(key, { low, high, normals: [] });
      shared.get(key).normals.push(normal);
    });
  }
  for (const { low, high, normals: [m, n] } of shared.values()) {
    if (!n || m[0] * n[0] + m[1] * n[1] + m[2] * n[2] < 0.9) maker.edge(vertices[low], vertices[high]);
  }
}

/** A filled polygon in space, seen from both sides. */
function polygon(maker, points) {
  const normal = points.reduce((sum, p, k) => add(sum, cross(minus(p, points[0]), minus(points[(k + 1) % points.length], points[0]))), [0, 0, 0]);
  if (norm(normal) === 0) return;
  const u = square(normal), v = cross(unit(normal), u);
  const flat = points.map((p) => new Vector2(u[0] * p[0] + u[1] * p[1] + u[2] * p[2], v[0] * p[0] + v[1] * p[1] + v[2] * p[2]));
  for (const [i, j, k] of ShapeUtils.triangulateShape(flat, [])) {
    maker.flat(points[i], points[j], points[k]);
    maker.flat(points[k], points[j], points[i]);
  }
}

/** Adds a figure that lies on one body. */
export function solid(maker, figure) {
  const { kind } = figure;
  if (kind === 'box') box(maker, figure);
  else if (kind === 'cylinder' || kind === 'cone') round(maker, figure);
  else if (kind === 'sphere') sphere(maker, figure);
  else if (kind === 'wheel') wheel(maker, figure);
  else if (kind === 'mesh') mesh(maker, figure);
  else if (kind === 'circle') {
    const points = circle(figure.at, figure.turn, figure.radius);
    if (figure.filled) polygon(maker, points);
    maker.loop(points);
  } else if (kind === 'line') {
    if (figure.filled) polygon(maker, figure.points);
    maker.loop(figure.points, figure.closed);
  }
}
