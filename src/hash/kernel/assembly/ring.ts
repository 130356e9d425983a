/**
 * Hashes the keys of a ring and sorts them, in three passes:
 *
 * 1. count: hash every key and count the top bits of the hashes; one bucket needs no count;
 * 2. scatter: hash every key again (cheaper than to store and reload it) and put its record into its bucket;
 * 3. finish: sort bucket after bucket inside the cache, by counting the next bits, and put each back in its place.
 *
 * A record is 12 bytes: the hash as u64, the host as u32. The ring is the records themselves, in order, and an index of
 * them by the top bits of the hash; all else it takes is room for the largest bucket. Every step keeps the order in which
 * equal hashes were generated.
 */
import { BLOCK, BLOCK_KEYS, BUCKETS, COUNTERS, ensure, INPUT, MAX_COUNTER_BITS } from './layout';
import { nextTens, placeKey, setTens, startKey } from './key';
import { startXxHash64, tenXxHash64 } from './xxhash64';
import { tenMurmur2 } from './murmur2';

const RECORD: usize = 12;
/** Above this many records under one counter, a whole bucket is merged instead of inserted, to stay in O(n log n). */
const CROWD: u32 = 24;
const RUN: u32 = 8;

let hosts: u32 = 0;
let bucketBits: u32 = 0;
let bucketCount: u32 = 0;
let records: usize = 0;
/** First record of each index slot, u32 each; every bucket has 2^slotBits of them. */
let index: usize = 0;
let slotBits: u32 = 0;
/** Room for the bucket in work. */
let room: usize = 0;
let murmur: bool = false;

/** Input, u32 each: entries of each host. */
export function entriesAddress(): usize {
  return INPUT;
}

/** Input, u32 each: where each host's prefix ends; it begins where the one before it ends. */
export function prefixEndsAddress(): usize {
  return INPUT + ((<usize>hosts) << 2);
}

/** Input: the prefixes of all hosts, one behind the other. */
export function prefixesAddress(): usize {
  return INPUT + ((<usize>hosts) << 3);
}

/** Address of the first record: the low, then the high half of the hash, then the host. */
export function recordsAddress(): usize {
  return records;
}

/** Address of the index. */
export function indexAddress(): usize {
  return index;
}

/**
 * Starts a ring: makes room for its input and its records.
 *
 * @param entries of all hosts together.
 * @param prefixBytes at least the length of all prefixes.
 * @param longestPrefix at least the length of the longest.
 */
export function start(
  hostCount: u32,
  entries: u32,
  prefixBytes: u32,
  longestPrefix: u32,
  bits: u32,
  useMurmur: bool,
): void {
  hosts = hostCount;
  bucketBits = bits;
  bucketCount = 1 << bits;
  murmur = useMurmur;
  const key = (prefixesAddress() + prefixBytes + 63) & ~63;
  placeKey(key);
  records = (key + longestPrefix + 64 + 63) & ~63;
  ensure(records + (<usize>entries) * RECORD);
  memory.fill(BUCKETS, 0, (<usize>bucketCount) << 2);
}

/** Fills the block with the hashes of the keys from … from + count − 1; `from` is a multiple of 10. */
function hashBlock(from: u32, count: u32): void {
  setTens(from / 10);
  let done: u32 = 0;
  while (done < count) {
    const ten = min<u32>(10, count - done);
    if (murmur) tenMurmur2(done, ten);
    else tenXxHash64(done, ten);
    done += ten;
    nextTens();
  }
}

/** Pass 1 over the hosts from `first` to `end` − 1. */
export function count(first: u32, end: u32): void {
  for (let host = first; host < end; host++) {
    const entries = startHost(host);
    for (let from: u32 = 0; from < entries; from += BLOCK_KEYS) countBlock(from, min(BLOCK_KEYS, entries - from));
  }
}

/** Pass 2 over the hosts from `first` to `end` − 1. */
export function scatter(first: u32, end: u32): void {
  for (let host = first; host < end; host++) {
    const entries = startHost(host);
    for (let from: u32 = 0; from < entries; from += BLOCK_KEYS) {
      scatterBlock(from, min(BLOCK_KEYS, entries - from), host);
    }
  }
}

/** Makes the host's prefix the start of the key. @returns how many entries it has. */
function startHost(host: u32): u32 {
  const end = prefixEndsAddress() + ((<usize>host) << 2);
  const from = host == 0 ? 0 : load<u32>(end - 4);
  startKey(prefixesAddress() + from, load<u32>(end) - from);
  if (!murmur) startXxHash64();
  return load<u32>(entriesAddress() + ((<usize>host) << 2));
}

/**
 * Keys from … from + count − 1 of pass 1. Exported, so that it stays a function of its own: the engine swaps in its
 * optimised code at a call, and a ring of ten hosts has but few calls above this.
 */
export function countBlock(from: u32, count: u32): void {
  hashBlock(from, count);
  const shift: u64 = 64 - bucketBits;
  for (let at = BLOCK, end = BLOCK + ((<usize>count) << 3); at < end; at += 8) {
    const counter = BUCKETS + (<usize>(load<u64>(at) >> shift) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
}

/** Keys from … from + count − 1 of pass 2; exported as is countBlock. */
export function scatterBlock(from: u32, count: u32, host: u32): void {
  hashBlock(from, count);
  // In two steps: a shift by 64, where there is one bucket, is none.
  const shift: u64 = 63 - bucketBits;
  for (let at = BLOCK, end = BLOCK + ((<usize>count) << 3); at < end; at += 8) {
    const hash = load<u64>(at);
    const counter = BUCKETS + (<usize>(hash >> 1 >> shift) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    const record = records + (<usize>place) * RECORD;
    store<u64>(record, hash);
    store<u32>(record, host, 8);
  }
}

/** Turns the counts into the places where each bucket begins. @returns the size of the largest bucket. */
export function place(): u32 {
  let sum: u32 = 0;
  let largest: u32 = 0;
  for (let at = BUCKETS, end = BUCKETS + ((<usize>bucketCount) << 2); at < end; at += 4) {
    const size = load<u32>(at);
    largest = max(largest, size);
    store<u32>(at, sum);
    sum += size;
  }
  return largest;
}

/**
 * All is scattered: makes room for the index and the largest bucket.
 *
 * @param indexBits from bucketBits to bucketBits + MAX_COUNTER_BITS.
 */
export function startFinish(entries: u32, largestBucket: u32, indexBits: u32): void {
  slotBits = indexBits - bucketBits;
  index = (records + (<usize>entries) * RECORD + 63) & ~63;
  const end = index + ((<usize>4) << indexBits);
  room = (end + 4 + 63) & ~63;
  ensure(room + (<usize>largestBucket) * RECORD);
  store<u32>(end, entries);
}

/** Pass 3 over all buckets. */
export function finish(): void {
  for (let bucket: u32 = 0; bucket < bucketCount; bucket++) finishBucket(bucket);
}

function finishBucket(bucket: u32): void {
  // After the scatter, a bucket's counter stands where the next bucket begins.
  const last = BUCKETS + ((<usize>bucket) << 2);
  const first = bucket == 0 ? 0 : load<u32>(last - 4);
  const size = load<u32>(last) - first;
  const from = records + (<usize>first) * RECORD;
  const bits = min<u32>(MAX_COUNTER_BITS, max<u32>(slotBits, 32 - <u32>clz<u32>(size)));
  const crowd = countBucket(from, size, bits);
  // The counters hold the places inside the bucket by even more bits than the index has.
  const slots = index + (<usize>bucket << (slotBits + 2));
  const step = (<usize>4) << (bits - slotBits);
  for (let slot: usize = 0, at = COUNTERS; slot < (<usize>4) << slotBits; slot += 4, at += step) {
    store<u32>(slots + slot, first + load<u32>(at));
  }
  sortBucket(from, size, bits, crowd);
}

@inline
function move(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u32>(to, load<u32>(from, 8), 8);
}

/** Turns the bits below the bucket's into places inside the bucket. @returns the largest number of records in one place. */
function countBucket(from: usize, size: u32, bits: u32): u32 {
  const end = from + (<usize>size) * RECORD;
  const shift: u64 = 64 - bits;
  const left: u64 = bucketBits;
  const counters: usize = (<usize>4) << bits;
  memory.fill(COUNTERS, 0, counters);
  for (let at = from; at < end; at += RECORD) {
    const counter = COUNTERS + (<usize>((load<u64>(at) << left) >> shift) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let sum: u32 = 0;
  let crowd: u32 = 0;
  for (let at = COUNTERS, stop = COUNTERS + counters; at < stop; at += 4) {
    const here = load<u32>(at);
    crowd = max(crowd, here);
    store<u32>(at, sum);
    sum += here;
  }
  return crowd;
}

function sortBucket(from: usize, size: u32, bits: u32, crowd: u32): void {
  const end = from + (<usize>size) * RECORD;
  const shift: u64 = 64 - bits;
  const left: u64 = bucketBits;
  for (let at = from; at < end; at += RECORD) {
    const hash = load<u64>(at);
    const counter = COUNTERS + (<usize>((hash << left) >> shift) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    const to = room + (<usize>place) * RECORD;
    store<u64>(to, hash);
    store<u32>(to, load<u32>(at, 8), 8);
  }
  if (crowd <= CROWD) insertAll(room, from, size);
  else mergeSort(room, from, size);
}

/** Inserts `size` records into sorted order at `to`, from the end; quick because few of them are far from their place. */
function insertAll(from: usize, to: usize, size: u32): void {
  const end = to + (<usize>size) * RECORD;
  for (let next = to; next < end; next += RECORD, from += RECORD) {
    const hash = load<u64>(from);
    const host = load<u32>(from, 8);
    let at = next;
    while (at > to && load<u64>(at - RECORD) > hash) {
      move(at, at - RECORD);
      at -= RECORD;
    }
    store<u64>(at, hash);
    store<u32>(at, host, 8);
  }
}

/** Sorts `size` records by merging ever longer runs to and fro between two places; the result is at `to`. */
function mergeSort(from: usize, to: usize, size: u32): void {
  for (let at: u32 = 0; at < size; at += RUN) {
    const offset = (<usize>at) * RECORD;
    insertAll(from + offset, to + offset, min(RUN, size - at));
  }
  let sorted = to;
  let other = from;
  for (let run = RUN; run < size; run <<= 1) {
    for (let at: u32 = 0; at < size; at += run << 1) merge(sorted, other, at, min(at + run, size), min(at + (run << 1), size));
    const swap = sorted;
    sorted = other;
    other = swap;
  }
  if (sorted != to) memory.copy(to, sorted, (<usize>size) * RECORD);
}

/** Merges the runs [left, middle) and [middle, right); of equal hashes the left one goes first. */
function merge(from: usize, to: usize, left: u32, middle: u32, right: u32): void {
  let a = from + (<usize>left) * RECORD;
  let b = from + (<usize>middle) * RECORD;
  const aEnd = b;
  const bEnd = from + (<usize>right) * RECORD;
  // In order already, as runs of equal hashes are.
  if (b >= bEnd || load<u64>(b - RECORD) <= load<u64>(b)) {
    memory.copy(to + (<usize>left) * RECORD, a, bEnd - a);
    return;
  }
  for (let at = to + (<usize>left) * RECORD, end = to + (<usize>right) * RECORD; at < end; at += RECORD) {
    if (b >= bEnd || (a < aEnd && load<u64>(a) <= load<u64>(b))) {
      move(at, a);
      a += RECORD;
    } else {
      move(at, b);
      b += RECORD;
    }
  }
}
