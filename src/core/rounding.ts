/** A larger difference than rounding errors of sums, and smaller than any intended one. */
const NOISE = 1e-14;
const LARGEST_WHOLE = 2 ** 53;

/**
 * A number without the last digits that adding doubles leaves: 0.30000000000000004 → 0.3, where it is within rounding of a
 * number of so many digits after the point. Any other one stays as it is, to the bit.
 */
export function withoutNoise(value: number, digits = 12): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  if (!(Math.abs(scaled) < LARGEST_WHOLE)) return value;
  const short = Math.round(scaled) / scale;
  return Math.abs(value - short) <= NOISE * Math.max(1, Math.abs(value)) ? short : value;
}

/** A sum of parts of a whole, which are not more than it. */
export const shareOf = (sum: number): number => Math.min(withoutNoise(sum), 1);
