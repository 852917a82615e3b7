// The view of spatial models: WebGL, a camera that goes around.

import { Color, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Assembly } from './assembly.js';
import { pickFigure } from './ray.js';
import { Pace, drawnBySoftware } from './pace.js';
import { palette } from './palette.js';
import { cross, dot, minus, norm, square, times, unit } from '../base/vectors.js';

const FIELD = 30;
const THIN = 0.01;   // of all that is shown: about 5 pixels

export class SpaceView {
  spatial = true;

  constructor(host, results, shown) {
    this.host = host;
    this.shown = shown;   // the box to fit, with points in it
    this.along = [0, 0, 0];
    this.scene = new Scene();
    const canvas = document.createElement('canvas');   // opaque, so that nothing below it is drawn
    this.renderer = new WebGLRenderer({ canvas, context: canvas.getContext('webgl2', { alpha: false, antialias: !drawnBySoftware(), powerPreference: 'high-performance' }) ?? undefined });
    this.full = Math.min(devicePixelRatio || 1, 2);
    this.renderer.setPixelRatio(this.full);
    this.pace = new Pace(this.full);
    this.canvas = this.renderer.domElement;
    host.append(this.canvas);
    this.up = unit(results[0].scene.up ?? [0, 0, 1]);
    this.assemblies = results.map((result, k) => this.#assembly(result, k));
    this.cameras = { perspective: new PerspectiveCamera(FIELD, 1, 0.01, 1000), orthographic: new OrthographicCamera(-1, 1, 1, -1, 0.01, 1000) };
    this.camera = this.cameras.perspective;
    this.changed = () => {};
    this.#control();
    this.theme();
    this.resize();
    this.view('corner');
  }

  #assembly(result, number) {
    const { low, high } = this.shown(), thin = THIN * Math.hypot(...high.map((x, i) => x - low[i]));
    const assembly = new Assembly(result, (figure) => (number ? palette.second() : palette.solid(figure)), thin, number > 0);
    if (number) {
      assembly.solids.transparent = true;
      assembly.solids.depthWrite = false;
      assembly.solids.uniforms.opacity.value = 0.3;
      assembly.edges.uniforms.dash.value = result.scene.symbol * 0.35;
      assembly.edges.uniforms.opacity.value = 0.8;
    }
    this.scene.add(assembly.group);
    return assembly;
  }

  #control() {
    for (const camera of Object.values(this.cameras)) camera.up.set(...this.up);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.host);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.changed());
  }

  get size() {
    return [this.host.clientWidth || 800, this.host.clientHeight || 500];
  }

  /** Where the cameras must be so that all points are seen from a side: the middle that they look at, distance, half the height. */
  #stand(side, upwards) {
    const { points } = this.shown(), [width, height] = this.size;
    const right = unit(cross(upwards, side)), top = cross(side, right), slope = 0.9 * Math.tan((FIELD * Math.PI) / 360);
    const span = (axis) => points.reduce(([low, high], p) => [Math.min(low, dot(p, axis)), Math.max(high, dot(p, axis))], [Infinity, -Infinity]);
    const spans = [right, top, side].map(span), [x, y, z] = spans.map(([low, high]) => (low + high) / 2);
    const middle = [0, 1, 2].map((i) => x * right[i] + y * top[i] + z * side[i]), wide = width / height;
    let distance = 0;
    for (const p of points) {
      const apart = minus(p, middle);
      distance = Math.max(distance, dot(apart, side) + Math.max(Math.abs(dot(apart, right)) / wide, Math.abs(dot(apart, top))) / slope);
    }
    const half = Math.max((spans[0][1] - spans[0][0]) / wide, spans[1][1] - spans[1][0]) / 2 / 0.9;
    return { middle, distance: distance || 1, half: half || 1, deep: spans[2][1] - spans[2][0] };
  }

  /** Looks from a named side. */
  view(name) {
    const up = this.up, level = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];   // to the right: ground's x, where that is not up
    const right = unit(minus(level, times(dot(level, up), up))), ahead = cross(up, right);
    const sides = { front: times(-1, ahead), back: ahead, right, left: times(-1, right), top: up, bottom: times(-1, up),
      corner: unit([0, 1, 2].map((i) => -1 * ahead[i] + 0.75 * right[i] + 0.62 * up[i])) };
    this.look(sides[name] ?? sides.corner);
  }

  look(side) {
    const almost = Math.abs(dot(side, this.up)) > 0.999;
    const from = almost ? unit(side.map((x, i) => x + 1e-3 * square(this.up)[i])) : side;
    const { middle, distance, half, deep } = this.#stand(from, this.up);
    for (const camera of Object.values(this.cameras)) {
      camera.position.set(...middle.map((x, i) => x + distance * from[i]));
      camera.near = distance / 200;
      camera.far = 50 * (distance + deep);
      camera.zoom = 1;
    }
    this.cameras.orthographic.userData.half = half;
    this.controls.target.set(...middle);
    this.along = [0, 0, 0];
    this.#frame();
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.changed();
  }

  /** Goes along with what moves: `by` is how far that has come. */
  follow(by) {
    const shift = minus(by, this.along);
    if (norm(shift) === 0) return;
    this.along = by;
    this.camera.position.add(new Vector3(...shift));
    this.controls.target.add(new Vector3(...shift));
    this.camera.lookAt(this.controls.target);
    this.camera.updateMatrixWorld();
  }

  fit() {
    const away = this.camera.position.clone().sub(this.controls.target);
    this.look(unit([away.x, away.y, away.z]));
  }

  /** The other kind of projection, looking from the same side. */
  project3(orthographic) {
    const from = this.camera, to = orthographic ? this.cameras.orthographic : this.cameras.perspective;
    const distance = from.position.distanceTo(this.controls.target), target = this.controls.target.clone();
    to.position.copy(from.position);
    if (orthographic) to.userData.half = distance * Math.tan((FIELD * Math.PI) / 360);
    to.zoom = 1;
    this.camera = to;
    this.#control();
    this.controls.target.copy(target);
    this.controls.update();
    this.#frame();
    this.changed();
  }

  #frame() {
    const [width, height] = this.size, aspect = width / height, { perspective, orthographic } = this.cameras;
    perspective.aspect = aspect;
    const half = orthographic.userData.half ?? 1;
    Object.assign(orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    perspective.updateProjectionMatrix();
    orthographic.updateProjectionMatrix();
  }

  resize() {
    const [width, height] = this.size;
    this.renderer.setSize(width, height, false);
    this.#frame();
    this.changed();
  }

  theme() {
    const colours = palette.now();
    this.renderer.setClearColor(new Color(colours.board), 1);
    for (const { solids, edges, dashed } of this.assemblies) {
      edges.uniforms.ink.value.setStyle(dashed ? colours.second : colours.ink);
      for (const material of [solids, edges]) material.uniforms.accent.value.setStyle(colours.accent);
    }
  }

  zoom(factor) {
    if (this.camera.isOrthographicCamera) this.camera.zoom *= factor;
    else this.camera.position.lerp(this.controls.target, 1 - 1 / factor);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.changed();
  }

  /** Goes around by angles, or along the screen by pixels. */
  orbit(sideways, upwards) {
    const { target } = this.controls, away = this.camera.position.clone().sub(target), up = new Vector3(...this.up);
    away.applyAxisAngle(up, sideways);
    const axis = away.clone().cross(up).normalize(), lean = away.angleTo(up);
    away.applyAxisAngle(axis, Math.max(Math.min(upwards, lean - 0.01), lean - Math.PI + 0.01));
    this.camera.position.copy(target).add(away);
    this.controls.update();
    this.changed();
  }

  pan(dx, dy) {
    const per = 1 / this.pixels(this.controls.target.toArray());
    const shift = new Vector3(-dx * per, dy * per, 0).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
    this.changed();
  }

  project(point) {
    const [width, height] = this.size;
    const place = new Vector3(...point).project(this.camera);
    return [((place.x + 1) * width) / 2, ((1 - place.y) * height) / 2, place.z];
  }

  /** Pixels per metre at a point. */
  pixels(point) {
    const height = this.size[1];
    if (this.camera.isOrthographicCamera) return (height * this.camera.zoom) / (this.camera.top - this.camera.bottom);
    return height / (2 * Math.tan((FIELD * Math.PI) / 360) * norm(this.camera.position.toArray().map((x, i) => x - point[i])));
  }

  draw(frames) {
    this.assemblies.forEach((assembly, k) => frames[k] && assembly.draw(frames[k]));
  }

  /** While it plays a slow machine draws fewer pixels; at rest all. */
  render(playing = false) {
    const ratio = this.pace.ratio(playing);
    if (ratio !== this.renderer.getPixelRatio()) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(...this.size, false);
    }
    this.renderer.render(this.scene, this.camera);
  }

  mark({ thing, body }) {
    for (const { solids, edges } of this.assemblies) for (const { uniforms } of [solids, edges]) uniforms.chosen.value.set(thing, body, 0);
  }

  pick(x, y) {
    const box = this.host.getBoundingClientRect(), [width, height] = this.size;
    const screen = [((x - box.left) / width) * 2 - 1, 1 - ((y - box.top) / height) * 2];
    const near = new Vector3(...screen, -1).unproject(this.camera), far = new Vector3(...screen, 1).unproject(this.camera);
    const figure = pickFigure(this.assemblies[0], near.toArray(), unit(far.sub(near).toArray()));
    return figure && { thing: figure.of, body: figure.body };
  }
}

