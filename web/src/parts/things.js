// Everything that can be chosen, by name: a list for the keyboard.

import { h, show } from '../base/dom.js';

const GROUPS = [['joint', 'Joints'], ['drive', 'Drives'], ['constraint', 'Constraints'], ['load', 'Loads'], ['stop', 'Stops'], ['body', 'Bodies']];

/** The worst verdict of a thing, or null. */
export function verdictOf({ answer }, { kind, name }) {
  const of = { joint: answer.reactions, drive: answer.drives, constraint: answer.constraints }[kind];
  const verdict = of?.[name]?.verdict;
  return verdict && verdict !== 'free' ? verdict : null;
}

function entriesOf({ first }) {
  const list = first.scene.things.map((thing, index) => ({ ...thing, thing: index, body: -1, verdict: verdictOf(first, thing) })).filter(({ kind }) => kind !== 'coordinate');
  first.scene.bodies.forEach(({ name, particle }, body) => body > 0 && list.push({ kind: 'body', type: particle ? 'particle' : '', name, thing: -1, body, verdict: null }));
  return GROUPS.flatMap(([kind]) => list.filter((entry) => entry.kind === kind));
}

export function things({ session }) {
  const entries = entriesOf(session), { store } = session;
  const list = h('div', { class: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Joints, drives, loads and bodies' });
  const find = h('input', { type: 'search', placeholder: `Find among ${entries.length} …`, 'aria-label': 'Find a joint, drive, load or body' });
  const rows = entries.map((entry, k) => row(entry, k, session));
  const matches = (entry) => `${entry.name} ${entry.type} ${entry.kind} ${entry.verdict ?? ''}`.toLowerCase().includes(find.value.trim().toLowerCase());
  const fill = () => show(list, GROUPS.flatMap(([kind, title]) => {
    const shown = rows.filter((_, k) => entries[k].kind === kind && matches(entries[k]));
    return shown.length ? [h('div', { class: 'group', role: 'presentation' }, title), ...shown] : [];
  }));
  find.addEventListener('input', fill);
  fill();
  const mark = () => marked(session, entries, rows, list);
  store.on(['chosen'], mark);
  list.addEventListener('keydown', (event) => move(event, session, entries, rows));
  return h('div', { class: 'things' }, find, list);
}

function row(entry, k, session) {
  return h('div', { class: 'thing', role: 'option', id: `thing${k}`, 'aria-selected': 'false', onclick: () => session.choose(entry.thing, entry.body) },
    h('span', { class: `dot v-${(entry.verdict ?? 'none').replace(' ', '-')}`, 'aria-hidden': 'true' }), h('span', { class: 'name' }, entry.name),
    h('span', { class: 'type' }, entry.type ?? ''), entry.verdict && entry.verdict !== 'unique' && h('span', { class: 'verdict' }, entry.verdict));
}

function marked({ store }, entries, rows, list) {
  const { thing, body } = store.get('chosen');
  list.removeAttribute('aria-activedescendant');
  rows.forEach((element, k) => {
    const chosen = (thing >= 0 && entries[k].thing === thing) || (body >= 0 && entries[k].body === body);
    element.setAttribute('aria-selected', chosen);
    if (!chosen || !element.isConnected) return;
    list.setAttribute('aria-activedescendant', element.id);
    const top = element.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 24) list.scrollTop = top - list.clientHeight / 2;
  });
}

/** Up and down, Home and End among the rows that are shown. */
function move(event, session, entries, rows) {
  const shown = rows.map((element, k) => ({ element, entry: entries[k] })).filter(({ element }) => element.isConnected);
  const now = shown.findIndex(({ element }) => element.getAttribute('aria-selected') === 'true');
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: shown.length - 1 }[event.key];
  if (to === undefined || !shown.length) return;
  const { entry } = shown[Math.max(0, Math.min(shown.length - 1, to))];
  session.choose(entry.thing, entry.body);
  event.preventDefault();
  event.stopPropagation();
}
