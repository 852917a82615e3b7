// A list of all series with a search, to choose what a panel shows.

import { h, show } from '../base/dom.js';
import { pretty } from '../base/units.js';

const MOST = 200;

export function chooser(session, chosen, change) {
  const { columns } = session.first.series;
  const find = h('input', { type: 'search', placeholder: `Find among ${columns.length - 1} series …`, 'aria-label': 'Find a series' });
  const list = h('div', { class: 'options' });
  let on = new Set(chosen);
  const fill = () => {
    const words = find.value.trim().toLowerCase();
    const found = columns.slice(1).filter(({ name, unit, verdict }) => verdict !== 'free' && `${name} ${unit ?? ''} ${verdict ?? ''}`.toLowerCase().includes(words));
    show(list, found.slice(0, MOST).map(({ name, unit, verdict }) => option(name, unit, verdict)), found.length > MOST && h('p', { class: 'hint' }, `and ${found.length - MOST} more: search`), found.length === 0 && h('p', { class: 'hint' }, 'none'));
  };
  const option = (name, unit, verdict) => {
    const box = h('input', { type: 'checkbox', onchange: () => change(name, box.checked) });
    box.checked = on.has(name);
    return h('label', {}, box, h('span', { class: 'name' }, name), h('span', { class: 'unit' }, pretty(session.unit(unit).unit)), verdict && verdict !== 'unique' && h('span', { class: 'verdict' }, verdict));
  };
  find.addEventListener('input', fill);
  const element = h('details', { class: 'chooser', ontoggle: () => element.open && fill() }, h('summary', {}, 'Series'), h('div', { class: 'menu' }, find, list));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.open) return;
    element.open = false;
    element.querySelector('summary').focus();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', (event) => { if (!element.contains(event.target)) element.open = false; });
  return { element, mark(names) { on = new Set(names); } };
}
