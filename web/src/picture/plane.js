// The view of planar models: sketches in one SVG, moved and zoomed by one transform.

import { s, show } from '../base/dom.js';
import { Sketch } from './sketch.js';

export class PlaneView {
  spatial = false;

  constructor(host, results, shown) {
    this.host = host;
    this.shown = shown;   // the box to fit
    this.sketches = results.map((result) => new Sketch(result));
    this.symbol = results[0].scene.symbol;
    this.world = s('g');
    this.svg = s('svg', { class: 'sketchboard' }, this.world);
    show(this.world, [...this.sketches].reverse().map(({ root }) => root));
    host.append(this.svg);
    this.along = [0, 0];
    this.changed = () => {};
    this.#pointers();
    this.fit();
  }

  get size() {
    return [this.host.clientWidth || 800, this.host.clientHeight || 500];
  }

  /** Everything that the motion reaches, in the middle. */
  fit() {
    const [width, height] = this.size, { low, high } = this.shown();
    this.along = [0, 0];
    const wide = high[0] - low[0], tall = high[1] - low[1], edge = Math.min(48, 0.08 * Math.min(width, height));
    this.scale = Math.min((width - 2 * edge) / Math.max(wide, 1e-9), (height - 2 * edge) / Math.max(tall, 1e-9));
    if (!Number.isFinite(this.scale)) this.scale = 100;
    this.shift = [width / 2 - (this.scale * (low[0] + high[0])) / 2, height / 2 + (this.scale * (low[1] + high[1])) / 2];
    this.touched = false;
    this.#apply();
  }

  resize() {
    if (this.touched) this.#apply();
    else this.fit();
  }

  #apply() {
    this.#place();
    this.svg.style.setProperty('--bar', `${Math.max(7, Math.min(0.4 * this.symbol * this.scale, 26))}px`);
    this.changed();
  }

  #place() {
    const k = this.scale;
    this.world.setAttribute('transform', `matrix(${k} 0 0 ${-k} ${this.shift[0]} ${this.shift[1]})`);
  }

  /** Goes along with what moves: `by` is how far that has come. */
  follow([x, y]) {
    if (x === this.along[0] && y === this.along[1]) return;
    const [dx, dy] = [x - this.along[0], y - this.along[1]];
    this.along = [x, y];
    this.shift = [this.shift[0] - this.scale * dx, this.shift[1] + this.scale * dy];
    this.#place();
  }

  project([x, y]) {
    return [this.scale * x + this.shift[0], this.shift[1] - this.scale * y, 0];
  }

  pixels() {
    return this.scale;
  }

  zoom(factor, x = this.size[0] / 2, y = this.size[1] / 2) {
    const k = Math.max(1e-6, Math.min(1e9, this.scale * factor)) / this.scale;
    this.shift = [x + k * (this.shift[0] - x), y + k * (this.shift[1] - y)];
    this.scale *= k;
    this.touched = true;
    this.#apply();
  }

  pan(dx, dy) {
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.touched = true;
    this.#apply();
  }

  #pointers() {
    const down = new Map();
    const { host } = this;
    host.addEventListener('pointerdown', (event) => {
      if (event.button === 0) down.set(event.pointerId, [event.clientX, event.clientY]);
    });
    host.addEventListener('pointermove', (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      if (down.size === 1 && Math.hypot(dx, dy) > 0) this.pan(dx, dy);
      if (down.size === 2) this.#pinch(down, event.pointerId, before, now);
      down.set(event.pointerId, now);
    });
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) host.addEventListener(end, (event) => down.delete(event.pointerId));
    host.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = host.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }

  #pinch(down, moved, before, now) {
    const [, still] = [...down].find(([id]) => id !== moved);
    const apart = (p) => Math.hypot(p[0] - still[0], p[1] - still[1]);
    const box = this.host.getBoundingClientRect();
    if (apart(before) > 0) this.zoom(apart(now) / apart(before), (now[0] + still[0]) / 2 - box.left, (now[1] + still[1]) / 2 - box.top);
  }

  draw(frames) {
    this.sketches.forEach((sketch, k) => frames[k] && sketch.draw(frames[k]));
  }

  mark(chosen, loop) {
    this.sketches.forEach((sketch) => sketch.mark(chosen, loop));
  }

  /** What lies under a point of the screen. */
  pick(x, y) {
    const near = [[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4]];
    for (const [dx, dy] of near) {
      const path = document.elementsFromPoint(x + dx, y + dy).find((element) => element.dataset?.of !== undefined);
      if (path) return { thing: Number(path.dataset.of), body: Number(path.dataset.body) };
    }
    return null;
  }
}
