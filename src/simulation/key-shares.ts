import { TWO_32 } from '../core/u64.js';
import type { MaglevTable } from '../policy/maglev.js';
import type { RingTable } from '../policy/ring-hash.js';
import { ringEntry } from '../policy/ring-hash.js';

/**
 * The part of all 2⁶⁴ hashes that each host of a ring owns: the arcs that end at its entries. Entries say how many arcs,
 * not how long they are; this is the share of the keys.
 *
 * @returns 0–1 per host, shape [hosts]; all 0 for an empty ring.
 */
export function ringKeyShares(table: RingTable): Float64Array {
  const { entryCount, entriesPerHost } = table;
  const shares = new Float64Array(entriesPerHost.length);
  if (entryCount === 0) return shares;
  // The first entry also owns what lies behind the last one.
  let before = positionOf(table, entryCount - 1) - 1;
  for (let entry = 0; entry < entryCount; entry++) {
    const here = positionOf(table, entry);
    const { host } = ringEntry(table, entry);
    shares[host] = (shares[host] as number) + (here - before);
    before = here;
  }
  return shares;
}

/** Where an entry lies on the circle, 0–1. */
function positionOf(table: RingTable, entry: number): number {
  const { hi, lo } = ringEntry(table, entry);
  return (hi + lo / TWO_32) / TWO_32;
}

/** As {@link ringKeyShares}; a slot is a slot's worth of hashes. */
export function maglevKeyShares(table: MaglevTable): Float64Array {
  const total = table.entriesPerHost.reduce((sum, entries) => sum + entries, 0);
  return Float64Array.from(table.entriesPerHost, (entries) => (total === 0 ? 0 : entries / total));
}
