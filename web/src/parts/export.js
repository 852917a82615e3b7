// Files from the page: series as CSV, pictures as PNG, the sketch as SVG.

import { fileName, save } from '../base/dom.js';
import { palette } from '../picture/palette.js';

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows of the columns in the units that are shown; numbers read back to the same doubles. */
export function csvOf(session, names) {
  const { series } = session.first, all = [series.columns[0].name, ...names];
  const columns = all.map((name) => {
    const { unit, verdict } = series.column(name), shown = session.unit(unit);
    return { head: name + (shown.unit ? ` [${shown.unit}]` : '') + (verdict && verdict !== 'unique' ? ` (${verdict})` : ''), values: series.of(name), factor: shown.factor };
  });
  const lines = [columns.map(({ head }) => quoted(head)).join(',')];
  for (let k = 0; k < series.samples; ++k) lines.push(columns.map(({ values, factor }) => (Number.isNaN(values[k]) ? '' : String(values[k] / factor))).join(','));
  return lines.join('\n') + '\n';
}

const title = ({ first }) => first.scene.title || first.scene.file;

export function saveCsv({ session, plots }) {
  const names = [...new Set(plots.panels.flatMap((panel) => panel.names))];
  const { samples, series } = session.first, part = series.all > samples ? ` ${samples} of ${series.all} samples` : '';
  save(fileName(title(session) + part, '.csv'), new Blob([csvOf(session, names)], { type: 'text/csv' }));
}

const STYLED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap', 'opacity', 'fill-opacity', 'font', 'paint-order', 'vector-effect', 'text-anchor'];

/** A copy that looks the same without the page's style sheet. */
function withStyle(svg, width, height) {
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll('*')], to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of STYLED) to[k].style.setProperty(name, style.getPropertyValue(name));
    to[k].removeAttribute('class');
    for (const name of ['data-of', 'data-body']) to[k].removeAttribute(name);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  return copy;
}

/** The sketch with its arrows as one SVG text. */
export function sketchOf({ picture }) {
  const [width, height] = picture.view.size;
  const whole = withStyle(picture.view.svg, width, height);
  whole.setAttribute('viewBox', `0 0 ${width} ${height}`);
  whole.append(...withStyle(picture.overlay, width, height).childNodes);
  return new XMLSerializer().serializeToString(whole);
}

export function saveSketch(app) {
  save(fileName(title(app.session), '.svg'), new Blob([sketchOf(app)], { type: 'image/svg+xml' }));
}

function imageOf(text) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = failed;
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  });
}

/** The picture with its arrows on a canvas. */
export async function pictureCanvas({ picture }) {
  const [width, height] = picture.view.size, scale = Math.min(Math.max(devicePixelRatio || 1, 2), 3);
  const canvas = Object.assign(document.createElement('canvas'), { width: width * scale, height: height * scale }), pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.fillStyle = palette.now().board;
  pen.fillRect(0, 0, width, height);
  if (picture.view.canvas) {
    picture.paint();
    pen.drawImage(picture.view.canvas, 0, 0, width, height);   // in the same task as it was drawn
  }
  for (const svg of [picture.view.svg, picture.overlay].filter(Boolean)) {
    pen.drawImage(await imageOf(new XMLSerializer().serializeToString(withStyle(svg, width, height))), 0, 0, width, height);
  }
  return canvas;
}

const toFile = (canvas, name) => new Promise((done) => canvas.toBlob((blob) => {
  save(name, blob);
  done(blob);
}, 'image/png'));

export const savePicture = async (app) => toFile(await pictureCanvas(app), fileName(title(app.session), '.png'));

/** All panels under each other, each with the names of its curves. */
export function plotsCanvas({ plots }) {
  const shown = plots.panels.map(({ plot }) => ({ plot, canvas: plot.plot.ctx.canvas })), ratio = shown[0] ? shown[0].canvas.width / shown[0].plot.plot.width : 1;
  const width = Math.max(...shown.map(({ canvas }) => canvas.width), 1), head = 22 * ratio;
  const canvas = Object.assign(document.createElement('canvas'), { width, height: shown.reduce((sum, one) => sum + one.canvas.height + head, 0) || 1 });
  const pen = canvas.getContext('2d'), colours = palette.now();
  pen.fillStyle = colours.board;
  pen.fillRect(0, 0, width, canvas.height);
  let y = 0;
  for (const { plot, canvas: from } of shown) {
    pen.font = `${12 * ratio}px system-ui, sans-serif`;
    let x = 60 * ratio;
    plot.curves.forEach(({ name, second, unit }, k) => {
      const text = `${name}${unit ? ` [${unit}]` : ''}${second ? ' (second)' : ''}`;
      pen.fillStyle = plot.inks[k];
      pen.fillText(text, x, y + 15 * ratio);
      x += pen.measureText(text).width + 14 * ratio;
    });
    pen.drawImage(from, 0, y + head);
    y += from.height + head;
  }
  return canvas;
}

export const savePlots = (app) => toFile(plotsCanvas(app), fileName(title(app.session) + ' curves', '.png'));
