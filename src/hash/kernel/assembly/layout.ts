/**
 * Where things lie in linear memory. The module has no heap: the host asks for sizes with `reserve`, and everything is
 * laid out from these addresses on.
 */

/** Hashes of the block of keys in work, u64 each. */
export const BLOCK: usize = 1024;
export const BLOCK_KEYS: u32 = 1000;

/** Records per bucket, then where the next record of each bucket goes; u32 each. */
export const BUCKETS: usize = BLOCK + 8 * 1024;
export const MAX_BUCKET_BITS: u32 = 10;

/** Counters of the sort inside one bucket; u32 each. */
export const COUNTERS: usize = BUCKETS + 4 * (1 << (<usize>MAX_BUCKET_BITS)) + 64;
export const MAX_COUNTER_BITS: u32 = 16;

/** What the host writes, and behind it the records: see `start`. */
export const INPUT: usize = COUNTERS + 4 * (1 << (<usize>MAX_COUNTER_BITS)) + 64;

/** Grows memory to `bytes`; it traps where that is refused. */
export function ensure(bytes: usize): void {
  const pages = <i32>((bytes + 0xffff) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}
