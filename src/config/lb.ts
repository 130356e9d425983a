/** The settings of a cluster's load balancer, with the proxy's defaults. */
import { LinearRegex } from '../core/regex/linear-regex.js';
import { quirksOf } from '../core/quirks.js';
import { defaultOf } from './defaults.js';
import { assert } from '../core/assert.js';
import type { ProxyVersion } from '../core/version.js';
import { own } from '../core/own.js';
import { isProxyPolicy, isTablePolicy, type TablePolicySettings, lbPolicyName } from '../policy/registry.js';
import { requestHeader } from '../core/proxy-names.js';
import type {
  ConsistentHashingConfig,
  HashSource,
  LbPolicy,
  LoadAwareLocalityConfig,
  LoadBalancerConfig,
  OverrideHostConfig,
  RuntimeDouble,
  SlowStartConfig,
  SubsetConfig,
} from '../hostset/lb-config.js';
import type { Cluster } from './cluster-shape.js';
import { aggregated } from './discovery.js';
import type { TypedPolicy } from './typed-policy.js';
import { ANY_TABLE, demand } from '../core/arguments.js';

type SlowStart = NonNullable<NonNullable<Cluster['leastRequestLbConfig']>['slowStartConfig']>;

const ZONE_AWARE = 'Cluster.CommonLbConfig.ZoneAwareLbConfig';

/** The proxy's defaults; those of fields that v2 does not have are listed here. */
export const LB_DEFAULTS = {
  healthyPanicThreshold: defaultOf('Cluster.CommonLbConfig', 'healthy_panic_threshold'),
  routingEnabled: defaultOf(ZONE_AWARE, 'routing_enabled'),
  minClusterSize: defaultOf(ZONE_AWARE, 'min_cluster_size'),
  forceLocalZoneMinSize: defaultOf(`${ZONE_AWARE}.ForceLocalZone`, 'min_size'),
  minimumRingSize: defaultOf('Cluster.RingHashLbConfig', 'minimum_ring_size'),
  maximumRingSize: defaultOf('Cluster.RingHashLbConfig', 'maximum_ring_size'),
  maglevTableSize: defaultOf('Cluster.MaglevLbConfig', 'table_size'),
  choiceCount: defaultOf('Cluster.LeastRequestLbConfig', 'choice_count'),
  slowStartMinWeightPercent: defaultOf('Cluster.SlowStartConfig', 'min_weight_percent'),
  blackoutUs: 10_000_000,
  weightExpirationUs: 180_000_000,
  weightUpdateUs: 1_000_000,
  /** The documentation says 1; a 1.40.0 without this setting ignores errors. */
  errorPenalty: 0,
  varianceThreshold: 0.1,
  smoothingUs: 5_000_000,
  probeFraction: 0.03,
} as const;

/** The proxy's minimum interval between two computations of weights. */
const SHORTEST_WEIGHT_UPDATE_US = 100_000;

/** The policies that choose from a list of hosts; the others are provided by the cluster. */
export function isListedPolicy(
  policy: Cluster['lbPolicy'],
): policy is Exclude<Cluster['lbPolicy'], 'CLUSTER_PROVIDED' | 'ORIGINAL_DST_LB'> {
  return policy !== 'CLUSTER_PROVIDED' && policy !== 'ORIGINAL_DST_LB';
}

/** Below this percentage of available hosts a priority panics; the default filled in. */
export function panicThresholdOf(cluster: Cluster): number {
  demand('panicThresholdOf', ['cluster', cluster, ANY_TABLE]);
  return cluster.commonLbConfig?.healthyPanicThreshold?.value ?? LB_DEFAULTS.healthyPanicThreshold;
}

/** @param cluster with a policy of its own: {@link isListedPolicy}. */
export function loadBalancerConfig(cluster: Cluster, version: ProxyVersion): LoadBalancerConfig {
  const { lbPolicy, commonLbConfig: common, leastRequestLbConfig: least } = cluster;
  assert(isListedPolicy(lbPolicy), `${lbPolicyName(lbPolicy)} is not a policy of its own`);
  const configurable = knowsFactors(version) ? cluster : undefined;
  const zone = common?.zoneAwareLbConfig;
  const forced = zone?.forceLocalZone;
  const typed = cluster.loadBalancingPolicy;
  return {
    clusterName: cluster.name,
    version,
    lbPolicy: typed?.clientSideWeightedRoundRobin === undefined ? lbPolicy : 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN',
    healthyPanicThreshold: panicThresholdOf(cluster),
    failTrafficOnPanic: zone?.failTrafficOnPanic ?? false,
    zoneAware: {
      routingEnabled: zone?.routingEnabled?.value ?? LB_DEFAULTS.routingEnabled,
      minClusterSize: Number(zone?.minClusterSize ?? LB_DEFAULTS.minClusterSize),
      forceLocalZone:
        forced === undefined ? undefined : { minSize: forced.minSize ?? LB_DEFAULTS.forceLocalZoneMinSize },
      localityBasis: zone?.localityBasis,
    },
    localityWeighted: common?.localityWeightedLbConfig !== undefined,
    ...tableSettings(cluster),
    consistentHashing: consistentHashing(cluster, version),
    leastRequest: {
      choiceCount: least?.choiceCount ?? LB_DEFAULTS.choiceCount,
      activeRequestBias: configurable?.leastRequestLbConfig?.activeRequestBias ?? ONE,
      selectionMethod: least?.selectionMethod ?? 'N_CHOICES',
    },
    slowStart: slowStartConfig(slowStartOf(cluster)),
    subset: subsetConfig(cluster),
    clientSideWeights: clientSideWeights(typed?.clientSideWeightedRoundRobin),
    loadAwareLocality: loadAwareLocality(lbPolicy, typed?.loadAwareLocality),
    overrideHost: overrideHost(typed?.overrideHost),
    clientSubset: cluster.clientSubset,
  };
}

/** How large tables are, and how they hash. */
export function tableSettings({
  ringHashLbConfig: ring,
  maglevLbConfig: maglev,
  lbPolicySettings,
}: Cluster): TablePolicySettings {
  return {
    ringHash: {
      minimumRingSize: Number(ring?.minimumRingSize ?? LB_DEFAULTS.minimumRingSize),
      maximumRingSize: Number(ring?.maximumRingSize ?? LB_DEFAULTS.maximumRingSize),
      hashFunction: ring?.hashFunction ?? 'XX_HASH',
    },
    maglev: { tableSize: Number(maglev?.tableSize ?? LB_DEFAULTS.maglevTableSize) },
    settings: lbPolicySettings ?? {},
  };
}

/** The hash key of hosts, and the bound of their load. */
export function consistentHashing(cluster: Cluster, version: ProxyVersion): ConsistentHashingConfig {
  const { loadBalancingPolicy: typed, commonLbConfig: common } = cluster;
  const hashing = common?.consistentHashingLbConfig;
  const sources = typed?.hashPolicy ?? [];
  const legacyFactor = knowsFactors(version) ? hashing?.hashBalanceFactor : undefined;
  return {
    useHostnameForHashing: typed?.useHostnameForHashing === true || hashing?.useHostnameForHashing === true,
    hashBalanceFactor: typed?.hashBalanceFactor ?? legacyFactor ?? 0,
    hashSources: sources.length === 0 ? undefined : sources.map(hashSource),
  };
}

/** hash_balance_factor and active_request_bias came with 1.16; older proxies ignore them. */
function knowsFactors(version: ProxyVersion): boolean {
  return quirksOf(version).knowsBalanceSettings;
}

/** The name of the policy in reports: the one that chooses the host, after those around it. */
export function policyName(cluster: Cluster): string {
  const { lbPolicy, loadBalancingPolicy: typed } = cluster;
  if (aggregated(cluster) !== undefined) return 'AGGREGATE';
  const inner = typed?.clientSideWeightedRoundRobin === undefined ? lbPolicy : 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN';
  const outer = [
    ...(typed?.overrideHost === undefined ? [] : ['OVERRIDE_HOST']),
    ...(typed?.loadAwareLocality === undefined ? [] : ['LOAD_AWARE_LOCALITY']),
  ];
  return [...outer, lbPolicyName(inner)].join(' + ');
}

function clientSideWeights(
  config: TypedPolicy['clientSideWeightedRoundRobin'],
): LoadBalancerConfig['clientSideWeights'] {
  if (config === undefined) return undefined;
  return {
    blackoutUs: config.blackoutPeriod ?? LB_DEFAULTS.blackoutUs,
    expirationUs: config.weightExpirationPeriod ?? LB_DEFAULTS.weightExpirationUs,
    updateUs: Math.max(SHORTEST_WEIGHT_UPDATE_US, config.weightUpdatePeriod ?? LB_DEFAULTS.weightUpdateUs),
    errorPenalty: config.errorUtilizationPenalty ?? LB_DEFAULTS.errorPenalty,
    metricNames: config.metricNamesForComputingUtilization,
  };
}

/** Tables are built from all hosts and ignore localities: a locality policy around them has no effect. */
function loadAwareLocality(
  lbPolicy: LbPolicy,
  config: TypedPolicy['loadAwareLocality'],
): LoadAwareLocalityConfig | undefined {
  if (config === undefined || isTablePolicy(lbPolicy)) return undefined;
  return {
    updateUs: config.weightUpdatePeriod ?? LB_DEFAULTS.weightUpdateUs,
    metricNames: config.metricNamesForComputingUtilization,
    varianceThreshold: config.utilizationVarianceThreshold ?? LB_DEFAULTS.varianceThreshold,
    smoothingUs: config.smoothingTimeConstant ?? LB_DEFAULTS.smoothingUs,
    probeFraction: config.remoteProbeFraction ?? LB_DEFAULTS.probeFraction,
    expirationUs: config.weightExpirationPeriod ?? LB_DEFAULTS.weightExpirationUs,
  };
}

/** Simulated requests have no dynamic metadata: such a source is skipped. */
function overrideHost(config: TypedPolicy['overrideHost']): OverrideHostConfig | undefined {
  if (config === undefined) return undefined;
  return {
    headers: config.overrideHostSources.flatMap(({ header }) => (header === '' ? [] : [requestHeader(header)])),
  };
}

function hashSource({ header, cookie, terminal }: TypedPolicy['hashPolicy'][number]): HashSource {
  if (cookie !== undefined) return { header: 'cookie', cookie: cookie.name, terminal };
  const rewrite = header?.regexRewrite;
  return {
    header: header === undefined ? undefined : requestHeader(header.headerName),
    rewrite: rewrite && { regex: new LinearRegex(rewrite.pattern.regex, 're2'), substitution: rewrite.substitution },
    terminal,
  };
}

const ONE: RuntimeDouble = { defaultValue: 1, runtimeKey: '' };

/** Only the policies with a schedule of weights have slow start; that of a policy that the proxy has not stands with the last. */
function slowStartOf({ lbPolicy, leastRequestLbConfig, roundRobinLbConfig }: Cluster): SlowStart | undefined {
  const settings = { LEAST_REQUEST: leastRequestLbConfig, ROUND_ROBIN: roundRobinLbConfig };
  if (!isProxyPolicy(lbPolicy) && isListedPolicy(lbPolicy)) return roundRobinLbConfig?.slowStartConfig;
  return own(settings, lbPolicy)?.slowStartConfig;
}

/** A window of 0 is off. */
function slowStartConfig(settings: SlowStart = {}): SlowStartConfig | undefined {
  const { slowStartWindow = 0, aggression = ONE, minWeightPercent } = settings;
  const windowMs = Math.floor(slowStartWindow / 1000);
  if (windowMs === 0) return undefined;
  return {
    windowMs,
    aggression,
    minWeightPercent: minWeightPercent?.value ?? LB_DEFAULTS.slowStartMinWeightPercent,
  };
}

/** Without selectors there are no subsets, whatever else is set. */
function subsetConfig({ lbSubsetConfig: config }: Cluster): SubsetConfig | undefined {
  if (config === undefined || config.subsetSelectors.length === 0) return undefined;
  const { defaultSubset = {}, subsetSelectors: selectors, metadataFallbackPolicy, ...same } = config;
  return { ...same, defaultSubset, selectors, metadataFallbackList: metadataFallbackPolicy === 'FALLBACK_LIST' };
}
