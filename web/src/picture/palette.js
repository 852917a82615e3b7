// Colours that WebGL and canvases need as numbers; all others are in the style sheet, from which these are read.

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Calm tints of bodies; ground is grey. */
const TINTS = [[0.62, 0.64, 0.66], [0.66, 0.73, 0.79], [0.80, 0.76, 0.68], [0.69, 0.76, 0.70], [0.78, 0.71, 0.74], [0.70, 0.70, 0.80]];
const ROLES = { symbol: [0.40, 0.43, 0.47], ground: [0.60, 0.62, 0.64], load: [0.58, 0.58, 0.62], drive: [0.50, 0.53, 0.57] };

const STEEL = [0.66, 0.69, 0.73];

const SECOND = [0.58, 0.40, 0.72];

export const palette = {
  second: () => SECOND,
  now: () => Object.fromEntries(['board', 'ink', 'accent', 'text', 'rule', 'quiet', 'second'].map((name) => [name, variable('--' + name)])),
  curves: () => [1, 2, 3, 4, 5, 6, 7].map((k) => variable('--curve' + k)),
  solid: ({ kind, role, body }) => (kind === 'wheel' ? STEEL : ROLES[role]) ?? (body > 0 ? TINTS[1 + ((body - 1) % 5)] : TINTS[0]),
};
