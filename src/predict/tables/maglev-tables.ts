import { sum } from '../../core/lists.js';
import { mod, TWO_32 } from '../../core/u64.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import type { MaglevTable } from '../../policy/maglev-table.js';
import { maglev } from '../../policy/maglev.js';
import { withShares } from '../../policy/weighted-hosts.js';
import { gcd } from '../list-shares.js';
import type { TableBuilder } from './table-hosts.js';

/** Makes the Maglev tables of one cluster, one after another. */
export function maglevTables(
  config: Pick<LoadBalancerConfig, 'maglev' | 'version'>,
  keys: readonly string[],
): TableBuilder {
  const table = maglev.configOf(config, config.version);
  return (hosts) => {
    const texts = Array.from(hosts.keys, (key) => keys[key] as string);
    const built = maglev.build(withShares(texts, hosts.weights), table);
    const { slots } = built;
    return {
      find: (hashes, residues, rows) => {
        if (slots.length === 0) return;
        const slotOf = hashes.modulo(slots.length);
        for (let index = 0; index < rows.length; index++) {
          if ((rows[index] as number) >= 0 || residues[hashes.residues[index] as number] === 0) continue;
          rows[index] = hosts.rows[slots[slotOf[index] as number] as number] as number;
        }
      },
      findAgain: ({ halves, count }, attempt) =>
        Int32Array.from({ length: count }, (_, index) => {
          if (slots.length === 0) return -1;
          // hash ^ (2⁶⁴ − attempt)
          const hi = ((halves[2 * index] as number) ^ 0xffffffff) >>> 0;
          const lo = ((halves[2 * index + 1] as number) ^ (TWO_32 - attempt)) >>> 0;
          return hosts.rows[slots[mod(hi, lo, slots.length)] as number] as number;
        }),
      shares: (residues) => {
        const even = gcd(100, table.tableSize) === 1;
        return even ? sharesByCount(built, residues) : sharesBySlot(built, hosts.rows.length, residues);
      },
    };
  };
}

function sharesByCount({ entriesPerHost }: MaglevTable, residues: Uint8Array): Float64Array {
  const portion = sum(residues) / 100 / sum(entriesPerHost);
  return new Float64Array(entriesPerHost).map((entries) => entries * portion);
}

/**
 * A hash is equally likely to have each pair of (hash mod slots, hash mod 100) that agrees modulo their greatest common
 * divisor: 1 for every table size but 2 and 5.
 */
function sharesBySlot({ slots }: MaglevTable, hosts: number, residues: Uint8Array): Float64Array {
  const shares = new Float64Array(hosts);
  const size = slots.length;
  const divisor = gcd(100, size);
  for (let slot = 0; slot < size; slot++) {
    const host = slots[slot] as number;
    const meeting = residues.reduce((count, set, r) => (r % divisor === slot % divisor ? count + set : count), 0);
    shares[host] = (shares[host] as number) + (meeting * divisor) / (100 * size);
  }
  return shares;
}
