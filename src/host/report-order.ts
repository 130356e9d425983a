import { naturalOrder } from '../core/natural-order.js';
import { entryOf } from '../core/values.js';
import { type Locality, localityKey } from './host.js';

export type ReportedHost = Readonly<{ priority: number; locality: Locality; address: string }>;

const FEW = 64;

/** Whether a cluster's rows in all phases are so few that building them on demand costs more than it saves. */
export const areFewRows = (hosts: number, phases: number): boolean => hosts * phases <= FEW;

/** Indices of the rows by priority, locality, address; addresses in natural order. */
export function reportOrder(rows: readonly ReportedHost[]): number[] {
  const order = Array.from(rows.keys());
  const rankOf = localityRanks(rows);
  const byAddress = naturalOrder(rows.map(({ address }) => address));
  return order.sort(
    (a, b) =>
      (rows[a] as ReportedHost).priority - (rows[b] as ReportedHost).priority ||
      (rankOf[a] as number) - (rankOf[b] as number) ||
      byAddress(a, b) ||
      a - b,
  );
}

/** By row: the rank of its locality among all of them. */
function localityRanks(rows: readonly ReportedHost[]): Uint32Array {
  const numbers = new Map<string, number>();
  const numberOf = new Map<Locality, number>();
  const numberOfRow = Uint32Array.from(rows, ({ locality }) =>
    entryOf(numberOf, locality, () => entryOf(numbers, localityKey(locality), () => numbers.size)),
  );
  const compare = naturalOrder([...numbers.keys()]);
  const sorted = [...numbers.values()].sort(compare);
  const ranks = new Uint32Array(sorted.length);
  let rank = 0;
  for (let at = 1; at < sorted.length; at++) {
    if (compare(sorted[at - 1] as number, sorted[at] as number) !== 0) rank = at;
    ranks[sorted[at] as number] = rank;
  }
  return numberOfRow.map((number) => ranks[number] as number);
}
