import type { Struct } from '../../../src/core/values.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import type {
  LoadBalancerConfig,
  PolicySettings,
  SelectorFallbackPolicy,
  SubsetConfig,
  SubsetFallbackPolicy,
  SubsetSelector,
  ZoneAwareConfig,
} from '../../../src/hostset/lb-config.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';

const POLICIES = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'] as const;
const LOCALITY_BASES = ['HEALTHY_HOSTS_NUM', 'HEALTHY_HOSTS_WEIGHT'] as const;
const FALLBACKS: readonly SubsetFallbackPolicy[] = ['NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'];
const SELECTOR_FALLBACKS: readonly SelectorFallbackPolicy[] = ['NOT_DEFINED', ...FALLBACKS, 'KEYS_SUBSET'];

/** Reads a vector's `config`: those fields of a v2 cluster that decide a pick, with the proxy's defaults. */
export function readClusterConfig(config: Fields, version: ProxyVersion): PolicySettings {
  const common = config.optionalObject('common_lb_config');
  const zoneAware = common?.optionalObject('zone_aware_lb_config');
  const localityWeighted = common?.optionalObject('locality_weighted_lb_config');
  const inner: LoadBalancerConfig = {
    kind: 'hosts',
    clusterName: 'cluster',
    version,
    lbPolicy: oneOf(POLICIES, config.optionalString('lb_policy') ?? 'ROUND_ROBIN', 'lb_policy'),
    healthyPanicThreshold: percent(common, 'healthy_panic_threshold', 50),
    failTrafficOnPanic: zoneAware?.optionalBoolean('fail_traffic_on_panic') ?? false,
    zoneAware: readZoneAware(zoneAware),
    localityWeighted: localityWeighted !== undefined,
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
  const subset = readSubset(config.optionalObject('lb_subset_config'));
  for (const fields of [localityWeighted, zoneAware, common, config]) fields?.end();
  return subset === undefined ? inner : { kind: 'subset', ...subset, inner };
}

function readZoneAware(fields: Fields | undefined): ZoneAwareConfig {
  const force = fields?.optionalObject('force_local_zone');
  const basis = fields?.optionalString('locality_basis') ?? 'HEALTHY_HOSTS_NUM';
  const read: ZoneAwareConfig = {
    routingEnabled: percent(fields, 'routing_enabled', 100),
    minClusterSize: fields?.optionalNumber('min_cluster_size') ?? 6,
    forceLocalZone: force === undefined ? undefined : { minSize: force.optionalNumber('min_size') ?? 1 },
    localityBasis: oneOf(LOCALITY_BASES, basis, 'locality_basis'),
  };
  force?.end();
  return read;
}

function readSubset(fields: Fields | undefined): SubsetConfig | undefined {
  if (fields === undefined) return undefined;
  const fallback = fields.optionalString('metadata_fallback_policy') ?? 'METADATA_NO_FALLBACK';
  const read: SubsetConfig = {
    fallbackPolicy: oneOf(FALLBACKS, fields.optionalString('fallback_policy') ?? 'NO_FALLBACK', 'fallback_policy'),
    defaultSubset: readStruct(fields, 'default_subset') ?? {},
    selectors: fields.optionalObjects('subset_selectors').map(readSelector),
    localityWeightAware: fields.optionalBoolean('locality_weight_aware') ?? false,
    scaleLocalityWeight: fields.optionalBoolean('scale_locality_weight') ?? false,
    panicModeAny: fields.optionalBoolean('panic_mode_any') ?? false,
    listAsAny: fields.optionalBoolean('list_as_any') ?? false,
    metadataFallbackList:
      oneOf(['METADATA_NO_FALLBACK', 'FALLBACK_LIST'], fallback, 'metadata_fallback_policy') === 'FALLBACK_LIST',
    allowRedundantKeys: fields.optionalBoolean('allow_redundant_keys') ?? false,
  };
  fields.end();
  return read;
}

function readSelector(fields: Fields): SubsetSelector {
  const policy = fields.optionalString('fallback_policy') ?? 'NOT_DEFINED';
  const read: SubsetSelector = {
    keys: fields.strings('keys'),
    fallbackPolicy: oneOf(SELECTOR_FALLBACKS, policy, 'fallback_policy'),
    fallbackKeysSubset: fields.optionalStrings('fallback_keys_subset') ?? [],
    singleHostPerSubset: fields.optionalBoolean('single_host_per_subset') ?? false,
  };
  fields.end();
  return read;
}

/** JSON is a Struct as it is. */
export function readStruct(fields: Fields, key: string): Struct | undefined {
  return fields.optionalObject(key) === undefined ? undefined : (fields.unknown(key) as Struct);
}

/** `{"value": n}`. */
function percent(fields: Fields | undefined, key: string, otherwise: number): number {
  const value = fields?.optionalObject(key);
  if (value === undefined) return otherwise;
  const read = value.number('value');
  value.end();
  return read;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, what: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new FormatError(`${what}: unknown value ${JSON.stringify(value)}`);
  return found;
}
