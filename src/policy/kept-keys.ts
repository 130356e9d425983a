import type { MaglevTable } from './maglev.js';
import { positionOf, type RingTable } from './ring-hash.js';

/** A number for each host of a table, by its index there. The same number in two tables: the same host. */
export type HostNumbers = ArrayLike<number>;

const NO_HOST = -1;

/** The part of all hashes, 0–1, that two Maglev tables of equally many slots give to the same host. */
export function keptSlots(
  before: MaglevTable,
  hostsBefore: HostNumbers,
  after: MaglevTable,
  hostsAfter: HostNumbers,
): number {
  const slots = before.slots.length;
  let kept = 0;
  for (let slot = 0; slot < slots; slot++)
    if (hostsBefore[before.slots[slot] as number] === hostsAfter[after.slots[slot] as number]) kept++;
  return kept / slots;
}

/** The part of all hashes, 0–1, that two rings give to the same host: owners change only at entries of either ring. */
export function keptArcs(
  before: RingTable,
  hostsBefore: HostNumbers,
  after: RingTable,
  hostsAfter: HostNumbers,
): number {
  if (before.entryCount === 0 || after.entryCount === 0) return before.entryCount === after.entryCount ? 1 : 0;
  let [a, b, reached, kept] = [0, 0, 0, 0];
  for (;;) {
    const endA = a < before.entryCount ? positionOf(before, a) : 1;
    const endB = b < after.entryCount ? positionOf(after, b) : 1;
    const end = Math.min(endA, endB);
    if (ownerAt(before, a, hostsBefore) === ownerAt(after, b, hostsAfter)) kept += end - reached;
    reached = end;
    if (a >= before.entryCount && b >= after.entryCount) return kept;
    if (endA === end && a < before.entryCount) a++;
    if (endB === end && b < after.entryCount) b++;
  }
}

/** After the last entry the circle closes. */
const ownerAt = ({ entries, entryCount }: RingTable, entry: number, hosts: HostNumbers): number =>
  hosts[entries[3 * (entry < entryCount ? entry : 0) + 2] as number] ?? NO_HOST;
