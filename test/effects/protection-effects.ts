import type { Effect } from './variants.js';
import { cluster, effectsOf, verdict } from './variants.js';

const HTTP2 = 'http2_protocol_options: {}';
const SLOW = 'behavior: [{service_time: 200ms}]\n';
const ERRORS = 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\n';
const limited = (limits: string, { protocol = '', rest = SLOW, traffic = '' } = {}): string =>
  cluster(`circuit_breakers: {thresholds: [{${limits}}]}${protocol}`, {
    rest,
    ...(traffic === '' ? {} : { traffic }),
  });
const RETRIED =
  'workloads: [{cluster: b, arrivals: {constant: 200/s}, stop: 2s, retry_policy: {retry_on: 5xx, num_retries: 3}}]\n';
const FAILING = 'behavior: [{service_time: 50ms, error_rate: 60%}]\n';

const limits = [
  ...effectsOf('cluster.CircuitBreakers', {
    thresholds: cluster(`circuit_breakers: {thresholds: [{max_requests: «1|1024»}]}, ${HTTP2}`, { rest: SLOW }),
  }),
  ...effectsOf('cluster.CircuitBreakers.Thresholds', {
    priority: limited('priority: «DEFAULT|HIGH», max_requests: 1', { protocol: `, ${HTTP2}` }),
    max_connections: limited('max_connections: «1|1024»'),
    max_pending_requests: limited('max_connections: 1, max_pending_requests: «1|1024»'),
    max_requests: limited('max_requests: «1|1024»', { protocol: `, ${HTTP2}` }),
    max_retries: limited('max_retries: «1|1024»', { rest: FAILING, traffic: RETRIED }),
    retry_budget: limited('«|retry_budget: {budget_percent: {value: 100}}»', { rest: FAILING, traffic: RETRIED }),
    track_remaining: limited('track_remaining: «false|true»'),
  }),
  ...effectsOf('cluster.CircuitBreakers.Thresholds.RetryBudget', {
    budget_percent: limited('retry_budget: {budget_percent: {value: «1|100»}, min_retry_concurrency: 1}', {
      rest: FAILING,
      traffic: RETRIED,
    }),
    min_retry_concurrency: limited('retry_budget: {budget_percent: {value: 1}, min_retry_concurrency: «0|100»}', {
      rest: FAILING,
      traffic: RETRIED,
    }),
  }),
  ...effectsOf('core.Http2ProtocolOptions', {
    max_concurrent_streams: cluster('http2_protocol_options: {max_concurrent_streams: «1|100»}', { rest: SLOW }),
  }),
];

const TEN = '{address: 10.0.0.1:80, count: 10}';
const LONG = 'workloads: [{cluster: b, arrivals: {constant: 400/s}, stop: 8s, hash_key: {sequence: {keys: 1000}}}]\n';
/** Ten hosts, the first of which answers with errors. */
const outlier = (config: string, rest = ERRORS, more = ''): string =>
  cluster(`outlier_detection: {${config}}${more}`, { hosts: TEN, traffic: LONG, rest });
const OFF = 'enforcing_consecutive_5xx: 0, enforcing_success_rate: 0';
const HALF = 'behavior: [{hosts: 10.0.0.1:80, error_rate: 50%}]\n';
const GATEWAY = 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%, error_status: 502}]\n';
const REFUSED = 'behavior: [{hosts: 10.0.0.1:80, down: refuse}]\n';
const RATE = `interval: 1s, success_rate_request_volume: 5`;
const PERCENT = `interval: 1s, ${OFF}, failure_percentage_request_volume: 5`;
const LOCAL = 'split_external_local_origin_errors: true, interval: 1s';
const HALF_REFUSED = 'behavior: [{hosts: 10.0.0.1:80, connect_failure_rate: 100%}]\n';
const MODERN = 'proxy: {version: "1.40"}\n';
const CHECKED =
  ', health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]';

const outliers = effectsOf('cluster.OutlierDetection', {
  consecutive_5xx: outlier('consecutive_5xx: «2|50»'),
  interval: outlier('interval: «1s|3s», base_ejection_time: 1s'),
  base_ejection_time: outlier('interval: 1s, base_ejection_time: «1s|30s»'),
  max_ejection_percent: outlier(
    'max_ejection_percent: «10|100»',
    'behavior: [{hosts: 10.0.0.0/29, error_rate: 100%}]\n',
  ),
  enforcing_consecutive_5xx: outlier('enforcing_consecutive_5xx: «0|100», enforcing_success_rate: 0'),
  enforcing_success_rate: outlier(`${RATE}, enforcing_consecutive_5xx: 0, enforcing_success_rate: «0|100»`, HALF),
  success_rate_minimum_hosts: outlier(
    `${RATE}, enforcing_consecutive_5xx: 0, success_rate_minimum_hosts: «5|50»`,
    HALF,
  ),
  success_rate_request_volume: outlier(
    'interval: 1s, enforcing_consecutive_5xx: 0, success_rate_request_volume: «5|5000»',
    HALF,
  ),
  success_rate_stdev_factor: outlier(
    `${RATE}, enforcing_consecutive_5xx: 0, success_rate_stdev_factor: «1900|9000»`,
    HALF,
  ),
  consecutive_gateway_failure: outlier(
    `${OFF}, enforcing_consecutive_gateway_failure: 100, consecutive_gateway_failure: «2|50»`,
    GATEWAY,
  ),
  enforcing_consecutive_gateway_failure: outlier(`${OFF}, enforcing_consecutive_gateway_failure: «0|100»`, GATEWAY),
  split_external_local_origin_errors: outlier(
    'split_external_local_origin_errors: «false|true», enforcing_consecutive_local_origin_failure: 0, enforcing_local_origin_success_rate: 0',
    REFUSED,
  ),
  consecutive_local_origin_failure: outlier(`${LOCAL}, consecutive_local_origin_failure: «2|50»`, REFUSED),
  enforcing_consecutive_local_origin_failure: outlier(
    `${LOCAL}, enforcing_local_origin_success_rate: 0, enforcing_consecutive_local_origin_failure: «0|100»`,
    REFUSED,
  ),
  enforcing_local_origin_success_rate: outlier(
    `${LOCAL}, success_rate_request_volume: 5, enforcing_consecutive_local_origin_failure: 0, enforcing_local_origin_success_rate: «0|100»`,
    HALF_REFUSED,
  ),
  failure_percentage_threshold: outlier(
    `${PERCENT}, enforcing_failure_percentage: 100, failure_percentage_threshold: «20|90»`,
    HALF,
  ),
  enforcing_failure_percentage: outlier(
    `${PERCENT}, failure_percentage_threshold: 20, enforcing_failure_percentage: «0|100»`,
    HALF,
  ),
  enforcing_failure_percentage_local_origin: outlier(
    `${LOCAL}, ${OFF}, enforcing_consecutive_local_origin_failure: 0, enforcing_local_origin_success_rate: 0, failure_percentage_request_volume: 5, enforcing_failure_percentage_local_origin: «0|100»`,
    HALF_REFUSED,
  ),
  failure_percentage_minimum_hosts: outlier(
    `${PERCENT}, enforcing_failure_percentage: 100, failure_percentage_threshold: 20, failure_percentage_minimum_hosts: «5|50»`,
    HALF,
  ),
  failure_percentage_request_volume: outlier(
    `interval: 1s, ${OFF}, enforcing_failure_percentage: 100, failure_percentage_threshold: 20, failure_percentage_request_volume: «5|5000»`,
    HALF,
  ),
  max_ejection_time: outlier(
    'interval: 0.5s, base_ejection_time: 1s, max_ejection_time: «1s|300s»',
    `${MODERN}${ERRORS}`,
  ),
  max_ejection_time_jitter: outlier(
    'interval: 0.5s, base_ejection_time: 1s, max_ejection_time_jitter: «0s|3s»',
    `${MODERN}${ERRORS}`,
  ),
  successful_active_health_check_uneject_host: outlier(
    'successful_active_health_check_uneject_host: «false|true»',
    `${MODERN}${ERRORS}`,
    CHECKED,
  ),
  always_eject_one_host: outlier('max_ejection_percent: 1, always_eject_one_host: «false|true»', `${MODERN}${ERRORS}`),
});

/** @param config over and above what is required; of those the last that is written counts. */
const checked = (config: string, rest: string, kind = 'http_health_check: {path: /}'): string =>
  cluster(
    `health_checks: [{timeout: 0.2s, interval: 0.5s, unhealthy_threshold: 2, healthy_threshold: 2, ${kind}, ${config}}]`,
    { rest, traffic: LONG.replace('400/s', '50/s') },
  ).replaceAll(/(?<![_a-z])(timeout|interval|unhealthy_threshold|healthy_threshold): [\d.s]+, (?=.*[ {]\1: «)/g, '');
const HANGS =
  'timeline: [{at: 1s, set_behavior: {hosts: 10.0.0.1:80, health_check: hang}}, {at: 4s, set_behavior: {hosts: 10.0.0.1:80, health_check: ok}}]\n';
const QUIET = HANGS.replace('1s', '0.1s');

const healthChecks = [
  ...effectsOf('core.HealthCheck', {
    timeout: checked('timeout: «0.1s|0.4s»', HANGS),
    interval: checked('interval: «0.3s|1s»', HANGS),
    initial_jitter: `clusters: [{name: b, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}, initial_jitter: «0s|2s»}]}]
endpoints: {b: [10.0.0.1:80]}
timeline: [{at: 0.5s, add_hosts: {cluster: b, endpoints: [10.0.0.2:80]}}]
workloads: [{cluster: b, arrivals: {constant: 50/s}, stop: 4s}]
`,
    interval_jitter: checked('interval_jitter: «0s|1s»', HANGS),
    interval_jitter_percent: checked('interval_jitter_percent: «0|100»', HANGS),
    unhealthy_threshold: checked('unhealthy_threshold: «1|4»', HANGS),
    healthy_threshold: checked('healthy_threshold: «1|4»', HANGS),
    http_health_check: checked(
      '«http_health_check: {path: /}|tcp_health_check: {}»',
      HANGS.replaceAll('hang', '503'),
      '',
    ).replace(', , ', ', '),
    tcp_health_check: checked(
      '«tcp_health_check: {}|http_health_check: {path: /}»',
      HANGS.replaceAll('hang', '503'),
      '',
    ).replace(', , ', ', '),
    grpc_health_check: checked('«grpc_health_check: {}|tcp_health_check: {}»', HANGS.replaceAll('hang', '503'), '')
      .replace(', , ', ', ')
      .replace('name: b,', 'name: b, http2_protocol_options: {},'),
    custom_health_check: checked(
      '«custom_health_check: {name: envoy.health_checkers.redis}|tcp_health_check: {}»',
      HANGS.replaceAll('hang', '503'),
      '',
    ).replace(', , ', ', '),
    no_traffic_interval: checked('no_traffic_interval: «1s|60s»', QUIET).replace(
      /workloads.*\n/,
      'duration: 8s\nrequests: [{at: 7s, cluster: b}]\n',
    ),
    no_traffic_healthy_interval: checked(
      'no_traffic_interval: 9s, no_traffic_healthy_interval: «1s|60s»',
      QUIET,
    ).replace(/workloads.*\n/, 'duration: 8s\nrequests: [{at: 7s, cluster: b}]\n'),
    unhealthy_interval: checked('unhealthy_interval: «0.3s|3s»', HANGS),
    unhealthy_edge_interval: checked('unhealthy_edge_interval: «0.3s|3s»', HANGS),
    healthy_edge_interval: checked('healthy_edge_interval: «0.3s|3s»', HANGS),
  }),
  verdict(
    'core.HealthCheck.CustomHealthCheck.name',
    checked('alt_port: 80', '', 'custom_health_check: {name: «envoy.health_checkers.redis|redis»}'),
  ),
  ...effectsOf('core.HealthCheck.HttpHealthCheck', {
    expected_statuses: checked(
      'alt_port: 80',
      HANGS.replaceAll('hang', '503'),
      'http_health_check: {path: /, expected_statuses: [{start: 200, end: «300|600»}]}',
    ),
    service_name: checked(
      'alt_port: 80',
      `${HANGS}proxy: {runtime: {health_check.verify_cluster: 50}}\n`,
      'http_health_check: {path: /«|, service_name: s»}, interval_jitter: 1s',
    ),
    service_name_matcher: checked(
      'alt_port: 80',
      `${HANGS}proxy: {runtime: {health_check.verify_cluster: 50}}\n`,
      'http_health_check: {path: /«|, service_name_matcher: {prefix: s}»}, interval_jitter: 1s',
    ),
  }),
  ...effectsOf('type.Int64Range', {
    start: checked(
      'alt_port: 80',
      HANGS.replaceAll('hang', '503'),
      'http_health_check: {path: /, expected_statuses: [{start: 200, end: 201}, {start: «503|504», end: 505}]}',
    ),
    end: checked(
      'alt_port: 80',
      HANGS.replaceAll('hang', '503'),
      'http_health_check: {path: /, expected_statuses: [{start: 200, end: «300|600»}]}',
    ),
  }),
];

/** Requests carry `x-a: 15` and are retried where the matcher says so. */
const matching = (matcher: string): string =>
  cluster('', {
    rest: 'behavior: [{error_rate: 100%}]\n',
    traffic: `workloads: [{cluster: b, arrivals: {constant: 5/s}, stop: 1s, headers: {x-a: "15"}, retry_policy: {retry_on: 5xx, retriable_request_headers: [{${matcher}}]}}]\n`,
  });
const headers = effectsOf('route.HeaderMatcher', {
  name: matching('name: «x-a|x-b»'),
  exact_match: matching('name: x-a, exact_match: "«15|16»"'),
  regex_match: matching('name: x-a, regex_match: "1«5|6»"'),
  safe_regex_match: matching('name: x-a, safe_regex_match: {regex: "1«5|6»"}'),
  range_match: matching('name: x-a, range_match: {start: 10, end: «16|15»}'),
  present_match: `proxy: {version: "1.40"}\n${matching('name: x-a, present_match: «true|false»')}`,
  prefix_match: matching('name: x-a, prefix_match: "«1|2»"'),
  suffix_match: matching('name: x-a, suffix_match: "«5|6»"'),
  invert_match: matching('name: x-a, exact_match: "15", invert_match: «false|true»'),
});

export const PROTECTION_EFFECTS: readonly Effect[] = [...limits, ...outliers, ...healthChecks, ...headers];
