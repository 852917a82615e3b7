// The variants: a table that is sorted by its heads, filtered, and shown a page at a time.

import { h, show } from '../base/dom.js';
import { count } from '../base/format.js';
import { held } from './head.js';
import { verdictCell } from './quantities.js';

const PAGE = 50;
const FILTERS = [['all', 'all', () => true], ['done', 'done', (study, row) => !study.failed(row)], ['failed', 'failed', (study, row) => study.failed(row)], ['over', 'over a limit', (study, row) => study.isOverAny(row)],
  ['open', 'not unique', (study, row) => study.worst(row) === 'not unique'], ['kept', 'with a folder', (study, row) => study.kept[row] === 1]];

/** Rows in the order of a column; those without a value come last, whichever way. */
export function sorted(rows, value, down) {
  const missing = (x) => x === null || x === undefined || Number.isNaN(x), way = down ? -1 : 1;
  return rows.slice().sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
    return way * (x < y ? -1 : x > y ? 1 : 0) || a - b;
  });
}

export function variants(view) {
  const { study } = view, state = { filter: 'all', by: 0, down: false, first: 0 }, columns = columnsOf(view);
  let rows = [];
  const table = h('table', { class: 'numbers variants' }), told = h('span', { class: 'told', role: 'status' });
  const choose = () => {
    const keep = FILTERS.find(([name]) => name === state.filter)[2];
    rows = sorted(Array.from({ length: study.count }, (_, row) => row).filter((row) => keep(study, row)), columns[state.by].value, state.down);
    state.first = 0;
    fill();
  };
  const turn = (by) => {
    Object.assign(state, { down: state.by === by && !state.down, by });
    choose();
    table.querySelector(`th:nth-child(${by + 1}) button`).focus();
  };
  const fill = () => {
    const page = rows.slice(state.first, state.first + PAGE);
    show(table, h('thead', {}, h('tr', {}, columns.map((column, k) => h('th', { scope: 'col', class: column.left ? 'left' : null, 'aria-sort': k === state.by ? (state.down ? 'descending' : 'ascending') : null }, h('button', { class: 'link', onclick: () => turn(k) }, column.title()))))),
      h('tbody', {}, page.map((row) => h('tr', { 'aria-selected': row === view.store.get('row') ? 'true' : null }, columns.map((column) => column.cell(row))))));
    told.textContent = rows.length ? `${state.first + 1} … ${state.first + page.length} of ${count(rows.length, 'variant')}` : 'no variant';
    back.disabled = state.first === 0;
    on.disabled = state.first + PAGE >= rows.length;
  };
  const go = (by) => { state.first = Math.max(0, Math.min(state.first + by * PAGE, Math.floor(Math.max(rows.length - 1, 0) / PAGE) * PAGE)); fill(); };
  const back = h('button', { onclick: () => go(-1), 'aria-label': 'Variants before' }, '‹'), on = h('button', { onclick: () => go(1), 'aria-label': 'Variants after' }, '›');
  const filter = h('select', { onchange: () => { state.filter = filter.value; choose(); } }, FILTERS.filter(([name, , keep]) => name === 'all' || study.statuses.some((_, row) => keep(study, row))).map(([name, title]) => h('option', { value: name }, title)));
  view.store.on(['units'], fill);
  view.store.on(['row'], () => {
    const at = rows.indexOf(view.store.get('row'));
    if (at >= 0) state.first = Math.floor(at / PAGE) * PAGE;
    fill();
  });
  choose();
  return h('div', {}, held(view), silent(study), h('div', { class: 'row' }, h('label', {}, 'Show ', filter), back, on, told), h('div', { class: 'scroll' }, table));
}

const silent = ({ rows }) => rows.silent > 0 && h('p', { class: 'hint' }, `Messages of ${count(rows.silent, 'failed variant')} are left out; study.csv has them.`);

function columnsOf(view) {
  const { study } = view, text = (title, value, cell) => ({ title: () => title, value, left: true, cell: (row) => h('td', { class: 'left' }, cell ? cell(row) : value(row) ?? '') });
  const number = { title: () => 'variant', value: (row) => study.variants[row], cell: (row) => h('th', { scope: 'row' }, h('button', { class: 'link', title: 'Mark this variant in the plots', onclick: () => view.choose(row) }, study.variants[row])) };
  const parameters = study.parameters.map((one) => ({ title: () => view.label(one), value: (row) => one.values[row], cell: (row) => h('td', {}, view.number(one, one.values[row])) }));
  const quantities = study.quantities.map((one) => ({ title: () => view.label(one), value: (row) => one.values[row], cell: (row) => {
    const shown = view.number(one, one.values[row]);
    return h('td', { class: study.isOver(one, row) ? 'exceeded' : null }, study.isOpen(one, row) ? `[${shown}]` : shown);
  } }));
  const folder = (row) => study.kept[row] === 1 && `variants/${String(study.variants[row]).padStart(6, '0')}/`;
  const link = (row) => folder(row) && (study.folder ? h('a', { href: `${study.folder}${folder(row).slice('variants/'.length)}` }, folder(row)) : folder(row));
  return [number, ...parameters, ...quantities, text('status', (row) => study.status(row)), text('verdict', (row) => study.worst(row), (row) => { const worst = study.worst(row); return worst ? verdictCell(worst) : ''; }),
    ...(study.kept.some(Boolean) ? [text('folder', (row) => folder(row) || null, (row) => link(row) || '')] : []), ...(study.messages.size ? [text('message', (row) => study.messages.get(row) ?? null)] : [])];
}
