/** Trial division: at most 1118 steps for the largest table. */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2 || (value > 2 && value % 2 === 0)) return false;
  for (let divisor = 3; divisor * divisor <= value; divisor += 2) if (value % divisor === 0) return false;
  return true;
}

/** The greatest common divisor. */
export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
