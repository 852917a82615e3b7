// Play, slider, time, speed.

import { h } from '../base/dom.js';
import { number } from '../base/format.js';
import { icon } from './icons.js';
import { SPEEDS } from '../motion/player.js';

export function transport({ session, player }) {
  const { store, first } = session, last = first.samples - 1;
  const choice = showing(session);
  if (last < 1 && !choice) return h('div', { class: 'transport still' }, 'One state: nothing moves here.');
  const play = h('button', { class: 'play', 'aria-label': 'Play', title: 'Play or pause (space)', onclick: () => player.toggle() }, icon('play'));
  store.on(['playing'], () => {
    play.replaceChildren(icon(store.get('playing') ? 'pause' : 'play'));
    play.setAttribute('aria-label', store.get('playing') ? 'Pause' : 'Play');
  });
  if (last < 1) {
    const tell = () => { play.hidden = !session.swings; };
    store.on(['mode', 'virtual'], tell);
    tell();
    return h('div', { class: 'transport' }, choice, play, clock(session));
  }
  return h('div', { class: 'transport', role: 'group', 'aria-label': 'Motion' },
    h('button', { 'aria-label': 'To the first sample', title: 'To the first sample (Home)', onclick: () => player.go(0) }, icon('first')),
    h('button', { 'aria-label': 'One sample back', title: 'One sample back (, or left)', onclick: () => player.step(-1) }, icon('back')), play,
    h('button', { 'aria-label': 'One sample on', title: 'One sample on (. or right)', onclick: () => player.step(1) }, icon('on')),
    slider(session, player), clock(session), !first.followed && first.axisName === 'time' && speed(store), loop(store), choice);
}

/** What else can be looked at than the motion: equilibria, virtual motions, modes; null where there is nothing. */
function showing(session) {
  const { store, first } = session, { equilibria = [], modes = [] } = first.answer, all = [['equilibrium', 'Equilibria', equilibria.map((one, k) => `${k + 1} ${one.stability ?? ''}`)],
    ['virtual', 'Virtual motions', (first.scene.virtual_motions ?? []).map(({ name }) => name)], ['mode', 'Modes', modes.map(({ frequency }, k) => `${k + 1}: ${number(frequency, 0, 4)} Hz`)]];
  if (all.every(([, , names]) => !names.length)) return null;
  const choice = h('select', { class: 'showing', 'aria-label': 'What is shown', onchange: () => {
    const [kind, k] = choice.value.split(' ');
    if (kind === 'equilibrium') store.set({ equilibrium: Number(k), mode: -1, virtual: -1, playing: false });
    else session.swing({ [kind]: Number(k) });
  } }, h('option', { value: 'motion' }, first.samples > 1 ? (first.followed ? 'the path' : 'the motion') : 'the state'),
  all.map(([kind, label, names]) => names.length > 0 && h('optgroup', { label }, names.map((name, k) => h('option', { value: `${kind} ${k}` }, name)))));
  const tell = () => { choice.value = all.map(([kind]) => [kind, store.get(kind)]).filter(([, k]) => k >= 0).map((pair) => pair.join(' '))[0] ?? 'motion'; };
  store.on(['equilibrium', 'virtual', 'mode'], tell);
  tell();
  return h('label', {}, 'show ', choice);
}

function slider(session, player) {
  const { store, first } = session;
  const bar = h('input', { type: 'range', class: 'time', min: 0, max: first.samples - 1, step: 1, 'aria-label': first.axisName === 'time' ? 'Time' : first.axisName, oninput: () => player.go(Number(bar.value)) });
  const tell = () => {
    bar.value = session.sample;
    if (!store.get('playing')) bar.setAttribute('aria-valuetext', axisText(session));
  };
  store.on(['place', 'playing', 'system'], tell);
  tell();
  return bar;
}

/** The axis at the sample that is shown, with its unit. */
export function axisText(session) {
  const { first } = session, { unit } = first.series.columns[0] ?? {};
  const parts = session.get('playing') ? session.axisAt(session.get('place')) : first.series.axis[session.sample];
  return `${session.number(parts, unit)} ${session.unit(unit).unit}`;
}

function clock(session) {
  const { first } = session, text = h('span', { class: 'clock' });
  const what = () => (session.get('virtual') >= 0 ? first.scene.virtual_motions[session.get('virtual')].name : session.get('mode') >= 0 ? `mode ${session.get('mode') + 1}` : null);
  const tell = () => { text.textContent = [what(), first.samples > 1 && `${first.axisName === 'time' ? 't' : first.axisName} = ${axisText(session)}`].filter(Boolean).join(' at '); };
  session.store.on(['place', 'system', 'angles', 'playing', 'virtual', 'mode'], tell);
  tell();
  return text;
}

function speed(store) {
  const choice = h('select', { 'aria-label': 'Speed, times real time', onchange: () => store.set({ speed: Number(choice.value) }) },
    SPEEDS.map((value) => h('option', { value }, value < 1 ? `1/${Math.round(1 / value)} ×` : `${value} ×`)));
  const tell = () => { choice.value = store.get('speed'); };
  store.on(['speed'], tell);
  tell();
  return choice;
}

function loop(store) {
  const box = h('input', { type: 'checkbox', onchange: () => store.set({ loop: box.checked }) });
  box.checked = store.get('loop');
  return h('label', { title: 'Begin again at the end' }, box, 'loop');
}
