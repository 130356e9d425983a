import { mod, TWO_32 } from '../core/u64.js';
import { compareBytes, utf8 } from '../hash/bytes.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { MaglevTable } from '../policy/maglev-table.js';
import { MaglevBuilder } from '../policy/maglev-table.js';
import { maglev } from '../policy/maglev.js';
import { gcd } from './list-shares.js';
import type { TableHosts } from './table-hosts.js';
import type { HashTable, TableBuilder } from './hash-table.js';

/** Maglev tables of one cluster, one after another. */
export class MaglevTables implements TableBuilder {
  private readonly builder: MaglevBuilder;
  private readonly sortByKey: boolean;
  private readonly size: number;
  /** Numbers of keys in the order of the keys' bytes. */
  private order = new Uint32Array(0);
  private readonly bytes: Uint8Array[] = [];

  constructor(
    config: Pick<LoadBalancerConfig, 'maglev' | 'version'>,
    private readonly keys: readonly string[],
  ) {
    const own = maglev.configOf(config, config.version);
    this.sortByKey = own.sortByKey;
    this.size = own.tableSize;
    this.builder = new MaglevBuilder(own);
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
        const even = gcd(100, this.size) === 1;
        return even ? sharesByCount(this.turns(hosts), residues) : sharesBySlot(table(), hosts.rows.length, residues);
      },
    };
  }

  private fill({ keys, weights }: TableHosts): MaglevTable {
    const texts = new Array<string>(keys.length);
    for (let host = 0; host < keys.length; host++) texts[host] = this.keys[keys[host] as number] as string;
    return this.builder.build({ keys: texts, weights, ...extremes(weights) });
  }

  /**
   * Slots by host. Hosts take turns, one slot each, until the table is full: their number of slots does not depend on which
   * ones these are.
   */
  private turns({ keys, weights }: TableHosts): Uint32Array {
    const hosts = keys.length;
    const counts = new Uint32Array(hosts);
    if (hosts < 2) return counts.fill(this.size);
    const { more, lastRound, turnsOf } = turnsByWeight(weights, this.size);
    let left = more;
    const take = (host: number): void => {
      const turns = turnsOf.get(weights[host] as number) ?? [];
      const isServed = turns[turns.length - 1] === lastRound;
      counts[host] = isServed && left === 0 ? turns.length - 1 : turns.length;
      if (isServed && left > 0) left--;
    };
    if (!this.sortByKey) {
      for (let host = 0; host < hosts; host++) take(host);
      return counts;
    }
    const hostOf = new Int32Array(this.keys.length).fill(-1);
    for (let host = 0; host < hosts; host++) hostOf[keys[host] as number] = host;
    for (const key of this.byBytes()) {
      const host = hostOf[key] as number;
      if (host >= 0) take(host);
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

interface WeightTurns {
  /** The round in which the table is full. */
  readonly lastRound: number;
  /** How many have a turn in it. */
  readonly more: number;
  /** By weight: the rounds in which its hosts have a turn, up to the last one. */
  readonly turnsOf: ReadonlyMap<number, readonly number[]>;
}

/** When the hosts of each weight have their turns while `slots` slots are filled. Hosts of one weight have them together. */
function turnsByWeight(weights: Float64Array, slots: number): WeightTurns {
  const { maxWeight } = extremes(weights);
  const hostsOf = new Map<number, number>();
  let sum = 0;
  for (let host = 0; host < weights.length; host++) {
    const weight = weights[host] as number;
    hostsOf.set(weight, (hostsOf.get(weight) ?? 0) + 1);
    sum += weight;
  }
  // In R rounds a host has at least R · weight / maxWeight turns; one more round makes up for rounding.
  const enough = Math.ceil((slots * maxWeight) / sum) + 1;
  const served = new Float64Array(enough + 1);
  const turnsOf = new Map<number, number[]>();
  for (const [weight, hosts] of hostsOf) {
    const turns = turnsUpTo(enough, weight, maxWeight);
    for (const round of turns) served[round] = (served[round] as number) + hosts;
    turnsOf.set(weight, turns);
  }
  let left = slots;
  let lastRound = 1;
  while (left > (served[lastRound] as number)) left -= served[lastRound++] as number;
  for (const turns of turnsOf.values()) while ((turns[turns.length - 1] as number) > lastRound) turns.pop();
  return { lastRound, more: left, turnsOf };
}

/**
 * Every host has a turn in the first round, then in each round where round · weight reaches the sum of maxWeight over its
 * turns.
 */
function turnsUpTo(lastRound: number, weight: number, maxWeight: number): number[] {
  const turns: number[] = [];
  let round = 1;
  // Added in the proxy's order, since rounding can decide.
  let target = 0;
  while (round <= lastRound) {
    turns.push(round);
    target += maxWeight;
    // The division may be off by a rounding error, so the comparison decides.
    round = Math.max(round + 1, Math.floor(target / weight) - 1);
    while (round <= lastRound && round * weight < target) round++;
  }
  return turns;
}

function extremes(weights: Float64Array): { readonly minWeight: number; readonly maxWeight: number } {
  let [minWeight, maxWeight] = [1, 0];
  for (let host = 0; host < weights.length; host++) {
    minWeight = Math.min(minWeight, weights[host] as number);
    maxWeight = Math.max(maxWeight, weights[host] as number);
  }
  return { minWeight, maxWeight };
}

function countOf(residues: Uint8Array): number {
  return residues.reduce((count, set) => count + set, 0);
}

function sharesByCount(entriesPerHost: Uint32Array, residues: Uint8Array): Float64Array {
  const hosts = entriesPerHost.length;
  let size = 0;
  for (let host = 0; host < hosts; host++) size += entriesPerHost[host] as number;
  const portion = countOf(residues) / 100 / size;
  const shares = new Float64Array(hosts);
  for (let host = 0; host < hosts; host++) shares[host] = (entriesPerHost[host] as number) * portion;
  return shares;
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
