import type { Effect } from './variants.js';
import { cluster, effectsOf, endpoint, reporting, sinks, TRAFFIC, weighted } from './variants.js';

/** The scenario's own words, by the block that they belong to. */
const CHECKS =
  'health_checks: [{timeout: 0.2s, interval: 0.5s, unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: {path: /}}]';
const RR = 'lb_policy: ROUND_ROBIN';
const plain = (rest: string, traffic = TRAFFIC): string => cluster(RR, { traffic, rest });
const EDS = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}}}';
const assignment = (address: string): string =>
  `{cluster_name: b, endpoints: [{lb_endpoints: [${endpoint(address)}]}]}`;

const top = effectsOf('scenario', {
  name: plain('name: «one|two»\n'),
  seed: cluster('lb_policy: RANDOM', { rest: 'seed: «1|2»\n' }),
  // v3 is read as a 1.40 reads it, which picks by other draws.
  api: cluster('lb_policy: RANDOM', { rest: 'api: «v2|v3»\n' }),
  duration: plain('duration: «1s|2s»\n'),
  warmup: plain('warmup: «0s|1s»\n'),
  proxies: plain('proxies: [{name: x}«|, {name: y1}»]\n'),
  proxy: plain('proxy: {workers: «1|3»}\n'),
  clusters: cluster('lb_policy: «RANDOM|ROUND_ROBIN»'),
  endpoints: cluster(RR, { hosts: '10.0.0.1:80«|, 10.0.0.2:80»' }),
  assignments: `clusters: [{name: b, ${EDS}}]\nassignments: {b: ${assignment('10.0.0.«1|2»:80')}}\n${TRAFFIC}`,
  dns: `clusters: [{name: b, type: STRICT_DNS, load_assignment: {cluster_name: b, endpoints: [{lb_endpoints: [${endpoint('h.test:80')}]}]}}]\ndns: {h.test: {addresses: [10.0.0.«1|2»]}}\n${TRAFFIC}`,
  behavior: plain('behavior: [{service_time: «1ms|9ms»}]\n'),
  hosts: plain('hosts: [{service_time: «1ms|9ms»}]\n'),
  workloads: plain('', 'workloads: [{cluster: b, arrivals: {constant: «10|20»/s}, stop: 1s}]\n'),
  requests: plain('', 'requests: [{at: 0s, cluster: b}«|, {at: 1s, cluster: b}»]\n'),
  timeline: plain('timeline: [«|{at: 1s, remove_hosts: 10.0.0.1:80}»]\n'),
  question: plain('question: [«|{success_rate: {cluster: b}}»]\n'),
  expect: plain('expect: [«|{success_rate: {cluster: b}, at_least: 99%}»]\n'),
});

const proxies = effectsOf('proxy', {
  name: plain('proxies: [{name: «x|z»}, {name: other}]\n'),
  count: plain('proxy: {count: «1|2»}\n'),
  share: plain('proxies: [{share: «1|9»}, {}]\n'),
  workers: plain('proxy: {workers: «1|3»}\n'),
  version: cluster('lb_policy: RING_HASH', { rest: 'proxy: {version: "«1.12|1.40»"}\n' }),
  node: `clusters: [{name: b}, {name: web}]
endpoints: {b: [{address: 10.0.0.1:80, count: 2, zone: a}, {address: 10.0.0.11:80, count: 4, zone: b}], web: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.0.2:80, zone: b}]}
proxy: {local_cluster_name: web, node: {locality: {zone: «a|b»}}}
${TRAFFIC}`,
  local_cluster_name: `clusters: [{name: b}, {name: web}]
endpoints: {b: [{address: 10.0.0.1:80, count: 2, zone: a}, {address: 10.0.0.11:80, count: 4, zone: b}], web: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.0.2:80, zone: b}]}
proxy: {«|local_cluster_name: web,» node: {locality: {zone: a}}}
${TRAFFIC}`,
  runtime: plain(
    'proxy: {runtime: {upstream.healthy_panic_threshold: «0|100»}}\ntimeline: [{at: 1s, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}]\n',
  ),
  stats_config: plain('proxy: {stats_config: {stats_matcher: {reject_all: «false|true»}}}\n'),
  init_random: cluster(RR, {
    hosts: '10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80',
    rest: 'proxy: {init_random: ["«1|2»", "«1|2»", "«1|2»"]}\n',
  }),
});

const RETRIED = (policy: string): string =>
  `workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, retry_policy: {${policy}}}]\n`;
const FAILING = 'behavior: [{error_rate: 50%}]\n';
const stream = (fields: string): string =>
  `workloads: [{cluster: b, arrivals: {constant: 50/s}, stop: 1s, ${fields}}]\n`;
const single = (fields: string, count = 1): string =>
  `requests: [${Array.from({ length: count }, () => `{at: 0s, cluster: b, ${fields}}`).join(', ')}]\n`;
const VERSIONS = '{address: 10.0.0.1:80, metadata: {v: "1"}}, {address: 10.0.0.2:80, metadata: {v: "2"}}';
const SUBSETS = 'lb_subset_config: {subset_selectors: [{keys: [v]}]}';
const HEADER = (traffic: string): string =>
  cluster('type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: true}', {
    hosts: '',
    traffic,
  });
const HIGH = 'http2_protocol_options: {}, circuit_breakers: {thresholds: [{priority: HIGH, max_requests: 1}]}';
const SLOW = 'behavior: [{service_time: 100ms}]\n';

const workloads = effectsOf('workload', {
  name: plain(
    '',
    'workloads: [{name: «one|two», cluster: b, arrivals: {constant: 50/s}, stop: 1s}]\ntimeline: [{at: 0.5s, set_rate: {workload: «one|two», rate: 5/s}}]\n',
  ),
  cluster: `clusters: [{name: b}, {name: c}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.2:80]}\nworkloads: [{cluster: «b|c», arrivals: {constant: 50/s}, stop: 1s}]\n`,
  route: `clusters: [{name: b}, {name: c}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.2:80]}\nworkloads: [{route: [{cluster: b, weight: «10|90»}, {cluster: c, weight: 50}], arrivals: {constant: 50/s}, stop: 1s}]\n`,
  arrivals: plain('', 'workloads: [{cluster: b, arrivals: {«constant|poisson»: 50/s}, stop: 1s}]\n'),
  start: plain('', stream('start: «0s|0.5s»')),
  stop: plain('', stream('').replace('stop: 1s', 'stop: «1s|2s»')),
  hash_key: cluster('lb_policy: MAGLEV', { traffic: stream('hash_key: {sequence: {keys: «1|50»}}') }),
  route_hash: cluster('lb_policy: MAGLEV', {
    traffic: stream('hash_key: {sequence: {keys: 1}}, route_hash: «true|false»'),
  }),
  metadata_match: cluster(SUBSETS, { hosts: VERSIONS, traffic: stream('metadata_match: {v: "«1|2»"}') }),
  headers: HEADER(stream('headers: {x-proxy-original-dst-host: "10.0.0.«8|9»:80"}')),
  priority: cluster(HIGH, { traffic: stream('priority: «DEFAULT|HIGH»'), rest: SLOW }),
  timeout: plain(SLOW, stream('timeout: «1s|50ms»')),
  retry_policy: plain(FAILING, stream('retry_policy: {«|retry_on: 5xx»}')),
  proxies: plain('proxies: [{name: p1}, {name: p2}]\n', stream('proxies: [«p1|p2»]')),
});

const requests = effectsOf('request', {
  at: plain('', 'requests: [{at: «0s|1s», cluster: b}]\n'),
  cluster: `clusters: [{name: b}, {name: c}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.2:80]}\nrequests: [{at: 0s, cluster: «b|c»}]\n`,
  hash_key: cluster('lb_policy: MAGLEV', { traffic: single('hash_key: «k1|k2»') }),
  hash: cluster('lb_policy: MAGLEV', { traffic: single('hash: "«1|2»"') }),
  metadata_match: cluster(SUBSETS, { hosts: VERSIONS, traffic: single('metadata_match: {v: "«1|2»"}') }),
  headers: HEADER(single('headers: {x-proxy-original-dst-host: "10.0.0.«8|9»:80"}')),
  priority: cluster(HIGH, { traffic: single('priority: «DEFAULT|HIGH»', 3), rest: SLOW }),
  timeout: plain(SLOW, single('timeout: «1s|50ms»')),
  retry_policy: plain('behavior: [{error_rate: 100%}]\n', single('retry_policy: {«|retry_on: 5xx»}')),
  random: cluster('lb_policy: RANDOM', { traffic: single('random: ["0", "«0|1»"]') }).replace(
    '"0", "«0|1»"',
    '"«0|1»", "«0|1»"',
  ),
  service_time: plain('', single('service_time: «1ms|9ms»')),
  proxy: plain('proxies: [{name: p1}, {name: p2}]\n', single('proxy: «p1|p2»')),
  worker: plain('proxy: {workers: 2}\nseed: 3\n', single('worker: «0|1»', 3)),
});

const retries = effectsOf('retry policy', {
  retry_on: plain(FAILING, RETRIED('retry_on: «5xx|connect-failure»')),
  num_retries: plain(FAILING, RETRIED('retry_on: 5xx, num_retries: «1|3»')),
  per_try_timeout: plain(SLOW, RETRIED('retry_on: 5xx, per_try_timeout: «1s|50ms»')),
  retriable_status_codes: plain(
    FAILING,
    RETRIED('retry_on: retriable-status-codes, retriable_status_codes: [«503|418»]'),
  ),
  host_selection_retry_max_attempts: cluster('lb_policy: RANDOM', {
    hosts: '10.0.0.1:80, 10.0.0.2:80',
    traffic: RETRIED(
      'retry_on: 5xx, num_retries: 3, retry_host_predicate: [proxy.retry_host_predicates.previous_hosts], host_selection_retry_max_attempts: «1|9»',
    ),
    rest: 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\n',
  }),
  retry_host_predicate: cluster('lb_policy: RANDOM', {
    hosts: '10.0.0.1:80, 10.0.0.2:80',
    traffic: RETRIED(
      'retry_on: 5xx, host_selection_retry_max_attempts: 9, retry_host_predicate: [«|proxy.retry_host_predicates.previous_hosts»]',
    ),
    rest: 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\n',
  }),
  retry_priority: cluster('', {
    hosts: '{address: 10.0.0.1:80, priority: 0}, {address: 10.0.0.2:80, priority: 1}',
    traffic: RETRIED(
      'retry_on: 5xx, num_retries: 3, retry_priority: {name: proxy.retry_priorities.previous_priorities, config: {update_frequency: «1|2»}}',
    ),
    rest: FAILING,
  }),
  retriable_headers: plain(
    'behavior: [{error_rate: 50%, error_headers: {x-a: b}}]\n',
    RETRIED('retry_on: retriable-headers, retriable_headers: [{name: x-a, exact_match: «b|c»}]'),
  ),
  retriable_request_headers: plain(FAILING, RETRIED('retry_on: 5xx, retriable_request_headers: [«|{name: x-a}»]')),
  rate_limited_retry_back_off: plain(
    'behavior: [{error_rate: 50%, error_headers: {retry-after: "1"}}]\n',
    RETRIED('retry_on: 5xx, «|rate_limited_retry_back_off: {reset_headers: [{name: retry-after}]}»'),
  ),
  retry_back_off: plain(
    FAILING,
    RETRIED('retry_on: 5xx, num_retries: 3, retry_back_off: {base_interval: «1ms|100ms», max_interval: 1s}'),
  ),
});

const behavior = effectsOf('behavior', {
  hosts: plain('behavior: [{hosts: 10.0.0.«1|2»:80, service_time: 9ms}]\n'),
  service_time: plain('behavior: [{service_time: «1ms|9ms»}]\n'),
  concurrency: plain('behavior: [{service_time: 100ms, concurrency: «1|9»}]\n'),
  discipline: plain(
    'behavior: [{service_time: 100ms, concurrency: 1, discipline: «first_come_first_served|processor_sharing»}]\n',
  ),
  queue_limit: plain('behavior: [{service_time: 100ms, concurrency: 1, queue_limit: «1|99»}]\n'),
  error_rate: plain('behavior: [{error_rate: «10%|90%»}]\n'),
  error_status: plain('behavior: [{error_rate: 100%, error_status: «503|404»}]\n'),
  error_headers: plain(
    'behavior: [{error_rate: 50%, error_headers: {x-a: «b|c»}}]\n',
    RETRIED('retry_on: retriable-headers, retriable_headers: [{name: x-a, exact_match: b}]'),
  ),
  closes: plain('behavior: [{closes: «never|instead»}]\n'),
  close_rate: plain('behavior: [{closes: instead, close_rate: «10%|90%»}]\n'),
  connect_time: plain('behavior: [{connect_time: «1ms|9ms»}]\n'),
  connect_failure_rate: plain('behavior: [{connect_failure_rate: «0%|100%»}]\n'),
  network_latency: plain('behavior: [{network_latency: «1ms|9ms»}]\n'),
  down: plain('behavior: [{hosts: 10.0.0.1:80, down: «none|refuse»}]\n'),
  health_check: cluster(CHECKS, { rest: 'behavior: [{hosts: 10.0.0.1:80, health_check: «ok|503»}]\n' }),
  immediate_health_check_fail: cluster(CHECKS, {
    rest: 'behavior: [{hosts: 10.0.0.1:80, immediate_health_check_fail: «false|true»}]\n',
  }),
  match: plain('behavior: [{match: 10.0.0.«1|2»:80, service_time: 9ms}]\n'),
  load_report: weighted(reporting('cpu_utilization: «0.1|0.9», rps_fractional: 100')),
  initial_active_requests: cluster('lb_policy: LEAST_REQUEST', {
    rest: 'behavior: [{hosts: 10.0.0.1:80, initial_active_requests: «0|9»}]\n',
  }),
});

const at = (action: string): string => plain(`timeline: [{at: 1s, ${action}}]\n`);
const TIMELINE: Readonly<Record<string, string>> = {
  at: plain('timeline: [{at: «1s|0.5s», remove_hosts: 10.0.0.1:80}]\n'),
  every: plain('duration: 2s\ntimeline: [{every: «0.5s|1s», set_weight: {hosts: 10.0.0.1:80, weight: 2}}]\n'),
  from: plain('duration: 2s\ntimeline: [{every: 1s, from: «0.2s|0.6s», fail: 10.0.0.1:80}]\n'),
  until: plain(
    'duration: 2s\ntimeline: [{every: 0.3s, until: «0.5s|1.9s», note: x}, {every: 0.3s, until: «0.5s|1.9s», set_rate: {workload: workload, rate: 200/s}}, {at: 1s, set_rate: {workload: workload, rate: 10/s}}]\n',
  ),
  fail: at('fail: 10.0.0.«1|2»:80'),
  recover: plain('behavior: [{down: refuse}]\ntimeline: [{at: 1s, recover: 10.0.0.«1|2»:80}]\n'),
  set_health: at('set_health: {hosts: 10.0.0.1:80, status: «HEALTHY|UNHEALTHY»}'),
  set_weight: at('set_weight: {hosts: 10.0.0.1:80, weight: «2|9»}'),
  set_metadata: cluster(SUBSETS, {
    hosts: VERSIONS,
    traffic: stream('metadata_match: {v: "1"}'),
    rest: 'timeline: [{at: 0.5s, set_metadata: {hosts: 10.0.0.2:80, metadata: {v: "«1|2»"}}}]\n',
  }),
  add_hosts: at('add_hosts: {cluster: b, endpoints: [10.0.0.«8|9»:80]}'),
  remove_hosts: at('remove_hosts: 10.0.0.«1|2»:80'),
  assign: at(`assign: ${assignment('10.0.0.«1|2»:80')}`),
  dns: `clusters: [{name: b, type: STRICT_DNS, dns_refresh_rate: 0.2s, load_assignment: {cluster_name: b, endpoints: [{lb_endpoints: [${endpoint('h.test:80')}]}]}}]\ndns: {h.test: {addresses: [10.0.0.1]}}\n${TRAFFIC}timeline: [{at: 1s, dns: {h.test: {addresses: [10.0.0.«1|2»]}}}]\n`,
  update_cluster: at(
    `update_cluster: {name: b, lb_policy: «RANDOM|MAGLEV», load_assignment: ${assignment('10.0.0.1:80')}}`,
  ),
  remove_cluster: `clusters: [{name: b}, {name: c}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.1:80]}\n${TRAFFIC}timeline: [{at: 1s, remove_cluster: «b|c»}]\n`,
  set_behavior: at('set_behavior: {hosts: {}, service_time: «1ms|9ms»}'),
  set_rate: at('set_rate: {workload: workload, rate: «10|20»/s}'),
  set_runtime: plain(
    'timeline: [{at: 0s, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}, {at: 1s, set_runtime: {upstream.healthy_panic_threshold: «0|100»}}]\n',
  ),
  note: at('note: «one|two»'),
};

const SINK =
  'proxy: {stats_flush_interval: «1s|2s», stats_sinks: [{name: envoy.stat_sinks.statsd, typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.StatsdSink, prefix: «a|b», address: {socket_address: {address: 127.0.0.1, port_value: 8125}}}}]}\n';
const statistics = [
  sinks('proxy.stats_flush_interval', plain(SINK.replace('«a|b»', 'a'))),
  sinks('proxy.stats_sinks', plain(SINK.replace('«1s|2s»', '1s'))),
];

export const SCENARIO_EFFECTS: readonly Effect[] = [
  ...top,
  ...statistics,
  ...proxies,
  ...workloads,
  ...requests,
  ...retries,
  ...behavior,
  ...effectsOf('timeline entry', TIMELINE),
];
