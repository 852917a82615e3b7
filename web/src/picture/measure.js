// In the corner of a picture: a bar of round length, and in space the axes.

import { s } from '../base/dom.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';

const WISHED = 110;   // pixels

/** The round number (1, 2 or 5 times a power of ten) that is nearest below. */
export function round(value) {
  const tens = 10 ** Math.floor(Math.log10(value));
  return tens * [5, 2, 1].find((k) => k * tens <= value);
}

/** A bar as long as it says; not in perspective, where lengths depend on the distance. */
export function bar(session, view, [width, height]) {
  if (view.camera && !view.camera.isOrthographicCamera) return null;
  const { unit, factor } = session.unit('m'), pixels = view.pixels([0, 0, 0]);
  if (!(pixels > 0)) return null;
  const length = round((WISHED / pixels) / factor), long = length * factor * pixels, [x, y] = [width - 16, height - 14];
  return s('g', { class: 'bar' }, s('path', { d: `M${x - long} ${y - 5}V${y}H${x}V${y - 5}` }), s('text', { x: x - long / 2, y: y - 6, 'text-anchor': 'middle' }, `${number(length)} ${unit}`));
}

/** What the longest force and torque stand for. */
export function longest(session, { force, torque }, arrows, [width, height]) {
  const there = (kind) => arrows.some((one) => one.kind === kind), told = (value, si) => `${session.number(value, si, value * 1e-3)} ${pretty(session.unit(si).unit)}`;
  const facts = [there('force') && told(force, 'N'), there('torque') && told(torque, 'N.m')].filter(Boolean);
  return facts.length > 0 && s('g', { class: 'bar' }, s('text', { x: width - 16, y: height - 36, 'text-anchor': 'end' }, `longest arrow ${facts.join(', ')}`));
}

/** Ground's axes as they are seen. */
export function axes(view, [, height]) {
  const { matrixWorldInverse } = view.camera, e = matrixWorldInverse.elements, [x, y] = [38, height - 36];
  const shown = ['x', 'y', 'z'].map((name, k) => ({ name, dx: 24 * e[4 * k], dy: -24 * e[4 * k + 1] }));
  return s('g', { class: 'axes' }, shown.map(({ name, dx, dy }) => [s('path', { d: `M${x} ${y}l${dx} ${dy}` }), s('text', { x: x + 1.35 * dx, y: y + 1.35 * dy + 4, 'text-anchor': 'middle' }, name)]));
}
