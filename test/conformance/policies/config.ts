import type { RuntimeDouble } from '../../../src/core/environment.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import type { LbPolicy, LoadBalancerConfig } from '../../../src/hostset/lb-config.js';
import type { Fields} from '../fields.js';
import { FormatError } from '../fields.js';

const POLICIES: readonly string[] = [
  'ROUND_ROBIN',
  'LEAST_REQUEST',
  'RANDOM',
  'RING_HASH',
  'MAGLEV',
] satisfies LbPolicy[];

/** The few cluster fields that a vector sets, with the proxy's defaults for the rest. */
export function lbConfig(cluster: Fields, version: ProxyVersion): LoadBalancerConfig {
  const policy = cluster.string('lb_policy');
  if (!POLICIES.includes(policy)) throw new FormatError(`unknown lb_policy ${JSON.stringify(policy)}`);
  const common = cluster.optionalObject('common_lb_config');
  const zone = common?.optionalObject('zone_aware_lb_config');
  const hashing = common?.optionalObject('consistent_hashing_lb_config');
  const localities = common?.optionalObject('locality_weighted_lb_config');
  const ring = cluster.optionalObject('ring_hash_lb_config');
  const maglev = cluster.optionalObject('maglev_lb_config');
  const least = cluster.optionalObject('least_request_lb_config');
  const robin = cluster.optionalObject('round_robin_lb_config');
  const slow = least?.optionalObject('slow_start_config') ?? robin?.optionalObject('slow_start_config');
  const config: LoadBalancerConfig = {
    clusterName: 'cluster',
    version,
    lbPolicy: policy as LbPolicy,
    healthyPanicThreshold: percent(common, 'healthy_panic_threshold', 50),
    failTrafficOnPanic: zone?.optionalBoolean('fail_traffic_on_panic') ?? false,
    zoneAware: {
      routingEnabled: percent(zone, 'routing_enabled', 100),
      minClusterSize: zone?.optionalNumber('min_cluster_size') ?? 6,
    },
    localityWeighted: localities !== undefined,
    ringHash: {
      minimumRingSize: ring?.optionalNumber('minimum_ring_size') ?? 1024,
      maximumRingSize: ring?.optionalNumber('maximum_ring_size') ?? 8388608,
      hashFunction: hashFunction(ring?.optionalString('hash_function') ?? 'XX_HASH'),
    },
    maglev: { tableSize: maglev?.optionalNumber('table_size') ?? 65537 },
    consistentHashing: {
      useHostnameForHashing: hashing?.optionalBoolean('use_hostname_for_hashing') ?? false,
      hashBalanceFactor: hashing?.optionalNumber('hash_balance_factor') ?? 0,
    },
    leastRequest: {
      choiceCount: least?.optionalNumber('choice_count') ?? 2,
      activeRequestBias: runtimeDouble(least?.optionalObject('active_request_bias'), 1),
      selectionMethod: selectionMethod(least?.optionalString('selection_method') ?? 'N_CHOICES'),
    },
    slowStart: slow && {
      windowMs: seconds(slow.string('slow_start_window')) * 1000,
      aggression: runtimeDouble(slow.optionalObject('aggression'), 1),
      minWeightPercent: percent(slow, 'min_weight_percent', 10),
    },
    subset: undefined,
  };
  for (const fields of [cluster, common, zone, hashing, localities, ring, maglev, least, robin, slow]) fields?.end();
  return config;
}

function percent(fields: Fields | undefined, key: string, otherwise: number): number {
  const message = fields?.optionalObject(key);
  if (message === undefined) return otherwise;
  const value = message.optionalNumber('value') ?? 0;
  message.end();
  return value;
}

function runtimeDouble(fields: Fields | undefined, otherwise: number): RuntimeDouble {
  const value: RuntimeDouble = {
    defaultValue: fields?.optionalNumber('default_value') ?? otherwise,
    runtimeKey: fields?.optionalString('runtime_key') ?? '',
  };
  fields?.end();
  return value;
}

function hashFunction(name: string): 'XX_HASH' | 'MURMUR_HASH_2' {
  if (name === 'XX_HASH' || name === 'MURMUR_HASH_2') return name;
  throw new FormatError(`unknown hash_function ${JSON.stringify(name)}`);
}

function selectionMethod(name: string): 'N_CHOICES' | 'FULL_SCAN' {
  if (name === 'N_CHOICES' || name === 'FULL_SCAN') return name;
  throw new FormatError(`unknown selection_method ${JSON.stringify(name)}`);
}

function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(text);
  if (match === null) throw new FormatError(`unknown duration ${JSON.stringify(text)}`);
  return Number(match[1]);
}
