/**
 * Random valid scenarios in v3: those of `random-scenario.ts` with typed policies, aggregate clusters and what else v2
 * has no words for.
 */
import type { ScenarioValue } from './random-scenario.js';
import { Dice, randomScenario } from './random-scenario.js';

const TYPE = 'type.googleapis.com/envoy.extensions';
const POLICIES = `${TYPE}.load_balancing_policies`;
const RAW = {
  name: 'envoy.transport_sockets.raw_buffer',
  typed_config: { '@type': `${TYPE}.transport_sockets.raw_buffer.v3.RawBuffer` },
};
const AGGREGATE = 'all';

interface Parts extends ScenarioValue {
  readonly clusters: readonly ScenarioValue[];
  readonly proxies: readonly ScenarioValue[];
  readonly behavior: readonly ScenarioValue[];
  readonly workloads: readonly ScenarioValue[];
  readonly timeline: readonly ScenarioValue[];
}

export function modernScenario(seed: number): ScenarioValue {
  const dice = new Dice(seed ^ 0x5eed);
  const value = randomScenario(seed) as Parts;
  const isLocal = value.proxies.some((one) => one['local_cluster_name'] !== undefined);
  const clusters = value.clusters.map((cluster) => modernCluster(dice, cluster, !isLocal));
  const members = clusters.filter(({ type }) => type !== 'ORIGINAL_DST').map(({ name }) => String(name));
  const aggregated = members.length > 0 && dice.chance(0.5);
  return {
    ...value,
    api: 'v3',
    proxies: value.proxies.map((one) => ({ ...one, version: dice.chance(0.8) ? '1.40' : one['version'] })),
    clusters: aggregated ? [...clusters, aggregate(dice, members)] : clusters,
    behavior: [
      ...value.behavior,
      { load_report: loadReport(dice) },
      ...dice.list(0, 2, () => ({ hosts: { zone: dice.pick(['a', 'b', 'c']) }, load_report: loadReport(dice) })),
    ],
    workloads: value.workloads.map((one) => ({
      ...one,
      ...(aggregated && one['route'] === undefined ? dice.maybe(0.6, () => ({ cluster: AGGREGATE })) : {}),
      ...dice.maybe(0.3, () => ({
        headers: { ...(one['headers'] as object | undefined), 'x-host': `10.0.0.${dice.int(1, 9)}:80` },
      })),
    })),
    timeline: value.timeline.map((entry) => modernEntry(dice, entry, !isLocal)),
  };
}

function modernEntry(dice: Dice, entry: ScenarioValue, mayWeighLocalities: boolean): ScenarioValue {
  const { update_cluster: cluster, assign } = entry;
  if (cluster !== undefined) {
    return { ...entry, update_cluster: modernCluster(dice, cluster as ScenarioValue, mayWeighLocalities) };
  }
  return assign === undefined ? entry : { ...entry, assign: { ...assign, policy: assignmentPolicy(dice) } };
}

function assignmentPolicy(dice: Dice): ScenarioValue {
  return {
    ...dice.maybe(0.3, () => ({ endpoint_stale_after: `0.${dice.int(1, 9)}s` })),
    ...dice.maybe(0.3, () => ({
      drop_overloads: [{ category: 'load', drop_percentage: { numerator: dice.int(0, 100) } }],
    })),
    ...dice.maybe(0.3, () => ({ overprovisioning_factor: dice.int(100, 200) })),
    ...dice.maybe(0.3, () => ({ weighted_priority_health: true })),
  };
}

function loadReport(dice: Dice): unknown {
  return dice.pick<unknown>([
    'none',
    'measured',
    { cpu_utilization: dice.int(0, 9) / 10, rps_fractional: dice.int(0, 500), eps: dice.int(0, 9) },
    { application_utilization: 0.5, rps_fractional: 100, named_metrics: { queue: dice.int(0, 9) / 10 } },
  ]);
}

// --- clusters ----------------------------------------------------------------------------------------------------------

/** Fields that a typed policy takes over. */
const SUPERSEDED = [
  'lb_policy',
  'ring_hash_lb_config',
  'maglev_lb_config',
  'round_robin_lb_config',
  'least_request_lb_config',
  'lb_subset_config',
];

function modernCluster(dice: Dice, cluster: ScenarioValue, mayWeighLocalities: boolean): ScenarioValue {
  const { drain_connections_on_host_removal: drains, ...fields }: Record<string, unknown> = cluster;
  if (drains === true) fields['ignore_health_on_host_removal'] = true;
  if (fields['lb_policy'] === 'ORIGINAL_DST_LB') fields['lb_policy'] = 'CLUSTER_PROVIDED';
  if (fields['type'] === 'EDS') {
    fields['eds_cluster_config'] = { eds_config: { ads: {}, resource_api_version: 'V3' } };
  }
  const sockets = fields['transport_socket_matches'] as readonly ScenarioValue[] | undefined;
  if (sockets !== undefined) {
    fields['transport_socket_matches'] = sockets.map((one) => ({ ...one, transport_socket: RAW }));
  }
  const checks = fields['health_checks'] as readonly ScenarioValue[] | undefined;
  if (checks !== undefined) fields['health_checks'] = checks.map((one, index) => ({ ...one, name: `check-${index}` }));
  if (fields['lb_policy'] === 'CLUSTER_PROVIDED' || dice.chance(0.25)) return fields;
  const subsets = fields['lb_subset_config'];
  const dropped = SUPERSEDED.filter((name) => dice.chance(0.9) || name === 'lb_subset_config');
  const common = fields['common_lb_config'] as ScenarioValue | undefined;
  if (common !== undefined) {
    const { healthy_panic_threshold, update_merge_window, ignore_new_hosts_until_first_hc } = common;
    fields['common_lb_config'] = { healthy_panic_threshold, update_merge_window, ignore_new_hosts_until_first_hc };
  }
  const weighs = mayWeighLocalities && fields['type'] !== 'LOGICAL_DNS';
  const { policies } = outermost(dice, subsets, weighs);
  // What the proxy does not know is passed over.
  const unknown = dice.chance(0.2) ? list({ '@type': 'type.googleapis.com/other.Policy' }).policies : [];
  const rest = Object.entries(fields).filter(([name]) => !dropped.includes(name));
  return { ...Object.fromEntries(rest), load_balancing_policy: { policies: [...unknown, ...policies] } };
}

interface PolicyList {
  readonly policies: readonly ScenarioValue[];
}

function list(policy: ScenarioValue): PolicyList {
  return { policies: [{ typed_extension_config: { name: 'any-name', typed_config: policy } }] };
}

function named(type: string, fields: ScenarioValue): ScenarioValue {
  return { '@type': `${POLICIES}.${type}`, ...fields };
}

/** A policy, or one around another. */
function outermost(dice: Dice, subsets: unknown, weighs: boolean): PolicyList {
  const inner = subsets === undefined ? around(dice, weighs) : inSubsets(dice, subsets as ScenarioValue);
  if (!dice.chance(0.2)) return inner;
  const override_host_sources = [{ header: 'x-host' }];
  return list(named('override_host.v3.OverrideHost', { override_host_sources, fallback_policy: inner }));
}

function inSubsets(dice: Dice, config: ScenarioValue): PolicyList {
  return list(named('subset.v3.Subset', { ...config, subset_lb_policy: ofHosts(dice, false) }));
}

function around(dice: Dice, weighs: boolean): PolicyList {
  if (weighs && dice.chance(0.15)) {
    return list(named('wrr_locality.v3.WrrLocality', { endpoint_picking_policy: weighted(dice) }));
  }
  if (!dice.chance(0.15)) return ofHosts(dice, weighs);
  return list(
    named('load_aware_locality.v3.LoadAwareLocality', {
      weight_update_period: '0.3s',
      ...dice.maybe(0.5, () => ({ remote_probe_fraction: dice.int(0, 9) / 10 })),
      endpoint_picking_policy: ofHosts(dice, false),
    }),
  );
}

function weighted(dice: Dice): PolicyList {
  return list(
    named('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', {
      blackout_period: dice.pick(['0s', '0.5s']),
      weight_update_period: '0.2s',
      weight_expiration_period: dice.pick(['0.5s', '60s']),
      ...dice.maybe(0.3, () => ({ error_utilization_penalty: dice.int(0, 2) })),
      ...dice.maybe(0.3, () => ({ metric_names_for_computing_utilization: ['named_metrics.queue'] })),
    }),
  );
}

function ofHosts(dice: Dice, weighs: boolean): PolicyList {
  const locality_lb_config = localities(dice, weighs);
  const hashing = {
    consistent_hashing_lb_config: {
      ...dice.maybe(0.3, () => ({ hash_balance_factor: dice.int(100, 200) })),
      ...dice.maybe(0.3, () => ({ use_hostname_for_hashing: true })),
      ...dice.maybe(0.3, () => ({ hash_policy: [{ header: { header_name: dice.pick(['x-key', 'x-none']) } }] })),
    },
    ...(weighs ? dice.maybe(0.2, () => ({ locality_weighted_lb_config: {} })) : {}),
  };
  const slowStart = dice.maybe(0.2, () => ({ slow_start_config: { slow_start_window: `${dice.int(1, 3)}s` } }));
  return dice.pick<() => PolicyList>([
    () => list(named('round_robin.v3.RoundRobin', { locality_lb_config, ...slowStart })),
    () =>
      list(
        named('least_request.v3.LeastRequest', {
          locality_lb_config,
          ...slowStart,
          ...dice.maybe(0.4, () => ({ choice_count: dice.int(0, 4) })),
          ...dice.maybe(0.3, () => ({ selection_method: 'FULL_SCAN' })),
          ...dice.maybe(0.3, () => ({
            active_request_bias: { default_value: dice.int(0, 2), runtime_key: 'least.bias' },
          })),
        }),
      ),
    () => list(named('random.v3.Random', { locality_lb_config })),
    () => list(named('ring_hash.v3.RingHash', { minimum_ring_size: dice.int(1, 300), ...hashing })),
    () => list(named('maglev.v3.Maglev', { table_size: 251, ...hashing })),
    () => weighted(dice),
  ])();
}

function localities(dice: Dice, weighs: boolean): ScenarioValue {
  if (weighs && dice.chance(0.3)) return { locality_weighted_lb_config: {} };
  return dice.maybe(0.5, () => ({
    zone_aware_lb_config: {
      min_cluster_size: dice.int(0, 6),
      ...dice.maybe(0.3, () => ({ force_local_zone: { min_size: dice.int(1, 3) } })),
      ...dice.maybe(0.3, () => ({ fail_traffic_on_panic: true })),
      ...dice.maybe(0.3, () => ({ locality_basis: 'HEALTHY_HOSTS_WEIGHT' })),
    },
  }));
}

/** The levels of several clusters in a row. */
function aggregate(dice: Dice, members: readonly string[]): ScenarioValue {
  const clusters = [...members].sort(() => dice.roll() - 0.5);
  return {
    name: AGGREGATE,
    connect_timeout: '0.25s',
    lb_policy: 'CLUSTER_PROVIDED',
    ...dice.maybe(0.3, () => ({ common_lb_config: { healthy_panic_threshold: { value: dice.int(0, 100) } } })),
    cluster_type: {
      name: 'envoy.clusters.aggregate',
      typed_config: {
        '@type': `${TYPE}.clusters.aggregate.v3.ClusterConfig`,
        clusters: dice.chance(0.1) ? [...clusters, 'missing'] : clusters,
      },
    },
  };
}
