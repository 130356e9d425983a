import type { Struct } from '../../src/core/values.js';
import type { ProxyVersion } from '../../src/core/version.js';
import { HealthFlag, Host, type Locality } from '../../src/host/host.js';
import { buildHostSet } from '../../src/hostset/build-host-set.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LbPolicy, LoadBalancerConfig, SubsetConfig, SubsetSelector } from '../../src/hostset/lb-config.js';
import { type LoadBalancer, Decision, emptyPickRequest } from '../../src/hostset/load-balancer.js';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { SubsetLoadBalancer } from '../../src/hostset/subset/subset.js';
import { ScriptedRandom } from '../../src/random/random64.js';
import { fallbackName } from '../../src/hostset/subset/subset-plan.js';

export interface ClusterOptions {
  readonly subset?: Partial<Omit<SubsetConfig, 'selectors'>>;
  readonly selectors?: readonly (Partial<SubsetSelector> & { readonly keys: readonly string[] })[];
  readonly version?: ProxyVersion;
  readonly lbPolicy?: LbPolicy;
  readonly localityWeighted?: boolean;
  /** Default false. */
  readonly hasLocalCluster?: boolean;
  /** Wraps each balancer that is made inside. */
  readonly inner?: (balancer: LoadBalancer) => LoadBalancer;
}

/** A subset balancer with one proxy's worth of surroundings, for tests. */
export class SubsetCluster {
  readonly stats = new LbStats();
  readonly runtime = new Map<string, number>();
  readonly balancer: SubsetLoadBalancer;
  private readonly levels = new Map<number, HostSet>();

  constructor(options: ClusterOptions) {
    const subset: SubsetConfig = {
      fallbackPolicy: 'NO_FALLBACK',
      defaultSubset: {},
      localityWeightAware: false,
      scaleLocalityWeight: false,
      panicModeAny: false,
      listAsAny: false,
      metadataFallbackList: false,
      allowRedundantKeys: false,
      ...options.subset,
      selectors: (options.selectors ?? []).map((selector) => ({
        fallbackPolicy: 'NOT_DEFINED',
        fallbackKeysSubset: [],
        singleHostPerSubset: false,
        ...selector,
      })),
    };
    const config: LoadBalancerConfig = {
      kind: 'hosts',
      clusterName: 'backend',
      version: options.version ?? '1.17',
      lbPolicy: options.lbPolicy ?? 'ROUND_ROBIN',
      healthyPanicThreshold: 50,
      failTrafficOnPanic: false,
      zoneAware: { routingEnabled: 100, minClusterSize: 6 },
      localityWeighted: options.localityWeighted ?? false,
      ringHash: { minimumRingSize: 1024, maximumRingSize: 8388608, hashFunction: 'XX_HASH' },
      maglev: { tableSize: 65537 },
      consistentHashing: { useHostnameForHashing: false, hashBalanceFactor: 0 },
      leastRequest: {
        choiceCount: 2,
        activeRequestBias: { defaultValue: 1, runtimeKey: '' },
        selectionMethod: 'N_CHOICES',
      },
      slowStart: undefined,
    };
    const environment = {
      random: new ScriptedRandom([]),
      runtime: { number: (key: string) => this.runtime.get(key) },
      clock: { nowUs: 0 },
      stats: this.stats,
      hasLocalCluster: options.hasLocalCluster ?? false,
    };
    this.balancer = new SubsetLoadBalancer(config, subset, environment, (innerEnvironment) => {
      const inner = createPolicyBalancer(config, innerEnvironment);
      return options.inner?.(inner) ?? inner;
    });
  }

  set(
    hosts: readonly Host[],
    priority = 0,
    localityWeights?: ReadonlyMap<string, number>,
    overprovisioningFactor = 140,
  ): this {
    const last = this.levels.get(priority);
    const before = last?.hosts ?? [];
    const hostSet = buildHostSet({
      priority,
      hosts,
      overprovisioningFactor,
      weightedPriorityHealth: false,
      nodeLocality: undefined,
      localityWeights,
      before: last,
    });
    this.levels.set(priority, hostSet);
    this.deliver(hostSet, before);
    return this;
  }

  /** Delivers the lists as they are now. @param before whom the balancer has known so far. */
  deliver(hostSet: HostSet, before: readonly Host[]): void {
    const { hosts } = hostSet;
    const added = hosts.filter((host) => !before.includes(host));
    const removed = before.filter((host) => !hosts.includes(host));
    this.balancer.update(hostSet, added, removed);
  }

  /** `fallback`: the name of the one that led to the answer. */
  pick(metadataMatch?: Struct): Decision & { readonly fallback?: string } {
    const decision = new Decision();
    this.balancer.choose({ ...emptyPickRequest(new ScriptedRandom([])), metadataMatch }, decision);
    const { subsetFallback } = decision;
    return Object.assign(decision, subsetFallback && { fallback: fallbackName(subsetFallback) });
  }

  /** The addresses of so many picks; null: no host. */
  picks(count: number, metadataMatch?: Struct): readonly (string | null)[] {
    return Array.from({ length: count }, () => this.pick(metadataMatch).host?.address ?? null);
  }

  subsets(): Readonly<Record<string, number>> {
    return Object.fromEntries((this.balancer.describe().subsets ?? []).map(({ subset, hosts }) => [subset, hosts]));
  }
}

export function host(
  address: string,
  metadata: Struct,
  options: { unhealthy?: boolean; locality?: Locality; weight?: number } = {},
): Host {
  const flags = options.unhealthy === true ? HealthFlag.FAILED_EDS_HEALTH : 0;
  const { locality, weight } = options;
  return new Host({ address, metadata, flags, ...(locality && { locality }), ...(weight !== undefined && { weight }) });
}
