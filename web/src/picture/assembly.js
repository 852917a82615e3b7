// One result in space: solids and edges of all bodies in two draw calls, and what stretches between bodies.

import { BufferAttribute, BufferGeometry, DataTexture, FloatType, Group, LineSegments, Mesh, NearestFilter, RGBAFormat } from 'three';
import { placed, turned } from '../base/vectors.js';
import { coil, damper, strand } from './strokes.js';
import { Maker, solid } from './solids.js';
import { geared } from './wheels.js';
import { edgeMaterial, solidMaterial } from './shaders.js';

function attribute(geometry, name, numbers, size) {
  geometry.setAttribute(name, new BufferAttribute(numbers instanceof Float32Array ? numbers : new Float32Array(numbers), size));
}

/** Numbers of a body, each once, as many times as there are corners. */
function repeated(count, values) {
  const all = new Float32Array(count * values.length);
  for (let k = 0; k < all.length; ++k) all[k] = values[k % values.length];
  return all;
}

function joined(arrays) {
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** Distances along polylines, so that they can be dashed. */
function distances(edges) {
  const along = new Float32Array(edges.length / 3);
  for (let k = 0; k < edges.length; k += 6) along[k / 3 + 1] = Math.hypot(edges[k + 3] - edges[k], edges[k + 4] - edges[k + 1], edges[k + 5] - edges[k + 2]);
  return along;
}

/** Ends of edges, each point once, and which two of them each edge joins. */
function joints(edges) {
  const places = new Map(), points = [], index = [];
  for (let k = 0; k < edges.length; k += 3) {
    const point = edges.slice(k, k + 3), key = point.join();
    if (!places.has(key)) {
      places.set(key, points.length / 3);
      points.push(...point);
    }
    index.push(places.get(key));
  }
  return { points, index };
}

/** Figures between two bodies change their form; a bar within one body does not. */
function parted(figures) {
  const still = [], stretched = [];
  for (const figure of figures) {
    if (figure.kind === 'arrow' || figure.kind === 'turning') continue;
    const [one, two] = [].concat(figure.on);
    if (two === undefined) still.push(figure);
    else if (figure.kind === 'bar' && one === two) still.push({ ...figure, kind: 'cylinder', on: one });
    else stretched.push(figure);
  }
  return { still, stretched };
}

export class Assembly {
  constructor(result, colourOf, thin = 0, dashed = false) {
    this.thin = thin;   // radius of what is a few pixels wide
    this.dashed = dashed;   // only dashes need to know how far along its edge a point is: else edges share their ends
    this.result = result;
    this.group = new Group();
    this.colourOf = colourOf;
    this.ranges = [];
    this.rows = result.scene.bodies.length;    // and one more row: ground's axes, for what stretches
    this.data = new Float32Array((this.rows + 1) * 8);
    this.data[8 * this.rows + 7] = 1;
    this.poses = new DataTexture(this.data, 2, this.rows + 1, RGBAFormat, FloatType);
    this.poses.minFilter = this.poses.magFilter = NearestFilter;
    this.solids = solidMaterial(this.poses);
    this.edges = edgeMaterial(this.poses);
    const { still, stretched } = parted(geared({ ...result.scene, figures: result.figures }));
    this.#merge(still);
    this.stretched = stretched.map((figure) => this.#stretched(figure));
  }

  /** Merges figures that lie on one body. */
  #merge(figures) {
    const parts = { position: [], normal: [], colour: [], tag: [] }, lines = { position: [], tag: [], distance: [] }, index = [], ends = [];
    let before = 0, first = 0;
    for (const figure of figures) {
      const maker = new Maker(), tag = [figure.on, figure.of, figure.body];
      solid(maker, figure, this.thin);
      const corners = maker.corners.length / 3;
      if (figure.role !== 'void') {
        parts.position.push(Float32Array.from(maker.corners));
        parts.normal.push(Float32Array.from(maker.normals));
        parts.colour.push(repeated(corners, this.colourOf(figure)));
        parts.tag.push(repeated(corners, tag));
        for (const k of maker.triangles) index.push(before + k);
        before += corners;
        this.ranges.push({ figure, on: figure.on, corners: maker.corners, triangles: maker.triangles });
      }
      const edge = this.dashed ? { points: maker.edges, index: maker.edges.map((_, k) => k).slice(0, maker.edges.length / 3) } : joints(maker.edges), count = edge.points.length / 3;
      lines.position.push(Float32Array.from(edge.points));
      lines.tag.push(repeated(count, tag));
      lines.distance.push(this.dashed ? distances(edge.points) : new Float32Array(count));
      for (const k of edge.index) ends.push(first + k);
      first += count;
    }
    const solids = new BufferGeometry(), edges = new BufferGeometry();
    for (const [name, size] of [['position', 3], ['normal', 3], ['colour', 3], ['tag', 3]]) attribute(solids, name, joined(parts[name]), size);
    for (const [name, size] of [['position', 3], ['tag', 3], ['distance', 1]]) attribute(edges, name, joined(lines[name]), size);
    solids.setIndex(index);
    edges.setIndex(ends);
    this.#put(new Mesh(solids, this.solids));
    this.#put(new LineSegments(edges, this.edges));
  }

  #put(object) {
    object.frustumCulled = false;
    this.group.add(object);
    return object;
  }

  /** A bar, spring, dashpot or belt, whose lines are made anew at each draw. */
  #stretched(figure) {
    const bar = figure.kind === 'bar', geometry = new BufferGeometry();
    this.#put(bar ? new Mesh(geometry, this.solids) : new LineSegments(geometry, this.edges));
    return { figure, geometry, bar };
  }

  draw(frames) {
    frames.forEach(({ at, turn }, k) => this.data.set([at[0], at[1], at[2], 1, turn[1], turn[2], turn[3], turn[0]], 8 * k));
    this.poses.needsUpdate = true;
    this.frames = frames;
    for (const one of this.stretched) this.#stretch(one, frames);
  }

  #stretch({ figure, geometry, bar }, frames) {
    const [one, two] = figure.on, p = placed(frames[one], figure.from), q = placed(frames[two], figure.to), maker = new Maker();
    if (bar) solid(maker, { kind: 'cylinder', from: p, to: q, radius: figure.radius }, this.thin);
    for (const { points, closed } of bar ? [] : stretchedLines(figure, p, q, frames)) maker.loop(points, Boolean(closed));
    const numbers = bar ? maker.corners : maker.edges, corners = numbers.length / 3;
    attribute(geometry, 'position', numbers, 3);
    attribute(geometry, 'tag', repeated(corners, [this.rows, figure.of, figure.body]), 3);
    if (bar) {
      geometry.setIndex(maker.triangles);
      attribute(geometry, 'normal', maker.normals, 3);
      attribute(geometry, 'colour', repeated(corners, this.colourOf(figure)), 3);
    } else attribute(geometry, 'distance', distances(maker.edges), 1);
  }
}

function stretchedLines(figure, p, q, frames) {
  if (figure.kind === 'coil') return coil(p, q, figure.radius, figure.turns, true);
  if (figure.kind === 'damper') return damper(p, q, figure.radius);
  const axis = turned(frames[figure.on[0]].turn, turned(figure.turn[0], [0, 0, 1]));
  return strand(p, q, axis, figure.radii, figure.crossed);
}
