import type { ObservedCause } from '../../src/analysis/observe/causes.js';

/** The configuration that is handed in is changed, so that the proxy, which had the other one, does not do what it says. */
export interface Plant {
  readonly scenario: unknown;
  /** What is to be found. */
  readonly kinds: readonly ObservedCause['kind'][];
  /** The host or the zone; undefined: of the cluster. */
  readonly of?: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;
/** undefined: there is nothing of this kind in it. */
type Planted = (scenario: Json, chosen: <One>(all: readonly One[]) => One | undefined) => Plant | undefined;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value);

/** Every object in it that `edit` changes; the same where it returns undefined, gone where it returns null. */
function edited(value: unknown, edit: (one: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => edited(one, edit)).filter((one) => one !== null);
  if (!isObject(value)) return value;
  const found = edit(value);
  if (found !== undefined) return found;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, edited(one, edit)]));
}

function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

function addressOf(endpoint: Json): string | undefined {
  const socket = at(endpoint, 'endpoint', 'address', 'socket_address');
  const [ip, port] = [at(socket, 'address'), at(socket, 'port_value')];
  return typeof ip === 'string' && typeof port === 'number' ? `${ip}:${port}` : undefined;
}

/** Of the clusters that requests are sent to: not those of the proxies themselves. */
function endpointsIn(scenario: Json): readonly Json[] {
  const names = new Set(listIn(scenario['workloads']).map((one) => at(one, 'cluster')));
  const clusters = listIn(scenario['clusters']).filter((one) => names.has(at(one, 'name')));
  return objectsIn([clusters, scenario['assignments']]).filter((one) => addressOf(one) !== undefined);
}

const ofHost =
  (
    kinds: Plant['kinds'],
    edit: (endpoint: Json) => unknown,
    isMeant: (endpoint: Json) => boolean = () => true,
  ): Planted =>
  (scenario, chosen) => {
    const endpoint = chosen(endpointsIn(scenario).filter(isMeant));
    const of = endpoint && addressOf(endpoint);
    if (of === undefined) return undefined;
    const changed = edited(scenario, (one) => (addressOf(one) === of ? edit(one) : undefined));
    return { scenario: changed, kinds, of };
  };

/** Of each cluster with requests. */
const ofCluster =
  (kinds: Plant['kinds'], edit: (cluster: Json) => Json | undefined): Planted =>
  (scenario) => {
    const names = new Set(listIn(scenario['workloads']).map((one) => at(one, 'cluster')));
    const all = listIn(scenario['clusters']);
    const clusters = all.map((one) => (isObject(one) && names.has(one['name']) ? (edit(one) ?? one) : one));
    return clusters.every((one, index) => one === all[index])
      ? undefined
      : { scenario: { ...scenario, clusters }, kinds };
  };

const ofCommon = (kinds: Plant['kinds'], edit: (common: Json) => Json | undefined): Planted =>
  ofCluster(kinds, (cluster) => {
    const common = cluster['common_lb_config'];
    const changed = edit(isObject(common) ? common : {});
    return changed && { ...cluster, common_lb_config: changed };
  });

const isHealthy = (endpoint: Json): boolean =>
  ['HEALTHY', 'UNKNOWN', undefined].includes(endpoint['health_status'] as string);
const weightIn = (endpoint: Json): number => Number(endpoint['load_balancing_weight'] ?? 1);

const LISTS = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'];
const TABLES = ['RING_HASH', 'MAGLEV'];

export const PLANTS: Readonly<Record<string, Planted>> = {
  'a weight of a host': ofHost(['weight'], (one) => ({ ...one, load_balancing_weight: weightIn(one) > 1 ? 1 : 4 })),
  'a host that is healthy': ofHost(['health'], (one) => ({ ...one, health_status: 'UNHEALTHY' }), isHealthy),
  'a host that is unhealthy': ofHost(
    ['health'],
    (one) => ({ ...one, health_status: 'HEALTHY' }),
    (one) => !isHealthy(one),
  ),
  'a host that the file lacks': (scenario, chosen) =>
    endpointsIn(scenario).length < 2 ? undefined : ofHost(['added'], () => null)(scenario, chosen),
  'a host that the proxy lacks': (scenario, chosen) => {
    const like = chosen(endpointsIn(scenario).filter(isHealthy));
    const of = '127.0.77.1:7777';
    const socket = { socket_address: { address: '127.0.77.1', port_value: 7777 } };
    const changed = edited(scenario, (one) => {
      const list = listIn(one['lb_endpoints']);
      const found = list.find(
        (endpoint) => like !== undefined && isObject(endpoint) && addressOf(endpoint) === addressOf(like),
      );
      if (!isObject(found)) return undefined;
      return { ...one, lb_endpoints: [...list, { ...found, endpoint: { address: socket } }] };
    });
    return like && { scenario: changed, kinds: ['removed'], of };
  },
  'the weight of a locality': (scenario, chosen) => {
    if (!JSON.stringify(scenario).includes('locality_weighted_lb_config')) return undefined;
    const group = chosen(
      objectsIn(scenario).filter(
        (one) => one['lb_endpoints'] !== undefined && one['load_balancing_weight'] !== undefined,
      ),
    );
    if (group === undefined) return undefined;
    const key = JSON.stringify(group);
    const changed = edited(scenario, (one) =>
      JSON.stringify(one) === key ? { ...one, load_balancing_weight: weightIn(one) > 1 ? 1 : 4 } : undefined,
    );
    const zone = at(group, 'locality', 'zone');
    return { scenario: changed, kinds: ['zone_weight'], of: typeof zone === 'string' ? zone : '' };
  },
  'the policy': (scenario, chosen) => {
    const other = chosen([0, 1]) ?? 0;
    return ofCluster(['policy'], (cluster) => {
      const own = cluster['lb_policy'] ?? 'ROUND_ROBIN';
      const alike = [LISTS, TABLES].find((list) => list.some((one) => one === own))?.filter((one) => one !== own);
      const lbPolicy = alike?.[other % alike.length];
      return lbPolicy === undefined || 'load_balancing_policy' in cluster
        ? undefined
        : { ...cluster, lb_policy: lbPolicy };
    })(scenario, chosen);
  },
  'the version': (scenario, chosen) => {
    const version = chosen(['1.12', '1.17', '1.30']);
    const proxies = listIn(scenario['proxies']).map((one) => ({ ...(isObject(one) ? one : {}), version }));
    return { scenario: { ...scenario, proxies }, kinds: ['version'] };
  },
  'the number of workers': (scenario) => {
    const proxies = listIn(scenario['proxies']).map((one) => {
      return { ...(isObject(one) ? one : {}), workers: Number(at(one, 'workers') ?? 1) > 1 ? 1 : 4 };
    });
    return { scenario: { ...scenario, proxies }, kinds: ['workers'] };
  },
  retries: (scenario) => {
    if (!JSON.stringify(scenario).includes('"retry_policy"')) return undefined;
    const workloads = listIn(scenario['workloads']).map((one) => ({
      ...(isObject(one) ? one : {}),
      retry_policy: undefined,
    }));
    return {
      scenario: { ...scenario, workloads: JSON.parse(JSON.stringify(workloads)) as unknown },
      kinds: ['retried', 'hosts_retried'],
    };
  },
  'weights of localities in use': ofCommon(['locality_weights'], (common) => {
    const { locality_weighted_lb_config: config, ...rest } = common;
    const { zone_aware_lb_config: zone, ...others } = rest;
    return config !== undefined
      ? rest
      : zone === undefined
        ? { ...others, locality_weighted_lb_config: {} }
        : undefined;
  }),
  'routing by zone': ofCommon(['zone_routing'], (common) => {
    const zone = common['zone_aware_lb_config'];
    if (!isObject(zone)) return undefined;
    const isOff = at(zone, 'routing_enabled', 'value') === 0;
    return { ...common, zone_aware_lb_config: { ...zone, routing_enabled: { value: isOff ? 100 : 0 } } };
  }),
  'the zone of the proxy': (scenario, chosen) => {
    const zones = [...new Set(objectsIn(scenario['clusters']).flatMap((one) => at(one, 'locality', 'zone') ?? []))];
    const own = at(listIn(scenario['proxies'])[0], 'node', 'locality', 'zone');
    const zone = chosen(zones.filter((one) => one !== own));
    if (zone === undefined || own === undefined || !JSON.stringify(scenario).includes('local_cluster_name'))
      return undefined;
    const proxies = edited(scenario['proxies'], (one) => (one['zone'] === own ? { ...one, zone } : undefined));
    return { scenario: { ...scenario, proxies }, kinds: ['proxy_zone'] };
  },
  panic: ofCommon(['panic'], (common) => {
    const value = Number(at(common['healthy_panic_threshold'], 'value') ?? 50);
    return { ...common, healthy_panic_threshold: { value: value === 0 ? 100 : 0 } };
  }),
  'the fallback of subsets': ofCluster(['fallback'], (cluster) => {
    const subsets = cluster['lb_subset_config'];
    if (!isObject(subsets)) return undefined;
    const policy = subsets['fallback_policy'] === 'ANY_ENDPOINT' ? 'NO_FALLBACK' : 'ANY_ENDPOINT';
    return { ...cluster, lb_subset_config: { ...subsets, fallback_policy: policy } };
  }),
  keys: (scenario) => {
    const workloads = listIn(scenario['workloads']).map((one) =>
      at(one, 'hash_key', 'cycle') === undefined
        ? one
        : { ...(isObject(one) ? one : {}), hash_key: { uniform: { keys: 100_000 } } },
    );
    const changed = { ...scenario, workloads };
    return JSON.stringify(changed) === JSON.stringify(scenario)
      ? undefined
      : { scenario: changed, kinds: ['heavy_key'] };
  },
};
