/**
 * Random valid scenarios of every feature together, each from one number.
 */

/** What a scenario file would hold. */
export type ScenarioValue = Readonly<Record<string, unknown>>;

/** Draws from a number; the same number gives the same draws (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** 0 ≤ x < 1. */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** `from` … `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.roll() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** The fields with a given probability, else none. */
  maybe(probability: number, fields: () => ScenarioValue): ScenarioValue {
    return this.chance(probability) ? fields() : {};
  }

  list<T>(from: number, to: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.int(from, to) }, (_, index) => make(index));
  }
}

const ZONES = ['a', 'b', 'c'];
const STATUSES = ['HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'];
const NAMES = ['svc-0.test', 'svc-1.test'];
const DURATION_S = 3;
const RAW = {
  name: 'envoy.transport_sockets.raw_buffer',
  typed_config: { '@type': 'type.googleapis.com/envoy.config.transport_socket.raw_buffer.v2.RawBuffer' },
};

interface Plan {
  readonly name: string;
  readonly type: 'STATIC' | 'EDS' | 'STRICT_DNS' | 'LOGICAL_DNS' | 'ORIGINAL_DST';
  readonly subsets: boolean;
}

export function randomScenario(seed: number): ScenarioValue {
  const dice = new Dice(seed);
  const plans = dice.list(1, 3, (index): Plan => {
    const type = dice.pick(['STATIC', 'EDS', 'EDS', 'EDS', 'STRICT_DNS', 'LOGICAL_DNS', 'ORIGINAL_DST'] as const);
    return { name: `c${index}`, type, subsets: type !== 'ORIGINAL_DST' && dice.chance(0.3) };
  });
  const listed = plans.filter(({ type }) => type === 'STATIC' || type === 'EDS');
  const zoned = listed.length > 0 && dice.chance(0.4);
  const local = zoned ? dice.pick(listed).name : undefined;
  const workloads = dice.list(1, 3, (index) => workload(dice, plans, index));
  const value = {
    name: `swarm-${seed}`,
    seed: String(seed),
    duration: `${DURATION_S}s`,
    ...dice.maybe(0.2, () => ({ warmup: '500ms' })),
    proxies: dice.list(1, 2, (index) => proxy(dice, local, index)),
    clusters: plans.map((plan) => cluster(dice, plan, local === undefined)),
    endpoints: Object.fromEntries(
      plans
        .filter(({ type }) => type !== 'ORIGINAL_DST')
        .map((plan) => [plan.name, endpoints(dice, plan, plan.name === local)]),
    ),
    dns: dns(dice),
    behavior: [
      { hosts: {}, service_time: serviceTime(dice), ...behavior(dice, 0.15) },
      ...dice.list(0, 3, () => ({ hosts: selector(dice), ...behavior(dice, 0.4) })),
    ],
    workloads,
    requests: dice.list(0, 4, () => explicitRequest(dice, plans)),
    timeline: dice.list(0, 10, () => entry(dice, plans, listed, workloads, local)),
  };
  return dice.chance(0.2) ? untilItEnds(value, dice) : value;
}

interface Traffic {
  readonly workloads: readonly ScenarioValue[];
  readonly requests: readonly ScenarioValue[];
}

/** Without a duration: all traffic stops, and no request waits for ever. */
function untilItEnds(value: ScenarioValue & Traffic, dice: Dice): ScenarioValue {
  const { workloads, requests } = value;
  const rest = Object.entries(value).filter(([field]) => field !== 'duration');
  const ending = (one: ScenarioValue): ScenarioValue => (one['timeout'] === '0s' ? { ...one, timeout: '1s' } : one);
  // Some users would think until long after the stop.
  const thoughtful = (one: ScenarioValue): ScenarioValue => {
    const { arrivals } = one;
    const isClosed = typeof arrivals === 'object' && arrivals !== null && 'closed' in arrivals;
    return isClosed ? { ...one, arrivals: { closed: { users: 5, think_time: dice.pick(['300ms', '5s']) } } } : one;
  };
  return {
    ...Object.fromEntries(rest),
    workloads: workloads.map((one) => ({ ...thoughtful(ending(one)), stop: '2s' })),
    requests: requests.map(ending),
  };
}

// --- proxies -----------------------------------------------------------------------------------------------------------

function proxy(dice: Dice, local: string | undefined, index: number): ScenarioValue {
  return {
    name: `p${index}`,
    count: dice.int(1, 2),
    workers: dice.int(1, 3),
    version: dice.pick(['1.12', '1.14', '1.17', '1.40']),
    ...dice.maybe(0.7, () => ({ node: { id: 'n', cluster: 'me', locality: { zone: dice.pick(ZONES) } } })),
    ...(local === undefined ? {} : { local_cluster_name: local }),
    ...dice.maybe(0.3, () => ({ runtime: runtime(dice) })),
  };
}

function runtime(dice: Dice): ScenarioValue {
  const some = dice.list(1, 6, () => dice.pick(RUNTIME)).map(([key, most]) => [key, dice.int(0, most)] as const);
  return Object.fromEntries(some);
}

/** Keys that the proxy reads, and a bound for their values. */
const RUNTIME: readonly (readonly [string, number])[] = [
  ['upstream.healthy_panic_threshold', 100],
  ['upstream.zone_routing.enabled', 100],
  ['upstream.zone_routing.min_cluster_size', 6],
  ['upstream.base_retry_backoff_ms', 100],
  ['outlier_detection.max_ejection_percent', 100],
  ['outlier_detection.consecutive_5xx', 5],
  ['outlier_detection.consecutive_gateway_failure', 5],
  ['outlier_detection.enforcing_consecutive_5xx', 100],
  ['outlier_detection.enforcing_success_rate', 100],
  ['outlier_detection.success_rate_minimum_hosts', 3],
  ['outlier_detection.success_rate_request_volume', 10],
  ['outlier_detection.failure_percentage_threshold', 100],
  ['outlier_detection.base_ejection_time_ms', 2000],
  ['outlier_detection.interval_ms', 900],
  ['health_check.min_interval', 500],
  ['health_check.verify_cluster', 100],
  ['circuit_breakers.c0.default.max_requests', 20],
  ['circuit_breakers.c0.default.max_connections', 9],
  ['circuit_breakers.c0.high.max_pending_requests', 9],
  ['circuit_breakers.c0.default.max_retries', 4],
  ['circuit_breakers.c0.default.retry_budget.budget_percent', 100],
  ['circuit_breakers.c0.default.retry_budget.min_retry_concurrency', 4],
];

// --- clusters ----------------------------------------------------------------------------------------------------------

function cluster(dice: Dice, { name, type, subsets }: Plan, mayWeighLocalities: boolean): ScenarioValue {
  const onDemand = type === 'ORIGINAL_DST';
  const policy = onDemand
    ? dice.pick(['CLUSTER_PROVIDED', 'ORIGINAL_DST_LB'])
    : dice.pick(['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV']);
  const weighted = mayWeighLocalities && !onDemand && type !== 'LOGICAL_DNS' && dice.chance(0.25);
  return {
    name,
    type,
    lb_policy: policy,
    ...(type === 'EDS' ? { eds_cluster_config: { eds_config: { ads: {} } } } : {}),
    ...(onDemand ? { original_dst_lb_config: { use_http_header: true }, cleanup_interval: '1s' } : {}),
    ...(type.endsWith('DNS')
      ? {
          dns_refresh_rate: `${dice.int(1, 20) / 10}s`,
          respect_dns_ttl: dice.chance(0.5),
          dns_lookup_family: 'V4_ONLY',
        }
      : {}),
    ...dice.maybe(0.5, () => ({ connect_timeout: `0.${dice.int(10, 99)}s` })),
    ...dice.maybe(0.3, () => ({
      http2_protocol_options: dice.chance(0.5) ? {} : { max_concurrent_streams: dice.int(1, 4) },
    })),
    ...dice.maybe(0.3, () => ({ max_requests_per_connection: dice.int(1, 5) })),
    ...dice.maybe(0.3, () => ({ track_timeout_budgets: true })),
    ...dice.maybe(0.3, () => ({
      transport_socket_matches: [
        { name: 'old', match: { stage: 'dev' }, transport_socket: RAW },
        { name: 'rest', match: {}, transport_socket: RAW },
      ],
    })),
    ...dice.maybe(0.3, () => ({ drain_connections_on_host_removal: true })),
    ...dice.maybe(0.6, () => ({ common_lb_config: commonLb(dice, weighted) })),
    ...(policy === 'MAGLEV' ? { maglev_lb_config: { table_size: 251 } } : {}),
    ...(policy === 'RING_HASH' ? { ring_hash_lb_config: { minimum_ring_size: dice.int(1, 300) } } : {}),
    ...(policy === 'ROUND_ROBIN' && dice.chance(0.3) ? { round_robin_lb_config: slowStart(dice) } : {}),
    ...(policy === 'LEAST_REQUEST' && dice.chance(0.3) ? { least_request_lb_config: slowStart(dice) } : {}),
    ...(subsets ? { lb_subset_config: subsetConfig(dice) } : {}),
    ...(!onDemand && dice.chance(0.5) ? { health_checks: dice.list(1, 2, () => healthCheck(dice)) } : {}),
    ...dice.maybe(0.5, () => ({ outlier_detection: outlierDetection(dice) })),
    ...dice.maybe(0.5, () => ({
      circuit_breakers: { thresholds: [thresholds(dice, 'DEFAULT'), thresholds(dice, 'HIGH')] },
    })),
  };
}

function commonLb(dice: Dice, weighted: boolean): ScenarioValue {
  return {
    ...dice.maybe(0.5, () => ({ healthy_panic_threshold: { value: dice.int(0, 100) } })),
    ...dice.maybe(0.7, () => ({ update_merge_window: dice.pick(['0s', '0.100s', '1s', '3s']) })),
    ...dice.maybe(0.3, () => ({ ignore_new_hosts_until_first_hc: true })),
    ...dice.maybe(0.3, () => ({ consistent_hashing_lb_config: { hash_balance_factor: dice.int(100, 200) } })),
    ...dice.maybe(0.3, () => ({ close_connections_on_host_set_change: true })),
    ...(weighted
      ? { locality_weighted_lb_config: {} }
      : dice.maybe(0.5, () => ({
          zone_aware_lb_config: { min_cluster_size: dice.int(0, 6), fail_traffic_on_panic: dice.chance(0.3) },
        }))),
  };
}

function slowStart(dice: Dice): ScenarioValue {
  return {
    slow_start_config: { slow_start_window: `${dice.int(1, 3)}s`, min_weight_percent: { value: dice.int(1, 50) } },
  };
}

function subsetConfig(dice: Dice): ScenarioValue {
  const policies = ['NOT_DEFINED', 'NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'];
  return {
    fallback_policy: dice.pick(['NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET']),
    default_subset: { stage: 'prod' },
    subset_selectors: [
      { keys: ['stage'], fallback_policy: dice.pick(policies) },
      { keys: ['stage', 'version'], fallback_policy: 'KEYS_SUBSET', fallback_keys_subset: ['stage'] },
    ],
    panic_mode_any: dice.chance(0.3),
    list_as_any: dice.chance(0.3),
  };
}

function healthCheck(dice: Dice): ScenarioValue {
  return {
    timeout: `0.${dice.int(1, 4)}s`,
    interval: `0.${dice.int(1, 9)}s`,
    unhealthy_threshold: dice.int(1, 3),
    healthy_threshold: dice.int(1, 3),
    ...dice.maybe(0.5, () => ({ no_traffic_interval: `0.${dice.int(1, 9)}s` })),
    ...dice.maybe(0.3, () => ({ unhealthy_edge_interval: '0.050s', interval_jitter: '0.100s' })),
    ...(dice.chance(0.8) ? { http_health_check: { path: '/' } } : { tcp_health_check: {} }),
  };
}

function outlierDetection(dice: Dice): ScenarioValue {
  return {
    consecutive_5xx: dice.int(1, 6),
    interval: `0.${dice.int(1, 9)}s`,
    base_ejection_time: `0.${dice.int(1, 9)}s`,
    max_ejection_percent: dice.int(0, 100),
    ...dice.maybe(0.3, () => ({ success_rate_minimum_hosts: 2, success_rate_request_volume: 5 })),
    ...dice.maybe(0.3, () => ({
      enforcing_failure_percentage: dice.int(1, 100),
      failure_percentage_minimum_hosts: 1,
      failure_percentage_request_volume: 5,
      failure_percentage_threshold: 50,
    })),
    ...dice.maybe(0.3, () => ({ split_external_local_origin_errors: true, consecutive_local_origin_failure: 2 })),
    ...dice.maybe(0.3, () => ({ enforcing_consecutive_gateway_failure: 50, consecutive_gateway_failure: 2 })),
  };
}

function thresholds(dice: Dice, priority: string): ScenarioValue {
  return {
    priority,
    ...dice.maybe(0.6, () => ({ max_connections: dice.int(0, 6) })),
    ...dice.maybe(0.6, () => ({ max_pending_requests: dice.int(0, 6) })),
    ...dice.maybe(0.6, () => ({ max_requests: dice.int(0, 10) })),
    ...dice.maybe(0.6, () => ({ max_retries: dice.int(0, 3) })),
    ...dice.maybe(0.3, () => ({
      retry_budget: { budget_percent: { value: dice.int(0, 100) }, min_retry_concurrency: dice.int(0, 3) },
    })),
    track_remaining: dice.chance(0.5),
  };
}

/** What `update_cluster` carries where hosts are part of the cluster. */
function ownHosts(dice: Dice, { name, type }: Plan, local: string | undefined): ScenarioValue {
  const lbEndpoint = (address: string): ScenarioValue => ({
    endpoint: { address: { socket_address: { address, port_value: 80 } } },
    ...dice.maybe(0.3, () => ({ load_balancing_weight: dice.int(1, 5) })),
  });
  const group = (addresses: readonly string[], priority: number): ScenarioValue => ({
    ...dice.maybe(0.7, () => ({ locality: { zone: dice.pick(ZONES) } })),
    ...(priority > 0 ? { priority } : {}),
    lb_endpoints: addresses.map(lbEndpoint),
  });
  switch (type) {
    case 'STATIC': {
      const priority = name === local ? 0 : dice.int(0, 1);
      const addresses = dice.list(1, 5, (index) => `10.0.0.${index + dice.int(1, 4)}`);
      const groups = [group(addresses, 0), ...(priority > 0 ? [group(['10.0.0.11'], 1)] : [])];
      return { load_assignment: { cluster_name: name, endpoints: groups } };
    }
    case 'STRICT_DNS':
      return { load_assignment: { cluster_name: name, endpoints: [group(NAMES.slice(0, dice.int(1, 2)), 0)] } };
    case 'LOGICAL_DNS':
      return { load_assignment: { cluster_name: name, endpoints: [group([dice.pick(NAMES)], 0)] } };
    case 'EDS':
    case 'ORIGINAL_DST':
      return {};
  }
}

// --- hosts -------------------------------------------------------------------------------------------------------------

function endpoints(dice: Dice, { type }: Plan, isLocal: boolean): unknown[] {
  if (type === 'LOGICAL_DNS') return [`${dice.pick(NAMES)}:80`];
  if (type === 'STRICT_DNS')
    return NAMES.slice(0, dice.int(1, 2)).map((name) => ({ address: `${name}:80`, ...placed(dice) }));
  return dice.list(isLocal ? 1 : 0, 8, (index) => ({
    address: `10.0.0.${index + 1}:80`,
    ...dice.maybe(0.3, () => ({ weight: dice.int(1, 5) })),
    ...placed(dice),
    ...(isLocal ? {} : dice.maybe(0.2, () => ({ priority: 1 }))),
    ...dice.maybe(0.2, () => ({ health: dice.pick(STATUSES) })),
    ...dice.maybe(0.5, () => ({ metadata: endpointMetadata(dice) })),
  }));
}

function placed(dice: Dice): ScenarioValue {
  return dice.maybe(0.7, () => ({ zone: dice.pick(ZONES) }));
}

function metadata(dice: Dice): ScenarioValue {
  return {
    ...dice.maybe(0.8, () => ({ stage: dice.pick(['prod', 'dev']) })),
    ...dice.maybe(0.5, () => ({ version: dice.pick(['1', '2']) })),
    ...dice.maybe(0.2, () => ({ canary: true })),
  };
}

/** Entries for subsets alone, or with others for sockets. */
function endpointMetadata(dice: Dice): ScenarioValue {
  const lb = metadata(dice);
  if (dice.chance(0.5)) return lb;
  return { filter_metadata: { 'envoy.lb': lb, 'envoy.transport_socket_match': { stage: dice.pick(['dev', 'prod']) } } };
}

function dns(dice: Dice): ScenarioValue {
  const answers = NAMES.map((name) => {
    const found = {
      addresses: dice.list(0, 4, (index) => `10.1.0.${index + dice.int(1, 3)}`),
      ttl: `${dice.int(1, 3)}s`,
    };
    return [name, dice.chance(0.15) ? { fail: true } : { ...found, addresses: [...new Set(found.addresses)] }] as const;
  });
  return Object.fromEntries(answers);
}

function serviceTime(dice: Dice): unknown {
  return dice.pick<unknown>([
    '0s',
    '5ms',
    { exponential: { mean: '20ms' } },
    { uniform: { min: '1ms', max: '50ms' } },
    { lognormal: { median: '5ms', p99: '60ms' } },
    { pareto: { scale: '2ms', shape: 1.5 } },
    { empirical: ['1ms', '200ms'] },
  ]);
}

function behavior(dice: Dice, probability: number): ScenarioValue {
  const maybe = (fields: () => ScenarioValue): ScenarioValue => dice.maybe(probability, fields);
  return {
    ...maybe(() => ({ service_time: serviceTime(dice) })),
    ...maybe(() => ({ concurrency: dice.int(1, 4) })),
    ...maybe(() => ({ queue_limit: dice.int(0, 4) })),
    ...maybe(() => ({
      error_rate: dice.pick(['5%', '50%', '100%']),
      error_status: dice.pick([500, 502, 503, 409, 404]),
      ...dice.maybe(0.3, () => ({ error_headers: { [dice.pick(['x-again', 'x-envoy-ratelimited'])]: 'yes' } })),
    })),
    ...maybe(() => ({ connect_time: dice.pick(['1ms', '50ms', '2s']) })),
    ...maybe(() => ({ connect_failure_rate: dice.pick(['10%', '100%']) })),
    ...maybe(() => ({ network_latency: { lognormal: { median: '1ms', p99: '9ms' } } })),
    ...dice.maybe(probability / 2, () => ({ down: dice.pick(['refuse', 'hang', 'none']) })),
    ...maybe(() => ({ health_check: dice.pick<unknown>(['ok', 'degraded', 503, 'hang', 'refuse']) })),
    ...dice.maybe(probability / 2, () => ({ immediate_health_check_fail: true })),
    ...dice.maybe(probability / 2, () => ({ initial_active_requests: dice.int(0, 5) })),
  };
}

function selector(dice: Dice): unknown {
  return dice.pick<() => unknown>([
    () => ({}),
    () => `10.0.0.${dice.int(1, 8)}:80`,
    () => ({ zone: dice.pick(ZONES) }),
    () => ({ priority: dice.int(0, 1) }),
    () => ({ metadata: { stage: 'prod' } }),
    () => ({ address: '10.1.0.0/16' }),
  ])();
}

// --- traffic -----------------------------------------------------------------------------------------------------------

function workload(dice: Dice, plans: readonly Plan[], index: number): ScenarioValue {
  const rate = `${dice.int(5, 150)}/s`;
  const arrivals = dice.pick<unknown>([
    rate,
    { constant: rate },
    { poisson: rate },
    { closed: { users: dice.int(1, 20), think_time: dice.pick(['1ms', '10ms', '100ms']) } },
    {
      ramp: [
        { at: '0s', rate: '1/s' },
        { at: '3s', rate },
      ],
    },
  ]);
  const targets = dice.chance(0.25)
    ? { route: [plans[0], dice.pick(plans)].map((plan) => ({ cluster: plan?.name, weight: dice.int(1, 9) })) }
    : { cluster: dice.pick(plans).name };
  return {
    name: `w${index}`,
    ...targets,
    arrivals,
    ...dice.maybe(0.2, () => ({ start: '500ms' })),
    ...dice.maybe(0.3, () => ({ stop: '3s' })),
    ...dice.maybe(0.5, () => ({
      hash_key: dice.pick<unknown>([
        { zipf: { keys: 50, exponent: 1.1 } },
        { uniform: { keys: 20, prefix: 'u' } },
        { sequence: { keys: 7 } },
        { cycle: ['x', 'y'] },
      ]),
    })),
    ...requestFields(dice),
  };
}

function requestFields(dice: Dice): ScenarioValue {
  return {
    ...dice.maybe(0.4, () => ({ metadata_match: metadata(dice) })),
    ...dice.maybe(0.5, () => ({ headers: { 'x-proxy-original-dst-host': `10.2.0.${dice.int(1, 3)}:80` } })),
    ...dice.maybe(0.3, () => ({ priority: 'HIGH' })),
    ...dice.maybe(0.6, () => ({ timeout: dice.pick(['20ms', '100ms', '1s', '0s']) })),
    ...dice.maybe(0.6, () => ({
      retry_policy: {
        retry_on: dice.pick([
          '5xx',
          '5xx,connect-failure',
          'gateway-error,reset',
          'retriable-4xx',
          'connect-failure',
          'retriable-headers,retriable-status-codes,envoy-ratelimited',
        ]),
        retriable_status_codes: [404],
        retriable_headers: [{ name: 'x-again' }],
        ...dice.maybe(0.2, () => ({ retriable_request_headers: [{ name: 'x-try', invert_match: dice.chance(0.5) }] })),
        ...dice.maybe(0.3, () => ({
          retry_priority: {
            name: 'proxy.retry_priorities.previous_priorities',
            config: { update_frequency: dice.int(1, 3) },
          },
        })),
        num_retries: dice.int(0, 4),
        ...dice.maybe(0.5, () => ({ per_try_timeout: dice.pick(['5ms', '30ms', '200ms']) })),
        ...dice.maybe(0.5, () => ({
          retry_host_predicate: dice.list(1, 2, () =>
            dice.pick<unknown>([
              'proxy.retry_host_predicates.previous_hosts',
              'proxy.retry_host_predicates.omit_canary_hosts',
              { name: 'proxy.retry_host_predicates.omit_host_metadata', config: { metadata_match: metadata(dice) } },
            ]),
          ),
          host_selection_retry_max_attempts: dice.int(1, 4),
        })),
        ...dice.maybe(0.3, () => ({ retry_back_off: { base_interval: '1ms', max_interval: '5ms' } })),
      },
    })),
  };
}

function explicitRequest(dice: Dice, plans: readonly Plan[]): ScenarioValue {
  return {
    at: `${dice.int(0, DURATION_S * 10) / 10}s`,
    cluster: dice.pick(plans).name,
    ...dice.maybe(0.3, () => ({ hash_key: 'k' })),
    ...dice.maybe(0.3, () => ({ random: ['3', '0', '18446744073709551615'] })),
    ...dice.maybe(0.5, () => ({ service_time: dice.pick(['0s', '10ms', '10s']) })),
    ...requestFields(dice),
  };
}

// --- time --------------------------------------------------------------------------------------------------------------

function entry(
  dice: Dice,
  plans: readonly Plan[],
  listed: readonly Plan[],
  workloads: readonly ScenarioValue[],
  local: string | undefined,
): ScenarioValue {
  const at = `${dice.int(0, (DURATION_S - 1) * 5 - 1) / 5}s`;
  const when = dice.chance(0.75)
    ? { at }
    : { every: `0.${dice.int(1, 9)}s`, from: at, ...dice.maybe(0.5, () => ({ until: `${DURATION_S - 1}s` })) };
  return { ...when, ...action(dice, plans, listed, workloads, local) };
}

function action(
  dice: Dice,
  plans: readonly Plan[],
  listed: readonly Plan[],
  workloads: readonly ScenarioValue[],
  local: string | undefined,
): ScenarioValue {
  const plan = dice.pick(plans);
  const open = workloads.filter(({ arrivals }) => !/users|"at"/.test(JSON.stringify(arrivals)));
  const anywhere = [
    () => ({ fail: selector(dice) }),
    () => ({ recover: selector(dice) }),
    () => ({ set_behavior: { hosts: selector(dice), service_time: '7ms', ...behavior(dice, 0.4) } }),
    () => ({ set_runtime: { 'upstream.healthy_panic_threshold': dice.int(0, 100), ...runtime(dice) } }),
    () => ({ note: 'a note' }),
    () => ({ dns: dns(dice) }),
    ...(plan.name === local ? [] : [() => ({ remove_cluster: plan.name })]),
    () => ({ update_cluster: { ...cluster(dice, plan, local === undefined), ...ownHosts(dice, plan, local) } }),
    ...(open.length === 0
      ? []
      : [() => ({ set_rate: { workload: dice.pick(open)['name'], rate: `${dice.int(0, 200)}/s` } })]),
  ];
  const edits: (() => ScenarioValue)[] = [
    () => ({ set_health: { hosts: selector(dice), status: dice.pick(STATUSES) } }),
    () => ({ set_weight: { hosts: selector(dice), weight: dice.int(1, 9) } }),
    () => ({ set_metadata: { hosts: selector(dice), metadata: endpointMetadata(dice) } }),
    () => ({ remove_hosts: selector(dice) }),
    () => ({
      add_hosts: {
        cluster: dice.pick(listed).name,
        locality: { zone: dice.pick(ZONES) },
        endpoints: [`10.0.0.${dice.int(1, 12)}:80`],
      },
    }),
    () => {
      const { name } = dice.pick(listed);
      const addresses = [...new Set(dice.list(0, 6, () => `10.0.0.${dice.int(1, 10)}`))];
      const lb_endpoints = addresses.map((address) => ({
        endpoint: { address: { socket_address: { address, port_value: 80 } } },
        load_balancing_weight: dice.int(1, 3),
      }));
      return { assign: { cluster_name: name, endpoints: [{ locality: { zone: dice.pick(ZONES) }, lb_endpoints }] } };
    },
  ];
  return dice.pick<() => ScenarioValue>(listed.length > 0 && dice.chance(0.6) ? edits : anywhere)();
}
