// What the program put into the page: one result or two.

/** The bytes of a base64 text. */
export function bytesOf(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
  return bytes;
}

/** Doubles of a base64 text, written with the lowest byte first. */
export function decoded(text) {
  const bytes = bytesOf(text);
  const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  if (!little) for (let i = 0; i < bytes.length; i += 8) bytes.subarray(i, i + 8).reverse();
  return new Float64Array(bytes.buffer);
}

/** Columns over samples. */
export class Series {
  constructor({ columns = [], samples = 0, of = samples, data = '' } = {}) {
    this.columns = columns;
    this.all = of;   // samples of the result; the page has those that its pixels show
    this.samples = samples;
    const all = decoded(data);
    this.values = columns.map((_, k) => all.subarray(k * samples, (k + 1) * samples));
    this.index = new Map(columns.map((column, k) => [column.name, k]));
  }

  has(name) {
    return this.index.has(name);
  }

  column(name) {
    return this.columns[this.index.get(name)];
  }

  /** The values of a column, or null. */
  of(name) {
    const k = this.index.get(name);
    return k === undefined ? null : this.values[k];
  }

  /** A value at a place between samples; where it does not exist on one side, that of the nearest sample. */
  static at(values, place) {
    const low = Math.floor(place), part = place - low;
    if (part === 0 || low + 1 >= values.length) return values[low];
    if (values[low] === null || values[low + 1] === null) return values[Math.round(place)];
    const between = values[low] + part * (values[low + 1] - values[low]);
    return Number.isNaN(between) ? values[Math.round(place)] : between;
  }

  /** The first column: the time, or the parameter that was followed. */
  get axis() {
    return this.values[0] ?? new Float64Array(0);
  }
}

/** A result with everything that is looked up often. */
export class Result {
  constructor({ scene, result, series }, number) {
    this.number = number;
    this.scene = scene;
    this.answer = result ?? {};
    this.series = new Series(series ?? {});
    this.followed = this.answer.follow ?? null;
    this.axisName = this.series.columns[0]?.name ?? 'time';
    this.rising = this.series.axis.every((value, k, all) => k === 0 || value > all[k - 1]);
    this.thingOf = new Map(scene.things.map((thing, k) => [thing.kind + ' ' + thing.name, k]));
  }

  get samples() {
    return this.series.samples;
  }

  /** The sample at or nearest below a value of the axis, as a number between samples. */
  place(value) {
    const axis = this.series.axis, last = axis.length - 1;
    if (last <= 0 || value <= axis[0]) return 0;
    if (value >= axis[last]) return last;
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (axis[middle] <= value) low = middle;
      else high = middle;
    }
    return low + (value - axis[low]) / (axis[high] - axis[low]);
  }
}

/** The results of the page; none when the program put nothing in. */
export function readResults(document) {
  const element = document.getElementById('roberval-data');
  return element ? JSON.parse(element.textContent).results.map((one, k) => new Result(one, k)) : [];
}
