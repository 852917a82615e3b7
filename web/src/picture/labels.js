// Words over the picture, beside what they name: of several places the one that lies over the fewest others.

const FONT = '11.5px system-ui, sans-serif', HIGH = 14, ROOM = 2, MOST = 150;   // pixels; more words than these are not held apart
const OVER = 1000, OUTSIDE = 200, STAY = 1.5;   // what it costs to lie over words, beyond the edge; what the place of the last frame is worth

let pen = null;
const widths = new Map();

function widthOf(text) {
  if (!widths.has(text)) {
    pen ??= Object.assign(document.createElement('canvas').getContext('2d'), { font: FONT });
    if (widths.size > 5000) widths.clear();
    widths.set(text, pen.measureText(text).width);
  }
  return widths.get(text);
}

/** Right and left of a point, above and below it, farther with each ring: [x, y of the base line, anchor, what it costs]. */
export function about([x, y], beside = 9) {
  const spots = [];
  for (let ring = 0; ring < 4; ++ring) {
    const r = beside + ring * HIGH, cost = 2 * ring;
    spots.push([x + r, y - r, 'start', cost], [x + r, y + r + 8, 'start', cost + 0.4], [x - r, y - r, 'end', cost + 0.2], [x - r, y + r + 8, 'end', cost + 0.6],
      [x + 1.4 * r, y + 4, 'start', cost + 0.3], [x - 1.4 * r, y + 4, 'end', cost + 0.5], [x, y - 1.4 * r, 'middle', cost + 0.3], [x, y + 1.4 * r + 8, 'middle', cost + 0.5]);
  }
  return spots;
}

/** At a point, and lines above and below it. */
export const lines = ([x, y], anchor) => [0, 1, -1, 2, -2, 3, -3, 4, -4].map((k) => [x, y + HIGH * k, anchor, 2 * Math.abs(k)]);

const boxOf = ([x, y, anchor], wide) => {
  const left = anchor === 'end' ? x - wide : anchor === 'middle' ? x - wide / 2 : x;
  return [left - ROOM, y - HIGH + 3, left + wide + ROOM, y + 3];
};

const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Puts words, each {key, text, spots}, one after the other: [{x, y, anchor}]; `last` remembers places by key, so that words do not jump while it plays. */
export function putWords(words, last, [width, height]) {
  const taken = [], chosen = new Map();
  const put = words.map(({ key, text, spots }) => {
    const wide = widthOf(text);
    let best = 0, least = Infinity;
    for (let k = 0; k < spots.length && words.length <= MOST; ++k) {
      const box = boxOf(spots[k], wide), outside = box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height;
      let cost = spots[k][3] + (outside ? OUTSIDE : 0) - (last.get(key) === k ? STAY : 0);
      for (let n = 0; n < taken.length && cost < least; ++n) if (meet(box, taken[n])) cost += OVER;
      if (cost < least) [best, least] = [k, cost];
    }
    taken.push(boxOf(spots[best], wide));
    chosen.set(key, best);
    const [x, y, anchor] = spots[best];
    return { x, y, anchor };
  });
  last.clear();
  for (const [key, k] of chosen) last.set(key, k);
  return put;
}
