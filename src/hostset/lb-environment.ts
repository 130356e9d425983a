import type { Host } from '../host/host.js';
import type { ClientPlace } from '../policy/client-subsets.js';
import type { Random64 } from '../random/random64.js';
import type { HostSet } from './host-set.js';
import type { Clock, Runtime } from './load-balancer.js';
import type { LbStats } from './lb-stats.js';
import type { LocalityLoads } from './load-aware-localities.js';
import type { TableSource } from './table-cache.js';

/** What a balancer needs from its proxy. */
export interface LbEnvironment {
  /** Source of draws outside of picks: seeds at construction, locality seeds at updates. */
  readonly random: Random64;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly stats: LbStats;
  /** The bootstrap names a local cluster, and this is not it: zone-aware routing is possible. */
  readonly hasLocalCluster: boolean;
  /** Priority 0 of the local cluster, where it has its hosts before the balancer has: they are not announced as an update. */
  readonly localCluster?: () => HostSet | undefined;
  /** Levels that exist already when the balancer is made, in order of priority; they are not announced as updates. */
  readonly initial?: readonly HostSet[];
  /** The cluster's active requests, read live. Needed by `hash_balance_factor` only. */
  readonly activity?: ClusterActivity;
  /** Load reports of hosts; present where localities are weighted by them. */
  readonly localityLoads?: LocalityLoads | undefined;
  /**
   * Gives hosts of one level of a subset their weights of now. Present where weights follow load reports in a cluster with
   * subsets: each of them weighs its own hosts.
   */
  readonly weighHosts?: (hosts: readonly Host[]) => void;
  /** Of a policy with subsetting: which client this is. Default: the only one. */
  readonly client?: ClientPlace;
  /** Shares the tables of hashing policies among balancers; without it each builds its own. */
  readonly tables?: TableSource;
}

export interface ClusterActivity {
  /** Requests in flight from this proxy to the whole cluster. */
  readonly upstreamRqActive: number;
}
