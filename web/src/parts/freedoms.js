// Virtual motions: each freedom alone, swinging, with the velocities of bodies.

import { h, show } from '../base/dom.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';
import { add, cross, minus, norm, placed } from '../base/vectors.js';
import { ratio, velocities } from '../motion/virtual.js';
import { say } from './notice.js';
import { radio, swinging } from './states.js';

const MOST = 8;

export function freedoms({ session }) {
  const { scene } = session.first, { store } = session, motions = scene.virtual_motions;
  const left = session.first.answer.mobility?.degrees_of_freedom ?? 0;
  if (!motions || (!motions.length && left > 0)) return null;   // freedoms that requirements (track) or conditions take up in the first state
  if (!motions.length) return h('p', {}, 'No freedom is left in the first state, and no drive prescribes one.');
  const choose = (k) => {
    session.swing({ virtual: k });
    say(`${motions[k].name} moves alone`);
  };
  const row = (motion, k) => h('tr', {}, h('td', { class: 'left' }, radio(store, 'virtual', k, motion.name, () => choose(k))), h('td', { class: 'left' }, motion.freedom),
    h('td', { class: 'left' }, moved(session, motion)));
  const table = h('div');
  const tell = () => show(table, store.get('virtual') >= 0 && speeds(session));
  store.on(['virtual', 'system', 'angles'], tell);
  tell();
  return h('div', { class: 'virtual' },
    h('p', {}, 'How bodies can move in the first state, to first order: one freedom moves, all others and the other drives stand still. Of what is balanced the work of all loads and efforts along each of these motions is zero.'),
    h('div', { class: 'row' }, radio(store, 'virtual', -1, 'not shown', () => session.swing()), swinging(store)),
    h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ['freedom or drive', 'coordinate', 'moves'].map((name) => h('th', { scope: 'col', class: 'left' }, name)))), h('tbody', {}, motions.map(row)))), table);
}

/** The bodies that a motion moves. */
function moved(session, { bodies, rate }) {
  const names = Object.keys(bodies), link = (name) => h('button', { class: 'link', onclick: () => session.chooseBody(name) }, name);
  if (!names.length || rate === null) return 'nothing that is seen';
  return [names.slice(0, MOST).map((name, k) => [k > 0 && ', ', link(name)]), names.length > MOST && ` and ${names.length - MOST} more`];
}

/** Velocities for a freedom that moves at rate 1: of centroids (where there is no mass, of the frame), and how bodies turn. */
function speeds(session) {
  const { scene } = session.first, index = session.get('virtual'), { freedom, rate } = scene.virtual_motions[index];
  if (rate === null) return null;
  const moves = velocities(scene, index), way = ratio(session, 'm'), turn = ratio(session, 'rad'), spatial = scene.space === 'spatial', axes = spatial ? [0, 1, 2] : [0, 1];
  const most = moves.reduce((largest, one) => Math.max(largest, one ? norm(one.at) + norm(one.turn) * (scene.size || 1) : 0), 0);
  const shown = (value, { factor }) => h('td', {}, number(Math.abs(value) < 1e-12 * most ? 0 : value * factor));
  const row = (body, k) => {
    if (!moves[k]) return null;
    const lever = minus(placed(body, body.mass && body.centroid ? body.centroid : [0, 0, 0]), body.at), v = add(moves[k].at, cross(moves[k].turn, lever));
    return h('tr', {}, h('th', { scope: 'row' }, body.name), axes.map((i) => shown(v[i], way)), spatial ? [0, 1, 2].map((i) => shown(moves[k].turn[i], turn)) : shown(moves[k].turn[2], turn));
  };
  const head = (name, { unit }) => h('th', { scope: 'col' }, name, unit && h('span', { class: 'unit' }, ` [${pretty(unit)}]`));
  return h('div', { class: 'scroll' }, h('table', { class: 'speeds' }, h('caption', {}, `Velocities of centroids over that of ${freedom}, along ground's axes`),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'body'), axes.map((i) => head('v' + 'xyz'[i], way)), spatial ? [0, 1, 2].map((i) => head('ω' + 'xyz'[i], turn)) : head('ω', turn))), h('tbody', {}, scene.bodies.map(row))));
}
