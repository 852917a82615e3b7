// What the program put into the page of a study: study.json, rows of study.csv, histograms of all rows.

import { bytesOf, decoded } from '../base/data.js';
import { factorOf } from '../base/units.js';

const BEYOND = { '<=': (value, bound) => !(value <= bound), '<': (value, bound) => !(value < bound), '>=': (value, bound) => !(value >= bound), '>': (value, bound) => !(value > bound) };

/** A limit as study.json has it: its bound in SI, and the unit in which it was written. */
function limitOf(limit) {
  if (!limit) return null;
  const [, sign, unit] = /^\s*([<>]=?)\s*[-+\d.eE]*\s*\[?([^\]]*)\]?\s*$/.exec(limit.text) ?? [null, /^\s*[<>]=?/.exec(limit.text)?.[0].trim() ?? '<=', ''];
  return { ...limit, sign, shown: limit.text.replace('<=', '≤ ').replace('>=', '≥ ').replace(/ +/g, ' '), unit: unit.trim(), isOver: (value) => BEYOND[sign](value, limit.value) };
}

/** The unit of a limit, where it is another one than that of the quantity: {unit, factor}. */
function otherUnit(limit, unit) {
  const factor = limit?.unit && limit.unit !== unit ? factorOf(limit.unit) : null;
  return factor ? { unit: limit.unit, factor } : null;
}

/** A study with all that is looked up often. A row is a number: the place of a variant among those that the page holds. */
export class Study {
  constructor({ study: answer, rows, histograms, variants }) {
    const { count, columns } = rows, numbers = decoded(rows.data), marks = bytesOf(rows.marks);
    const column = (k) => numbers.subarray(k * count, (k + 1) * count), mark = (k) => marks.subarray(k * count, (k + 1) * count);
    const { vary } = answer.study, own = columns.filter(({ of }) => of === 'parameter').length, many = columns.length - own;
    this.answer = answer;
    this.rows = rows;
    this.count = count;
    this.folder = variants;
    this.variants = column(0);
    this.parameters = columns.slice(0, own).map(({ name, unit }, k) => ({ kind: 'parameter', name, unit, values: column(1 + k), axis: vary[name]?.axis ?? -1, levels: vary[name]?.values ?? 0 }));
    this.quantities = columns.slice(own).map(({ name, unit }, k) => {
      const facts = answer.quantities[name], limit = limitOf(facts.limit);
      return { kind: 'quantity', name, unit, values: column(1 + own + k), verdicts: mark(k), facts, limit, other: otherUnit(limit, unit), bars: histograms[k].bars };
    });
    this.statuses = mark(many);
    this.kept = mark(many + 1);
    this.messages = new Map(rows.messages);
    this.open = rows.verdicts.indexOf('not unique');
    this.rowOf = new Map(Array.from(this.variants, (variant, row) => [variant, row]));
    this.named = new Map([...this.parameters, ...this.quantities].map((one) => [`${one.kind} ${one.name}`, one]));
  }

  /** Parameters and quantities by their kind and name, as choices on the page have them. */
  get(key) {
    return this.named.get(key);
  }

  status(row) {
    return this.rows.statuses[this.statuses[row]];
  }

  failed(row) {
    return this.statuses[row] !== 0;
  }

  verdict(quantity, row) {
    return Number.isNaN(quantity.values[row]) ? null : this.rows.verdicts[quantity.verdicts[row]];
  }

  /** The worst verdict of a row; null where it has no value. */
  worst(row) {
    const there = this.quantities.filter(({ values }) => !Number.isNaN(values[row])).map(({ verdicts }) => verdicts[row]);
    return there.length ? this.rows.verdicts[Math.max(...there)] : null;
  }

  isOpen(quantity, row) {
    return quantity.kind === 'quantity' && quantity.verdicts[row] === this.open && !Number.isNaN(quantity.values[row]);
  }

  isOver(quantity, row) {
    return Boolean(quantity.limit) && !Number.isNaN(quantity.values[row]) && quantity.limit.isOver(quantity.values[row]);
  }

  isOverAny(row) {
    return this.quantities.some((quantity) => this.isOver(quantity, row));
  }

  /** Does the page hold fewer rows than there are variants? */
  get thinned() {
    return this.count < this.rows.of;
  }
}

/** The axes of a grid: which parameters move along each, the levels that the page holds, and the row at given levels. */
export class Grid {
  constructor(study) {
    const axes = new Map();
    for (const one of study.parameters) if (one.axis >= 0) axes.set(one.axis, [...(axes.get(one.axis) ?? []), one]);
    this.study = study;
    this.axes = [...axes.keys()].sort((a, b) => a - b).map((key, k) => {
      const parameters = axes.get(key), { levels: all } = parameters[0], stride = study.rows.strides?.[k] ?? 1;
      const held = Array.from({ length: all }, (_, i) => i).filter((i) => i % stride === 0 || (i === all - 1 && stride < all));
      return { parameters, all, stride, held };
    });
    this.values = new Map(study.parameters.map((one) => [one, new Map()]));
    this.at = new Map();
    for (let row = 0; row < study.count; ++row) {
      const levels = this.levelsOf(row);
      this.at.set(levels.join(), row);
      this.axes.forEach(({ parameters }, k) => parameters.forEach((one) => this.values.get(one).set(levels[k], one.values[row])));
    }
  }

  /** The level of each axis in a row; the last axis runs fastest. */
  levelsOf(row) {
    let place = this.study.variants[row] - 1;
    return this.axes.toReversed().map(({ all }) => {
      const level = place % all;
      place = (place - level) / all;
      return level;
    }).toReversed();
  }

  axisOf(parameter) {
    return this.axes.findIndex(({ parameters }) => parameters.includes(parameter));
  }

  /** The value of a parameter at a level of its axis. */
  value(parameter, level) {
    return this.values.get(parameter).get(level) ?? NaN;
  }

  /** The row at these levels; undefined where the page has none. */
  row(levels) {
    return this.at.get(levels.join());
  }
}

/** The study of the page; null when the program put nothing in. */
export function readStudy(document) {
  const element = document.getElementById('roberval-data');
  return element ? new Study(JSON.parse(element.textContent)) : null;
}
