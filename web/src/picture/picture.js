// The picture: a view of the plane or of space, and over it arrows, gaps and names.

import { h, s, show } from '../base/dom.js';
import { byStyle, measures, nearest, onScreen } from './arrows.js';
import { pretty } from '../base/units.js';
import { perFreedom } from '../motion/virtual.js';
import { placed } from '../base/vectors.js';
import { axes, bar, longest } from './measure.js';
import { about, lines, putWords } from './labels.js';
import { PlaneView } from './plane.js';
import { SpaceView } from './space.js';

const measured = (session, size, si) => `${session.number(size, si, size * 1e-3)} ${pretty(session.unit(si).unit)}`;

export class Picture {
  constructor(session) {
    this.session = session;
    this.spatial = session.first.scene.space === 'spatial';
    this.host = h('div', { class: 'board', tabindex: '0', role: 'application', 'aria-roledescription': 'picture of the mechanism',
      'aria-label': 'The mechanism. Arrow keys move the view, plus and minus zoom, F fits it.' });
    this.overlay = s('svg', { class: 'overlay', 'aria-hidden': 'true' });
    this.arrows = [];
    this.places = new Map();   // of words in the last frame
    this.drawn = 0;
  }

  /** Begins to draw, once the host is in the page. */
  start() {
    const View = this.spatial ? SpaceView : PlaneView;
    this.view = new View(this.host, this.session.results, () => this.session.shown);
    this.still = h('canvas', { class: 'still', 'aria-hidden': 'true' });
    this.host.append(this.still, this.overlay);
    addEventListener('beforeprint', () => this.#print());
    addEventListener('afterprint', () => { this.printing = false; });
    this.view.changed = () => this.ask();
    new ResizeObserver(() => this.printing || matchMedia('print').matches || this.view.resize()).observe(this.host);
    const { store } = this.session;
    store.on(['place', 'playing', 'chosen', 'forces', 'loads', 'parted', 'names', 'values', 'reach', 'pushes', 'equilibrium', 'mode', 'virtual', 'amplitude', 'phase', 'system', 'angles', 'second', 'follow', 'scaled', 'traces'], () => this.ask());
    store.on(['virtual'], () => this.view.spatial || this.view.touched || this.view.fit());
    store.on(['theme'], () => requestAnimationFrame(() => this.theme()));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.theme());
    this.#clicks();
    this.#keys();
    this.paint();
  }

  theme() {
    this.view.theme?.();
    this.ask();
  }

  /** Draws before the next frame. */
  ask() {
    if (this.session.inFrame) {
      this.paint();
      return;
    }
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.asked = false;
    const { session, view } = this, both = session.get('second');
    const frames = session.results.map((_, k) => (k === 0 || both ? session.frames(k) : null));
    view.follow(session.travelled(frames[0]));
    view.draw(frames);
    this.host.classList.toggle('alone', !both);
    view.assemblies?.forEach(({ group }, k) => { group.visible = k === 0 || both; });
    view.mark(session.get('chosen'), session.first.scene.failure?.loop ?? []);
    view.render?.(session.get('playing'));
    this.#frame(view.size);
    this.#overlay(frames);
    ++this.drawn;
  }

  /** On paper, where the board has another size, the drawings keep together. */
  #frame([width, height]) {
    const box = `0 0 ${width} ${height}`;
    if (this.box === box) return;
    this.box = box;
    for (const svg of [this.overlay, this.view.svg].filter(Boolean)) svg.setAttribute('viewBox', box);
  }

  /** What WebGL has drawn is gone by the time of printing: paper gets a copy. */
  #print() {
    this.paint();
    this.printing = true;
    const { canvas } = this.view;
    if (!canvas) return;
    Object.assign(this.still, { width: canvas.width, height: canvas.height });
    this.still.getContext('2d').drawImage(canvas, 0, 0);
  }

  #overlay(frames) {
    const { session, view } = this, chosen = session.get('chosen').thing;
    const found = frames.map((one, k) => (one ? session.arrows(k, one) : [])), scale = session.scale(found.flat()), measure = measures(session.first, session.reached, session.get('reach'));
    this.arrows = found.flatMap((arrows, k) => arrows.map((arrow) => onScreen(arrow, scale, measure, view)).filter(Boolean).map((arrow) => ({ ...arrow, second: k > 0 })));
    const paths = [...byStyle(this.arrows, chosen)].flatMap(([style, { shaft, head }]) => [
      s('path', { class: 'halo', d: shaft }), s('path', { class: `shaft ${style}`, d: shaft }), s('path', { class: `head ${style}`, d: head })]);
    show(this.overlay, bar(session, view, view.size), longest(session, scale, this.arrows, view.size), this.spatial && axes(view, view.size), this.#traces(frames), paths, this.#gaps(), this.#labels(frames[0]));
  }

  /** Ways of points over the motion, and where they are now. */
  #traces(frames) {
    const { session, view } = this, seen = (p) => view.project(p), point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    return session.get('traces').flatMap((one) => frames.map((all, k) => {
      const way = all && session.first.samples > 1 ? session.trace(k, one).map(seen).filter((p) => p && p[2] <= 1) : [];
      const now = k === 0 && seen(placed(all[one.on], one.at));
      return [way.length > 1 && s('path', { class: k ? 'trace second' : 'trace', d: 'M' + way.map(point).join('L') }), now && s('circle', { class: 'tracepoint', cx: now[0], cy: now[1], r: 3.5 })];
    }));
  }

  /** What does not close: from one side to the other, with what is missing. Words at one place stand below each other. */
  #gaps() {
    const { failure, things } = this.session.first.scene, taken = new Map();
    const told = (value, unit) => `${this.session.number(value, unit, value * 1e-3)} ${this.session.unit(unit).unit}`;
    return (failure?.gaps ?? []).map(({ of, from, to, length, angle }) => {
      const [a, b] = [from, to].map((point) => this.view.project(point)), d = `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`;
      const far = Math.hypot(b[0] - a[0], b[1] - a[1]) > 3, place = [a, b].map(([x, y]) => `${Math.round(x / 40)} ${Math.round(y / 40)}`).sort().join();
      taken.set(place, (taken.get(place) ?? -1) + 1);
      return s('g', { class: 'gap' }, far && s('path', { class: 'gapback', d }), far && s('path', { class: 'gapline', d }), [a, b].map(([x, y]) => s('circle', { cx: x, cy: y, r: 6 })),
        s('text', { x: (a[0] + b[0]) / 2 + 10, y: (a[1] + b[1]) / 2 - 10 - 15 * taken.get(place) }, `${things[of]?.name ?? ''}: ${length > 0 ? told(length, 'm') : told(angle, 'rad')}`));
    });
  }

  #labels(frames) {
    const { session, view } = this, { scene } = session.first, words = [], chosen = session.get('chosen').thing;
    if (session.get('names')) {
      scene.things.forEach(({ kind, name, markers, point }) => {
        const marker = scene.markers[kind === 'joint' ? markers?.[1] : point ?? markers?.[0]];
        if (!marker || kind === 'drive') return;
        const [x, y, depth] = view.project(placed(frames[marker.on], marker.at));
        if (depth <= 1) words.push({ key: `${kind} ${name}`, text: name, class: `name ${kind}`, spots: about([x, y]) });
      });
    }
    for (const { of, body, kind, size, tip, direction, second, verdict } of this.arrows) {
      if (second || !(session.get('values') || (kind === 'velocity' ? body === session.get('chosen').body : of === chosen))) continue;
      const told = kind === 'velocity' ? perFreedom(session, size) : measured(session, size, kind === 'force' ? 'N' : 'N.m'), [dx, dy] = direction;
      words.push({ key: `${of} ${body} ${kind} ${words.length}`, text: told, class: `value v-${verdict.replace(' ', '-')}`, spots: lines([tip[0] + 8 * dx + 2, tip[1] + 8 * dy + (dy > 0 ? 8 : 2)], dx < -0.3 ? 'end' : 'start') });
    }
    const put = putWords(words, this.places, view.size);
    return words.map(({ class: style, text }, k) => s('text', { class: style, x: put[k].x, y: put[k].y, 'text-anchor': put[k].anchor }, text));
  }

  #clicks() {
    let down = null;
    this.host.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    this.host.addEventListener('click', (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      this.#pick(event.clientX, event.clientY);
    });
  }

  #pick(x, y) {
    const box = this.host.getBoundingClientRect();
    const found = this.view.pick(x, y), arrow = nearest(this.arrows.filter(({ second }) => !second), x - box.left, y - box.top);
    if (arrow && !(found?.thing >= 0)) this.session.choose(arrow.of ?? -1, arrow.body);
    else if (found?.thing >= 0) this.session.choose(found.thing);
    else this.session.choose(-1, found?.body ?? -1);
  }

  #keys() {
    this.host.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const { view } = this, turn = (a, b) => (event.shiftKey || !this.spatial ? view.pan(-400 * a, 400 * b) : view.orbit(a, b));
      const keys = { ArrowLeft: () => turn(-0.12, 0), ArrowRight: () => turn(0.12, 0), ArrowUp: () => turn(0, 0.12), ArrowDown: () => turn(0, -0.12),
        '+': () => view.zoom(1.2), '=': () => view.zoom(1.2), '-': () => view.zoom(1 / 1.2) };
      if (!keys[event.key]) return;
      keys[event.key]();
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
