// The model as it was written, with the line of what is chosen.

import { h } from '../base/dom.js';

let rows = [];

export function modelText({ session }) {
  const { scene } = session.first;
  if (!scene.text) return null;
  const at = new Map();
  scene.bodies.forEach(({ line }, body) => line && at.set(line, [-1, body]));
  scene.things.forEach(({ line }, thing) => line && at.set(line, [thing, -1]));
  rows = scene.text.replace(/\n$/, '').split('\n').map((text, k) => {
    const choice = at.get(k + 1), number = h('span', { class: 'number', 'aria-hidden': 'true' }, k + 1);
    return h('li', choice ? { class: 'known', onclick: () => session.choose(...choice) } : {}, number, h('code', {}, text || '\u200b'));
  });
  session.store.on(['chosen'], () => mark(session));
  return [h('p', { class: 'sub' }, scene.file ?? ''), h('ol', { class: 'text', tabindex: '0', 'aria-label': 'Text of the model' }, rows)];
}

function mark(session) {
  const { thing, body } = session.get('chosen'), { things, bodies } = session.first.scene;
  const line = things[thing]?.line ?? bodies[body]?.line ?? 0;
  rows.forEach((row, k) => {
    row.classList.toggle('chosen', k + 1 === line);
    if (k + 1 === line) keepInSight(row);
  });
}

/** Moves the text, not the page. */
function keepInSight(row) {
  const list = row.parentElement;
  list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
}

export function showLine(line) {
  const row = rows[line - 1];
  if (!row) return;
  keepInSight(row);
  row.scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
}
