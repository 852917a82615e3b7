// Title, what was computed, units, light and dark, print.

import { h, show } from '../base/dom.js';
import { count } from '../base/format.js';

export function header({ session }, navigation) {
  const { scene, answer } = session.first, facts = h('p', { class: 'facts' });
  const tell = () => show(facts, factsOf(session).map((fact) => h('span', {}, fact)));
  session.store.on(['system', 'angles'], tell);
  tell();
  return h('header', { class: 'head' },
    h('div', { class: 'heading' }, h('h1', {}, scene.title || scene.file || 'Untitled model'), facts,
      session.results[1] && h('p', { class: 'facts second' }, h('span', { class: 'dashes', 'aria-hidden': 'true' }), h('span', {}, 'over it: ' + session.label(1)), h('span', {}, session.results[1].answer.analysis ?? ''))),
    h('div', { class: 'settings' }, units(session), theme(session), help(), h('button', { class: 'quiet', title: 'Print picture, tables and curves', onclick: () => print() }, 'Print')),
    navigation, h('span', { class: 'made' }, `Roberval ${answer.roberval ?? ''}`));
}

function factsOf(session) {
  const { answer, samples, series, scene, axisName } = session.first, { model, mobility } = answer;
  const facts = [answer.analysis, scene.file, samples > 1 && spanOf(session, series.axis, axisName)];
  if (samples > 1) facts.push(series.all > samples ? `${samples} of ${series.all} samples` : count(samples, 'sample'));
  if (model?.size) facts.push(`size ${session.number(model.size, 'm')} ${session.unit('m').unit}`);
  if (model?.mass) facts.push(`mass ${session.number(model.mass, 'kg')} ${session.unit('kg').unit}`);
  if (mobility) facts.push(count(mobility.degrees_of_freedom, 'degree of freedom left', 'degrees of freedom left'));
  if (mobility?.redundant) facts.push(`${mobility.redundant} redundant`);
  return facts.filter(Boolean);
}

function spanOf(session, axis, name) {
  const { unit } = session.first.series.columns[0], shown = (value) => session.number(value, unit);
  return `${name === 'time' ? 't' : name} = ${shown(axis[0])} … ${shown(axis[axis.length - 1])} ${session.unit(unit).unit}`;
}

function units(session) {
  const declared = session.first.scene.units ?? {}, { store } = session;
  const system = h('select', { 'aria-label': 'Units', onchange: () => store.set({ system: system.value, ...(system.value === 'model' && declared.angle === 'deg' ? { angles: 'deg' } : {}) }) },
    h('option', { value: 'si' }, 'SI units'), h('option', { value: 'model' }, 'units of the model'));
  system.value = store.get('system');
  system.disabled = Object.keys(declared).length === 0;
  if (system.disabled) system.title = 'The model declares no units of its own';
  const angles = h('select', { 'aria-label': 'Angles', onchange: () => store.set({ angles: angles.value }) }, h('option', { value: 'rad' }, 'radians'), h('option', { value: 'deg' }, 'degrees'));
  angles.value = store.get('angles');
  store.on(['angles'], () => { angles.value = store.get('angles'); });
  return [system, angles];
}

/** The choice of light or dark. */
export function theme({ store }) {
  const choice = h('select', { 'aria-label': 'Light or dark', onchange: () => {
    document.documentElement.dataset.theme = choice.value;
    store.set({ theme: choice.value });
  } }, h('option', { value: '' }, 'as the system'), h('option', { value: 'light' }, 'light'), h('option', { value: 'dark' }, 'dark'));
  return choice;
}

const KEYS = [['space', 'play or pause'], ['←  →', 'one sample back, on'], ['Home  End', 'first, last sample'], ['R', 'reactions'], ['N  V', 'names, values'], ['F', 'fit the picture'], ['1 … 4', 'corner, front, right, top'], ['Esc', 'choose nothing'], ['arrows in the picture', 'turn it, with shift move it'], ['+  −  in the picture', 'nearer, farther']];

function help() {
  return h('details', { class: 'chooser' }, h('summary', {}, 'Keys'), h('div', { class: 'menu' }, h('dl', { class: 'keys' }, KEYS.map(([key, act]) => [h('dt', {}, key), h('dd', {}, act)]))));
}
