import type { Host } from '../host/host.js';
import type { WeightedHosts } from '../policy/policy-kinds.js';
import { withShares } from '../policy/weighted-hosts.js';
import type { LoadBalancerConfig } from './lb-config.js';
import type { HostSet, LevelLists } from './host-set.js';
import { quirksOf } from '../core/version.js';
import { sameItems } from '../core/values.js';

export type TableHosts = Readonly<{ hosts: readonly Host[]; weighted: WeightedHosts }>;

/** What a table hashes for a host: the `hash_key` of its metadata (since 1.18), its hostname if asked for, or its address. */
export function hashKey(host: Host, useHostname: boolean, readsMetadata: boolean): string {
  if (readsMetadata) {
    const key = host.metadata['hash_key'];
    if (typeof key === 'string' && key !== '') return key;
  }
  return useHostname ? host.hostname : host.address;
}

export interface TableHostsOptions {
  /** The level is in panic: all its hosts count. Otherwise the healthy ones do; degraded ones are in no table. */
  readonly panic: boolean;
  readonly localityWeighted: boolean;
  readonly useHostname: boolean;
  readonly readsMetadata: boolean;
}

/** @param panic all hosts of the level count, not the healthy ones alone. */
export function tableOptions(config: LoadBalancerConfig, panic: boolean): TableHostsOptions {
  const { consistentHashing, localityWeighted, version } = config;
  const { hashKeyOfMetadata: readsMetadata } = quirksOf(version);
  return { panic, localityWeighted, useHostname: consistentHashing.useHostnameForHashing, readsMetadata };
}

/**
 * Normalises weights to shares, in the proxy's order of operations: the last bits decide how many entries a host gets.
 * A locality's share is its weight out of all the weights, its hosts divide it by theirs. A locality without weight adds no
 * host; one with a weight and no eligible host keeps its share, so that the shares then sum to less than 1.
 */
export function tableHosts(hostSet: HostSet, options: TableHostsOptions): TableHosts {
  const hosts: Host[] = [];
  const weights: number[] = [];
  const localityWeights = options.localityWeighted ? hostSet.localityWeights : undefined;

  if (localityWeights !== undefined && localityWeights.length > 0) {
    const total = localityWeights.reduce((sum, weight) => sum + weight, 0);
    hostSet.localities.forEach((group, index) => {
      const weight = localityWeights[index] ?? 0;
      if (weight !== 0) append(options.panic ? group.hosts : group.healthy, weight / total);
    });
  } else {
    append(options.panic ? hostSet.hosts : hostSet.healthy, 1.0);
  }

  function append(list: readonly Host[], share: number): void {
    const sum = list.reduce((total, host) => total + host.weight, 0);
    for (const host of list) {
      hosts.push(host);
      weights.push((host.weight * share) / sum);
    }
  }

  const keys = hosts.map((host) => hashKey(host, options.useHostname, options.readsMetadata));
  return { hosts, weighted: withShares(keys, Float64Array.from(weights)) };
}

/**
 * Why a level's table is empty though it has hosts to choose from: no locality has a weight, none that has one has such a
 * host, or the table is to have no entry.
 */
export type EmptyTable = 'no-weight' | 'no-weighted-host' | 'no-entry';

/** @returns undefined where locality weights do not leave out every host. */
export function emptyTable({ localities, localityWeights }: LevelLists, panic: boolean): EmptyTable | undefined {
  if (localityWeights === undefined) return undefined;
  const groups = localities.map((group, index) => ({
    weight: localityWeights[index] ?? 0,
    hosts: panic ? group.hosts.length : group.healthy.length,
  }));
  if (groups.every(({ hosts }) => hosts === 0)) return undefined;
  if (groups.some(({ weight, hosts }) => weight > 0 && hosts > 0)) return undefined;
  return groups.some(({ weight }) => weight > 0) ? 'no-weighted-host' : 'no-weight';
}

/** Whether both give the same table. Only keys and weights matter, not the host objects. */
export const sameWeightedHosts = (a: WeightedHosts, b: WeightedHosts): boolean =>
  sameItems(a.keys, b.keys) && a.weights.every((weight, index) => weight === b.weights[index]);
