import type { ClusterResult } from '../../result/run-result.js';
import type { WorldSettings } from '../../settings/world.js';
import type { ClusterWorld } from '../cluster-world.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';

/** A cluster at the end of a run: its counts and its proxies. */
export interface ClusterRun {
  readonly settings: WorldSettings;
  readonly world: ClusterWorld;
  readonly proxies: readonly Proxy[];
  /** The cluster inside each of them. */
  readonly clusters: readonly ProxyCluster[];
  readonly result: Omit<ClusterResult, 'facts'>;
}

/** The name of a proxy where there are several. */
export function inProxy({ settings }: ClusterRun, name: string): { readonly proxy?: string } {
  const several = settings.proxies.length > 1 || settings.proxies.some(({ count }) => count > 1);
  return several ? { proxy: name } : {};
}
