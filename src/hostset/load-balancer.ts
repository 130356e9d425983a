import type { Clock, Runtime } from '../core/environment.js';
import type { Writable } from '../core/values.js';
import type { Host } from '../host/host.js';
import type { AnswerListener } from '../policy/answers.js';
import type { PickedRequest } from '../policy/policy-kinds.js';
import type { BalancerTrace } from './decision-steps.js';
import type { Random64 } from '../random/random64.js';
import type { BalancerDescription, ListTurns } from './generated/descriptions.js';
import type { HostSet } from './host-set.js';
import type { PriorityAvailability, PriorityLoad } from './priority-load.js';
import type { Fallback } from './subset/subset-plan.js';
import type { ClientPlace } from '../policy/client-subsets.js';
import type { LocalityLoads } from './load-aware-localities.js';
import type { TableCache } from './table-cache.js';
import type { LbStats } from './lb-stats.js';

export type { Clock, Runtime };

/** One request as its balancer sees it. The caller reuses one object for all requests. */
export interface PickRequest extends Writable<PickedRequest> {
  /** Every draw of this pick comes from here, in the proxy's order. */
  random: Random64;
  /** The client's, as the proxy trusts it to be; absent: it is not known. */
  address?: string | undefined;
  /** Where the request names its hosts: how many names earlier attempts have used. Written by the balancer. */
  namesUsed?: number | undefined;
  /** An aggregate asks one of its members: no host that the request names is looked for. */
  throughAggregate?: boolean | undefined;
  /** Host selections after the first that `rejects` may ask for, within one attempt. */
  hostSelectionRetryCount: number;
  /** Retry host predicates; undefined accepts every host. */
  rejects: ((host: Host) => boolean) | undefined;
  /**
   * A retry priority: the load to draw a priority by instead of the balancer's own. Balancers that hash ignore it.
   * undefined: the balancer's own.
   */
  priorityLoad: ((availability: PriorityAvailability) => PriorityLoad) | undefined;
  /** Called with every step of this pick; absent: no trace. */
  trace?: BalancerTrace | undefined;
}

export const emptyPickRequest = (random: Random64): PickRequest & { namesUsed: number } => ({
  random,
  hasHash: false,
  hashHi: 0,
  hashLo: 0,
  metadataMatch: undefined,
  headers: undefined,
  key: undefined,
  address: undefined,
  namesUsed: 0,
  hostSelectionRetryCount: 0,
  rejects: undefined,
  priorityLoad: undefined,
});

const NO_HOSTS: readonly Host[] = [];

/** The result of one pick; the balancer fills in the caller's object. */
export class Decision {
  host: Host | undefined = undefined;
  /** Priority that was drawn; -1 where none was. */
  priority: number = -1;
  /** The drawn priority was in panic. */
  panic: boolean = false;
  /** It was drawn for its degraded hosts, not for its healthy ones. */
  degraded: boolean = false;
  /** The subset that answered, as `{version: 2}`, `any`, `default`; undefined without subsetting or where none answered. */
  subset: string | undefined = undefined;
  /** How that answer, or none, was reached; undefined where the requested subset answered, and without subsetting. */
  subsetFallback: Fallback | undefined = undefined;
  /** The request named the host itself: its health does not matter. */
  named: boolean = false;
  /** Of an aggregate: the index of the cluster that chose the host; -1: no aggregate, or no cluster was tried. */
  member: number = -1;
  /** Of an aggregate: number of the level among those of all members. */
  level: number = -1;
  /** The listener for the end of the attempt; undefined: none. */
  listener: AnswerListener | undefined = undefined;
  /** Hosts that the listener wants to be asked how busy they are. */
  probes: readonly Host[] = NO_HOSTS;
}

export function resetDecision(decision: Decision): void {
  decision.host = undefined;
  decision.priority = -1;
  decision.panic = false;
  decision.degraded = false;
  decision.subset = undefined;
  decision.subsetFallback = undefined;
  decision.named = false;
  decision.member = -1;
  decision.level = -1;
  decision.listener = undefined;
  decision.probes = NO_HOSTS;
}

/** A receiver of a cluster's lists on a thread of a proxy. */
export interface HostSetListener {
  /**
   * Delivers new lists of one priority. `added` and `removed` are empty for health, weight and metadata changes.
   * @param more lists of other priorities follow at once: a table need not be built before the last of them.
   */
  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[], more?: boolean): void;
  /**
   * Only where the main thread builds for all threads, which are RING_HASH and MAGLEV without subsets: `main` gets new
   * lists at once, and with every delivery, of whatever priority, a worker's balancer copies everything `main` has by then.
   */
  adopt?(main: this): void;
  /** The cluster is replaced or removed: takes back what it added to gauges. Only subsets have added any. */
  destroy?(): void;
}

/**
 * One thread's balancer of one cluster: frozen copies of the host sets, and the policy's state.
 *
 * Loads, panic flags, tables and schedules change only with an update, as in the proxy.
 */
export interface LoadBalancer extends HostSetListener {
  /** Delivers new lists of the local cluster's priority 0 (zone-aware routing). */
  updateLocalCluster(hostSet: HostSet): void;
  choose(request: PickRequest, decision: Decision): void;
  /** The host that comes next, beyond those that it told already; undefined: not certain. Absent: it never is. */
  peek?(request: PickRequest): Host | undefined;
  /**
   * Weights of hosts or localities have changed by load reports, and nothing else. Those of hosts in subsets: they are due,
   * and shared by all threads, but a subset makes nothing new of them before its next update, as in a 1.40.0.
   */
  weightsChanged?(): void;
  /** Its state since the last update, and why, for reports. */
  describe(): BalancerDescription;
  /** Whose turn it is in each list that picks come from now, for inspection; absent: lists have no turns. */
  turns?(): readonly ListTurns[];
}

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
  /** Load reports of hosts; present where localities are weighted by them. @internal */
  readonly localityLoads?: LocalityLoads | undefined;
  /**
   * Gives hosts of one level of a subset their weights of now. Present where weights follow load reports in a cluster with
   * subsets: each of them weighs its own hosts.
   */
  readonly weighHosts?: (hosts: readonly Host[]) => void;
  /** Of a policy with subsetting: which client this is. Default: the only one. */
  readonly client?: ClientPlace;
  /** Shares the tables of hashing policies among balancers; without it each builds its own. @internal */
  readonly tables?: TableCache;
}

export interface ClusterActivity {
  /** Requests in flight from this proxy to the whole cluster. */
  readonly upstreamRqActive: number;
}
