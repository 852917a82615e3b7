// Numbers as text.

const MINUS = '−';

/** Six significant digits, fewer where the error says so; exponents only where they are shorter. */
export function number(value, error = 0, digits = 6) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : MINUS + '∞';
  if (value === 0 || Math.abs(value) < error) return '0';
  const tens = Math.floor(Math.log10(Math.abs(value)));
  const sure = error > 0 ? Math.max(1, tens - Math.floor(Math.log10(error))) : digits;
  const text = Number(value.toPrecision(Math.min(digits, sure)));
  const plain = Math.abs(text) >= 1e-4 && Math.abs(text) < 1e7 ? String(text) : text.toExponential().replace('e+', 'e');
  return plain.replaceAll('-', MINUS);
}

/** Counted things: "1 sample", "2 samples". */
export const count = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`;
