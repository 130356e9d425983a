import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryError } from './errors.js';

/** With less of it left the heap may fill before the next look, and V8 ends the process without a word: this part of it … */
const LEFT = 0.15;
/** … and of a small one the room for new objects, 48 MB that the limit has and old ones may not use, and for those of one slice. */
const ROOM_BYTES = 72 * 2 ** 20;

/** What is known of the heap, in bytes. */
export interface Heap {
  readonly used: number;
  readonly limit: number;
}

export interface HeapLook {
  readonly heap: () => Heap;
  /** Frees what nobody needs. */
  readonly collect: () => void;
}

const THIS_PROCESS: HeapLook = {
  heap: () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return { used, limit };
  },
  collect: () => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  },
};

/**
 * Long work calls it between its slices: what grows with a run, as queues and open requests do, ends in a sentence.
 *
 * @throws MemoryError where hardly any is left.
 */
export function checkMemory({ heap, collect }: HeapLook = THIS_PROCESS): void {
  if (!isFull(heap())) return;
  collect();
  const now = heap();
  if (!isFull(now)) return;
  const [used, limit] = [now.used, now.limit].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`);
  throw new MemoryError(`There is not enough memory for this: ${used ?? ''} of ${limit ?? ''} are in use.`);
}

function isFull({ used, limit }: Heap): boolean {
  return limit - used < Math.max(LEFT * limit, Math.min(ROOM_BYTES, limit / 2));
}
