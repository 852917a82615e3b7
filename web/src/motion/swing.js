// Modes that swing: the real part of amplitude e^(i phase) shape, added to the state that was linearised.
//
// A shape names coordinates. Where the program gives motions of bodies with the mode (`bodies`), these are taken; a body's own
// coordinates ("bowl.x", "bowl.rz") are its motion along ground's axes; else bodies follow from the coordinates of joints, from ground outwards.

import { add, cross, minus, placed, product, times, turnBy, turned, within } from '../base/vectors.js';

const AT = ['x', 'y', 'z'], TURN = ['rx', 'ry', 'rz'];
const zero = () => ({ at: [0, 0, 0], turn: [0, 0, 0] });

const real = ([re, im], phase) => re * Math.cos(phase) - im * Math.sin(phase);

/** Velocities of bodies that a shape tells, one real vector pair for each body; null: not known. */
function motions(scene, mode, phase) {
  const value = (name) => (mode.shape[name] ? real(mode.shape[name], phase) : 0);
  const known = scene.bodies.map(({ name }, body) => {
    if (body === 0) return zero();
    const given = mode.bodies?.[name];
    if (given) return { at: given.at.map((part) => real(part, phase)), turn: given.turn.map((part) => real(part, phase)) };
    const own = [...AT, ...TURN, 'angle'].some((end) => mode.shape[`${name}.${end}`] || mode.shape[`${end}(${name})`]);
    if (!own) return null;
    const of = (end) => value(`${name}.${end}`) || value(`${end}(${name})`);
    return { at: AT.map(of), turn: [of('rx'), of('ry'), of('rz') || of('angle')] };
  });
  spread(scene, known, value, mode.shape);
  return known;
}

/** Joint by joint, from bodies whose motion is known: the second moves as the first and by the joint's coordinates. */
function spread(scene, known, value, shape) {
  const joints = scene.things.filter(({ kind, markers }) => kind === 'joint' && markers);
  for (let again = true; again;) {
    again = false;
    for (const joint of joints) {
      const [one, two] = joint.markers.map((k) => scene.markers[k]);
      const forwards = known[one.on] && !known[two.on], back = known[two.on] && !known[one.on];
      const relative = forwards || back ? relativeMotion(joint, shape, value, scene.space === 'spatial') : null;
      if (!relative) continue;
      const frames = scene.bodies, frame = within(frames[one.on], one), point = placed(frames[two.on], two.at);
      const move = turned(frame.turn, relative.at), turn = turned(frame.turn, relative.turn);
      const [from, to, sign] = forwards ? [one.on, two.on, 1] : [two.on, one.on, -1];
      known[to] = carried(known[from], frames[from].at, frames[to].at, point, times(sign, move), times(sign, turn));
      again = true;
    }
  }
}

/** The motion of a frame's origin: with the other body up to the point, then by the relative motion there. */
function carried(base, fromAt, toAt, point, move, turn) {
  const atPoint = add(add(base.at, cross(base.turn, minus(point, fromAt))), move), whole = add(base.turn, turn);
  return { at: add(atPoint, cross(whole, minus(toAt, point))), turn: whole };
}

/** What a joint's coordinates say of the motion of its second marker in its first, or null. */
function relativeMotion({ name, type }, shape, value, spatial) {
  const of = (end) => value(`${name}.${end}`);
  if (type === 'fixed') return zero();
  const named = ['angle', 'distance', ...AT, ...TURN].some((end) => shape[`${name}.${end}`]);
  if (!named) return null;
  const distance = of('distance');   // along x in the plane, along z in space
  return { at: [of('x') + (spatial ? 0 : distance), of('y'), of('z') + (spatial ? distance : 0)], turn: [of('rx'), of('ry'), of('rz') + of('angle')] };
}

/** Frames of all bodies; amplitude 1 moves the farthest body by about a tenth of the size, or turns it by a quarter rad. */
export function swung(result, index, amplitude, phase) {
  const { scene, answer } = result, mode = answer.modes[index];
  const known = motions(scene, mode, phase), measure = amplitude * scaleOf(scene, mode);
  return scene.bodies.map((body, k) => {
    if (!known[k]) return body;
    return { at: add(body.at, times(measure, known[k].at)), turn: product(turnBy(times(measure, known[k].turn)), body.turn) };
  });
}

/** Can every body's motion be told from the shape? */
export const isWhole = (result, index) => motions(result.scene, result.answer.modes[index], 0).every(Boolean);

const scales = new WeakMap();

function scaleOf(scene, mode) {
  if (scales.has(mode)) return scales.get(mode);
  let far = 0, wide = 0;
  for (const phase of [0, Math.PI / 2]) {
    for (const motion of motions(scene, mode, phase)) {
      if (!motion) continue;
      far = Math.max(far, Math.hypot(...motion.at));
      wide = Math.max(wide, Math.hypot(...motion.turn));
    }
  }
  const size = scene.size || 5 * scene.symbol || 1;
  const scale = Math.min(far > 0 ? (0.1 * size) / far : Infinity, wide > 0 ? 0.25 / wide : Infinity);
  scales.set(mode, Number.isFinite(scale) ? scale : 0);
  return scales.get(mode);
}
