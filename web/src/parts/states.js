// Equilibria, the path of equilibria with its folds and snaps, modes that swing.

import { h } from '../base/dom.js';
import { number } from '../base/format.js';
import { pretty } from '../base/units.js';
import { isWhole } from '../motion/swing.js';
import { pathPlot } from '../plots/path.js';

/** One of several states to show; it is marked wherever the choice was made. */
export const radio = (store, name, value, label, act) => {
  const box = h('input', { type: 'radio', name, onchange: act }), tell = () => { box.checked = store.get(name) === value; };
  store.on([name], tell);
  tell();
  return h('label', { class: 'state' }, box, label);
};

/** How far and where something swings. */
export function swinging(store) {
  const amplitude = h('input', { type: 'range', min: 0, max: 3, step: 0.01, value: 1, 'aria-label': 'Amplitude', oninput: () => store.set({ amplitude: Number(amplitude.value) }) });
  const phase = h('input', { type: 'range', min: 0, max: 360, step: 1, value: 0, 'aria-label': 'Phase', oninput: () => store.set({ playing: false, phase: (Number(phase.value) * Math.PI) / 180 }) });
  store.on(['amplitude'], () => { amplitude.value = store.get('amplitude'); });
  store.on(['phase'], () => { phase.value = ((store.get('phase') * 180) / Math.PI) % 360; });
  return [h('label', {}, 'Amplitude', amplitude), h('label', {}, 'Phase', phase)];
}

export function equilibria({ session }) {
  const found = session.first.answer.equilibria ?? [];
  if (found.length < 1) return null;
  const set = (equilibrium) => session.store.set({ equilibrium, mode: -1, virtual: -1, playing: false });
  const facts = ({ stability, energy, pressed }) => [stability ?? 'stability not decided', energy !== null && energy !== undefined && `${session.number(energy, 'J')} J`, pressed?.length && `pressed: ${pressed.join(', ')}`].filter(Boolean).join(', ');
  return h('div', { class: 'states' }, h('p', {}, `${found.length} equilibria, by rising energy. Forces are known of the one that was reached from the starting pose.`),
    radio(session.store, 'equilibrium', -1, 'as reached, with forces', () => set(-1)), found.map((one, k) => radio(session.store, 'equilibrium', k, [h('b', {}, k + 1), ' ', facts(one), k === session.reachedEquilibrium && ', reached: with forces'], () => set(k))));
}

export function path(app) {
  const { session, player } = app, { followed } = session.first;
  if (!followed || session.first.answer.modes) return null;
  const { events = [] } = followed, parameter = session.first.series.columns[0];
  const shown = (value) => `${session.number(value, parameter.unit)} ${session.unit(parameter.unit).unit}`;
  const row = (event) => h('tr', {}, h('td', { class: 'left' }, h('button', { class: 'link', onclick: () => player.go(event.sample) }, event.kind)), h('td', {}, shown(event.at)),
    h('td', { class: 'left' }, event.moves ?? ''), h('td', { class: 'left' }, `${event.before ?? '?'} → ${event.after ?? '?'}`), h('td', { class: 'left' }, event.supports?.join(', ') ?? ''));
  return h('div', { class: 'path' }, h('p', {}, `${followed.parameter} from ${shown(followed.from)} to ${shown(followed.to)}: ${followed.ended}. Heavy lines are stable, thin dashed ones are not.`),
    pathPlot(app), events.length > 0 && h('table', {}, h('thead', {}, h('tr', {}, ['what', 'at', 'moves', 'stability', 'supports'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, events.map(row))));
}

export function modes({ session, player }) {
  const found = session.first.answer.modes ?? [], { store } = session;
  if (!found.length) return null;
  const names = (shape) => Object.entries(shape).map(([name, [re, im]]) => ({ name, size: Math.hypot(re, im), phase: Math.atan2(im, re) })).filter(({ size }) => size > 0.01).sort((a, b) => b.size - a.size).slice(0, 4);
  const row = (mode, k) => h('tr', {}, h('td', {}, radio(store, 'mode', k, String(k + 1), () => session.swing({ mode: k }))), h('td', {}, number(mode.frequency)), h('td', {}, number(mode.damping, 0, 4)), h('td', {}, number(mode.eigenvalue[0])), h('td', {}, number(mode.eigenvalue[1])),
    h('td', { class: 'left' }, names(mode.shape).map(({ name, size, phase: ahead }) => `${name} ${number(size, 0, 3)}${Math.abs(ahead) > 0.01 ? ` ∠${Math.round((ahead * 180) / Math.PI)}°` : ''}`).join(', '),
      !isWhole(session.first, k) && h('span', { class: 'note' }, ' (not all bodies can be moved by these coordinates)')));
  return h('div', { class: 'modes' }, crossings(session, player), h('div', { class: 'row' }, radio(store, 'mode', -1, 'at rest', () => session.swing()), swinging(store)),
    h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ['mode', 'frequency [Hz]', 'damping', 're [1/s]', 'im [rad/s]', 'moves most'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, found.map(row)))));
}

/** Where a mode along a parameter begins to swing or to fall, or is stable again. */
function crossings(session, player) {
  const { followed, series } = session.first, events = followed?.events ?? [], { unit } = series.columns[0] ?? {};
  if (!events.length) return null;
  const row = ({ kind, at, mode, eigenvalue }) => h('tr', {}, h('td', { class: 'left' }, h('button', { class: 'link', onclick: () => player.go(Math.round(session.first.place(at))) }, kind)),
    h('td', {}, `${session.number(at, unit)} ${pretty(session.unit(unit).unit)}`), h('td', {}, mode), h('td', {}, number(eigenvalue?.[1])));
  return [h('table', { class: 'crossings' }, h('thead', {}, h('tr', {}, ['what', followed.parameter, 'mode', 'im [rad/s]'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, events.map(row))),
    h('p', { class: 'sub' }, `Curves over ${followed.parameter} stand under Plots; the modes below are those where it begins.`)];
}
