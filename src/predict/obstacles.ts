import { namedPolicy, type Cluster, aggregated, discoveryType } from '../config/cluster/cluster-shape.js';
import { typedHttpOptions } from '../config/cluster/http-options.js';
import { consistentHashing, isListedPolicy } from '../config/lb.js';
import type { Micros } from '../core/units.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Host } from '../host/host.js';
import { KEY_HEADER } from '../hostset/request-hash.js';
import { factsOf, isTablePolicy, lbPolicyName } from '../policy/registry.js';
import { selectableHost } from '../settings/selector.js';
import { type Behaviors, mayFail, mayFailChecks, takesTime } from '../settings/behavior.js';
import { hasTableShares } from './hash-table.js';
import type { RequestKind } from './traffic.js';
import { DEFAULT_LIMITS } from '../config/to-settings.js';
import { around } from '../config/policy/policy.js';
import { lbPolicyOf, policyOf } from '../config/policy/of-cluster.js';
import type { Obstacle } from './obstacle.js';

interface Members {
  readonly membersVersion: number;
  hosts(): Iterable<{ readonly host: Host; readonly priority: number }>;
}

/** What besides the rules of balancing decides where a cluster's requests go; with any there is no prediction. */
export class Obstacles {
  /** An obstacle for the whole run; undefined: none. */
  readonly always: Obstacle | undefined = neverPredictable(this.cluster);
  /** Why there is no prediction any more: something happened that only a run can follow. */
  lost: Obstacle | undefined;
  /** The part used here is the same at every version that has it. */
  private readonly hashing = consistentHashing(this.cluster, MODERN_PROXY_VERSION);
  private readonly looksAtLoad: boolean = factsOf(lbPolicyOf(this.cluster))?.looksAtLoad ?? false;
  private circumstancesOf = '';
  private circumstances: Circumstances = IDEAL;
  private everFailed = false;
  private everFailedChecks = false;

  constructor(
    private readonly cluster: Cluster,
    /** The current hosts; they change with the version. */
    private readonly members: Members,
    private readonly behaviors: Behaviors,
    /** Connections over TCP, whose clients hold them. */
    private readonly hasConnections: boolean,
  ) {}

  /** No prediction from now on; an earlier reason stays. */
  lose(why: Obstacle): void {
    this.lost ??= why;
  }

  /** Why the outcome of these requests, with all of their retries, cannot be predicted. */
  againstSuccess(kind: RequestKind): Obstacle | undefined {
    if (kind.spec.tcp !== undefined) return { kind: 'connections_held' };
    // What circuit breakers refuse has a bound there.
    return this.always ?? this.lost ?? this.otherHash(kind) ?? this.upset({ ...kind, retried: false }, false);
  }

  /** @param isPassedOn by the aggregate that uses the cluster. */
  against(kind: RequestKind, isPassedOn = false): Obstacle | undefined {
    const lost = isPassedOn && this.lost?.kind === 'member_of_aggregate' ? undefined : this.lost;
    return this.always ?? lost ?? this.otherHash(kind) ?? this.upset(kind, isLimited(this.cluster));
  }

  private otherHash({ hash, spec, routed = false }: RequestKind): Obstacle | undefined {
    const { hashSources } = this.hashing;
    if (routed) return { kind: 'routed_by_content' };
    // A key stands for what a cluster has hashed, unless a route says what there is.
    const isOfCluster = (typedHttpOptions(this.cluster)?.hashPolicy.length ?? 0) > 0;
    const isKnown = hash.kind === 'keys' && hash.ofClients === true && !isOfCluster;
    const isOther = spec.hashPolicy === undefined ? isOfCluster && hash.kind === 'none' : !isKnown;
    if (isOther && isTablePolicy(lbPolicyOf(this.cluster))) return { kind: 'hashes_more' };
    if (hashSources === undefined) return undefined;
    const [only, ...more] = hashSources;
    const isKey = more.length === 0 && only?.header === KEY_HEADER;
    return isKey && hash.kind !== 'given' ? undefined : { kind: 'hashes_more' };
  }

  underLoad(): Obstacle | undefined {
    if (!this.looksAtLoad) return undefined;
    if (this.hasConnections) return { kind: 'connections_held' };
    return this.look().takesTime ? { kind: 'under_load', policy: lbPolicyName(lbPolicyOf(this.cluster)) } : undefined;
  }

  /** Explicit requests that stay open change the picks of a policy that looks at load. */
  openAmong(kinds: readonly RequestKind[], fromUs: Micros, toUs: Micros): Obstacle | undefined {
    if (!this.looksAtLoad) return undefined;
    const some = kinds.some((kind) => kind.open.some(([start, end]) => start < toUs && end > fromUs));
    return some ? { kind: 'requests_open' } : undefined;
  }

  private upset(kind: RequestKind, limited: boolean): Obstacle | undefined {
    const { cluster } = this;
    const bounded = this.hashing.hashBalanceFactor > 0;
    const checked = cluster.healthChecks.length > 0;
    const watched = cluster.outlierDetection !== undefined;
    if (!bounded && !checked && !watched && !limited && !kind.retried) return undefined;
    const hosts = this.look();
    // A slow answer may exceed the time-out of an attempt.
    if (kind.retried && (hosts.fails || hosts.takesTime)) return { kind: 'retried_elsewhere' };
    if (checked && this.everFailedChecks) return { kind: 'health_checked' };
    if (watched && this.everFailed) return { kind: 'outliers_ejected' };
    const open = hosts.takesTime || kind.open.length > 0 || this.hasConnections;
    if (limited && open) return { kind: 'circuit_breakers' };
    if (bounded && (open || hosts.active)) return { kind: 'bounded_load' };
    return undefined;
  }

  /** The behaviour of hosts, as far as it matters to predictions; recomputed when hosts or behaviours change. */
  private look(): Circumstances {
    const { behaviors, members, cluster } = this;
    const key = `${members.membersVersion} ${behaviors.version}`;
    if (this.circumstancesOf === key) return this.circumstances;
    this.circumstancesOf = key;
    const found = { ...IDEAL };
    this.circumstances = found;
    if (behaviors.isIdeal) return found;
    for (const { host, priority } of members.hosts()) {
      found.active ||= host.activeRequests > 0;
      const behavior = behaviors.of([selectableHost(host, cluster.name, priority)]);
      found.fails ||= mayFail(behavior);
      found.failsChecks ||= mayFailChecks(behavior);
      found.takesTime ||= takesTime(behavior);
    }
    // Who failed may be out for a while after it is well again.
    this.everFailed ||= found.fails;
    this.everFailedChecks ||= found.failsChecks;
    return found;
  }
}

const IDEAL = { fails: false, failsChecks: false, takesTime: false, active: false };

type Circumstances = Readonly<typeof IDEAL>;

const LIMITS = ['maxConnections', 'maxPendingRequests', 'maxRequests'] as const;

/** Predictions take the default limits for none: limits that are no lower are none, either. */
const isLimited = ({ circuitBreakers: { thresholds, perHostThresholds } = NO_LIMITS }: Cluster): boolean =>
  perHostThresholds.length > 0 ||
  thresholds.some((own) => LIMITS.some((name) => (own[name] ?? Infinity) < DEFAULT_LIMITS[name]));

const NO_LIMITS = { thresholds: [], perHostThresholds: [] };

/** Why a cluster cannot be predicted at any time; undefined: it can. */
export function neverPredictable(cluster: Cluster): Obstacle | undefined {
  const clientSubset = namedPolicy(cluster)?.clientSubset;
  const policy = policyOf(cluster);
  const lbPolicy = lbPolicyOf(cluster);
  if (aggregated(cluster) !== undefined) return { kind: 'aggregate' };
  const type = discoveryType(cluster);
  if (type === undefined) return { kind: 'cluster_type' };
  if (type === 'ORIGINAL_DST') return { kind: 'hosts_of_run', discovery_type: type };
  if (clientSubset !== undefined) return { kind: 'client_subsets' };
  if (!isListedPolicy(lbPolicy)) return { kind: 'no_policy_of_shares', policy: lbPolicy };
  if (isTablePolicy(lbPolicy) && !hasTableShares(lbPolicy))
    return { kind: 'no_formula', policy: lbPolicyName(lbPolicy), goes_by_probes: false };
  if (lbPolicy === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN') return { kind: 'reported_weights' };
  if (around(policy, 'load_aware_locality') !== undefined) return { kind: 'reported_localities' };
  if (around(policy, 'override_host') !== undefined) return { kind: 'named_hosts' };
  if ((cluster.loadAssignment?.policy?.dropOverloads ?? []).length > 0) return { kind: 'drop_overloads' };
  return undefined;
}
