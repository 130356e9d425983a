/**
 * From a cluster to what its load balancer reads, with the proxy's defaults.
 */
import { assert } from '../core/assert.js';
import type { ProxyVersion } from '../core/version.js';
import { atLeast } from '../core/version.js';
import type {
  LbPolicy,
  LoadBalancerConfig,
  RuntimeDouble,
  SlowStartConfig,
  SubsetConfig,
} from '../hostset/lb-config.js';
import type { Cluster } from './cluster-shape.js';

type SlowStart = NonNullable<NonNullable<Cluster['leastRequestLbConfig']>['slowStartConfig']>;

/** The proxy's defaults, as its API documentation states them. */
export const LB_DEFAULTS = {
  healthyPanicThreshold: 50,
  routingEnabled: 100,
  minClusterSize: 6,
  forceLocalZoneMinSize: 1,
  minimumRingSize: 1024,
  maximumRingSize: 8388608,
  maglevTableSize: 65537,
  choiceCount: 2,
  slowStartMinWeightPercent: 10,
} as const;

/** The policies that choose from a list of hosts; the others are provided by the cluster. */
export function isListedPolicy(policy: Cluster['lbPolicy']): policy is LbPolicy {
  return policy !== 'CLUSTER_PROVIDED' && policy !== 'ORIGINAL_DST_LB';
}

/** @param cluster with a policy of its own: {@link isListedPolicy}. */
export function loadBalancerConfig(cluster: Cluster, version: ProxyVersion): LoadBalancerConfig {
  const { lbPolicy, commonLbConfig: common, ringHashLbConfig: ring, leastRequestLbConfig: least } = cluster;
  assert(isListedPolicy(lbPolicy), `${lbPolicy} is not a policy of its own`);
  // maglev_lb_config, hash_balance_factor and active_request_bias came with 1.16; older proxies pass them over.
  const configurable = atLeast(version, '1.17') ? cluster : undefined;
  const zone = common?.zoneAwareLbConfig;
  const forced = zone?.forceLocalZone;
  const hashing = common?.consistentHashingLbConfig;
  const slowStart = slowStartOf(cluster);
  return {
    clusterName: cluster.name,
    version,
    lbPolicy,
    healthyPanicThreshold: common?.healthyPanicThreshold?.value ?? LB_DEFAULTS.healthyPanicThreshold,
    failTrafficOnPanic: zone?.failTrafficOnPanic ?? false,
    zoneAware: {
      routingEnabled: zone?.routingEnabled?.value ?? LB_DEFAULTS.routingEnabled,
      minClusterSize: Number(zone?.minClusterSize ?? LB_DEFAULTS.minClusterSize),
      forceLocalZone:
        forced === undefined ? undefined : { minSize: forced.minSize ?? LB_DEFAULTS.forceLocalZoneMinSize },
      localityBasis: zone?.localityBasis,
    },
    localityWeighted: common?.localityWeightedLbConfig !== undefined,
    ringHash: {
      minimumRingSize: Number(ring?.minimumRingSize ?? LB_DEFAULTS.minimumRingSize),
      maximumRingSize: Number(ring?.maximumRingSize ?? LB_DEFAULTS.maximumRingSize),
      hashFunction: ring?.hashFunction ?? 'XX_HASH',
    },
    maglev: { tableSize: Number(configurable?.maglevLbConfig?.tableSize ?? LB_DEFAULTS.maglevTableSize) },
    consistentHashing: {
      useHostnameForHashing: hashing?.useHostnameForHashing ?? false,
      hashBalanceFactor: configurable?.commonLbConfig?.consistentHashingLbConfig?.hashBalanceFactor ?? 0,
    },
    leastRequest: {
      choiceCount: least?.choiceCount ?? LB_DEFAULTS.choiceCount,
      activeRequestBias: configurable?.leastRequestLbConfig?.activeRequestBias ?? ONE,
      selectionMethod: least?.selectionMethod ?? 'N_CHOICES',
    },
    slowStart: slowStart === undefined ? undefined : slowStartConfig(slowStart),
    subset: subsetConfig(cluster),
  };
}

const ONE: RuntimeDouble = { defaultValue: 1, runtimeKey: '' };

/** Only the policies with a schedule of weights know slow start. */
function slowStartOf({ lbPolicy, leastRequestLbConfig, roundRobinLbConfig }: Cluster): SlowStart | undefined {
  if (lbPolicy === 'LEAST_REQUEST') return leastRequestLbConfig?.slowStartConfig;
  return lbPolicy === 'ROUND_ROBIN' ? roundRobinLbConfig?.slowStartConfig : undefined;
}

/** A window of 0 is off. */
function slowStartConfig({
  slowStartWindow = 0,
  aggression,
  minWeightPercent,
}: SlowStart): SlowStartConfig | undefined {
  const windowMs = Math.floor(slowStartWindow / 1000);
  if (windowMs === 0) return undefined;
  return {
    windowMs,
    aggression: aggression ?? ONE,
    minWeightPercent: minWeightPercent?.value ?? LB_DEFAULTS.slowStartMinWeightPercent,
  };
}

/** Without selectors there are no subsets, whatever else is set. */
function subsetConfig({ lbSubsetConfig: config }: Cluster): SubsetConfig | undefined {
  if (config === undefined || config.subsetSelectors.length === 0) return undefined;
  return {
    fallbackPolicy: config.fallbackPolicy,
    defaultSubset: config.defaultSubset ?? {},
    selectors: config.subsetSelectors,
    localityWeightAware: config.localityWeightAware,
    scaleLocalityWeight: config.scaleLocalityWeight,
    panicModeAny: config.panicModeAny,
    listAsAny: config.listAsAny,
    metadataFallbackList: config.metadataFallbackPolicy === 'FALLBACK_LIST',
    allowRedundantKeys: config.allowRedundantKeys,
  };
}
