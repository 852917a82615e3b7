// Toothed wheels: each once, and turned so that teeth stand in gaps.
//
// A wheel with several mates is told once for each. Teeth are counted from the x of its marker: at the angle a (in pitches of the wheel) stands a tooth where a is whole.
// Along the common tangent the a of one wheel grows and that of an outer mate falls: they mesh where both add up to a half. With a ring both grow: they differ by a half.

import { cross, dot, minus, placed, product, turned } from '../base/vectors.js';

const fraction = (x) => x - Math.floor(x);
const key = ({ on, at, radius, teeth, internal }) => [on, ...at.map((x) => x.toPrecision(6)), radius.toPrecision(6), teeth, internal].join(' ');

/** A wheel in ground's axes, in the first state. */
function standing(scene, figure) {
  const frame = scene.bodies[figure.on], turn = product(frame.turn, figure.turn);
  return { middle: placed(frame, figure.at), axis: turned(turn, [0, 0, 1]), x: turned(turn, [1, 0, 0]) };
}

/** The angle of a direction about an axis, from x, in pitches. */
const pitches = ({ axis, x }, direction, teeth) => (Math.atan2(dot(direction, cross(axis, x)), dot(direction, x)) * teeth) / (2 * Math.PI);

/** How far a wheel is turned about its axis so that it meshes with one whose shift is known [pitches]; null where the axes are not parallel. */
function meshed(scene, known, shift, other) {
  const one = standing(scene, known), two = standing(scene, other), same = dot(one.axis, two.axis);
  if (Math.abs(same) < 0.999) return null;
  const between = minus(two.middle, one.middle), way = known.internal || other.internal;
  const outwards = known.internal ? between : other.internal ? between.map((x) => -x) : between;   // from the first centre to where teeth touch
  const there = way ? outwards : between.map((x) => -x);
  const a = pitches(one, way ? outwards : between, known.teeth) - shift, b = pitches(two, there, other.teeth);
  const wished = (way ? same > 0 : same < 0) ? a + 0.5 : 0.5 - a;
  return fraction(b - wished);
}

/** Figures with every wheel once, each with its `shift` in pitches. */
export function geared(scene) {
  const shifts = new Map(), pairs = new Map();
  for (const figure of scene.figures) if (figure.kind === 'wheel' && figure.teeth > 0 && figure.of >= 0) pairs.set(figure.of, [...(pairs.get(figure.of) ?? []), figure]);
  for (let again = true, first = true; again; first = false) {
    again = false;
    for (const [one, two] of pairs.values()) {
      if (!two) continue;
      const [k, l] = [key(one), key(two)];
      if (shifts.has(k) === shifts.has(l)) {
        if (shifts.has(k)) continue;
        if (first && shifts.size > 0) continue;   // chains grow from what is known, others begin anew
        shifts.set(k, 0);
      }
      const [from, to] = shifts.has(k) ? [one, two] : [two, one];
      shifts.set(key(to), meshed(scene, from, shifts.get(key(from)), to) ?? 0);
      again = true;
    }
  }
  const seen = new Set();
  return scene.figures.flatMap((figure) => {
    if (figure.kind !== 'wheel') return [figure];
    const name = key(figure);
    if (seen.has(name)) return [];
    seen.add(name);
    const angle = figure.teeth > 0 ? (2 * Math.PI * (shifts.get(name) ?? 0)) / figure.teeth : 0;
    return [{ ...figure, turn: product(figure.turn, [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]) }];
  });
}
