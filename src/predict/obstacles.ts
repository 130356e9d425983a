import { aggregated, discoveryType } from '../config/cluster/discovery.js';
import { consistentHashing, isListedPolicy } from '../config/lb.js';
import type { Cluster } from '../config/types.js';
import type { Micros } from '../core/units.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { ConsistentHashingConfig } from '../hostset/lb-config.js';
import { KEY_HEADER } from '../hostset/request-hash.js';
import { factsOf, isTablePolicy, lbPolicyName } from '../policy/registry.js';
import { selectableHost } from '../settings/selector.js';
import { type Behaviors, mayFail, mayFailChecks, takesTime } from '../settings/behavior.js';
import { hasTableBuilder } from './tables/table-factory.js';
import type { RequestKind } from './traffic.js';
import { lbPolicyOf, policyOf } from '../config/policy/of-cluster.js';
import { around } from '../config/policy/policy.js';

/**
 * Everything besides the rules of balancing that decides where a cluster's requests go. Where there is any, there is no
 * prediction.
 */
export class Obstacles {
  /** An obstacle for the whole run; undefined: none. */
  readonly always: string | undefined;
  /** Why there is no prediction any more: something happened that only a run can follow. */
  private lost: string | undefined;
  private readonly hashing: ConsistentHashingConfig;
  private readonly looksAtLoad: boolean;
  private circumstancesOf = '';
  private circumstances: Circumstances = IDEAL;

  constructor(
    private readonly cluster: Cluster,
    /** The current hosts; they change with `version`. */
    private readonly hosts: { version(): number; list(): Iterable<{ readonly host: Host; readonly priority: number }> },
    private readonly behaviors: Behaviors,
  ) {
    this.always = neverPredictable(cluster);
    this.looksAtLoad = factsOf(lbPolicyOf(cluster))?.looksAtLoad ?? false;
    // The part used here is the same at every version that has it.
    this.hashing = consistentHashing(cluster, MODERN_PROXY_VERSION);
  }

  /** No prediction from now on; an earlier reason stays. */
  lose(why: string): void {
    this.lost ??= why;
  }

  /** Why the outcome of these requests, with all of their retries, cannot be predicted. */
  againstSuccess(kind: RequestKind): string | undefined {
    // What circuit breakers refuse has a bound there.
    return this.always ?? this.lost ?? this.otherHash(kind) ?? this.upset({ ...kind, retried: false }, false);
  }

  /** Why these requests cannot be predicted. */
  against(kind: RequestKind): string | undefined {
    return (
      this.always ?? this.lost ?? this.otherHash(kind) ?? this.upset(kind, this.cluster.circuitBreakers !== undefined)
    );
  }

  /** The cluster's policy has its own sources of the hash. */
  private otherHash({ hash }: RequestKind): string | undefined {
    const { hashSources } = this.hashing;
    if (hashSources === undefined) return undefined;
    const [only, ...more] = hashSources;
    const isKey = more.length === 0 && only?.header === KEY_HEADER;
    return isKey && hash.kind !== 'given'
      ? undefined
      : 'the policy hashes what requests carry besides their key; simulate it';
  }

  /** Why a policy that looks at load cannot be predicted. */
  underLoad(): string | undefined {
    if (!this.looksAtLoad) return undefined;
    return this.look().takesTime
      ? `${lbPolicyName(lbPolicyOf(this.cluster))} under load has no closed form: requests are open while others are placed; simulate it`
      : undefined;
  }

  /** Explicit requests that stay open change the picks of a policy that looks at load. */
  openAmong(kinds: readonly RequestKind[], fromUs: Micros, toUs: Micros): string | undefined {
    if (!this.looksAtLoad) return undefined;
    const some = kinds.some((kind) => kind.open.some(([start, end]) => start < toUs && end > fromUs));
    return some ? 'requests with a service_time are open meanwhile; simulate it' : undefined;
  }

  private upset(kind: RequestKind, limited: boolean): string | undefined {
    const { cluster } = this;
    const bounded = this.hashing.hashBalanceFactor > 0;
    const checked = cluster.healthChecks.length > 0;
    const watched = cluster.outlierDetection !== undefined;
    if (!bounded && !checked && !watched && !limited && !kind.retried) return undefined;
    const hosts = this.look();
    // A slow answer may exceed the time-out of an attempt.
    if (kind.retried && (hosts.fails || hosts.takesTime))
      return 'failed attempts are tried again elsewhere; simulate it';
    if (checked && hosts.failsChecks) return 'health checks decide which hosts are used; simulate it';
    if (watched && hosts.fails) return 'outlier detection ejects hosts by what they answer; simulate it';
    const open = hosts.takesTime || kind.open.length > 0;
    if (limited && open) return 'circuit breakers turn requests away while others are open; simulate it';
    if (bounded && (open || hosts.active)) return 'bounded load depends on the requests that are open; simulate it';
    return undefined;
  }

  /** The behaviour of hosts, as far as it matters to predictions; recomputed when hosts or behaviours change. */
  private look(): Circumstances {
    const { behaviors, hosts, cluster } = this;
    const key = `${hosts.version()} ${behaviors.version}`;
    if (this.circumstancesOf === key) return this.circumstances;
    this.circumstancesOf = key;
    const found = { ...IDEAL };
    this.circumstances = found;
    if (behaviors.isIdeal) return found;
    for (const { host, priority } of hosts.list()) {
      found.active ||= host.activeRequests > 0;
      const behavior = behaviors.of([selectableHost(host, cluster.name, priority)]);
      found.fails ||= mayFail(behavior);
      found.failsChecks ||= mayFailChecks(behavior);
      found.takesTime ||= takesTime(behavior);
    }
    return found;
  }
}

const IDEAL = { fails: false, failsChecks: false, takesTime: false, active: false };

type Circumstances = Readonly<typeof IDEAL>;

/** Why a cluster cannot be predicted at any time; undefined: it can. */
export function neverPredictable(cluster: Cluster): string | undefined {
  const { clientSubset, loadAssignment } = cluster;
  const policy = policyOf(cluster);
  const lbPolicy = lbPolicyOf(cluster);
  if (aggregated(cluster) !== undefined) return 'an aggregate passes requests on to other clusters; simulate it';
  const type = discoveryType(cluster);
  if (type === undefined) return 'the hosts of a cluster_type are its own matter';
  if (type === 'ORIGINAL_DST') return `the hosts of a ${type} cluster are known only while it runs; simulate it`;
  if (clientSubset !== undefined) return 'each proxy uses a part of the hosts; simulate it';
  if (!isListedPolicy(lbPolicy)) return `${lbPolicy} follows no policy of shares`;
  if (isTablePolicy(lbPolicy) && !hasTableBuilder(lbPolicy))
    return `${lbPolicyName(lbPolicy)} has no formula; simulate it`;
  if (lbPolicy === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN')
    return 'weights follow what hosts report of their load while it runs; simulate it';
  if (around(policy, 'load_aware_locality') !== undefined)
    return 'localities share by the load that hosts report; simulate it';
  if (around(policy, 'override_host') !== undefined) return 'requests name their hosts themselves; simulate it';
  if ((loadAssignment?.policy?.dropOverloads ?? []).length > 0) return 'drop_overloads drops a part of the requests';
  return undefined;
}
