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

/** Fills a Maglev table. @param size a prime. @returns the host of each slot, and how many slots each host has. */
export function fillMaglev(
  { keys, weights, maxWeight, sortByKey }: TableRecipe,
  size: number,
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
  kernel.fillTable();
  const slots = column(kernel.slotsAddress(), size).slice();
  const entriesPerHost = column(kernel.slotCountsAddress()).slice();
  keepKernel(kernel);
  return { slots, entriesPerHost };
}
