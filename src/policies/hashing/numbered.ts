import { multiplyHigh, TWO_32 } from '../../core/u64.js';
import { again, below, byKey, mixed, type PublishedHashing } from './published.js';

/**
 * Algorithms that know the number of buckets and nothing else: no table to build, equal shares, and only the last bucket may
 * leave without moving keys of others. Hosts are buckets in the order of their keys; weights do not count. Draws: none.
 */
const numbered = (name: string, source: string, bucketOf: typeof jumpTo): PublishedHashing => ({
  name,
  kind: 'table',
  source,
  build: ({ keys }) => ({ hosts: byKey(keys) }),
  choose: ({ hosts }: { readonly hosts: Uint32Array }, hi, lo, attempt) =>
    hosts.length < 2 ? hosts.length - 1 : (hosts[bucketOf(hosts.length, hi, again(hi, lo, attempt))] ?? -1),
});

/**
 * A key jumps to higher buckets, each time the first that it would have moved to as buckets were added; O(log n).
 * As published: the hash is the state of a linear congruential generator, 2862933555777941757 · state + 1.
 */
export const jump = numbered('JUMP', 'Lamping and Veach, arXiv:1406.2294 (2014)', jumpTo);

/** @returns -1 without buckets. */
export function jumpTo(buckets: number, hi: number, lo: number): number {
  let [bucket, next] = [-1, 0];
  let [high, low] = [hi, lo];
  while (next < buckets) {
    bucket = next;
    high = (multiplyHigh(low, 0x87b0b0fd) + Math.imul(high, 0x87b0b0fd) + Math.imul(low, 0x27bb2ee6)) >>> 0;
    low = (Math.imul(low, 0x87b0b0fd) + 1) >>> 0;
    if (low === 0) high = (high + 1) >>> 0;
    next = Math.floor((bucket + 1) * (2 ** 31 / ((high >>> 1) + 1)));
  }
  return bucket;
}

/** Of the levels of buckets, 0, 1, 2–3, 4–7 …, the highest is asked first; a bucket of it that is not there leads below. */
const levels = (buckets: number): number => 32 - Math.clz32(buckets - 1);

/**
 * A place among 2^bits buckets that stays the same as they double, for half of all keys: the highest bit of the hash's own is
 * the level, and the bits below it are drawn anew there.
 */
function placed(bits: number, hi: number, lo: number): number {
  const own = bits === 32 ? lo : lo & (2 ** bits - 1);
  const level = 31 - Math.clz32(own);
  return level < 1 ? own >>> 0 : 2 ** level + (mixed(hi, lo, level) & (2 ** level - 1));
}

/** Beyond the last bucket a key jumps on from the middle of the level, by real numbers; O(1) expected. */
export const power = numbered('POWER', 'Leu, arXiv:2307.12448 (2023)', (buckets, hi, lo) => {
  const bits = levels(buckets);
  const first = placed(bits, hi, lo);
  if (first < buckets) return first;
  const middle = 2 ** (bits - 1) - 1;
  let bucket = middle;
  for (let draw = 64; ; draw++) {
    const next = Math.floor((bucket + 1) / ((mixed(hi, lo, draw) + 1) / TWO_32));
    if (next >= buckets) return bucket > middle ? bucket : placed(bits - 1, hi, lo);
    bucket = next;
  }
});

/** Levels in which a key ever moves are the bits of its hash: down from the highest, the last bucket that it moved to; O(1) expected. */
export const jumpBack = numbered('JUMP_BACK', 'Ertl, arXiv:2403.18682 (2024)', (buckets, hi, lo) => {
  for (let level = levels(buckets) - 1; level >= 0; level--) {
    if ((lo & (2 ** level)) === 0) continue;
    const start = 2 ** level;
    let bucket = start + below(start, hi, lo, level);
    for (let draw = 1; bucket >= buckets; draw++) bucket = below(2 * start, hi, lo, 64 * draw + level);
    if (bucket >= start) return bucket;
  }
  return 0;
});

/** Beyond the last bucket a key draws again, so many times at most, until a draw is there; one of a lower level ends it. */
function drawn(buckets: number, hi: number, lo: number, draws: number, drawOf: (draw: number, bits: number) => number) {
  const bits = levels(buckets);
  for (let draw = 0; draw < draws; draw++) {
    const bucket = drawOf(draw, bits);
    if (bucket < 2 ** (bits - 1)) break;
    if (bucket < buckets) return bucket;
  }
  return placed(bits - 1, hi, lo);
}

/** Draws of all buckets of the levels; O(1). */
export const flip = numbered('FLIP', 'Masson and Lee, arXiv:2402.17549 (2024)', (buckets, hi, lo) =>
  drawn(buckets, hi, lo, 64, (draw, bits) =>
    draw === 0 ? placed(bits, hi, lo) : below(2 ** bits, hi, lo, 64 * bits + draw),
  ),
);

/** The place of another hash each time, six of them: at worst a part of 2⁻⁶ falls to the lower levels; O(1). */
export const binomial = numbered('BINOMIAL', 'Coluzzi et al., arXiv:2406.19836 (2024)', (buckets, hi, lo) =>
  drawn(buckets, hi, lo, 6, (draw, bits) => placed(bits, hi, draw === 0 ? lo : mixed(hi, lo, 64 + draw))),
);
