// What a motor can do: its peak and continuous effort over speed, linear between the rows of a curve and never above a level.

/** The limits in the plot of a drive: top, the largest speed or Infinity; peak and continuous (null: none is given). */
export function motorOf({ speed, peak, continuous_curve: lasting, continuous, peak_limit: most, speed_limit: fastest }) {
  const rows = speed.map((one) => one ?? Infinity), top = Math.min(rows.at(-1), fastest ?? Infinity);
  const limit = (efforts, level) => ({ rows, efforts, level: level ?? Infinity, top });
  return { top, peak: limit(peak, most), continuous: lasting || Number.isFinite(continuous) ? limit(lasting ?? null, continuous) : null };
}

/** What a limit allows at a speed, which is not negative. */
export function allowed({ rows, efforts, level, top }, speed) {
  if (speed > top) return 0;
  if (!efforts) return level;
  const k = rows.findIndex((row) => speed <= row);
  if (k < 1 || efforts[k] === efforts[k - 1]) return Math.min(efforts[Math.max(k, 0)], level);
  return Math.min(efforts[k - 1] + ((efforts[k] - efforts[k - 1]) * (speed - rows[k - 1])) / (rows[k] - rows[k - 1]), level);
}

/** Corners [speed, effort] of a limit: closed at the top speed, or as far as `edge` where that is less. */
export function cornersOf(limit, edge) {
  const { rows, efforts, level, top } = limit, last = Math.min(top, edge), meets = [];
  for (let k = 1; efforts && k < rows.length; ++k) {
    const share = (level - efforts[k - 1]) / (efforts[k] - efforts[k - 1]);
    if (share > 0 && share < 1) meets.push(rows[k - 1] + share * (rows[k] - rows[k - 1]));
  }
  const speeds = [0, ...rows, ...meets].filter((speed) => speed < last).sort((a, b) => a - b);
  const line = [...new Set([...speeds, last])].map((speed) => [speed, allowed(limit, speed)]);
  return top <= edge ? [...line, [top, 0]] : line;
}
