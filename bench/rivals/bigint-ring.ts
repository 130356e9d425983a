import type { XXHashAPI } from 'xxhash-wasm';
import type { HashFunction } from '../../src/hash/hash-function.js';

/** A ring as one writes it first: an object per entry, 64-bit hashes as BigInt, `Array.sort`. */
export interface BigIntEntry {
  readonly hash: bigint;
  readonly host: number;
}

export function buildBigIntRing(
  keys: readonly string[],
  entriesPerHost: Uint32Array,
  hashFunction: HashFunction,
  library: XXHashAPI,
): BigIntEntry[] {
  const hash = hashFunction === 'XX_HASH' ? (text: string): bigint => library.h64(text) : murmur2;
  const ring: BigIntEntry[] = [];
  keys.forEach((key, host) => {
    for (let i = 0; i < (entriesPerHost[host] as number); i++) ring.push({ hash: hash(`${key}_${i}`), host });
  });
  return ring.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
}

export function chooseFromBigIntRing(ring: readonly BigIntEntry[], hash: bigint): number {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ring[middle] as BigIntEntry).hash < hash) low = middle + 1;
    else high = middle;
  }
  return (ring[low === ring.length ? 0 : low] as BigIntEntry).host;
}

const MULTIPLIER = 0xc6a4a7935bd1e995n;
const encoder = new TextEncoder();

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const mix = (value: bigint): bigint => value ^ (value >> 47n);

/** No library has the 64-bit MurmurHash2 of libstdc++, so this is what is left without 32-bit halves. */
function murmur2(text: string): bigint {
  const bytes = encoder.encode(text);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = 0xc70f6907n ^ wrap(BigInt(bytes.length) * MULTIPLIER);
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) {
    const word = wrap(mix(wrap(words.getBigUint64(at, true) * MULTIPLIER)) * MULTIPLIER);
    hash = wrap((hash ^ word) * MULTIPLIER);
  }
  if (at < bytes.length) {
    let tail = 0n;
    for (let last = bytes.length - 1; last >= at; last--) tail = (tail << 8n) | BigInt(bytes[last] as number);
    hash = wrap((hash ^ tail) * MULTIPLIER);
  }
  return mix(wrap(mix(hash) * MULTIPLIER));
}
