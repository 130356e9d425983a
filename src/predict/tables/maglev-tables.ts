import { sum } from '../../core/lists.js';
import { mod, TWO_32 } from '../../core/u64.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import type { MaglevTable, MaglevTableConfig } from '../../policy/maglev-table.js';
import { maglev } from '../../policy/maglev.js';
import { withShares } from '../../policy/weighted-hosts.js';
import { gcd } from '../list-shares.js';
import type { HashTable, TableBuilder, TableHosts } from './table-hosts.js';

/** Maglev tables of one cluster, one after another. */
export class MaglevTables implements TableBuilder {
  private readonly config: MaglevTableConfig;

  constructor(
    config: Pick<LoadBalancerConfig, 'maglev' | 'version'>,
    private readonly keys: readonly string[],
  ) {
    this.config = maglev.configOf(config, config.version);
  }

  build(hosts: TableHosts): Pick<HashTable, 'find' | 'findAgain' | 'shares'> {
    let built: MaglevTable | undefined;
    const table = (): MaglevTable => (built ??= this.fill(hosts));
    return {
      find: (hashes, residues, rows) => {
        const { slots } = table();
        if (slots.length === 0) return;
        const slotOf = hashes.modulo(slots.length);
        for (let index = 0; index < rows.length; index++) {
          if ((rows[index] as number) >= 0 || residues[hashes.residues[index] as number] === 0) continue;
          rows[index] = hosts.rows[slots[slotOf[index] as number] as number] as number;
        }
      },
      findAgain: ({ halves, count }, attempt) => {
        const { slots } = table();
        return Int32Array.from({ length: count }, (_, index) => {
          if (slots.length === 0) return -1;
          // hash ^ (2⁶⁴ − attempt)
          const hi = ((halves[2 * index] as number) ^ 0xffffffff) >>> 0;
          const lo = ((halves[2 * index + 1] as number) ^ (TWO_32 - attempt)) >>> 0;
          return hosts.rows[slots[mod(hi, lo, slots.length)] as number] as number;
        });
      },
      shares: (residues) => {
        const even = gcd(100, this.config.tableSize) === 1;
        return even ? sharesByCount(table(), residues) : sharesBySlot(table(), hosts.rows.length, residues);
      },
    };
  }

  private fill({ keys, weights }: TableHosts): MaglevTable {
    const texts = Array.from(keys, (key) => this.keys[key] as string);
    return maglev.build(withShares(texts, weights), this.config);
  }
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
