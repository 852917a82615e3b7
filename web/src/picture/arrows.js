// Forces as arrows, torques as turning arrows, on the screen: one path for the shafts and one for the heads of each verdict.

import { add, norm, times, unit } from '../base/vectors.js';
import { arrowLength } from '../motion/wrenches.js';
import { arc } from './strokes.js';

const HEAD = 10, HALF = 4.2, LEAST = 3, LEAST_RADIUS = 15;   // pixels

/** What arrows are measured with: metres for the largest force, radius of turning arrows. */
export function measures(result, box, scale) {
  return { length: arrowLength(result, box) * scale, radius: 0.95 * result.scene.symbol, scale };
}

/** Points of an arrow in space: tail first. A load points at its point, a reaction starts there. */
function line({ kind, at, vector, verdict }, largest, measure, view) {
  const size = norm(vector);
  if (kind !== 'torque') {
    const reach = largest.force > 0 ? measure.length / largest.force : 0;
    const arrow = times(reach, vector);
    return verdict === 'load' ? [add(at, times(-1, arrow)), at] : [at, add(at, arrow)];
  }
  const share = largest.torque > 0 ? Math.min(1, (size / largest.torque) * measure.scale) : 0;
  if (share < 2e-3) return [at, at];
  const radius = Math.max(measure.radius, LEAST_RADIUS / view.pixels(at));
  return arc(at, unit(vector), radius, (0.55 + 1.05 * share) * Math.PI, -0.7);
}

const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Arrow on the screen: its shaft, its head, or null where it is too short to be seen. */
export function onScreen(one, largest, measure, view) {
  const points = line(one, largest, measure, view).map((p) => view.project(p));
  if (points.some((p) => !p || p[2] > 1)) return null;
  const tip = points[points.length - 1], full = points.reduce((sum, p, k) => (k ? sum + Math.hypot(p[0] - points[k - 1][0], p[1] - points[k - 1][1]) : 0), 0);
  if (full < LEAST) return null;
  const head = Math.min(HEAD, 0.7 * full), back = points[points.length - 2];
  let [dx, dy] = [tip[0] - back[0], tip[1] - back[1]];
  const last = Math.hypot(dx, dy) || 1;
  [dx, dy] = [dx / last, dy / last];
  const neck = [tip[0] - head * dx, tip[1] - head * dy], wide = (HALF * head) / HEAD;
  const shaft = points.slice(0, -1).concat([points.length > 2 ? tip : neck]);
  if (points.length > 2) while (shaft.length > 1 && Math.hypot(shaft.at(-1)[0] - tip[0], shaft.at(-1)[1] - tip[1]) < head) shaft.pop();
  if (points.length > 2) shaft.push(neck);
  const corners = [tip, [neck[0] - wide * dy, neck[1] + wide * dx], [neck[0] + wide * dy, neck[1] - wide * dx]];
  return { of: one.of, body: one.body, verdict: one.verdict, kind: one.kind, moved: one.moved, size: norm(one.vector), shaft, corners, tip, direction: [dx, dy] };
}

/** Arrows by style: Map of class to {shaft, head}, path data. */
export function byStyle(arrows, chosen) {
  const styles = new Map();
  for (const arrow of arrows) {
    const name = `v-${arrow.verdict.replace(' ', '-')}` + (arrow.of === chosen ? ' chosen' : '') + (arrow.second ? ' second' : '');
    if (!styles.has(name)) styles.set(name, { shaft: '', head: '' });
    const style = styles.get(name);
    style.shaft += 'M' + arrow.shaft.map(point).join('L');
    style.head += 'M' + arrow.corners.map(point).join('L') + 'Z';
  }
  return styles;
}

/** The arrow nearest to a point of the screen, closer than `within`; or null. */
export function nearest(arrows, x, y, within = 7) {
  let best = null, least = within;
  for (const arrow of arrows) {
    const points = [...arrow.shaft, arrow.tip];
    for (let k = 1; k < points.length; ++k) {
      const distance = toSegment([x, y], points[k - 1], points[k]);
      if (distance < least) [best, least] = [arrow, distance];
    }
  }
  return best;
}

function toSegment(p, a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = dx * dx + dy * dy;
  const share = length > 0 ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0;
  return Math.hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy);
}
