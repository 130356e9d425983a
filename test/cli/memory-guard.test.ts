import { expect, it } from 'vitest';
import { MemoryError } from '../../src/cli/session.js';
import { checkMemory, type HeapLook } from '../../src/cli/long-work.js';

const MB = 2 ** 20;

/** A heap of which so much is in use, and so much is left of that once it is collected. */
function heapOf(usedMb: number, neededMb: number, limitMb: number): HeapLook {
  let used = usedMb * MB;
  return {
    heap: () => ({ used, limit: limitMb * MB }),
    collect: () => (used = neededMb * MB),
  };
}

it.each([
  ['half of it is in use', heapOf(2000, 2000, 4000)],
  ['it is full of what nobody needs', heapOf(3900, 1000, 4000)],
  ['a small one has room', heapOf(70, 70, 100)],
])('a heap is enough where %s', (_, look) => {
  expect(() => checkMemory(look)).not.toThrow();
});

it.each([
  ['hardly any is left of a large one', heapOf(3900, 3500, 4000)],
  ['hardly more is left of a small one than one slice makes', heapOf(90, 80, 100)],
])('a heap is not enough where %s', (_, look) => {
  expect(() => checkMemory(look)).toThrow(MemoryError);
});
