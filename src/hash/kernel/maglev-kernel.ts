import { keepKernel, roomForTexts, takeKernel, writeTexts } from './kernel.js';

/** Who takes turns on a Maglev table, and in which order. Arrays of the same length. */
export interface TableRecipe {
  /** Keys of the hosts, at least one. */
  readonly keys: readonly string[];
  /** Parallel to `keys`, above 0. */
  readonly weights: Float64Array;
  readonly maxWeight: number;
  /** Hosts take turns by the bytes of their keys, equal ones as listed; otherwise all as listed. */
  readonly sortByKey: boolean;
}

/** In a table that is being filled: nobody has taken this slot yet. */
export const FREE_SLOT = 0xffffffff;

/**
 * Fills a Maglev table. @param size a prime. @param read takes from the table what is wanted of it: the host of each slot, and how many
 * slots each host has; neither outlives the call. @param isEnough as the table fills: whether it may be read already.
 */
export function fillMaglev<T>(
  { keys, weights, maxWeight, sortByKey }: TableRecipe,
  size: number,
  read: (slots: Uint32Array, entriesPerHost: Uint32Array) => T,
  isEnough?: (slots: Uint32Array) => boolean,
): T {
  const hosts = keys.length;
  const kernel = takeKernel();
  kernel.startTable(hosts, size, roomForTexts(keys).bytes, maxWeight);
  const { buffer } = kernel.memory;
  const column = (address: number, length = hosts): Uint32Array => new Uint32Array(buffer, address, length);
  new Float64Array(buffer, kernel.hostWeightsAddress(), hosts).set(weights);
  writeTexts(keys, 0, new Uint8Array(buffer, kernel.hostKeysAddress()), column(kernel.hostKeyEndsAddress()));
  kernel.orderTurns(sortByKey);
  kernel.startWalks();
  const slots = column(kernel.slotsAddress(), size);
  let free = isEnough === undefined ? 1 : size;
  while (free > 0 && isEnough?.(slots) !== true) kernel.fillTable((free >>= 1));
  const found = read(slots, column(kernel.slotCountsAddress()));
  keepKernel(kernel);
  return found;
}
