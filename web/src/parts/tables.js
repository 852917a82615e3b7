// Tables of result.json: drives, outputs, reactions, loads, with the smallest and largest value and where.

import { h, show } from '../base/dom.js';
import { pretty } from '../base/units.js';
import { sample } from './toolbar.js';

const SECTIONS = [['Drives', 'drives', 'drive'], ['Outputs', 'outputs', null], ['Forces of joints', 'reactions', 'joint', true], ['Reactions on the second body', 'reactions', 'joint'], ['Constraints', 'constraints', 'constraint'], ['Loads', 'loads', 'load'], ['Stops', 'stops', 'stop']];

/** Rows of a part of result.json: name, column, facts. */
function rowsOf(part, kind, resultants) {
  const rows = [];
  for (const [name, one] of Object.entries(part ?? {})) {
    if (resultants) rows.push({ name: `${name} |F|`, thing: name, facts: { ...one.resultant, verdict: one.verdict } });
    else if (one.components) for (const [end, facts] of Object.entries(one.components)) rows.push({ name: `${name}.${end}`, column: `${name}.${end}`, thing: name, facts });
    else if ('first' in one) rows.push({ name: kind === 'drive' || kind === 'constraint' ? `${name}.effort` : name, column: kind === 'drive' || kind === 'constraint' ? `${name}.effort` : name, thing: name, facts: one });
    else for (const [end, facts] of Object.entries(one)) if (facts && typeof facts === 'object' && 'first' in facts) rows.push({ name: `${name}.${end}`, column: `${name}.${end}`, thing: name, facts });
  }
  return rows.filter(({ facts }) => facts.verdict !== 'free' && (facts.first !== undefined && (facts.first !== null || (facts.verdict && kind !== 'load'))));
}

export function tables(app) {
  const { session } = app, host = h('div', { class: 'tables' });
  const fill = () => show(host, SECTIONS.map(([title, key, kind, resultants]) => {
    const rows = rowsOf(session.first.answer[key], kind, resultants);
    return rows.length && !(resultants && rows.every(({ facts }) => facts.first === null)) ? h('div', { class: 'scroll' }, table(app, title, rows, kind)) : null;
  }));
  session.store.on(['system', 'angles'], fill);
  fill();
  return host.childElementCount ? host : null;
}

function table(app, title, rows, kind) {
  const { session } = app, along = session.first.samples > 1 && rows.some(({ facts }) => facts.min !== facts.max);
  const axis = session.first.series.columns[0], unit = axis ? session.unit(axis.unit).unit : '';
  const judged = rows.some(({ facts }) => facts.verdict) && kind !== 'load';
  const numbers = rows.some(({ facts }) => facts.first !== null);   // a check has verdicts alone
  const heads = ['', 'unit', ...(!numbers ? [] : along ? ['first', 'min', `at [${unit}]`, 'max', `at [${unit}]`] : ['value']), ...(judged ? ['verdict'] : [])];
  return h('table', { class: 'numbers' }, h('caption', {}, title), h('thead', {}, h('tr', {}, heads.map((name) => h('th', { scope: 'col', class: name === 'verdict' ? 'left' : null }, name)))),
    h('tbody', {}, rows.map((row) => line(app, row, { kind, along, axis, judged, numbers }))));
}

function line({ session, plots }, { name, column, thing, facts }, { kind, along, axis, judged, numbers }) {
  const open = facts.verdict === 'not unique', value = (key) => {
    const text = session.number(facts[key], facts.unit, facts.error ?? Math.max(Math.abs(facts.min), Math.abs(facts.max)) * 1e-12);
    return h('td', {}, open && facts[key] !== null ? `[${text}]` : text);
  };
  const at = (key) => h('td', { class: 'at' }, open || facts.min === facts.max ? '' : session.number(facts[key], axis?.unit));
  const index = kind ? session.first.thingOf.get(`${kind} ${thing}`) : undefined;
  const act = () => (index !== undefined ? session.choose(index) : column && plots?.add([column]));
  const constant = facts.min === facts.max;
  return h('tr', {}, h('th', { scope: 'row' }, h('button', { class: 'link', onclick: act }, name)), h('td', { class: 'unit' }, pretty(session.unit(facts.unit).unit)), numbers && value('first'),
    along && (constant ? [h('td'), h('td'), h('td'), h('td')] : [value('min'), at('at_min'), value('max'), at('at_max')]),
    judged && h('td', { class: 'left' }, facts.verdict && h('span', { class: 'verdictcell' }, sample(`v-${facts.verdict.replace(' ', '-')}`), facts.verdict)));
}
