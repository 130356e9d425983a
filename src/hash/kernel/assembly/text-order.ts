/** The order of texts by their bytes: of each, its end is written, u32; it begins where the one before it ends. */

let texts: usize = 0;
let ends: usize = 0;

@inline
export function textStart(texts: usize, ends: usize, index: u32): usize {
  return index == 0 ? texts : texts + load<u32>(ends + ((<usize>index - 1) << 2));
}

@inline
export function textEnd(texts: usize, ends: usize, index: u32): usize {
  return texts + load<u32>(ends + ((<usize>index) << 2));
}

/**
 * Sorts indices of texts, u32 each, by merging ever longer runs to and fro between two places. Equal texts stay as they were;
 * up to 8 bytes behind the texts may be read.
 *
 * @param spare room for as many.
 * @returns which of both places has them in order.
 */
export function sortByText(indices: usize, spare: usize, count: u32, textsAt: usize, endsAt: usize): usize {
  texts = textsAt;
  ends = endsAt;
  for (let run: u32 = 1; run < count; run <<= 1) {
    for (let at: u32 = 0; at < count; at += run << 1) {
      mergeRuns(indices, spare, at, min(at + run, count), min(at + (run << 1), count));
    }
    const sorted = spare;
    spare = indices;
    indices = sorted;
  }
  return indices;
}

/** Merges the runs [left, middle) and [middle, right) to the same places at `to`. */
function mergeRuns(from: usize, to: usize, left: u32, middle: u32, right: u32): void {
  let a = from + ((<usize>left) << 2);
  let b = from + ((<usize>middle) << 2);
  const aEnd = b;
  const bEnd = from + ((<usize>right) << 2);
  to += (<usize>left) << 2;
  // In order already, as most lists are.
  if (b >= bEnd || !isBefore(load<u32>(b), load<u32>(b - 4))) {
    memory.copy(to, a, bEnd - a);
    return;
  }
  for (; a < aEnd && b < bEnd; to += 4) {
    const first = load<u32>(a);
    const second = load<u32>(b);
    if (isBefore(second, first)) {
      store<u32>(to, second);
      b += 4;
    } else {
      store<u32>(to, first);
      a += 4;
    }
  }
  memory.copy(to, a, aEnd - a);
  memory.copy(to + (aEnd - a), b, bEnd - b);
}

function isBefore(one: u32, other: u32): bool {
  const a = textStart(texts, ends, one);
  const b = textStart(texts, ends, other);
  const aLength = <u32>(textEnd(texts, ends, one) - a);
  const bLength = <u32>(textEnd(texts, ends, other) - b);
  const shorter = min(aLength, bLength);
  for (let at: u32 = 0; at < shorter; at += 8) {
    // Eight bytes at a time, less what is beyond the shorter one.
    const beyond: u64 = at + 8 > shorter ? (at + 8 - shorter) << 3 : 0;
    const x = bswap<u64>(load<u64>(a + at)) >> beyond;
    const y = bswap<u64>(load<u64>(b + at)) >> beyond;
    if (x != y) return x < y;
  }
  return aLength < bLength;
}
