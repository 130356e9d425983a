import { keepKernel, roomForTexts, takeKernel, writeTexts } from './kernel.js';

/** Who takes turns on a Maglev table, and in which order. */
export interface TableRecipe {
  /** Keys of the hosts, at least one. */
  readonly keys: readonly string[];
  /** Parallel to `keys`, above 0. */
  readonly weights: Float64Array;
  readonly maxWeight: number;
  /** The host of each turn of a round; every host has one. */
  readonly hostOfTurn: Uint32Array;
}

/**
 * Fills a Maglev table, in WebAssembly.
 *
 * @param size number of slots, a prime.
 * @returns the host of each slot, shape [size], and how many slots each host has, shape [hosts].
 */
export function fillMaglev(
  { keys, weights, maxWeight, hostOfTurn }: TableRecipe,
  size: number,
): { readonly slots: Uint32Array; readonly entriesPerHost: Uint32Array } {
  const hosts = keys.length;
  const kernel = takeKernel();
  kernel.startTable(hosts, size, roomForTexts(keys).bytes, maxWeight);
  const { buffer } = kernel.memory;
  const column = (address: number, length = hosts): Uint32Array => new Uint32Array(buffer, address, length);
  column(kernel.turnHostsAddress()).set(hostOfTurn);
  const ownWeights = new Float64Array(buffer, kernel.turnWeightsAddress(), hosts);
  const ownKeys = new Array<string>(hosts);
  for (let turn = 0; turn < hosts; turn++) {
    const host = hostOfTurn[turn] as number;
    ownWeights[turn] = weights[host] as number;
    ownKeys[turn] = keys[host] as string;
  }
  writeTexts(ownKeys, new Uint8Array(buffer, kernel.turnKeysAddress()), column(kernel.turnKeyEndsAddress()));
  kernel.startWalks();
  kernel.fillTable();
  const slots = column(kernel.slotsAddress(), size).slice();
  const entriesPerHost = column(kernel.slotCountsAddress()).slice();
  keepKernel(kernel);
  return { slots, entriesPerHost };
}
