// What the page shows at this moment, and who wants to know when it changes.

export class Store {
  #values;
  #listeners = new Map();

  constructor(values) {
    this.#values = { ...values };
  }

  get(name) {
    return this.#values[name];
  }

  /** Sets values; those that listen to a changed one are called once each. */
  set(values) {
    const called = new Set();
    for (const [name, value] of Object.entries(values)) {
      if (Object.is(this.#values[name], value)) continue;
      this.#values[name] = value;
      for (const listener of this.#listeners.get(name) ?? []) called.add(listener);
    }
    for (const listener of called) listener();
  }

  /** Calls the listener whenever one of the names changes. */
  on(names, listener) {
    for (const name of names) {
      if (!this.#listeners.has(name)) this.#listeners.set(name, []);
      this.#listeners.get(name).push(listener);
    }
  }
}
