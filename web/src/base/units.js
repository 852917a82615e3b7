// Numbers are SI inside. What is shown may be in the units that the model declares, dimension by dimension, and angles in degrees.

const SYMBOLS = {
  m: 1, mm: 1e-3, cm: 1e-2, dm: 1e-1, km: 1e3, um: 1e-6, 'µm': 1e-6, 'μm': 1e-6, nm: 1e-9, in: 0.0254, ft: 0.3048, yd: 0.9144, mile: 1609.344,
  kg: 1, g: 1e-3, mg: 1e-6, t: 1e3, lb: 0.45359237, oz: 0.028349523125, slug: 14.593902937206364,
  s: 1, ms: 1e-3, us: 1e-6, 'µs': 1e-6, 'μs': 1e-6, ns: 1e-9, min: 60, h: 3600,
  rad: 1, mrad: 1e-3, urad: 1e-6, deg: Math.PI / 180, '°': Math.PI / 180, rev: 2 * Math.PI, turn: 2 * Math.PI, arcmin: Math.PI / 10800, arcsec: Math.PI / 648000,
  N: 1, mN: 1e-3, daN: 10, kN: 1e3, MN: 1e6, kgf: 9.80665, lbf: 4.4482216152605,
  Nm: 1, Nmm: 1e-3, Ncm: 1e-2, mNm: 1e-3, kNm: 1e3, MNm: 1e6,
  Pa: 1, hPa: 100, kPa: 1e3, MPa: 1e6, GPa: 1e9, bar: 1e5, mbar: 100, psi: 6894.757293168361, atm: 101325,
  J: 1, mJ: 1e-3, kJ: 1e3, MJ: 1e6, W: 1, mW: 1e-3, kW: 1e3, MW: 1e6, hp: 745.6998715822702,
  Hz: 1, kHz: 1e3, MHz: 1e6, rpm: Math.PI / 30, L: 1e-3, l: 1e-3, mL: 1e-6, ml: 1e-6,
};

/** The dimension of an SI unit as columns name it: the key of `units:` in a model. */
const DIMENSIONS = {
  m: 'length', rad: 'angle', kg: 'mass', s: 'time', N: 'force', 'N.m': 'torque', 'kg.m^2': 'inertia', 'N/m': 'stiffness', 'N.s/m': 'damping',
  'N.m/rad': 'torsional_stiffness', 'N.m.s/rad': 'torsional_damping', 'm/s': 'velocity', 'rad/s': 'angular_velocity', 'm/s^2': 'acceleration',
  'rad/s^2': 'angular_acceleration', Hz: 'frequency', 'm^2': 'area', 'm^3': 'volume', Pa: 'pressure', J: 'energy', W: 'power',
};

/** How many SI units a unit such as "N.mm/deg" is; null when it is not understood. */
export function factorOf(text) {
  let value = 1, sign = 1, rest = text.trim().replace(/²/g, '^2').replace(/³/g, '^3');
  const group = [];
  while (rest) {
    const open = /^\(\s*/.exec(rest), close = /^\s*\)/.exec(rest), part = /^\s*(1|[A-Za-zµμ°]+)(?:\^([-+]?\d+))?/.exec(rest);
    if (open) {
      group.push(sign);
      rest = rest.slice(open[0].length);
      continue;
    }
    if (close && group.length) {
      group.pop();
      rest = rest.slice(close[0].length);
    } else if (part && (part[1] === '1' || SYMBOLS[part[1]])) {
      value *= (part[1] === '1' ? 1 : SYMBOLS[part[1]]) ** (sign * Number(part[2] ?? 1));
      rest = rest.slice(part[0].length);
    } else return null;
    const between = /^\s*([./*·\s])\s*(?=\S)/.exec(rest);
    if (between && !/^\s*\)/.exec(rest)) {
      const outer = group.length ? group[group.length - 1] : 1;
      sign = between[1] === '/' ? -outer : outer;
      rest = rest.slice(between[0].length);
    } else if (rest.trim() && !/^\s*\)/.exec(rest)) return null;
  }
  return group.length ? null : value;
}

const IN_DEGREES = { rad: 'deg', 'rad/s': 'deg/s', 'rad/s^2': 'deg/s^2' };

/** What a number in an SI unit is shown in: {unit, factor}, shown = value / factor. */
export function shownUnit(unit, declared, system, angles) {
  if (!unit) return { unit: unit ?? '', factor: 1 };
  if (system === 'model') {
    const chosen = declared?.[DIMENSIONS[unit]];
    const factor = chosen ? factorOf(chosen) : null;
    if (factor && !(unit === 'rad')) return { unit: chosen, factor };
  }
  if (angles === 'deg' && IN_DEGREES[unit]) return { unit: IN_DEGREES[unit], factor: Math.PI / 180 };
  return { unit, factor: 1 };
}

/** A unit as it is read: N.m becomes N·m. */
export const pretty = (unit) => unit.replace(/\./g, '·').replace(/\^2/g, '²').replace(/\^3/g, '³');
