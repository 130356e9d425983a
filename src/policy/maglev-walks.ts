import { mod } from '../core/u64.js';
import { compareBytes, utf8 } from '../hash/bytes.js';
import { xxhash64String } from '../hash/xxhash64.js';

const SEED_1 = { hi: 0, lo: 1 };

/** Trial division: at most 1118 steps for the largest table. */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2 || (value > 2 && value % 2 === 0)) return false;
  for (let divisor = 3; divisor * divisor <= value; divisor += 2) if (value % divisor === 0) return false;
  return true;
}

/** 1 / value modulo a prime, by Euclid's extended algorithm. @param value 1 … prime − 1 */
export function inverseModulo(value: number, prime: number): number {
  let [rest, other] = [prime, value];
  let [factor, otherFactor] = [0, 1];
  while (other > 0) {
    const quotient = Math.floor(rest / other);
    [rest, other] = [other, rest - quotient * other];
    [factor, otherFactor] = [otherFactor, factor - quotient * otherFactor];
  }
  return factor < 0 ? factor + prime : factor;
}

/** Where a host's walk over the slots begins, and how far each of its steps goes. */
export function maglevWalk(key: string, tableSize: number): { readonly offset: number; readonly skip: number } {
  const [offset, skip] = [xxhash64String(key), xxhash64String(key, SEED_1)];
  return { offset: mod(offset.hi, offset.lo, tableSize), skip: mod(skip.hi, skip.lo, tableSize - 1) + 1 };
}

/** The walks of a table's hosts, in the order of their turns. */
export interface Walks {
  readonly hostOfTurn: Uint32Array;
  /** Where each walk starts. */
  readonly offsets: Uint32Array;
  readonly skips: Uint32Array;
}

interface WalkSettings {
  readonly tableSize: number;
  readonly sortByKey: boolean;
}

/** How the hosts of a table walk it, each along its own permutation. */
export function maglevWalks(keys: readonly string[], { tableSize, sortByKey }: WalkSettings): Walks {
  return new Permutations(tableSize, sortByKey).of(keys);
}

interface Permutation {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly skip: number;
  /** Rank of the key among all known keys, where hosts take turns by key. */
  rank: number;
}

/** Permutations of recently used keys. */
export class Permutations {
  private readonly byKey = new Map<string, Permutation>();
  private last: { readonly keys: readonly string[]; readonly own: readonly Permutation[] } = { keys: [], own: [] };

  constructor(
    private readonly tableSize: number,
    private readonly sortByKey: boolean,
  ) {}

  of(keys: readonly string[]): Walks {
    const own = this.lookUp(keys);
    const hosts = keys.length;
    const hostOfTurn = this.sortByKey ? this.byRank(own) : Uint32Array.from(own.keys());
    const offsets = new Uint32Array(hosts);
    const skips = new Uint32Array(hosts);
    for (let turn = 0; turn < hosts; turn++) {
      const { offset, skip } = own[hostOfTurn[turn] as number] as Permutation;
      offsets[turn] = offset;
      skips[turn] = skip;
    }
    return { hostOfTurn, offsets, skips };
  }

  /** A counting sort: hosts of one key stay in the order of the list. */
  private byRank(own: readonly Permutation[]): Uint32Array {
    const starts = new Uint32Array(this.byKey.size + 1);
    for (const { rank } of own) starts[rank + 1] = (starts[rank + 1] as number) + 1;
    for (let rank = 1; rank < starts.length; rank++) {
      starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number);
    }
    const order = new Uint32Array(own.length);
    own.forEach(({ rank }, host) => {
      const turn = starts[rank] as number;
      order[turn] = host;
      starts[rank] = turn + 1;
    });
    return order;
  }

  private lookUp(keys: readonly string[]): readonly Permutation[] {
    const { byKey } = this;
    const before = byKey.size;
    const { keys: lastKeys, own: lastOwn } = this.last;
    let next = 0;
    const own = keys.map((key) => {
      // The keys are mostly those of the last table, without one that has left.
      if (lastKeys[next] !== key && lastKeys[next + 1] === key) next++;
      const known = lastKeys[next] === key ? lastOwn[next++] : byKey.get(key);
      return known ?? this.add(key);
    });
    this.last = { keys, own };
    const grown = byKey.size > before;
    // Keys of hosts that left long ago are dropped.
    if (grown && byKey.size > 2 * keys.length) {
      byKey.clear();
      keys.forEach((key, host) => byKey.set(key, own[host] as Permutation));
    }
    if (grown && this.sortByKey) {
      const sorted = [...byKey.values()].sort((a, b) => compareBytes(a.bytes, b.bytes));
      sorted.forEach((permutation, rank) => (permutation.rank = rank));
    }
    return own;
  }

  private add(key: string): Permutation {
    const { tableSize } = this;
    const permutation = { bytes: utf8(key), ...maglevWalk(key, tableSize), rank: 0 };
    this.byKey.set(key, permutation);
    return permutation;
  }
}
