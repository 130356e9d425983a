import { isModern } from '../core/version.js';
import { compareBytes, utf8 } from '../hash/bytes.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { MaglevTable } from '../policy/maglev.js';
import { MaglevBuilder } from '../policy/maglev.js';
import { gcd } from './lists.js';
import type { TableHosts } from './table-hosts.js';
import type { HashTable, TableMethod } from './tables.js';

/** Maglev tables of one cluster, one after another. */
export class MaglevMethod implements TableMethod {
  private readonly builder: MaglevBuilder;
  private readonly modern: boolean;
  private readonly size: number;
  /** Numbers of keys in the order of the keys' bytes. */
  private order = new Uint32Array(0);
  private readonly bytes: Uint8Array[] = [];

  constructor(
    { maglev: { tableSize }, version }: LoadBalancerConfig,
    private readonly keys: readonly string[],
  ) {
    this.modern = isModern(version);
    this.size = tableSize;
    this.builder = new MaglevBuilder({ tableSize, sortByKey: this.modern, singleHostShortcut: this.modern });
  }

  build(hosts: TableHosts): Pick<HashTable, 'find' | 'shares'> {
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
      shares: (residues) => {
        const even = gcd(100, this.size) === 1;
        const entries = even ? (this.evenTurns(hosts) ?? table().entriesPerHost) : undefined;
        return entries === undefined
          ? sharesBySlot(table(), hosts.rows.length, residues)
          : sharesByCount(entries, residues);
      },
    };
  }

  private fill({ keys, weights }: TableHosts): MaglevTable {
    return this.builder.build({
      keys: Array.from(keys, (key) => this.keys[key] ?? ''),
      weights,
      minWeight: weights.reduce((min, weight) => Math.min(min, weight), 1),
      maxWeight: weights.reduce((max, weight) => Math.max(max, weight), 0),
    });
  }

  /**
   * Hosts of equal weight take turns, one slot each, until the table is full: what they have does not depend on which slots
   * they find. undefined: weights differ.
   */
  private evenTurns({ keys, weights }: TableHosts): Uint32Array | undefined {
    const hosts = keys.length;
    const first = weights[0];
    if (hosts < 2 || weights.some((weight) => weight !== first)) return undefined;
    const counts = new Uint32Array(hosts).fill(Math.floor(this.size / hosts));
    const more = this.size % hosts;
    if (!this.modern) return counts.map((count, host) => (host < more ? count + 1 : count));
    const hostOf = new Int32Array(this.keys.length).fill(-1);
    keys.forEach((key, host) => (hostOf[key] = host));
    let turn = 0;
    for (const key of this.byBytes()) {
      if (turn === more) break;
      const host = hostOf[key] as number;
      if (host < 0) continue;
      counts[host] = (counts[host] as number) + 1;
      turn++;
    }
    return counts;
  }

  /** Hosts of one key keep their order. */
  private byBytes(): Uint32Array {
    const { order, bytes } = this;
    const known = order.length;
    if (known === this.keys.length) return order;
    for (const key of this.keys.slice(known)) bytes.push(utf8(key));
    const compare = (a: number, b: number): number =>
      compareBytes(bytes[a] as Uint8Array, bytes[b] as Uint8Array) || a - b;
    const fresh = this.keys.map((_, number) => number).slice(known);
    fresh.sort(compare);
    this.order = new Uint32Array(this.keys.length);
    let [old, next] = [0, 0];
    for (let at = 0; at < this.order.length; at++) {
      const first = next === fresh.length || (old < known && compare(order[old] as number, fresh[next] as number) < 0);
      this.order[at] = (first ? order[old++] : fresh[next++]) as number;
    }
    return this.order;
  }
}

function countOf(residues: Uint8Array): number {
  return residues.reduce((count, set) => count + set, 0);
}

function sharesByCount(entriesPerHost: Uint32Array, residues: Uint8Array): Float64Array {
  const size = entriesPerHost.reduce((sum, entries) => sum + entries, 0);
  const portion = countOf(residues) / 100 / size;
  return Float64Array.from(entriesPerHost, (entries) => entries * portion);
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
