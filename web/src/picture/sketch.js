// A designer's sketch: figures of a planar model as SVG, bodies moved by the transform of their groups.

import { s } from '../base/dom.js';
import { add, placed, turned } from '../base/vectors.js';
import { geared } from './wheels.js';
import { circle, coil, damper, rimRadius, strand, wheelOutline } from './strokes.js';

const LAYERS = ['substance', 'outline', 'void', 'wheel', 'ground', 'symbol', 'load', 'drive'];

const layerOf = ({ kind, role }) => (kind === 'wheel' && role === 'symbol' ? 'wheel' : role);

const text = (x) => (Math.abs(x) < 1e-12 ? '0' : x.toPrecision(7));

/** The path of polylines. */
export function pathOf(polylines) {
  return polylines.map(({ points, closed }) => 'M' + points.map(([x, y]) => `${text(x)} ${text(y)}`).join('L') + (closed ? 'Z' : '')).join('');
}

/** The outline of a figure that lies on one body, in its axes. */
function outline(figure) {
  const { kind, at, turn = [1, 0, 0, 0], radius, size } = figure;
  const local = (points) => points.map((point) => add(at, turned(turn, point)));
  if (kind === 'line') return [{ points: figure.points, closed: figure.closed }];
  if (kind === 'circle' || kind === 'sphere') return [{ points: circle(at, turn, radius, radius > 0 ? 64 : 3), closed: true }];
  if (kind === 'box') {
    const [a, b] = size.map((edge) => edge / 2);
    return [{ points: local([[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]]), closed: true }];
  }
  if (kind === 'wheel') {
    const rim = { points: local(wheelOutline(radius, figure.teeth, figure.internal)), closed: true };
    if (figure.internal) return [rim, { points: circle(at, turn, rimRadius(radius, figure.teeth), 96), closed: true }];
    return [rim, { points: local([[0.15 * radius, 0, 0], [0.8 * radius, 0, 0]]) }];
  }
  if (kind === 'mesh') return figure.triangles.map((corners) => ({ points: corners.map((k) => figure.vertices[k]), closed: true }));
  if (kind === 'cylinder' || kind === 'cone') return bandOf(figure);
  return [];
}

/** A cylinder or cone from the side; from its end where it points at the eye. */
function bandOf({ kind, from, to, radius }) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy);
  if (length < 1e-9) return [{ points: circle(from, [1, 0, 0, 0], radius), closed: true }];
  const [nx, ny] = [(-dy / length) * radius, (dx / length) * radius];
  const shift = ([x, y], k) => [x + k * nx, y + k * ny, 0];
  return [{ points: kind === 'cone' ? [shift(from, 1), to, shift(from, -1)] : [shift(from, 1), shift(to, 1), shift(to, -1), shift(from, -1)], closed: true }];
}

/** The form of a figure between two bodies. */
function between(figure, frames) {
  const [one, two] = figure.on;
  const p = placed(frames[one], figure.from), q = placed(frames[two], figure.to);
  if (figure.kind === 'coil') return coil(p, q, figure.radius, figure.turns, false);
  if (figure.kind === 'damper') return damper(p, q, figure.radius);
  if (figure.kind === 'strand') return strand(p, q, [0, 0, 1], figure.radii, figure.crossed);
  return [{ points: [p, q] }];
}

const isBar = (figure) => figure.kind === 'bar' || (figure.role === 'outline' && figure.kind === 'line' && !figure.closed);
const CLOSED = ['circle', 'box', 'sphere', 'wheel', 'mesh', 'cylinder', 'cone'];

/** Closed forms hide what is below them; symbols that are filled are inked. */
function look({ kind, role, filled, closed }) {
  const form = closed || CLOSED.includes(kind) ? 'solid' : 'open';
  return `${kind} ${form}${filled && !['substance', 'outline', 'void'].includes(role) ? ' inked' : ''}`;
}

/** One result as a sketch. */
export class Sketch {
  constructor(result) {
    this.result = result;
    this.figures = geared({ ...result.scene, figures: result.figures });
    this.root = s('g', { class: result.number ? 'sketch second' : 'sketch' });
    this.moving = [];
    this.between = [];
    this.parts = [];
    for (const layer of LAYERS) this.#layer(layer);
  }

  #layer(role) {
    const layer = s('g', { class: role }), groups = new Map();
    this.figures.forEach((figure) => {
      if (layerOf(figure) !== role || figure.kind === 'arrow' || figure.kind === 'turning') return;
      const bodies = [].concat(figure.on), shared = bodies.length > 1;
      const into = shared ? layer : this.#group(layer, groups, bodies[0]);
      const paths = this.#paths(figure, shared);
      into.append(...paths);
      this.parts.push({ figure, paths });
      if (shared) this.between.push({ figure, paths });
    });
    this.root.append(layer);
  }

  #group(layer, groups, body) {
    if (!groups.has(body)) {
      const group = s('g');
      groups.set(body, group);
      this.moving.push({ body, group });
      layer.append(group);
    }
    return groups.get(body);
  }

  #paths(figure, shared) {
    const body = figure.body >= 0 ? figure.body : shared ? 0 : figure.on;
    const attributes = { 'data-of': figure.of, 'data-body': figure.body, 'fill-rule': 'evenodd', style: `--tint: var(--tint${Math.max(body, 0) % 6})` };
    const d = shared ? '' : pathOf(outline(figure));
    if (isBar(figure)) return ['casing', 'core'].map((name) => s('path', { ...attributes, class: name, d }));
    return [s('path', { ...attributes, class: look(figure), d })];
  }

  /** Moves everything to frames of bodies. */
  draw(frames) {
    for (const { body, group } of this.moving) {
      const { at, turn } = frames[body];
      const cos = 1 - 2 * turn[3] * turn[3], sin = 2 * turn[0] * turn[3];
      group.setAttribute('transform', `matrix(${text(cos)} ${text(sin)} ${text(-sin)} ${text(cos)} ${text(at[0])} ${text(at[1])})`);
    }
    for (const { figure, paths } of this.between) {
      const d = pathOf(between(figure, frames));
      for (const path of paths) path.setAttribute('d', d);
    }
  }

  /** Marks what is selected and what a loop that does not close goes through. */
  mark({ thing, body }, loop = []) {
    for (const { figure, paths } of this.parts) {
      const chosen = (thing >= 0 && figure.of === thing) || (body >= 0 && figure.body === body);
      for (const path of paths) {
        path.classList.toggle('chosen', chosen);
        path.classList.toggle('loop', figure.of >= 0 && loop.includes(figure.of));
      }
    }
  }
}
