import { modernScenario } from '../swarm/modern-scenario.js';
import { Dice, type ScenarioValue } from '../swarm/random-scenario.js';

interface Parts extends ScenarioValue {
  readonly clusters: readonly ScenarioValue[];
  readonly proxies: readonly ScenarioValue[];
  readonly workloads: readonly ScenarioValue[];
  readonly requests: readonly ScenarioValue[];
  readonly behavior: readonly ScenarioValue[];
}

/** A scenario of the swarm, with options that those leave at their defaults, extensions, and expectations of every kind. */
export function widened(seed: number): ScenarioValue {
  const dice = new Dice(seed ^ 0x71de);
  const value = modernScenario(seed) as Parts;
  const clusters = value.clusters.map((one) => widerCluster(dice, one));
  const names = clusters.map(({ name }) => String(name));
  const proxies = value.proxies.map(({ name }) => String(name));
  return {
    ...value,
    clusters,
    workloads: value.workloads.map((one) => ({
      ...wider(dice, one),
      ...dice.maybe(0.2, () => ({ proxies: [dice.pick(proxies)] })),
      ...dice.maybe(0.2, () => ({ route_hash: false })),
    })),
    requests: value.requests.map((one) => wider(dice, one)),
    // Hosts have a capacity.
    behavior: [{ service_time: '20ms', concurrency: dice.int(1, 9) }, ...value.behavior],
    expect: dice.list(4, 12, () => expectation(dice, names, value.workloads)),
  };
}

// --- clusters ----------------------------------------------------------------------------------------------------------

const EXTENSIONS = [
  'PEAK_EWMA',
  'POWER_OF_D',
  'PREQUAL',
  'RENDEZVOUS',
  'SMOOTH_WEIGHTED_ROUND_ROBIN',
  'WEIGHTED_LEAST_CONNECTIONS',
];

function widerCluster(dice: Dice, cluster: ScenarioValue): ScenarioValue {
  const { health_checks: checks, outlier_detection: outliers, circuit_breakers: breakers, type } = cluster;
  const isAggregate = cluster['cluster_type'] !== undefined;
  const listed = !isAggregate && type !== 'ORIGINAL_DST' && cluster['load_balancing_policy'] === undefined;
  return {
    ...cluster,
    ...(listed ? dice.maybe(0.4, () => ({ lb_policy: extension(dice, cluster) })) : {}),
    ...(checks === undefined
      ? {}
      : { health_checks: (checks as readonly ScenarioValue[]).map((one) => widerCheck(dice, one)) }),
    ...(outliers === undefined ? {} : { outlier_detection: widerOutliers(dice, outliers as ScenarioValue) }),
    ...(breakers === undefined
      ? {}
      : {
          circuit_breakers: {
            ...(breakers as ScenarioValue),
            ...dice.maybe(0.4, () => ({ per_host_thresholds: [{ max_connections: dice.int(1, 3) }] })),
          },
        }),
    ...(typeof type === 'string' && type.endsWith('DNS')
      ? {
          ...dice.maybe(0.5, () => ({ dns_failure_refresh_rate: { base_interval: '0.1s', max_interval: '0.4s' } })),
          dns_lookup_family: dice.pick(['V4_ONLY', 'AUTO', 'V6_ONLY', 'V4_PREFERRED', 'ALL']),
        }
      : {}),
    ...(isAggregate
      ? {}
      : {
          ...dice.maybe(0.3, () => ({ close_connections_on_host_health_failure: true })),
        }),
  };
}

function extension(dice: Dice, { lb_policy: policy, lb_subset_config: subsets }: ScenarioValue): unknown {
  const own = subsets === undefined ? dice.pick(EXTENSIONS) : policy;
  if (subsets !== undefined || dice.chance(0.5)) return own;
  // What has a table has its hosts whole.
  return {
    policy: own,
    subsetting: {
      method: own === 'RENDEZVOUS' ? 'deterministic' : dice.pick(['deterministic', 'aperture']),
      size: dice.int(1, 4),
    },
  };
}

function widerCheck(dice: Dice, check: ScenarioValue): ScenarioValue {
  const time = (): string => `0.${dice.int(1, 9)}s`;
  const isHttp = check['http_health_check'] !== undefined;
  const http = {
    path: '/',
    ...dice.maybe(0.3, () => ({ expected_statuses: [{ start: 200, end: dice.pick([201, 504]) }] })),
    ...dice.maybe(0.3, () => ({ retriable_statuses: [{ start: 500, end: 504 }] })),
  };
  return {
    ...check,
    ...(isHttp ? { http_health_check: http } : {}),
    ...dice.maybe(0.3, () => ({ initial_jitter: time() })),
    ...dice.maybe(0.3, () => ({ interval_jitter_percent: dice.int(1, 60) })),
    ...dice.maybe(0.3, () => ({ reuse_connection: false })),
    ...dice.maybe(0.3, () => ({ no_traffic_interval: time(), no_traffic_healthy_interval: time() })),
    ...dice.maybe(0.3, () => ({ unhealthy_interval: time() })),
    ...dice.maybe(0.3, () => ({ unhealthy_edge_interval: time() })),
    ...dice.maybe(0.3, () => ({ healthy_edge_interval: time() })),
  };
}

function widerOutliers(dice: Dice, detection: ScenarioValue): ScenarioValue {
  const percent = (field: string, probability = 0.25): ScenarioValue =>
    dice.maybe(probability, () => ({ [field]: dice.pick([0, 40, 100]) }));
  return {
    ...detection,
    ...percent('enforcing_consecutive_5xx'),
    ...percent('enforcing_consecutive_gateway_failure'),
    ...percent('enforcing_consecutive_local_origin_failure'),
    ...percent('enforcing_success_rate'),
    ...percent('enforcing_local_origin_success_rate'),
    ...percent('enforcing_failure_percentage'),
    ...percent('enforcing_failure_percentage_local_origin'),
    ...dice.maybe(0.4, () => ({ success_rate_stdev_factor: dice.int(0, 1900) })),
    ...dice.maybe(0.4, () => ({
      success_rate_minimum_hosts: dice.int(1, 3),
      success_rate_request_volume: dice.int(1, 5),
    })),
    ...dice.maybe(0.4, () => ({
      failure_percentage_threshold: dice.int(1, 90),
      failure_percentage_minimum_hosts: dice.int(1, 3),
      failure_percentage_request_volume: dice.int(1, 5),
    })),
    ...dice.maybe(0.3, () => ({ max_ejection_time: `${dice.int(1, 2)}s` })),
    ...dice.maybe(0.3, () => ({ max_ejection_time_jitter: '0.4s' })),
    ...dice.maybe(0.3, () => ({ successful_active_health_check_uneject_host: dice.chance(0.5) })),
    ...dice.maybe(0.3, () => ({ always_eject_one_host: true })),
  };
}

// --- traffic -----------------------------------------------------------------------------------------------------------

function wider(dice: Dice, one: ScenarioValue): ScenarioValue {
  const { retry_policy: policy } = one;
  if (policy === undefined) return one;
  const { retry_back_off: backOff, ...fields } = policy as ScenarioValue;
  return {
    ...one,
    retry_policy: {
      ...fields,
      ...(backOff === undefined ? {} : { retry_back_off: dice.pick([backOff, { base_interval: '7ms' }]) }),
      ...dice.maybe(0.3, () => ({ retriable_status_codes: [dice.pick([404, 409, 500, 503])] })),
      ...dice.maybe(0.5, () => ({ retriable_headers: [{ name: 'x-again', ...matcher(dice) }] })),
      ...dice.maybe(0.2, () => ({ retriable_request_headers: [{ name: 'x-host', ...matcher(dice) }] })),
      ...dice.maybe(0.2, () => ({
        rate_limited_retry_back_off: {
          reset_headers: [{ name: dice.pick(['x-again', 'retry-after']), format: 'SECONDS' }],
          max_interval: '1s',
        },
      })),
    },
  };
}

function matcher(dice: Dice): ScenarioValue {
  return {
    ...dice.pick<ScenarioValue>([
      {},
      { exact_match: 'yes' },
      { prefix_match: 'y' },
      { suffix_match: 's' },
      { contains_match: 'e' },
      { present_match: true },
      { present_match: false },
      { safe_regex_match: { regex: 'y.*' } },
      { range_match: { start: 1, end: 9 } },
      { string_match: { exact: 'YES', ignore_case: true } },
    ]),
    ...dice.maybe(0.3, () => ({ invert_match: true })),
  };
}

// --- expectations ------------------------------------------------------------------------------------------------------

const STATS = ['upstream_rq_total', 'upstream_cx_total', 'membership_healthy', 'lb_healthy_panic', 'upstream_rq_5xx'];
const CAUSES = ['no_host', 'overflow', 'connect_failure', 'reset', 'timeout', 'error_status'];

function expectation(dice: Dice, clusters: readonly string[], workloads: readonly ScenarioValue[]): ScenarioValue {
  // Most of them about what the requests go to.
  const cluster = dice.chance(0.8) ? asked(dice, workloads) : dice.pick(clusters);
  const [from, to] = [dice.int(0, 14) / 10, dice.int(15, 30) / 10];
  const during = dice.maybe(0.5, () => ({ during: [`${from}s`, `${to}s`] }));
  const percentile = { percentile: dice.pick([0, 50, 90, 99, 100]) };
  const hosts = dice.pick<unknown>([{ address: `10.0.0.${dice.int(1, 8)}:80` }, { zone: 'a' }, {}, { priority: 0 }]);
  const share = { share: { cluster, hosts } };
  const part = (): string => `${dice.int(0, 100)}%`;
  const count = (): number => dice.int(0, 60);
  const time = (): string => `${dice.int(1, 200)}ms`;
  return dice.pick<() => ScenarioValue>([
    () => ({ ...share, ...bound(dice, part), ...during }),
    () => ({ ...share, within_sigma: dice.int(1, 5), ...during }),
    () => ({ no_host: { cluster }, ...bound(dice, part), ...during }),
    () => ({ no_host: { cluster }, within_sigma: dice.int(1, 5) }),
    () => ({ stat: `cluster.${cluster}.${dice.pick(STATS)}`, ...bound(dice, count) }),
    () => ({ mean_stat: `cluster.${cluster}.membership_healthy`, ...bound(dice, count), ...during }),
    () => ({ success_rate: { cluster }, ...bound(dice, part), ...during }),
    () => ({ requests: { cluster }, ...bound(dice, count), ...during }),
    () => ({
      requests: { cluster },
      ...bound(dice, count),
      relative_to: { during: ['0s', '2.9s'] },
      during: ['0.5s', '2s'],
    }),
    () => ({
      failures: { cluster, ...dice.maybe(0.6, () => ({ cause: dice.pick(CAUSES) })) },
      ...bound(dice, count),
      ...during,
    }),
    () => ({ latency: { cluster, ...percentile }, ...bound(dice, time), ...during }),
    () => ({ latency: { cluster, percentile: 90 }, ...bound(dice, count), relative_to: { percentile: 50 }, ...during }),
    () => ({ mean_latency: { cluster }, ...bound(dice, time), ...during }),
    () => ({ host_load: { cluster, ...dice.maybe(0.5, () => ({ over: '0.5s' })) }, ...bound(dice, count), ...during }),
    () => ({ decision: dice.int(0, 20), host: dice.pick([`10.0.0.${dice.int(1, 4)}:80`, null]) }),
  ])();
}

function asked(dice: Dice, workloads: readonly ScenarioValue[]): string {
  const { cluster, route } = dice.pick(workloads);
  return String(cluster ?? (route as readonly ScenarioValue[])[0]?.['cluster']);
}

function bound(dice: Dice, value: () => unknown): ScenarioValue {
  const kind = dice.pick(['at_most', 'at_least', 'equals', 'between'] as const);
  if (kind !== 'between') return { [kind]: value() };
  const both = [value(), value()].sort((a, b) => Number.parseFloat(String(a)) - Number.parseFloat(String(b)));
  return { between: both };
}
