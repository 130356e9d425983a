import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../support/run.js';
import { generalised } from './cluster-stats.js';
import { REPORTED_OUT_OF_BAND } from '../support/load-reports.js';

/** What could only ever be 0, as it is in the proxy, and why. */
const ALWAYS_ZERO: Readonly<Record<string, string>> = {
  update_empty: 'a simulated discovery always has the assignment',
  'outlier_detection.ejections_detected_degradation': 'the v2 schema has no field that switches the rule on',
};

/** Counted by a module, which test/scenario/added-policies.test.ts brings. */
const OF_A_MODULE = 'lb_policy.<statistic>';

const EDS = { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
const check = {
  timeout: '0.1s',
  interval: '0.5s',
  no_traffic_interval: '0.5s',
  unhealthy_threshold: 1,
  healthy_threshold: 1,
  http_health_check: { path: '/', service_name_matcher: { exact: 's' } },
};
const tenth = (hosts: number): string[] => Array.from({ length: hosts }, (_, index) => `10.0.0.${index + 1}:80`);
const traffic = (more: Record<string, unknown> = {}): unknown[] => [
  { cluster: 'c', arrivals: { constant: '100/s' }, timeout: '100ms', ...more },
];
const always = (more: Record<string, unknown>): unknown[] => [{ hosts: {}, error_rate: '100%', ...more }];

/** A scenario of one cluster, by what it is there for. */
function of(cluster: Record<string, unknown>, more: Record<string, unknown> = {}): unknown {
  return {
    duration: '5s',
    clusters: [{ name: 'c', ...cluster }],
    endpoints: { c: tenth(10) },
    workloads: traffic(),
    ...more,
  };
}

const split = { split_external_local_origin_errors: true };
const every = {
  max_ejection_percent: 100,
  interval: '1s',
  enforcing_consecutive_gateway_failure: 100,
  enforcing_failure_percentage: 100,
  enforcing_failure_percentage_local_origin: 100,
  success_rate_request_volume: 5,
  success_rate_minimum_hosts: 3,
  success_rate_stdev_factor: 1,
  failure_percentage_request_volume: 5,
  failure_percentage_minimum_hosts: 3,
};
const some = [{ hosts: '10.0.0.1:80', error_rate: '90%', error_status: 503 }];
const patient = { consecutive_5xx: 1000, consecutive_gateway_failure: 1000, consecutive_local_origin_failure: 1000 };
const refusing = [{ hosts: '10.0.0.1:80', down: 'refuse' }];
const hanging = [{ hosts: '10.0.0.1:80', down: 'hang' }];
const busy = { behavior: [{ hosts: {}, service_time: '60s' }], workloads: traffic({ timeout: '0s' }) };
const limited = (limits: Record<string, number>): Record<string, unknown> => ({
  circuit_breakers: { thresholds: [{ ...limits, track_remaining: true }] },
});
const zones = (upstream: readonly string[], local: readonly string[], more: Record<string, unknown> = {}): unknown => ({
  duration: '5s',
  proxy: { node: { locality: { zone: 'a' } }, local_cluster_name: 'me', ...more },
  clusters: [
    { name: 'c', common_lb_config: { zone_aware_lb_config: { min_cluster_size: 1 } } },
    { name: 'small', common_lb_config: { zone_aware_lb_config: { min_cluster_size: 99 } } },
    { name: 'me' },
  ],
  endpoints: {
    c: upstream.map((zone, index) => ({ address: `10.0.0.${index + 1}:80`, zone })),
    small: upstream.map((zone, index) => ({ address: `10.0.0.${index + 1}:80`, zone })),
    me: local.map((zone, index) => ({ address: `10.9.0.${index + 1}:80`, zone })),
  },
  workloads: traffic(),
});

const ZONES = Array.from({ length: 64 }, (_, index) => `z${index + 10}`);

const SCENARIOS: Readonly<Record<string, unknown>> = {
  'answers of canaries in another zone, retried, on connections that are used up': of(
    { track_timeout_budgets: true, max_requests_per_connection: 2 },
    {
      proxy: { node: { locality: { zone: 'a' } } },
      endpoints: { c: [{ address: '10.0.0.1:80', zone: 'b', metadata: { canary: true } }] },
      behavior: [{ hosts: {}, error_rate: '50%', service_time: '1ms', connect_time: '1ms' }],
      workloads: traffic({ retry_policy: { retry_on: '5xx', per_try_timeout: '50ms' } }),
    },
  ),
  'requests that wait for connections, in vain': of({}, { behavior: [{ hosts: {}, connect_time: '3s' }] }),
  'connections that cannot be made': of(
    { connect_timeout: '0.05s' },
    { behavior: [{ connect_failure_rate: '50%' }, { hosts: '10.0.0.1:80', connect_time: '1s' }] },
  ),
  'hosts that close': of({}, { workloads: traffic({ arrivals: '100/s' }), behavior: [{ closes: 'announced' }] }),
  'connections that are idle for long, or old': of(
    { common_http_protocol_options: { idle_timeout: '0.05s', max_connection_duration: '0.06s' } },
    { workloads: traffic({ arrivals: '100/s' }) },
  ),
  'connections of HTTP/2 that close while they are read': of(
    { http2_protocol_options: {}, max_requests_per_connection: 1 },
    { proxy: { version: '1.40' } },
  ),
  'connections over TCP that nobody takes': of(
    {},
    { behavior: refusing, workloads: [{ cluster: 'c', arrivals: '100/s', tcp: { lifetime: '1s' } }] },
  ),
  'requests that get no answer on HTTP/2': of({ http2_protocol_options: {} }, { behavior: hanging }),
  'tries that get none': of(
    {},
    { behavior: hanging, workloads: traffic({ retry_policy: { retry_on: '5xx', per_try_timeout: '20ms' } }) },
  ),
  'connections that break under requests': of(
    {},
    { behavior: [{ hosts: {}, service_time: '50ms' }], timeline: [{ at: '2.03s', fail: {} }] },
  ),
  'hosts that report by themselves, or do not': of(
    {
      load_balancing_policy: REPORTED_OUT_OF_BAND,
    },
    {
      behavior: [
        { hosts: '10.0.0.1:80', load_report: { cpu_utilization: 0.2 } },
        ...refusing.map((one) => ({ ...one, hosts: '10.0.0.2:80' })),
      ],
    },
  ),
  'too many connections and waiting requests': of(limited({ max_connections: 1, max_pending_requests: 2 }), {
    ...busy,
    endpoints: { c: tenth(1) },
  }),
  'too many requests': of(
    { ...limited({ max_requests: 3 }), http2_protocol_options: {} },
    { ...busy, proxy: { version: '1.40' } },
  ),
  'too many retries': of(limited({ max_retries: 2 }), {
    behavior: always({}),
    workloads: traffic({ retry_policy: { retry_on: '5xx', retry_back_off: { base_interval: '60s' } }, timeout: '0s' }),
  }),
  'retries when answers say so': of(
    {},
    {
      behavior: always({ error_headers: { 'retry-after': '1' } }),
      workloads: traffic({
        retry_policy: { retry_on: '5xx', rate_limited_retry_back_off: { reset_headers: [{ name: 'retry-after' }] } },
      }),
    },
  ),
  'requests that wait at the end': of(
    {},
    { behavior: [{ hosts: {}, connect_time: '4s' }], workloads: traffic({ timeout: '0s' }), duration: '1s' },
  ),
  'checks of every kind, and what answers say': of(
    { health_checks: [check] },
    {
      proxy: { version: '1.40' },
      behavior: [
        { hosts: '10.0.0.1:80', health_check: 'degraded' },
        { hosts: '10.0.0.2:80', health_check: 503 },
        { hosts: '10.0.0.3:80', health_check: 'hang' },
        { hosts: '10.0.0.4:80', immediate_health_check_fail: true },
      ],
    },
  ),
  'detections of answers': of(
    { outlier_detection: { ...every, consecutive_5xx: 3, consecutive_gateway_failure: 2 } },
    { behavior: some },
  ),
  'detections by rates alone': of({ outlier_detection: { ...every, ...patient } }, { behavior: some }),
  'detections by the percentage of failures': of(
    { outlier_detection: { ...every, ...patient, enforcing_success_rate: 0 } },
    { behavior: [{ hosts: '10.0.0.1:80', error_rate: '100%' }] },
  ),
  'detections of what the proxy itself met': of(
    { outlier_detection: { ...every, ...split, consecutive_local_origin_failure: 3 } },
    { behavior: refusing },
  ),
  'detections of that by rates alone': of(
    { outlier_detection: { ...every, ...split, ...patient } },
    { behavior: refusing },
  ),
  'detections of that by the percentage of failures': of(
    { outlier_detection: { ...every, ...split, ...patient, enforcing_local_origin_success_rate: 0 } },
    { behavior: refusing },
  ),
  'detections that the limit stops': of({ outlier_detection: { consecutive_5xx: 2 } }, { behavior: always({}) }),
  'an assignment that says nothing new, and one that never comes': {
    duration: '20s',
    clusters: [
      { name: 'c', ...EDS },
      { name: 'd', ...EDS },
    ],
    endpoints: { c: tenth(2) },
    timeline: [
      { at: '1s', set_weight: { hosts: {}, weight: 1 } },
      { at: '2s', assign: { cluster_name: 'c' } },
      {
        at: '3s',
        update_cluster: {
          name: 'c',
          type: 'EDS',
          eds_cluster_config: { service_name: 'none', eds_config: { ads: {}, initial_fetch_timeout: '0s' } },
        },
      },
    ],
    workloads: traffic(),
  },
  'an assignment of the local cluster that is rejected': {
    duration: '2s',
    proxy: { local_cluster_name: 'c' },
    clusters: [{ name: 'c', ...EDS }],
    endpoints: { c: tenth(2) },
    timeline: [{ at: '1s', add_hosts: { cluster: 'c', priority: 1, endpoints: ['10.0.0.9:80'] } }],
    workloads: traffic(),
  },
  'names that are not resolved': of(
    { type: 'STRICT_DNS', dns_refresh_rate: '1s' },
    { endpoints: { c: ['a.test:80'] }, dns: { 'a.test': { fail: true } } },
  ),
  'headers that name no address': of(
    { type: 'ORIGINAL_DST', lb_policy: 'CLUSTER_PROVIDED', original_dst_lb_config: { use_http_header: true } },
    { endpoints: {}, workloads: traffic({ headers: { 'x-envoy-original-dst-host': 'nowhere' } }) },
  ),
  'sockets that fit': of({
    transport_socket_matches: [
      {
        name: 'all',
        match: {},
        transport_socket: {
          name: 'envoy.transport_sockets.raw_buffer',
          typed_config: { '@type': 'type.googleapis.com/envoy.config.transport_socket.raw_buffer.v2.RawBuffer' },
        },
      },
    ],
  }),
  'zones: all stay': zones(['a', 'a', 'b'], ['a', 'b']),
  'zones: some leave': zones(['a', 'b', 'b'], ['a', 'a', 'b']),
  'zones: nobody has capacity left': {
    duration: '5s',
    proxy: { node: { locality: { zone: 'z10' } }, local_cluster_name: 'me' },
    clusters: [{ name: 'c' }, { name: 'me' }],
    // Shares in parts of 10,000, cut off: 156 of each zone here and there, but 171 of the proxies are in the first.
    endpoints: {
      c: ZONES.map((zone, index) => ({ address: `10.0.${index}.1:80`, zone })),
      me: ZONES.map((zone, index) => ({ address: `10.9.${index}.1:80`, count: index === 0 ? 11 : 10, zone })),
    },
    workloads: traffic(),
  },
  'zones: too few here': zones(['a', 'b'], ['a'], { version: '1.17' }),
  'zones: none here': zones(['b', 'c'], ['b', 'c'], { version: '1.17' }),
  copies: of({}, { workloads: traffic({ request_mirror_policies: [{ cluster: 'c' }] }) }),
  rings: of({ lb_policy: 'RING_HASH' }),
  tables: of({ lb_policy: 'MAGLEV' }),
  'subsets, found and not': of(
    {
      lb_subset_config: {
        fallback_policy: 'DEFAULT_SUBSET',
        default_subset: { v: '1' },
        subset_selectors: [{ keys: ['v'] }],
        panic_mode_any: true,
      },
    },
    {
      endpoints: { c: ['1', '2', '2'].map((v, index) => ({ address: `10.0.0.${index + 1}:80`, metadata: { v } })) },
      workloads: [...traffic({ metadata_match: { v: '2' } }), ...traffic({ metadata_match: { x: '2' } })],
      timeline: [{ at: '2s', remove_hosts: '10.0.0.1:80' }],
    },
  ),
  'subsets of one host': of(
    { lb_subset_config: { subset_selectors: [{ keys: ['v'], single_host_per_subset: true }] } },
    {
      proxy: { version: '1.40' },
      endpoints: { c: ['1', '1'].map((v, index) => ({ address: `10.0.0.${index + 1}:80`, metadata: { v } })) },
      workloads: traffic({ metadata_match: { v: '1' } }),
    },
  ),
  'an assignment that goes stale': {
    duration: '5s',
    clusters: [{ name: 'c', ...EDS }],
    assignments: {
      c: {
        cluster_name: 'c',
        endpoints: [
          { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
        ],
        policy: { endpoint_stale_after: '3s' },
      },
    },
    workloads: traffic(),
  },
  'hosts that drain': of(
    { ...EDS },
    {
      proxy: { version: '1.40' },
      timeline: [
        { at: '1s', set_health: { hosts: '10.0.0.1:80', status: 'DRAINING' } },
        { at: '1s', set_health: { hosts: '10.0.0.2:80', status: 'DEGRADED' } },
      ],
    },
  ),
};

it('every statistic of a cluster that the page has is more than 0 somewhere', async () => {
  const page = readFileSync(new URL('../../docs/stats.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `cluster\.<name>\.([^`]+)` +\|/gm)].map(([, name]) => name as string);
  const moved = new Set<string>();
  for (const scenario of Object.values(SCENARIOS)) {
    const { stats } = await run(scenario);
    const counts = Object.entries(stats.histograms).map(([name, { count }]) => [name, count] as const);
    for (const [name, value] of [...Object.entries({ ...stats.counters, ...stats.gauges }), ...counts]) {
      const local = /^cluster\.[^.]+\.(.*)$/.exec(name)?.[1];
      if (value > 0 && local !== undefined) moved.add(generalised(local));
    }
  }
  const still = documented.filter((name) => !moved.has(name) && name !== OF_A_MODULE);
  expect(still).toEqual(Object.keys(ALWAYS_ZERO));
  expect(documented.length).toBeGreaterThan(100);
});
