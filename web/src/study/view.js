// What the page of a study shows at this moment: units, the chosen variant; numbers as they are shown.

import { number } from '../base/format.js';
import { Store } from '../base/store.js';
import { pretty } from '../base/units.js';
import { say } from '../parts/notice.js';

const WRITTEN_DIGITS = 9;   // of parameters that somebody wrote

export class View {
  constructor(study) {
    this.study = study;
    this.digits = study.answer.study.design === 'grid' ? WRITTEN_DIGITS : 6;
    this.store = new Store({ theme: '', units: 'si', row: -1 });
  }

  /** What a parameter or quantity is shown in: {unit, factor}, shown = value / factor. */
  unit(one) {
    return this.store.get('units') === 'limits' && one.other ? one.other : { unit: one.unit, factor: 1 };
  }

  /** A value as text, without its unit. */
  number(one, value) {
    if (value === null || value === undefined) return number(NaN);
    return number(value / this.unit(one).factor, 0, one.kind === 'parameter' ? this.digits : 6);
  }

  /** A value with its unit. */
  text(one, value) {
    return [this.number(one, value), pretty(this.unit(one).unit)].filter(Boolean).join(' ');
  }

  /** A name with its unit, as axes and heads have it. */
  label(one) {
    const { unit } = this.unit(one);
    return unit ? `${one.name} [${pretty(unit)}]` : one.name;
  }

  /** Parameters of a row, or of values by name: "r = 80 mm, n = 20 rpm". */
  place(values) {
    return this.study.parameters.map((one) => `${one.name} = ${this.text(one, values(one))}`).join(', ');
  }

  /** A row in words. */
  tell(row, quantities) {
    const { study } = this, facts = quantities.map((one) => {
      if (Number.isNaN(one.values[row])) return null;
      const marks = [study.isOver(one, row) && `over ${one.limit.shown}`, study.isOpen(one, row) && 'not unique'].filter(Boolean).join(', ');
      return `${one.name} = ${this.text(one, one.values[row])}${marks ? ` (${marks})` : ''}`;
    }).filter(Boolean);
    const what = study.failed(row) ? [study.status(row), study.messages.get(row)].filter(Boolean).join(': ') : facts.join(', ');
    return `Variant ${study.variants[row]}: ${this.place((one) => one.values[row])}${what ? '; ' : ''}${what}`;
  }

  /** Chooses a row; -1: none. */
  choose(row) {
    this.store.set({ row });
    if (row >= 0) say(this.tell(row, this.study.quantities));
  }
}
