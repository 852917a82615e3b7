// Teeth stand in gaps, and springs, belts and units are as they should: parts of the page without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorOf, shownUnit } from '../src/base/units.js';
import { number } from '../src/base/format.js';
import { strand, wheelOutline } from '../src/picture/strokes.js';
import { geared } from '../src/picture/wheels.js';

const about = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** A pair of wheels: middles at a distance in a direction, bodies turned somehow. */
function pair(radii, teeth, internal, direction, turns) {
  const far = internal ? radii[1] - radii[0] : radii[0] + radii[1];
  const bodies = [{ at: [0, 0, 0], turn: about(turns[0]) }, { at: [far * Math.cos(direction), far * Math.sin(direction), 0], turn: about(turns[1]) }];
  const wheel = (k) => ({ kind: 'wheel', role: 'symbol', of: 0, body: -1, on: k, at: [0, 0, 0], turn: [1, 0, 0, 0], radius: radii[k], width: 0, teeth: teeth[k], internal: internal && k === 1 });
  return { bodies, figures: [wheel(0), wheel(1)] };
}

function outlineIn(scene, figure) {
  const { at, turn } = scene.bodies[figure.on], angle = 2 * Math.atan2(turn[3], turn[0]) + 2 * Math.atan2(figure.turn[3], figure.turn[0]);
  return wheelOutline(figure.radius, figure.teeth, figure.internal).map(([x, y]) => [at[0] + x * Math.cos(angle) - y * Math.sin(angle), at[1] + x * Math.sin(angle) + y * Math.cos(angle)]);
}

const inside = ([x, y], polygon) => polygon.reduce((within, [x1, y1], k) => {
  const [x2, y2] = polygon.at(k - 1);
  return (y1 > y) !== (y2 > y) && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !within : within;
}, false);

/** Corners of one outline that are in the other's substance. */
function clashes(scene) {
  const [one, two] = geared(scene), [a, b] = [outlineIn(scene, one), outlineIn(scene, two)];
  const ring = two.internal;
  return a.filter((p) => inside(p, b) !== ring).length + (ring ? 0 : b.filter((p) => inside(p, a)).length);
}

test('teeth of wheels stand in the gaps of their mates, whatever the turns', () => {
  for (let k = 0; k < 40; ++k) {
    const [direction, ...turns] = [0.7 * k, 1.3 * k, 2.9 * k];
    assert.equal(clashes(pair([0.02, 0.03], [24, 36], false, direction, turns)), 0, `outer pair ${k}`);
    assert.equal(clashes(pair([0.02, 0.06], [24, 72], true, direction, turns)), 0, `ring ${k}`);
  }
  // The test can fail: half a pitch off, teeth stand in teeth.
  const scene = pair([0.02, 0.03], [24, 36], false, 0, [0, 0]), [one, two] = geared(scene);
  const off = { ...two, turn: about(2 * Math.atan2(two.turn[3], two.turn[0]) + Math.PI / 36) };
  assert.ok(outlineIn(scene, off).filter((p) => inside(p, outlineIn(scene, one))).length > 0);
});

test('a wheel with several mates is drawn once', () => {
  const scene = pair([0.02, 0.03], [24, 36], false, 0, [0, 0]);
  scene.figures.push({ ...scene.figures[0], of: 1 }, { ...scene.figures[1], of: 1, at: [0.001, 0, 0] });
  assert.equal(geared(scene).length, 3);
});

test('a belt touches both pulleys and nowhere cuts them', () => {
  for (const crossed of [false, true]) {
    const [{ points }] = strand([0, 0, 0], [1, 0.2, 0], [0, 0, 1], [0.3, 0.1], crossed);
    for (let k = 0; k < points.length; ++k) {
      for (const share of [0, 0.25, 0.5, 0.75]) {
        const [p, q] = [points[k], points[(k + 1) % points.length]], x = p[0] + share * (q[0] - p[0]), y = p[1] + share * (q[1] - p[1]);
        assert.ok(Math.hypot(x, y) > 0.3 - 4e-3 && Math.hypot(x - 1, y - 0.2) > 0.1 - 2e-3, `${crossed} ${[x, y]}`);
      }
    }
    // Length of an open belt: straight 2 sqrt(d^2 - (r1 - r2)^2), arcs r (pi +- 2 asin((r1 - r2)/d)); of a crossed one with r1 + r2.
    const d = Math.hypot(1, 0.2), s = crossed ? 0.4 : 0.2, lean = Math.asin(s / d);
    const wished = 2 * Math.sqrt(d * d - s * s) + 0.3 * (Math.PI + 2 * lean) + 0.1 * (Math.PI + (crossed ? 2 : -2) * lean);
    const length = points.reduce((sum, p, k) => sum + Math.hypot(p[0] - points.at(k - 1)[0], p[1] - points.at(k - 1)[1]), 0);
    assert.ok(Math.abs(length - wished) < 3e-3 * wished, `${length}, not ${wished}`);
  }
});

test('units', () => {
  const cases = { mm: 1e-3, 'N/mm': 1e3, 'N.mm/deg': 1e-3 / (Math.PI / 180), 'kg.m^2': 1, 'rad/(N.m)': 1, 'm/s²': 1, '1/s': 1, lbf: 4.4482216152605, rpm: Math.PI / 30, 'N.s/m': 1, 'g.cm^2': 1e-7, 'rad/(N mm)': 1e3 };
  for (const [unit, factor] of Object.entries(cases)) assert.ok(Math.abs(factorOf(unit) / factor - 1) < 1e-12, `${unit}: ${factorOf(unit)}`);
  for (const nonsense of ['furlong', 'N..m', 'm/', '(m', '']) assert.ok(factorOf(nonsense) === null || nonsense === '', nonsense);
  assert.deepEqual(shownUnit('m', { length: 'mm' }, 'model', 'rad'), { unit: 'mm', factor: 1e-3 });
  assert.deepEqual(shownUnit('m', { length: 'mm' }, 'si', 'rad'), { unit: 'm', factor: 1 });
  assert.equal(shownUnit('rad/s', {}, 'si', 'deg').unit, 'deg/s');
});

test('numbers: no digit beyond the error', () => {
  assert.equal(number(12345.678), '12345.7');
  assert.equal(number(-0.25), '−0.25');
  assert.equal(number(1234.5678, 0.5), '1235');
  assert.equal(number(1e-9, 1e-6), '0');
  assert.equal(number(NaN), '–');
  assert.equal(number(3e8), '3e8');
});
