import { multiplyHigh, TWO_32, type U64 } from '../../core/u64.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import type { HostIndex } from '../policy-kinds.js';
import type { TablePolicyModule } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

type Table = Readonly<{ hashes: readonly U64[]; weights: Float64Array }>;

/**
 * RENDEZVOUS: each host has a score for each key, and the highest wins. A host that leaves hands its keys to all others, in
 * proportion to their weights, and no other key moves; there is no table to be built and nothing to be tuned.
 * A score is weight / −ln(u), u being the mixed hashes of host and key as a number in (0, 1); a retry takes the next best.
 * Draws: none. Cost: O(hosts) a look-up. Source: Thaler and Ravishankar, "Using name-based mappings to increase hit rates",
 * IEEE/ACM ToN 6 (1998); weights: Schindelhauer and Schomaker, "Weighted distributed hash tables", SPAA 2005.
 */
export const rendezvous = {
  ...FACTS.RENDEZVOUS,
  build: ({ keys, weights }) => ({ hashes: keys.map((key) => xxhash64String(key)), weights }),
  choose: (table, hashHi, hashLo, attempt) =>
    attempt === 0 ? best(table, hashHi, hashLo) : nth(table, hashHi, hashLo, attempt),
} satisfies TablePolicyModule<Table>;

function best({ hashes, weights }: Table, hi: number, lo: number): HostIndex {
  let winner = -1;
  let highest = -Infinity;
  for (let host = 0; host < hashes.length; host++) {
    const score = scoreOf(hashes[host] as U64, weights[host] as number, hi, lo);
    if (score <= highest) continue;
    winner = host;
    highest = score;
  }
  return winner;
}

/** Beyond the last host it begins again. */
function nth({ hashes, weights }: Table, hi: number, lo: number, attempt: number): HostIndex {
  const scores = hashes.map((hash, host) => ({ host, score: scoreOf(hash, weights[host] as number, hi, lo) }));
  scores.sort((a, b) => b.score - a.score);
  return scores[attempt % scores.length]?.host ?? -1;
}

/** The two hashes, mixed so that every bit of the result depends on every bit of both (the finalizer of MurmurHash3). */
function scoreOf(host: U64, weight: number, hi: number, lo: number): number {
  mixed.hi = host.hi ^ hi;
  mixed.lo = host.lo ^ lo;
  fold();
  multiply(0xff51afd7, 0xed558ccd);
  fold();
  multiply(0xc4ceb9fe, 0x1a85ec53);
  fold();
  return weight / -Math.log(((mixed.hi >>> 0) + ((mixed.lo >>> 0) + 0.5) / TWO_32) / TWO_32);
}

/** 64 bits; their halves are signed, as JavaScript's bitwise operators give them back. */
const mixed = { hi: 0, lo: 0 };

/** mixed ^= mixed >> 33 */
function fold(): void {
  mixed.lo ^= mixed.hi >>> 1;
}

function multiply(hi: number, lo: number): void {
  const low = mixed.lo;
  mixed.hi = (multiplyHigh(low, lo) + Math.imul(mixed.hi, lo) + Math.imul(low, hi)) | 0;
  mixed.lo = Math.imul(low, lo);
}
