/** The settings of a cluster's load balancer, with the proxy's defaults. */
import { LinearRegex } from '../core/regex/linear-regex.js';
import { MICROS_PER_SECOND, microsToSeconds } from '../core/units.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { LB_DEFAULTS } from '../core/defaults.js';
import { isTablePolicy, type TablePolicySettings, lbPolicyName } from '../policy/registry.js';
import { requestHeader } from '../core/proxy-names.js';
import type * as lbConfig from '../hostset/lb-config.js';
import { type Cluster, namedPolicy, aggregated } from './cluster/cluster-shape.js';
import type { Messages } from './api/generated/read-messages.js';
import { lbPolicyOf, policyOf } from './policy/of-cluster.js';
import * as policies from './policy/policy.js';

/** The proxy's minimum interval between two computations of weights. */
const SHORTEST_WEIGHT_UPDATE_US = 100_000;

/** The policies that choose from a list of hosts; the others are provided by the cluster. */
export const isListedPolicy = (policy: ReturnType<typeof lbPolicyOf>): policy is lbConfig.LbPolicy =>
  policy !== 'CLUSTER_PROVIDED' && policy !== 'ORIGINAL_DST_LB';

/** Below this percentage of available hosts a priority panics; the default filled in. */
export const panicThresholdOf = (cluster: Cluster): number =>
  cluster.commonLbConfig?.healthyPanicThreshold?.value ?? LB_DEFAULTS.healthyPanicThreshold;

/** The policy of a cluster. Of one that provides its balancer itself: that of ROUND_ROBIN, which reports read. */
export function policySettings(cluster: Cluster, version: ProxyVersion): lbConfig.PolicySettings {
  const clientSubset = namedPolicy(cluster)?.clientSubset;
  const inner = withThoseAround(policyOf(cluster), hostPolicy(cluster, version));
  return clientSubset === undefined ? inner : { kind: 'client_subset', ...clientSubset, inner };
}

/** @param leaf the settings of the policy that chooses the host. */
function withThoseAround(policy: policies.Policy, leaf: lbConfig.LoadBalancerConfig): lbConfig.PolicySettings {
  if (!('inner' in policy)) return leaf;
  const inner = withThoseAround(policy.inner, leaf);
  switch (policy.kind) {
    case 'subset':
      return { kind: 'subset', ...subsetConfig(policy), inner };
    case 'override_host': {
      // Simulated requests have no dynamic metadata: such a source is skipped.
      const sources = policy.overrideHostSources.filter(({ header }) => header !== '');
      return { kind: 'override_host', headers: sources.map(({ header }) => requestHeader(header)), inner };
    }
    // Tables are built from all hosts and ignore localities: a locality policy around them has no effect.
    case 'load_aware_locality':
      return isTablePolicy(leaf.lbPolicy)
        ? inner
        : { kind: 'load_aware_locality', ...loadAwareLocality(policy), inner };
    case 'wrr_locality':
      return inner;
  }
}

function hostPolicy(cluster: Cluster, version: ProxyVersion): lbConfig.LoadBalancerConfig {
  const name = lbPolicyOf(cluster);
  const policy = policyOf(cluster);
  const leaf = policies.leafOf(policy);
  const zone = policies.zoneAwareOf(policy);
  const forced = zone?.forceLocalZone;
  const least = leaf.kind === 'least_request' ? leaf : undefined;
  const lbPolicy = isListedPolicy(name) ? name : 'ROUND_ROBIN';
  return {
    kind: 'hosts',
    clusterName: cluster.name,
    version,
    lbPolicy,
    healthyPanicThreshold: panicThresholdOf(cluster),
    failTrafficOnPanic: zone?.failTrafficOnPanic ?? false,
    zoneAware: {
      routingEnabled: zone?.routingEnabled?.value ?? LB_DEFAULTS.routingEnabled,
      minClusterSize: Number(zone?.minClusterSize ?? LB_DEFAULTS.minClusterSize),
      forceLocalZone:
        forced === undefined ? undefined : { minSize: forced.minSize ?? LB_DEFAULTS.forceLocalZoneMinSize },
      localityBasis: zone?.localityBasis,
    },
    localityWeighted: policies.weighsLocalities(policy),
    ...tableSettings(leaf),
    consistentHashing: consistentHashing(cluster, version),
    leastRequest: {
      choiceCount: choiceCountOf(leaf),
      activeRequestBias: (knowsFactors(version) ? least?.activeRequestBias : undefined) ?? ONE,
      selectionMethod: least?.selectionMethod ?? 'N_CHOICES',
    },
    slowStart: slowStartConfig(policies.slowStartOf(leaf)),
    clientSideWeights: leaf.kind === 'client_side_weighted_round_robin' ? clientSideWeights(leaf) : undefined,
  };
}

/** Hosts that LEAST_REQUEST compares for a decision; policies that the proxy has not do as well. */
export const choiceCountOf = (leaf: policies.Leaf): number =>
  (leaf.kind === 'least_request' ? leaf.choiceCount : undefined) ?? LB_DEFAULTS.choiceCount;

export function tableSettings(leaf: policies.Leaf): TablePolicySettings {
  const ring = leaf.kind === 'ring_hash' ? leaf : undefined;
  const maglev = leaf.kind === 'maglev' ? leaf : undefined;
  return {
    ringHash: {
      minimumRingSize: Number(ring?.minimumRingSize ?? LB_DEFAULTS.minimumRingSize),
      maximumRingSize: Number(ring?.maximumRingSize ?? LB_DEFAULTS.maximumRingSize),
      hashFunction: ring?.hashFunction ?? 'XX_HASH',
    },
    maglev: { tableSize: Number(maglev?.tableSize ?? LB_DEFAULTS.maglevTableSize) },
    settings: leaf.kind === 'by_name' ? leaf.settings : {},
  };
}

export function consistentHashing(cluster: Cluster, version: ProxyVersion): lbConfig.ConsistentHashingConfig {
  const hashing = policies.hashingOf(policyOf(cluster));
  return {
    useHostnameForHashing: hashing?.useHostnameForHashing ?? false,
    hashBalanceFactor: knowsFactors(version) ? (hashing?.hashBalanceFactor ?? 0) : 0,
    hashSources: hashing?.hashPolicy?.map(hashSource),
  };
}

/** hash_balance_factor and active_request_bias came with 1.16; older proxies ignore them. */
const knowsFactors = (version: ProxyVersion): boolean => quirksOf(version).knowsBalanceSettings;

/** The name of the policy in reports: the one that chooses the host, after those around it. */
export function policyName(cluster: Cluster): string {
  if (aggregated(cluster) !== undefined) return 'AGGREGATE';
  const outer = policies
    .policiesIn(policyOf(cluster))
    .filter(({ kind }) => kind === 'override_host' || kind === 'load_aware_locality');
  return [...outer.map(({ kind }) => kind.toUpperCase()), lbPolicyName(lbPolicyOf(cluster))].join(' + ');
}

const oobUs = ({ enableOobLoadReport = false, oobReportingPeriod }: OutOfBand): number | undefined =>
  enableOobLoadReport ? (oobReportingPeriod ?? LB_DEFAULTS.oobPeriodUs) : undefined;

type OutOfBand = Pick<policies.LoadAwareLocality, 'enableOobLoadReport' | 'oobReportingPeriod'>;

const clientSideWeights = (config: policies.ReportedWeights): lbConfig.LoadBalancerConfig['clientSideWeights'] => ({
  blackoutUs: config.blackoutPeriod ?? LB_DEFAULTS.blackoutUs,
  expirationUs: config.weightExpirationPeriod ?? LB_DEFAULTS.weightExpirationUs,
  updateUs: Math.max(SHORTEST_WEIGHT_UPDATE_US, config.weightUpdatePeriod ?? LB_DEFAULTS.weightUpdateUs),
  errorPenalty: config.errorUtilizationPenalty ?? LB_DEFAULTS.errorPenalty,
  metricNames: config.metricNamesForComputingUtilization,
  oobUs: oobUs(config),
});

const loadAwareLocality = (config: policies.LoadAwareLocality): lbConfig.LoadAwareLocalityConfig => ({
  updateUs: config.weightUpdatePeriod ?? LB_DEFAULTS.weightUpdateUs,
  metricNames: config.metricNamesForComputingUtilization,
  oobUs: oobUs(config),
  varianceThreshold: config.utilizationVarianceThreshold ?? LB_DEFAULTS.varianceThreshold,
  smoothingUs: config.smoothingTimeConstant ?? LB_DEFAULTS.smoothingUs,
  probeFraction: config.remoteProbeFraction ?? LB_DEFAULTS.probeFraction,
  expirationUs: config.weightExpirationPeriod ?? LB_DEFAULTS.weightExpirationUs,
});

/** One entry of a `hash_policy`. */
export const hashSource = (written: Messages['route.RouteAction.HashPolicy']): lbConfig.HashSource => ({
  ...hashedBy(written),
  terminal: written.terminal,
  written,
});

/** Simulated requests have no filter state: such a source is skipped. */
function hashedBy(policy: Messages['route.RouteAction.HashPolicy']): Omit<lbConfig.HashSource, 'terminal'> {
  const { header, cookie, connectionProperties: connection, queryParameter } = policy;
  if (cookie !== undefined) return { header: 'cookie', cookie: cookie.name, makes: madeCookie(cookie) };
  if (connection !== undefined) return { header: undefined, byAddress: connection.sourceIp };
  if (queryParameter !== undefined) return { header: ':path', query: queryParameter.name };
  const rewrite = header?.regexRewrite;
  return {
    header: header === undefined ? undefined : requestHeader(header.headerName),
    rewrite: rewrite && { regex: new LinearRegex(rewrite.pattern.regex, 're2'), substitution: rewrite.substitution },
  };
}

/** The time in whole seconds, and none where it is 0. */
function madeCookie(cookie: Messages['route.RouteAction.HashPolicy.Cookie']): lbConfig.MadeCookie | undefined {
  const { ttl: ttlUs, path, attributes } = cookie;
  if (ttlUs === undefined) return undefined;
  const seconds = Math.floor(microsToSeconds(ttlUs));
  const age = ttlUs === 0 ? '' : `; Max-Age=${seconds}`;
  const at = path === '' ? '' : `; Path=${path}`;
  const others = attributes.map(({ name, value }) => (value === '' ? `; ${name}` : `; ${name}=${value}`));
  const lifeUs = ttlUs === 0 ? Infinity : seconds * MICROS_PER_SECOND;
  return { lifeUs, attributes: [age, at, ...others, '; HttpOnly'].join('') };
}

const ONE: lbConfig.RuntimeDouble = { defaultValue: 1, runtimeKey: '' };

/** A window of 0 is off. */
function slowStartConfig(
  settings: Partial<Messages['Cluster.SlowStartConfig']> = {},
): lbConfig.SlowStartConfig | undefined {
  const { slowStartWindow = 0, aggression = ONE, minWeightPercent } = settings;
  const windowMs = Math.floor(slowStartWindow / 1000);
  const percent = minWeightPercent?.value ?? LB_DEFAULTS.slowStartMinWeightPercent;
  return windowMs === 0 ? undefined : { windowMs, aggression, minWeightPercent: percent };
}

function subsetConfig(config: policies.Subset): lbConfig.SubsetConfig {
  const { kind: _, inner, defaultSubset = {}, subsetSelectors: selectors, metadataFallbackPolicy, ...same } = config;
  return { ...same, defaultSubset, selectors, metadataFallbackList: metadataFallbackPolicy === 'FALLBACK_LIST' };
}
