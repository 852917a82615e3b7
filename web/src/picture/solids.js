// Triangles and edges of figures, in the axes of their body. One list for all, so that a scene is drawn in few calls.

import { ShapeUtils, Vector2 } from 'three';
import { add, cross, minus, norm, square, times, turned, turnOfZ, unit } from '../base/vectors.js';
import { circle, rimRadius, wheelOutline } from './strokes.js';

/** Corners with their normals, triangles as places of three corners, and ends of edges, as they are made. */
export class Maker {
  corners = [];
  normals = [];
  triangles = [];
  edges = [];

  /** The place of a new corner, which the triangles around it share. */
  corner(point, normal) {
    this.corners.push(point[0], point[1], point[2]);
    this.normals.push(normal[0], normal[1], normal[2]);
    return this.corners.length / 3 - 1;
  }

  /** A flat convex polygon, its corners anticlockwise where it is seen from outside. */
  flat(...points) {
    const normal = unit(cross(minus(points[1], points[0]), minus(points[2], points[0])));
    this.fan(points.map((point) => this.corner(point, normal)));
  }

  fan([first, ...others]) {
    for (let k = 1; k < others.length; ++k) this.triangles.push(first, others[k - 1], others[k]);
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
  const [o, x, y, xy, z, xz, yz, xyz] = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => corner(n & 1, (n >> 1) & 1, n >> 2));
  maker.flat(o, y, xy, x);
  maker.flat(z, xz, xyz, yz);
  maker.flat(o, x, xz, z);
  maker.flat(y, yz, xyz, xy);
  maker.flat(o, z, yz, y);
  maker.flat(x, xy, xyz, xz);
  for (const [a, b] of [[o, x], [x, xy], [xy, y], [y, o], [z, xz], [xz, xyz], [xyz, yz], [yz, z], [o, z], [x, xz], [xy, xyz], [y, yz]]) maker.edge(a, b);
}

/** A cylinder or a cone; a thin one has fewer sides. */
function round(maker, { kind, from, to, radius }, thin) {
  const steps = radius < thin ? 12 : 20;
  const along = minus(to, from);
  if (norm(along) === 0) return;
  const turn = turnOfZ(along), low = circle(from, turn, radius, steps);
  const high = kind === 'cone' ? low.map(() => to) : circle(to, turn, radius, steps);
  const out = low.map((point) => unit(minus(point, from)));
  const below = low.map((point, k) => maker.corner(point, out[k])), above = high.map((point, k) => maker.corner(point, out[k]));
  below.forEach((_, k) => {
    const n = (k + 1) % steps;
    maker.fan(kind === 'cone' ? [below[k], below[n], above[n]] : [below[k], below[n], above[n], above[k]]);
  });
  if (kind !== 'cone') maker.flat(...high);
  maker.flat(...low.toReversed());
  maker.loop(low);
  if (kind !== 'cone') maker.loop(high);
}

function sphere(maker, { at, radius }, around = 18, down = 9) {
  const rings = Array.from({ length: down + 1 }, (_, i) => Array.from({ length: around }, (__, j) => {
    const [theta, phi] = [(Math.PI * i) / down, (2 * Math.PI * j) / around];
    const normal = [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
    return maker.corner(add(at, times(radius, normal)), normal);
  }));
  for (let i = 0; i < down; ++i) {
    for (let j = 0; j < around; ++j) {
      const [a, b, c, d] = [rings[i][j], rings[i + 1][j], rings[i + 1][(j + 1) % around], rings[i][(j + 1) % around]];
      if (i < down - 1) maker.fan([a, b, c]);
      if (i > 0) maker.fan([a, c, d]);
    }
  }
}

/** A polygon with a thickness along its z: fills with holes. */
function prism(maker, at, turn, outer, holes, width) {
  const flat = (points) => points.map(([x, y]) => new Vector2(x, y));
  const contour = flat(outer), inner = holes.map(flat);
  const all = [...outer, ...holes.flat()];
  const put = ([x, y], z) => add(at, turned(turn, [x, y, z]));
  const faces = ShapeUtils.triangulateShape(contour, inner), up = turned(turn, [0, 0, 1]), down = times(-1, up);
  const top = all.map((p) => maker.corner(put(p, width / 2), up)), bottom = all.map((p) => maker.corner(put(p, -width / 2), down));
  for (const [i, j, k] of faces) {
    maker.fan([top[i], top[j], top[k]]);
    maker.fan([bottom[k], bottom[j], bottom[i]]);
  }
  for (const rim of [outer, ...holes]) {
    rim.forEach((p, k) => {
      const q = rim[(k + 1) % rim.length];
      maker.flat(put(p, -width / 2), put(q, -width / 2), put(q, width / 2), put(p, width / 2));
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

/** Adds a figure that lies on one body. What has a smaller radius than `thin` is seen by a few pixels. */
export function solid(maker, figure, thin = 0) {
  const { kind } = figure;
  if (kind === 'box') box(maker, figure);
  else if (kind === 'cylinder' || kind === 'cone') round(maker, figure, thin);
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
