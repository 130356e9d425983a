import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cluster as ClusterMessage, clusterIn } from '../../src/config/cluster/cluster.js';
import { policySettings } from '../../src/config/lb.js';
import { policyOf } from '../../src/config/policy/of-cluster.js';
import { clusterSettings } from '../../src/config/to-settings.js';
import { clusterJson, withPolicy } from '../../src/config/write-cluster.js';
import type { Cluster } from '../../src/config/cluster/cluster-shape.js';
import { withoutField, type Struct } from '../../src/core/values.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import type { ClusterSettings } from '../../src/settings/cluster-settings.js';
import { read as readText } from './reader/support.js';

/** What is read of a cluster of v3 is written so that it is read as the same; older fields mean what their policy means. */

const PACKAGE = 'type.googleapis.com/envoy.extensions.load_balancing_policies';

/** Some of these fields, each with one of its values. */
function some(fields: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<object> {
  const arbitraries = Object.entries(fields).map(([name, values]) => [name, fc.constantFrom(...values)] as const);
  return fc.record(Object.fromEntries(arbitraries), { requiredKeys: [] });
}

const SLOW_START = { slow_start_config: [{ slow_start_window: '3s' }, { min_weight_percent: { value: 20 } }] };
const LOCALITIES = {
  locality_lb_config: [
    {},
    { locality_weighted_lb_config: {} },
    { zone_aware_lb_config: { routing_enabled: { value: 40 }, force_local_zone: { min_size: 2 } } },
    { zone_aware_lb_config: { force_locality_direct_routing: true, fail_traffic_on_panic: true } },
  ],
};
const TABLES = {
  locality_weighted_lb_config: [{}],
  consistent_hashing_lb_config: [
    {},
    { use_hostname_for_hashing: true, hash_balance_factor: 120 },
    { hash_policy: [{ header: { header_name: 'x-key' }, terminal: true }] },
  ],
};
const REPORTED = {
  weight_update_period: ['2s'],
  weight_expiration_period: ['60s'],
  metric_names_for_computing_utilization: [['named_metrics.queue']],
};

const SETTINGS = {
  'round_robin.v3.RoundRobin': { ...SLOW_START, ...LOCALITIES },
  'least_request.v3.LeastRequest': {
    ...{ choice_count: [1, 2, 5], selection_method: ['FULL_SCAN', 'N_CHOICES'], ...SLOW_START, ...LOCALITIES },
    active_request_bias: [{ default_value: 2, runtime_key: 'b' }],
  },
  'random.v3.Random': LOCALITIES,
  'ring_hash.v3.RingHash': {
    ...{ minimum_ring_size: [8], maximum_ring_size: [4096], hash_balance_factor: [150], ...TABLES },
    hash_function: ['DEFAULT_HASH', 'XX_HASH', 'MURMUR_HASH_2'],
  },
  'maglev.v3.Maglev': { table_size: [101], ...TABLES },
  'client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin': {
    ...{ blackout_period: ['1s'], error_utilization_penalty: [0.5], ...REPORTED, ...SLOW_START },
  },
};

type Message = keyof typeof SETTINGS;

function listOf(message: string, settings: object): object {
  const config = { '@type': `${PACKAGE}.${message}`, ...settings };
  return { policies: [{ typed_extension_config: { name: message, typed_config: config } }] };
}

const leaf = (messages: readonly Message[]): fc.Arbitrary<object> =>
  fc.constantFrom(...messages).chain((message) => some(SETTINGS[message]).map((settings) => listOf(message, settings)));

const around = (message: string, fields: fc.Arbitrary<object>, field: string, inner: fc.Arbitrary<object>) =>
  fc.tuple(fields, inner).map(([settings, inside]) => listOf(message, { ...settings, [field]: inside }));

const MESSAGES = Object.keys(SETTINGS) as readonly Message[];
const anyLeaf = leaf(MESSAGES);
const wrr = around(
  'wrr_locality.v3.WrrLocality',
  fc.constant({}),
  'endpoint_picking_policy',
  leaf(['client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin']),
);
const subsets = {
  fallback_policy: ['NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'],
  default_subset: [{ v: '1' }, {}],
  subset_selectors: [
    [],
    [{ keys: ['v'] }],
    [{ keys: ['v', 's'], fallback_policy: 'KEYS_SUBSET', fallback_keys_subset: ['v'] }],
  ],
  locality_weight_aware: [true],
  scale_locality_weight: [true],
  metadata_fallback_policy: ['FALLBACK_LIST'],
};
const subset = around('subset.v3.Subset', some(subsets), 'subset_lb_policy', fc.oneof(anyLeaf, wrr));
const aware = around(
  'load_aware_locality.v3.LoadAwareLocality',
  some({ ...REPORTED, utilization_variance_threshold: [0.2], smoothing_time_constant: ['9s'] }),
  'endpoint_picking_policy',
  anyLeaf,
);
const named = around(
  'override_host.v3.OverrideHost',
  fc.constant({ override_host_sources: [{ header: 'x-host' }] }),
  'fallback_policy',
  fc.oneof(anyLeaf, wrr, subset, aware),
);
const policy = fc.oneof(anyLeaf, wrr, subset, aware, named);

const others = some({
  connect_timeout: ['1s'],
  alt_stat_name: ['other'],
  common_lb_config: [{ healthy_panic_threshold: { value: 30 } }, { update_merge_window: '0.5s' }],
  outlier_detection: [{ consecutive_5xx: 3 }],
  circuit_breakers: [{ thresholds: [{ max_requests: 5 }] }],
});

function read(message: Struct): Cluster {
  const cluster = clusterIn(message);
  if (cluster === undefined) throw new Error(`refused: ${JSON.stringify(message)}`);
  return cluster;
}

it('a cluster of v3 is read as the same once it was written', () => {
  fc.assert(
    fc.property(policy, others, (typed, fields) => {
      const cluster = read({ name: 'a', ...fields, load_balancing_policy: typed } as Struct);
      expect(read(clusterJson(cluster, 'v3'))).toEqual(cluster);
    }),
    { numRuns: 200 },
  );
});

/** All that the engine is told of a cluster. */
function settingsOf(cluster: Cluster): Omit<ClusterSettings, 'message'> {
  return withoutField(clusterSettings(cluster, PROXY_VERSIONS), 'message');
}

/** The message of v3 that says in a `load_balancing_policy` alone how the cluster balances. */
function twinOf(cluster: Cluster): Cluster {
  return read(withPolicy(clusterJson(cluster, 'v3'), policyOf(cluster)));
}

it('a cluster of v3 gives the same settings once its policy was written anew', () => {
  fc.assert(
    fc.property(policy, others, (typed, fields) => {
      const cluster = read({ name: 'a', ...fields, load_balancing_policy: typed } as Struct);
      expect(settingsOf(twinOf(cluster))).toEqual(settingsOf(cluster));
    }),
    { numRuns: 200 },
  );
});

describe('a cluster of v2', () => {
  const slow = { slow_start_config: [{ slow_start_window: '3s' }] };
  type Blocks = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  const own: Readonly<Record<string, Blocks>> = {
    ROUND_ROBIN: { round_robin_lb_config: slow },
    LEAST_REQUEST: { least_request_lb_config: { choice_count: [2, 5], selection_method: ['FULL_SCAN'], ...slow } },
    RANDOM: {},
    RING_HASH: { ring_hash_lb_config: { minimum_ring_size: [8], hash_function: ['XX_HASH', 'MURMUR_HASH_2'] } },
    MAGLEV: { maglev_lb_config: { table_size: [101] } },
  };
  const cluster = fc.constantFrom(...Object.entries(own)).chain(([name, blocks]) =>
    fc
      .tuple(
        fc.record(Object.fromEntries(Object.entries(blocks).map(([block, fields]) => [block, some(fields)]))),
        some({
          healthy_panic_threshold: [{ value: 30 }],
          consistent_hashing_lb_config: [{ hash_balance_factor: 120 }],
          update_merge_window: ['0s'],
        }),
        // A cluster has one of the two.
        fc.constantFrom<object>(
          {},
          { locality_weighted_lb_config: {} },
          { zone_aware_lb_config: { routing_enabled: { value: 40 }, fail_traffic_on_panic: true } },
        ),
        some({ lb_subset_config: [{}, { subset_selectors: [{ keys: ['v'] }] }, { panic_mode_any: true }] }),
        others,
      )
      .map(([settings, common, localities, subsets, more]) => ({
        ...{ name: 'a', lb_policy: name, connect_timeout: '1s', ...more, ...settings, ...subsets },
        common_lb_config: { ...common, ...localities },
      })),
  );

  it('and its twin of v3 give the same settings', () => {
    fc.assert(
      fc.property(cluster, (message) => {
        const { value, problems } = readText(ClusterMessage, JSON.stringify(message));
        if (value === undefined) throw new Error(problems[0]?.message);
        expect(settingsOf(twinOf(value))).toEqual(settingsOf(value));
      }),
      { numRuns: 200 },
    );
  });
});

describe('older fields of a cluster mean what the policy of v3 means', () => {
  const zones = { routing_enabled: { value: 40 }, min_cluster_size: '3', fail_traffic_on_panic: true };
  const bias = { default_value: 2, runtime_key: 'b' };
  const slow = { slow_start_config: { slow_start_window: '3s', aggression: { default_value: 2, runtime_key: 'a' } } };
  const hashing = { use_hostname_for_hashing: true, hash_balance_factor: 120 };
  const weighted = { locality_weighted_lb_config: {} };
  const ring = { minimum_ring_size: 8, maximum_ring_size: 64, hash_function: 'MURMUR_HASH_2' };
  const divided = { fallback_policy: 'ANY_ENDPOINT', subset_selectors: [{ keys: ['v'] }], list_as_any: true };
  const named = { type: 'STRICT_DNS', lb_policy: 'MAGLEV', maglev_lb_config: { table_size: 101 } };

  it.each<readonly [older: object, message: string, settings: object]>([
    [
      { round_robin_lb_config: slow, common_lb_config: weighted },
      'round_robin.v3.RoundRobin',
      { ...slow, locality_lb_config: weighted },
    ],
    [
      { lb_policy: 'LEAST_REQUEST', least_request_lb_config: { choice_count: 3, active_request_bias: bias, ...slow } },
      'least_request.v3.LeastRequest',
      { choice_count: 3, active_request_bias: bias, ...slow },
    ],
    [
      { lb_policy: 'RANDOM', common_lb_config: { zone_aware_lb_config: zones } },
      'random.v3.Random',
      { locality_lb_config: { zone_aware_lb_config: zones } },
    ],
    [
      { lb_policy: 'RING_HASH', ring_hash_lb_config: ring, common_lb_config: weighted },
      'ring_hash.v3.RingHash',
      { ...ring, ...weighted },
    ],
    [
      { ...named, common_lb_config: { consistent_hashing_lb_config: hashing } },
      'maglev.v3.Maglev',
      { table_size: 101, consistent_hashing_lb_config: hashing },
    ],
    [
      { lb_policy: 'RANDOM', lb_subset_config: divided },
      'subset.v3.Subset',
      { ...divided, subset_lb_policy: listOf('random.v3.Random', {}) },
    ],
    // Without selectors there are no subsets; the type Subset would make one of all.
    [{ lb_subset_config: { fallback_policy: 'ANY_ENDPOINT' } }, 'round_robin.v3.RoundRobin', {}],
  ])('%j', (older, message, settings) => {
    const one = read({ name: 'a', ...older });
    const other = read({ name: 'a', load_balancing_policy: listOf(message, settings) } as Struct);
    expect(policyOf(one)).toEqual(policyOf(other));
    expect(policySettings(one, '1.40')).toEqual(policySettings(other, '1.40'));
    // What is written of the one is the other.
    const written = read(withPolicy(clusterJson(one, 'v3'), policyOf(one)));
    expect(written.loadBalancingPolicy).toEqual(other.loadBalancingPolicy);
  });
});
