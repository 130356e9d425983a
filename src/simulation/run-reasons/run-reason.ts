import type { ClusterResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import type { ClusterWorld } from '../cluster-world.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';

/** A cluster at the end of a run: its counts and its proxies. */
export interface ClusterRun {
  readonly scenario: Scenario;
  readonly world: ClusterWorld;
  /** The proxies of the result. */
  readonly proxies: readonly Proxy[];
  /** The cluster inside each of them. */
  readonly clusters: readonly ProxyCluster[];
  readonly result: Omit<ClusterResult, 'reasons'>;
}

/**
 * Reasons for the numbers of a run that no single moment shows: a sentence each, with the run's own numbers; none where it
 * does not apply.
 */
export type RunReason = (run: ClusterRun) => readonly string[];

/** The name of a proxy where there are several, as the end of a clause. */
export function inProxy({ scenario }: ClusterRun, name: string): string {
  const several = scenario.proxies.length > 1 || scenario.proxies.some(({ count }) => count > 1);
  return several ? ` in ${name}` : '';
}
