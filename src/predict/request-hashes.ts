import { hashKeys } from '../hash/text-hashes.js';
import { mod } from '../core/u64.js';
import { RequestHash } from '../hostset/request-hash.js';
import { clientAddress, keyAt, keyCount, type KeyDistribution, type Workload } from '../settings/world.js';

export class Hashes {
  /** Each hash mod 100, which chooses the priority. */
  readonly residues: Uint8Array = Uint8Array.from({ length: this.pairs.length / 2 }, (_, index) =>
    mod(this.pairs[2 * index + 1] as number, this.pairs[2 * index] as number, 100),
  );

  /** @param pairs shape [count, 2]: low and high half of each hash. */
  constructor(readonly pairs: Uint32Array) {}

  get count(): number {
    return this.residues.length;
  }
}

export type HashedKeys = ReturnType<typeof hashedKeys>;

/** @param pairs as of {@link Hashes}; undefined: those of the keys themselves. */
export function hashedKeys(distribution: KeyDistribution, pairs?: Uint32Array) {
  const { kind } = distribution;
  const count = keyCount(distribution);
  const textOf = (_: unknown, index: number): string => keyAt(distribution, index);
  const probabilities = new Float64Array(count).fill(1 / count);
  if (kind === 'zipf') {
    let sum = 0;
    for (let rank = count; rank >= 1; rank--) sum += Math.pow(rank, -distribution.exponent);
    for (let rank = 1; rank <= count; rank++) probabilities[rank - 1] = Math.pow(rank, -distribution.exponent) / sum;
  }
  return {
    count,
    hashes: new Hashes(pairs ?? hashKeys(Array.from({ length: count }, textOf))),
    inTurn: kind === 'sequence' || kind === 'cycle',
    hasEmpty: kind === 'cycle' && distribution.keys.includes(''),
    /** Probability of each key where keys are drawn, or in the long run of taking turns. */
    probabilities,
    /**
     * Of requests number `from` up to `to`, the portion that each key has where keys come in turn. The numbers may be
     * means: a key at an edge then counts in part.
     */
    window: (from: number, to: number): Float64Array => {
      const length = to - from;
      const rounds = Math.floor(length / count);
      const portions = new Float64Array(count).fill(rounds);
      let at = from;
      const end = from + (length - rounds * count);
      while (at < end) {
        const next = Math.min(Math.floor(at) + 1, end);
        const index = Math.floor(at) % count;
        portions[index] = (portions[index] as number) + (next - at);
        at = next;
      }
      return portions.map((value) => value / length);
    },
  };
}

/** What the route hashes of each client; undefined: it has none, it makes cookies, or more than who sends a request decides. */
export function clientHashes({ arrivals, clients, hashPolicy = [], headers }: Workload): HashedKeys | undefined {
  const isMade = hashPolicy.some(({ makes }) => makes !== undefined) || 'x-forwarded-for' in headers;
  const written = Object.entries(headers);
  if (clients === undefined || isMade || arrivals.kind === 'closed' || /\{key\}/.test(written.join())) return undefined;
  const hash = new RequestHash(hashPolicy);
  const pairs = new Uint32Array(2 * keyCount(clients.turns));
  for (let client = 0; 2 * client < pairs.length; client++) {
    const own = written.map(([name, value]) => [name, value.replaceAll('{client}', String(client))] as const);
    const { ip: address } = clientAddress(clients, client);
    if (!hash.compute({ headers: Object.fromEntries<string>(own), key: undefined, address })) return undefined;
    pairs.set([hash.lo, hash.hi], 2 * client);
  }
  return hashedKeys(clients.turns, pairs);
}
