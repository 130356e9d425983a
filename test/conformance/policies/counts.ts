import type { Check } from '../check.js';
import type { Fields } from '../fields.js';

/**
 * Compares whatever `fields` says of how often hosts were picked.
 *
 * @param addresses all hosts that could have been.
 * @param picked the address of each pick; null: nobody.
 */
export function compareCounts(
  check: Check,
  addresses: Iterable<string>,
  picked: readonly (string | null)[],
  fields: Fields,
  where: string,
): void {
  const counts = countsOf(picked);
  const equal = (address: string, expected: number): void => {
    check.equal('counts', counts.get(address) ?? 0, expected, `${where}: ${address}`);
  };
  for (const [address, expected] of fields.optionalCounts('expect_counts') ?? []) equal(address, expected);

  const tolerance = fields.optionalNumber('tolerance') ?? Math.max(2, picked.length / 100);
  for (const [address, expected] of fields.optionalCounts('expect_counts_near') ?? []) {
    const count = counts.get(address) ?? 0;
    check.that('counts', Math.abs(count - expected) <= tolerance, () => {
      return `${where}: ${address} got ${count}, expected ${expected} ± ${tolerance}`;
    });
  }

  // By address, `*` standing for every other host.
  const rule = fields.optionalCounts('expect_counts_rule');
  for (const address of addresses) {
    const expected = rule?.get(address) ?? rule?.get('*');
    if (expected !== undefined) equal(address, expected);
  }

  const unused = fields.optionalNumber('expect_zero_hosts');
  if (unused !== undefined) {
    const idle = [...addresses].filter((address) => !counts.has(address)).length;
    check.equal('counts', idle, unused, `${where}: hosts without a pick`);
  }
  const total = fields.optionalNumber('expect_total');
  if (total !== undefined) {
    check.equal('counts', picked.filter((address) => address !== null).length, total, `${where}: picks with a host`);
  }
}

function countsOf(picked: readonly (string | null)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const address of picked) if (address !== null) counts.set(address, (counts.get(address) ?? 0) + 1);
  return counts;
}
