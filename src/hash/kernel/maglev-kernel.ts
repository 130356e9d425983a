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
 * Fills a Maglev table. @returns the host of each slot, and how many slots each host has.
 *
 * @param size a prime. @param isEnough given the host of each slot, as the table fills: whether that will do.
 */
export function fillMaglev(
  { keys, weights, maxWeight, sortByKey }: TableRecipe,
  size: number,
  isEnough?: (slots: Uint32Array) => boolean,
): { readonly slots: Uint32Array; readonly entriesPerHost: Uint32Array } {
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
  const filled = { slots: slots.slice(), entriesPerHost: column(kernel.slotCountsAddress()).slice() };
  keepKernel(kernel);
  return filled;
}
