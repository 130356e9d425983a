import { assert } from '../core/assert.js';
import { mod, TWO_32 } from '../core/u64.js';
import { isModern } from '../core/version.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { MaglevTable } from '../policy/maglev.js';
import { maglev, MaglevBuilder } from '../policy/maglev.js';
import type { RingTable } from '../policy/ring-hash.js';
import { ringHash } from '../policy/ring-hash.js';
import type { WeightedHosts } from '../policy/table-policy.js';
import type { Member } from './discovery.js';
import type { LevelView } from './level.js';
import { gcd } from './lists.js';

/** The hash table of one priority. */
export interface HashTable {
  readonly members: readonly Member[];
  /** Row of each member. */
  readonly rows: Uint32Array;
  readonly weighted: WeightedHosts;
  /** Index into `members`; -1: the table is empty. */
  readonly choose: (hashHi: number, hashLo: number) => number;
  /**
   * For a hash that is drawn: the probability, by member, that it is found and that hash mod 100 is one of the residues
   * that are set.
   */
  readonly shares: (residues: readonly boolean[]) => Float64Array;
}

/** Makes the tables of one cluster's balancers, one after another. */
export class TableMaker {
  private readonly lookup: (weighted: WeightedHosts) => Pick<HashTable, 'choose' | 'shares'>;

  /** @param config of a hash policy. */
  constructor(private readonly config: LoadBalancerConfig) {
    this.lookup = config.lbPolicy === 'RING_HASH' ? ringLookup(config) : maglevLookup(config);
  }

  /**
   * Builds the table of a priority out of its healthy hosts, or all of them in panic.
   *
   * Weights are normalised to a sum of 1, over all hosts, or per locality where localities have weights: the order of the
   * operations is the proxy's, since the last bit of a weight can decide who gets an entry.
   *
   * @param before the table until now: it stays if nothing changed for it.
   */
  make(level: LevelView, panic: boolean, before: HashTable | undefined): HashTable {
    const { members, weights } = tableMembers(level, panic);
    const keys = members.map((member) => keyOf(member, this.config));
    const rows = new Uint32Array(members.length);
    for (let i = 0; i < members.length; i++) rows[i] = (members[i] as Member).row.index;
    if (before !== undefined && sameInput(before.weighted, keys, weights)) return { ...before, members, rows };
    const weighted: WeightedHosts = {
      keys,
      weights,
      minWeight: weights.reduce((min, weight) => Math.min(min, weight), 1),
      maxWeight: weights.reduce((max, weight) => Math.max(max, weight), 0),
    };
    return { members, rows, weighted, ...this.lookup(weighted) };
  }
}

/** Who is in the table of a level, in the table's order, with normalised weights. */
function tableMembers(level: LevelView, panic: boolean): { members: readonly Member[]; weights: Float64Array } {
  const { placeWeights } = level;
  if (placeWeights === undefined || placeWeights.length === 0) {
    const { members } = panic ? level.all : level.healthy;
    return { members, weights: normalized(members, 1) };
  }
  const sum = placeWeights.reduce((total, weight) => total + weight, 0);
  const members: Member[] = [];
  const weights: number[] = [];
  level.places.forEach((lists, index) => {
    const weight = placeWeights[index] ?? 0;
    if (weight === 0) return;
    const group = panic ? lists.all : lists.healthy;
    members.push(...group.members);
    weights.push(...normalized(group.members, weight / sum));
  });
  return { members, weights: Float64Array.from(weights) };
}

/** Weights as they are now, not as they were delivered: hosts are shared. */
function normalized(members: readonly Member[], portion: number): Float64Array {
  let sum = 0;
  for (const { weight } of members) sum += weight;
  const weights = new Float64Array(members.length);
  for (let i = 0; i < members.length; i++) weights[i] = ((members[i] as Member).weight * portion) / sum;
  return weights;
}

/** The table itself is built when it is first asked: one that gets no load never is. */
function ringLookup({ ringHash: config }: LoadBalancerConfig): TableMaker['lookup'] {
  return (weighted) => {
    const ring = lazily(() => ringHash.build(weighted, config));
    return {
      choose: (hi, lo) => ringHash.choose(ring(), hi, lo, 0),
      shares: lastAnswer((residues) => ringShares(ring(), weighted.keys.length, residues)),
    };
  };
}

function maglevLookup({ lbPolicy, maglev: { tableSize }, version }: LoadBalancerConfig): TableMaker['lookup'] {
  assert(lbPolicy === 'MAGLEV', `${lbPolicy} has no table`);
  const modern = isModern(version);
  const builder = new MaglevBuilder({ tableSize, sortByKey: modern, singleHostShortcut: modern });
  return (weighted) => {
    const table = lazily(() => builder.build(weighted));
    return {
      choose: (hi, lo) => maglev.choose(table(), hi, lo, 0),
      shares: lastAnswer((residues) => maglevShares(table(), weighted.keys.length, residues)),
    };
  };
}

/** hash_key metadata came with 1.18. */
function keyOf({ metadata, row }: Member, config: LoadBalancerConfig): string {
  const key = isModern(config.version) ? metadata['hash_key'] : undefined;
  if (typeof key === 'string' && key !== '') return key;
  return config.consistentHashing.useHostnameForHashing ? row.hostname : row.address;
}

function sameInput(before: WeightedHosts, keys: readonly string[], weights: Float64Array): boolean {
  return (
    before.keys.length === keys.length &&
    keys.every((key, index) => key === before.keys[index]) &&
    weights.every((weight, index) => weight === before.weights[index])
  );
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Remembers the last answer: most tables are asked for the same residues again and again. */
function lastAnswer(
  compute: (residues: readonly boolean[]) => Float64Array,
): (residues: readonly boolean[]) => Float64Array {
  let asked: string | undefined;
  let answer = new Float64Array(0);
  return (residues) => {
    const key = residues.map(Number).join('');
    if (key !== asked) {
      answer = compute(residues) as Float64Array<ArrayBuffer>;
      asked = key;
    }
    return answer;
  };
}

function countOf(residues: readonly boolean[]): number {
  return residues.reduce((count, set) => count + Number(set), 0);
}

/**
 * An entry owns the hashes from behind the entry before it up to its own, the first entry also those behind the last.
 *
 * Of each arc, the hashes with a given residue mod 100 are a hundredth, to less than one hash: over all arcs that is
 * an error below 2 · entries / 2⁶⁴, under 1e-12 for the largest ring.
 */
function ringShares(ring: RingTable, hosts: number, residues: readonly boolean[]): Float64Array {
  const shares = new Float64Array(hosts);
  const { entries, entryCount } = ring;
  if (entryCount === 0) return shares;
  const portion = countOf(residues) / 100 / (TWO_32 * TWO_32);
  let hi = (entries[3 * entryCount - 2] as number) - TWO_32;
  let lo = entries[3 * entryCount - 3] as number;
  for (let at = 0; at < 3 * entryCount; at += 3) {
    const nextLo = entries[at] as number;
    const nextHi = entries[at + 1] as number;
    const host = entries[at + 2] as number;
    const arc = (nextHi - hi) * TWO_32 + (nextLo - lo);
    shares[host] = (shares[host] as number) + arc * portion;
    hi = nextHi;
    lo = nextLo;
  }
  return shares;
}

/**
 * A hash is equally likely to have each pair of (hash mod slots, hash mod 100) that agrees modulo their greatest common
 * divisor: 1 for every table size but 2 and 5.
 */
function maglevShares(table: MaglevTable, hosts: number, residues: readonly boolean[]): Float64Array {
  const shares = new Float64Array(hosts);
  const { slots, entriesPerHost } = table;
  const size = slots.length;
  if (size === 0) return shares;
  const divisor = gcd(100, size);
  if (divisor === 1) {
    const portion = countOf(residues) / 100 / size;
    return Float64Array.from(entriesPerHost, (entries) => entries * portion);
  }
  for (let slot = 0; slot < size; slot++) {
    const host = slots[slot] as number;
    const meeting = residues.reduce((count, set, r) => count + Number(set && r % divisor === slot % divisor), 0);
    shares[host] = (shares[host] as number) + (meeting * divisor) / (100 * size);
  }
  return shares;
}

export function residueOf(hashHi: number, hashLo: number): number {
  return mod(hashHi, hashLo, 100);
}
