/**
 * Hashes the keys of a ring and sorts them, in three passes:
 *
 * 1. count: hash every key and count the top bits of the hashes;
 * 2. scatter: hash every key again (cheaper than to store and reload it) and put a record of 12 bytes, hash and host,
 *    into its bucket;
 * 3. finish: sort bucket after bucket inside the cache, by counting the next bits, and hand the entries over in pieces.
 *
 * Every step keeps the order in which equal hashes were generated.
 */
import { BLOCK, BLOCK_KEYS, BUCKETS, COUNTERS, KEY, MAX_BUCKET_BITS, MAX_COUNTER_BITS } from './layout';
import { nextTens, setTens, startKey } from './key';
import { startXxHash64, tenXxHash64 } from './xxhash64';
import { tenMurmur2 } from './murmur2';

const RECORD: usize = 12;
/** Above this many records under one counter, a whole bucket is merged instead of inserted, to stay in O(n log n). */
const CROWD: u32 = 24;
const RUN: u32 = 8;

let bucketBits: u32 = 0;
let bucketCount: u32 = 0;
/** Start of the records; a staging area for hashes, and one for hosts, lie behind them. */
let records: usize = 0;
let stagedHashes: usize = 0;
let stagedHosts: usize = 0;
let nextBucket: u32 = 0;
let nextRecord: u32 = 0;
let murmur: bool = false;

/** Address of the key's prefix. */
export function keyAddress(): usize {
  return KEY;
}

export function hashesAddress(): usize {
  return stagedHashes;
}

export function hostsAddress(): usize {
  return stagedHosts;
}

/** Grows memory to `bytes`; it traps where that is refused. */
function ensure(bytes: usize): void {
  const pages = <i32>((bytes + 0xffff) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

/**
 * Starts a ring.
 *
 * @param entries how many keys will be counted and scattered.
 * @param keyCapacity bytes of the longest prefix, its underscore included.
 */
export function start(entries: u32, keyCapacity: u32, bits: u32, useMurmur: bool): void {
  bucketBits = bits;
  bucketCount = 1 << bits;
  murmur = useMurmur;
  records = (KEY + keyCapacity + 64) & ~63;
  ensure(records + (<usize>entries) * RECORD);
  memory.fill(BUCKETS, 0, (<usize>bucketCount) << 2);
}

/** The prefix was written to `keyAddress()`. */
export function startHost(prefixLength: u32): void {
  startKey(prefixLength);
  if (!murmur) startXxHash64();
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

/** Pass 1 over the keys from … from + count − 1 of the host; `from` is a multiple of 10, `count` at most 1000. */
export function count(from: u32, count: u32): void {
  hashBlock(from, count);
  const shift: u64 = 64 - bucketBits;
  for (let at = BLOCK, end = BLOCK + ((<usize>count) << 3); at < end; at += 8) {
    const counter = BUCKETS + (<usize>(load<u64>(at) >> shift) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
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

/** Pass 2 over the keys from … from + count − 1 of the host. */
export function scatter(from: u32, count: u32, host: u32): void {
  hashBlock(from, count);
  const shift: u64 = 64 - bucketBits;
  for (let at = BLOCK, end = BLOCK + ((<usize>count) << 3); at < end; at += 8) {
    const hash = load<u64>(at);
    const counter = BUCKETS + (<usize>(hash >> shift) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    const record = records + (<usize>place) * RECORD;
    store<u64>(record, hash);
    store<u32>(record, host, 8);
  }
}

/** All is scattered. @param capacity entries that one piece may hold: at least the largest bucket. */
export function startFinish(entries: u32, capacity: u32): void {
  stagedHashes = (records + (<usize>entries) * RECORD + 63) & ~63;
  stagedHosts = stagedHashes + ((<usize>capacity) << 3);
  ensure(stagedHosts + ((<usize>capacity) << 2));
  nextBucket = 0;
  nextRecord = 0;
}

/** Pass 3: sorts the next buckets into the staging area. @returns entries staged; 0 at the end. */
export function finish(capacity: u32): u32 {
  let staged: u32 = 0;
  while (nextBucket < bucketCount) {
    // After the scatter, a bucket's counter stands where the next bucket begins.
    const end = load<u32>(BUCKETS + ((<usize>nextBucket) << 2));
    const size = end - nextRecord;
    if (staged + size > capacity) break;
    if (size > 0) sortBucket(nextRecord, size, staged);
    staged += size;
    nextRecord = end;
    nextBucket++;
  }
  return staged;
}

@inline
function hashAt(index: u32): usize {
  return stagedHashes + ((<usize>index) << 3);
}

@inline
function hostAt(index: u32): usize {
  return stagedHosts + ((<usize>index) << 2);
}

function sortBucket(first: u32, size: u32, to: u32): void {
  const bits = min<u32>(MAX_COUNTER_BITS, 33 - <u32>clz<u32>(size));
  const shift: u64 = 64 - bits;
  const left: u64 = bucketBits;
  const counters: usize = (<usize>1) << bits;
  memory.fill(COUNTERS, 0, counters << 2);
  const from = records + (<usize>first) * RECORD;
  const end = from + (<usize>size) * RECORD;
  for (let at = from; at < end; at += RECORD) {
    const counter = COUNTERS + (<usize>((load<u64>(at) << left) >> shift) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let sum = to;
  let crowd: u32 = 0;
  for (let at = COUNTERS, stop = COUNTERS + (counters << 2); at < stop; at += 4) {
    const here = load<u32>(at);
    crowd = max(crowd, here);
    store<u32>(at, sum);
    sum += here;
  }
  for (let at = from; at < end; at += RECORD) {
    const hash = load<u64>(at);
    const counter = COUNTERS + (<usize>((hash << left) >> shift) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    store<u64>(hashAt(place), hash);
    store<u32>(hostAt(place), load<u32>(at, 8));
  }
  if (crowd <= CROWD) insertionSort(to, to + size);
  else mergeSort(to, size, from);
}

/** Sorts the staged entries from … to − 1; quick because few of them are far from their place. */
function insertionSort(from: u32, to: u32): void {
  for (let i = from + 1; i < to; i++) {
    const hash = load<u64>(hashAt(i));
    if (load<u64>(hashAt(i - 1)) <= hash) continue;
    const host = load<u32>(hostAt(i));
    let at = i;
    do {
      store<u64>(hashAt(at), load<u64>(hashAt(at - 1)));
      store<u32>(hostAt(at), load<u32>(hostAt(at - 1)));
      at--;
    } while (at > from && load<u64>(hashAt(at - 1)) > hash);
    store<u64>(hashAt(at), hash);
    store<u32>(hostAt(at), host);
  }
}

/** Bottom-up merge sort of `size` staged entries from `to` on; the bucket's records, not needed any more, are its scratch. */
function mergeSort(to: u32, size: u32, scratch: usize): void {
  for (let at: u32 = 0; at < size; at += RUN) insertionSort(to + at, to + min(at + RUN, size));
  let hashes = hashAt(to);
  let hosts = hostAt(to);
  let otherHashes = scratch;
  let otherHosts = scratch + ((<usize>size) << 3);
  for (let run = RUN; run < size; run <<= 1) {
    for (let at: u32 = 0; at < size; at += run << 1) {
      merge(hashes, hosts, otherHashes, otherHosts, at, min(at + run, size), min(at + (run << 1), size));
    }
    const swapHashes = hashes;
    hashes = otherHashes;
    otherHashes = swapHashes;
    const swapHosts = hosts;
    hosts = otherHosts;
    otherHosts = swapHosts;
  }
  if (hashes == scratch) {
    memory.copy(hashAt(to), hashes, (<usize>size) << 3);
    memory.copy(hostAt(to), hosts, (<usize>size) << 2);
  }
}

/** Merges [left, middle) and [middle, right) into the other arrays; of equal hashes the left one goes first. */
function merge(
  hashes: usize,
  hosts: usize,
  otherHashes: usize,
  otherHosts: usize,
  left: u32,
  middle: u32,
  right: u32,
): void {
  let a = left;
  let b = middle;
  for (let to = left; to < right; to++) {
    const takeLeft =
      b >= right || (a < middle && load<u64>(hashes + ((<usize>a) << 3)) <= load<u64>(hashes + ((<usize>b) << 3)));
    const from = takeLeft ? a++ : b++;
    store<u64>(otherHashes + ((<usize>to) << 3), load<u64>(hashes + ((<usize>from) << 3)));
    store<u32>(otherHosts + ((<usize>to) << 2), load<u32>(hosts + ((<usize>from) << 2)));
  }
}
