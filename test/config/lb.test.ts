import { describe, expect, test } from 'vitest';
import { leafOf, type LoadBalancerConfig, type PolicySettings } from '../../src/hostset/lb-config.js';
import type { ProxyVersion } from '../../src/core/version.js';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { defaultOf } from '../../src/core/defaults.js';
import { DEFAULT_OVERPROVISIONING_FACTOR } from '../../src/hostset/host-set.js';
import { isListedPolicy, policySettings } from '../../src/config/lb.js';
import { maglev } from '../../src/policy/maglev.js';
import { read } from './reader/support.js';
import { EVERYTHING, staticCluster } from './samples.js';

function configOf(yaml: string, version: ProxyVersion = '1.17'): LoadBalancerConfig {
  return leafOf(settingsOf(yaml, version));
}

function settingsOf(yaml: string, version: ProxyVersion = '1.17'): PolicySettings {
  const { value, problems } = read(Cluster, yaml);
  if (value === undefined) throw new Error(problems[0]?.message);
  return policySettings(value, version);
}

test('defaults are the proxy’s', () => {
  expect(settingsOf(staticCluster())).toEqual({
    kind: 'hosts',
    clusterName: 'a',
    version: '1.17',
    lbPolicy: 'ROUND_ROBIN',
    healthyPanicThreshold: 50,
    failTrafficOnPanic: false,
    zoneAware: { routingEnabled: 100, minClusterSize: 6, forceLocalZone: undefined, localityBasis: undefined },
    localityWeighted: false,
    ringHash: { minimumRingSize: 1024, maximumRingSize: 8388608, hashFunction: 'XX_HASH' },
    maglev: { tableSize: 65537 },
    consistentHashing: { useHostnameForHashing: false, hashBalanceFactor: 0 },
    leastRequest: {
      choiceCount: 2,
      activeRequestBias: { defaultValue: 1, runtimeKey: '' },
      selectionMethod: 'N_CHOICES',
    },
    slowStart: undefined,
    settings: {},
  });
});

test('the overprovisioning factor of host sets is that of the API', () => {
  expect(DEFAULT_OVERPROVISIONING_FACTOR).toBe(defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'));
});

test('what is set is taken over', () => {
  expect(settingsOf(EVERYTHING)).toMatchObject({
    kind: 'subset',
    fallbackPolicy: 'DEFAULT_SUBSET',
    defaultSubset: { version: '1.0' },
    selectors: [{ keys: ['version', 'stage'], fallbackPolicy: 'KEYS_SUBSET', fallbackKeysSubset: ['version'] }],
    panicModeAny: true,
    listAsAny: true,
    metadataFallbackList: false,
    inner: {
      lbPolicy: 'RING_HASH',
      healthyPanicThreshold: 33.7,
      localityWeighted: true,
      ringHash: { minimumRingSize: 1024, maximumRingSize: 2048, hashFunction: 'MURMUR_HASH_2' },
      consistentHashing: { useHostnameForHashing: true, hashBalanceFactor: 125 },
    },
  });
});

test('a panic threshold of 0 is 0, not the default', () => {
  expect(configOf(staticCluster('common_lb_config: {healthy_panic_threshold: {}}')).healthyPanicThreshold).toBe(0);
});

test('subsets without selectors are none', () => {
  expect(settingsOf(staticCluster('lb_subset_config: {fallback_policy: ANY_ENDPOINT}')).kind).toBe('hosts');
});

describe('zone awareness', () => {
  test('reads all of its block', () => {
    const block =
      'common_lb_config: {zone_aware_lb_config: {routing_enabled: {value: 10}, min_cluster_size: "3", ' +
      'fail_traffic_on_panic: true, force_local_zone: {}, locality_basis: HEALTHY_HOSTS_WEIGHT}}';
    expect(configOf(staticCluster(block))).toMatchObject({
      failTrafficOnPanic: true,
      zoneAware: {
        routingEnabled: 10,
        minClusterSize: 3,
        forceLocalZone: { minSize: 1 },
        localityBasis: 'HEALTHY_HOSTS_WEIGHT',
      },
    });
  });
});

describe('slow start', () => {
  const block = '{slow_start_config: {slow_start_window: 60s, aggression: {default_value: 2, runtime_key: k}}}';

  test('is of the policy in use', () => {
    expect(configOf(staticCluster(`round_robin_lb_config: ${block}`)).slowStart).toEqual({
      windowMs: 60_000,
      aggression: { defaultValue: 2, runtimeKey: 'k' },
      minWeightPercent: 10,
    });
    expect(
      configOf(staticCluster(`lb_policy: LEAST_REQUEST\nleast_request_lb_config: ${block}`)).slowStart?.windowMs,
    ).toBe(60_000);
    expect(configOf(staticCluster(`lb_policy: MAGLEV\nround_robin_lb_config: ${block}`)).slowStart).toBeUndefined();
  });

  test('without a window is off', () => {
    expect(configOf(staticCluster('round_robin_lb_config: {slow_start_config: {}}')).slowStart).toBeUndefined();
  });
});

describe('what older proxies do not know they pass over', () => {
  const fields =
    'lb_policy: MAGLEV\nmaglev_lb_config: {table_size: 101}\n' +
    'common_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 120}}';

  test.each([
    ['1.14', 65537, 0],
    ['1.17', 101, 120],
    ['1.40', 101, 120],
  ] as const)('%s', (version, tableSize, hashBalanceFactor) => {
    const config = configOf(staticCluster(fields), version);
    expect(maglev.configOf(config, version).tableSize).toBe(tableSize);
    expect(config.consistentHashing.hashBalanceFactor).toBe(hashBalanceFactor);
  });
});

test('a policy that the cluster provides has no such configuration', () => {
  expect(isListedPolicy('CLUSTER_PROVIDED')).toBe(false);
  expect(isListedPolicy('ORIGINAL_DST_LB')).toBe(false);
  expect(isListedPolicy('RANDOM')).toBe(true);
});
