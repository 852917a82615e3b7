// Self-stresses: pushed by sliders, while the load stays as it is. What is shown is v + s share.

import { h } from '../base/dom.js';
import { combination } from './why.js';

export function stresses({ session, player }) {
  const { answer } = session.first, modes = answer.self_stress ?? [];
  if (!modes.length) return null;
  const most = session.largest.force || session.largest.torque || 1;
  const lines = modes.map((mode, k) => line(session, player, mode, k, most));
  const note = h('p', { class: 'note' });
  const tell = () => {
    lines.forEach((one) => one.tell());
    const away = session.sample !== 0 && session.get('pushes').some((amount) => amount !== 0);
    note.textContent = away ? 'Not added here: these self-stresses belong to the first state.' : '';
  };
  session.store.on(['pushes', 'place', 'system'], tell);
  tell();
  return h('div', { class: 'stresses' },
    h('p', {}, 'Each is a set of reactions that balance each other without any load. Any multiple may be added, and the same load is carried: push one and see which arrows move. Those that stay are unique.'),
    h('div', { class: 'sliders' }, lines.map(({ element }) => element)), note,
    h('button', { class: 'quiet', onclick: () => session.store.set({ pushes: modes.map(() => 0) }) }, 'All to zero'));
}

function line(session, player, mode, k, most) {
  const { store } = session;
  const push = (amount) => {
    player.go(0);
    store.set({ pushes: store.get('pushes').map((old, i) => (i === k ? amount : old)), equilibrium: -1, mode: -1, virtual: -1, forces: true });
  };
  const slider = h('input', { type: 'range', min: -1, max: 1, step: 0.01, 'aria-label': `Self-stress ${k + 1}`, oninput: () => push(Number(slider.value) * most) });
  const value = h('span', { class: 'reading' });
  const tell = () => {
    const amount = store.get('pushes')[k], { unit } = session.unit('N');
    slider.value = amount / most;
    value.textContent = `s = ${session.number(amount, 'N', most * 1e-6)} ${unit}`;
    slider.setAttribute('aria-valuetext', value.textContent);
  };
  const names = [...new Set(Object.keys(mode).map((name) => name.slice(0, name.lastIndexOf('.'))))];
  const element = h('div', { class: 'stress' }, h('span', { class: 'number' }, k + 1), slider, value,
    h('span', { class: 'code' }, combination(mode)), h('span', { class: 'links' }, names.map((name) => joint(session, name))));
  return { element, tell };
}

function joint(session, name) {
  const index = session.first.scene.things.findIndex((thing) => thing.name === name);
  return index < 0 ? null : h('button', { class: 'link', onclick: () => session.choose(index) }, name);
}
