import { entryOf } from '../core/lists.js';
import type { ClusterPicture, RunPicture } from './engine/picture.js';
import { visible } from './number-format.js';

/** The state of a run at one time. */

/** Index of the phase at `t`; −1: the cluster has none. */
export function phaseAt({ phases }: Pick<ClusterPicture, 'phases'>, t: number): number {
  return phases.findLastIndex(({ fromS }, index) => index === 0 || fromS <= t + 1e-9);
}

export function clusterOf(run: RunPicture | undefined, name: string | undefined): ClusterPicture | undefined {
  return run?.clusters.find((cluster) => cluster.name === name) ?? run?.clusters[0];
}

/** Hosts of one locality and one priority. */
export interface Group {
  readonly priority: number;
  readonly zone: string;
  /** Indices into the cluster's list. */
  readonly hosts: readonly number[];
}

/** By priority, then by zone, in the order of the hosts. */
export function groupsOf({ hosts }: ClusterPicture): readonly Group[] {
  const groups = new Map<string, { priority: number; zone: string; hosts: number[] }>();
  for (const [index, { priority, zone }] of hosts.entries()) {
    entryOf(groups, `${priority} ${zone}`, () => ({ priority, zone, hosts: [] })).hosts.push(index);
  }
  return [...groups.values()].sort((a, b) => a.priority - b.priority);
}

export function sumOf(values: Float32Array, places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (values[place] ?? 0), 0);
}

/** Short names of the hosts: a port that all of them have is left out. */
export function hostNames({ hosts }: Pick<ClusterPicture, 'hosts'>): readonly string[] {
  const portOf = (address: string): string => /:\d+$/.exec(address)?.[0] ?? '';
  const ports = new Set(hosts.map(({ address }) => portOf(address)));
  const [port = ''] = ports;
  const cut = ports.size === 1 ? port.length : 0;
  return hosts.map(({ address }) => visible(address.slice(0, address.length - cut), 80));
}
