import type { Effect } from './variants.js';
import { assigned, cluster, effectsOf, endpoint, reporting, TRAFFIC, weighted } from './variants.js';

/** The words inside the blocks of a scenario: shorthands, selectors, distributions, actions, expectations. */
const RR = 'lb_policy: ROUND_ROBIN';
const SUBSETS = 'lb_subset_config: {subset_selectors: [{keys: [v]}]}';
const VERSIONS = '{address: 10.0.0.1:80, metadata: {v: "1"}}, {address: 10.0.0.2:80, metadata: {v: "2"}}';

const plain = (rest: string): string => cluster(RR, { rest });
const streamOf = (fields: string, policy = RR, rest = ''): string =>
  cluster(policy, { traffic: `workloads: [{cluster: b, stop: 1s, ${fields}}]\n`, rest });
const hosts = (list: string, rest = ''): string => cluster(RR, { hosts: list, rest });
const at = (action: string): string => plain(`timeline: [{at: 1s, ${action}}]\n`);
const TWO_CLUSTERS = 'clusters: [{name: b}, {name: c}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.2:80]}\n';

const reports = effectsOf('load_report', {
  cpu_utilization: weighted(reporting('cpu_utilization: «0.1|0.9», rps_fractional: 100')),
  mem_utilization: weighted(reporting('mem_utilization: «0.1|0.9», rps_fractional: 100'), 'mem_utilization'),
  application_utilization: weighted(reporting('application_utilization: «0.1|0.9», rps_fractional: 100')),
  rps_fractional: weighted(reporting('cpu_utilization: 0.5, rps_fractional: «10|100»')),
  eps: weighted(reporting('cpu_utilization: 0.5, rps_fractional: 100, eps: «0|90»')),
  named_metrics: weighted(reporting('named_metrics: {q: «0.1|0.9»}, rps_fractional: 100'), 'named_metrics.q'),
  utilization: weighted(reporting('utilization: {q: «0.1|0.9»}, rps_fractional: 100'), 'utilization.q'),
});

const shorthand = [
  ...effectsOf('endpoint', {
    address: hosts('{address: 10.0.0.«1|2»:80}'),
    count: hosts('{address: 10.0.0.1:80, count: «1|2»}'),
    weight: hosts('{address: 10.0.0.1:80, weight: «1|9»}, 10.0.0.2:80'),
    priority: hosts('{address: 10.0.0.1:80, priority: «0|1»}, 10.0.0.2:80'),
    zone: hosts('{address: 10.0.0.1:80, zone: «a|b»}'),
    locality: hosts('{address: 10.0.0.1:80, locality: {zone: «a|b»}}'),
    health: hosts('{address: 10.0.0.1:80, health: «HEALTHY|UNHEALTHY»}, 10.0.0.2:80, 10.0.0.3:80'),
    metadata: cluster(SUBSETS, {
      hosts: '{address: 10.0.0.1:80, metadata: {v: "«1|2»"}}',
      traffic: 'workloads: [{cluster: b, arrivals: {constant: 10/s}, stop: 1s, metadata_match: {v: "1"}}]\n',
    }),
    hostname: hosts('{address: 10.0.0.1:80, hostname: «a|b»}'),
  }),
  ...effectsOf('locality', {
    region: hosts('{address: 10.0.0.1:80, locality: {region: «a|b»}}'),
    zone: hosts('{address: 10.0.0.1:80, locality: {zone: «a|b»}}'),
    sub_zone: hosts('{address: 10.0.0.1:80, locality: {sub_zone: «a|b»}}'),
  }),
];

const resolved = (answer: string, fields = ''): string =>
  assigned(
    `endpoints: [{lb_endpoints: [${endpoint('h.test:80')}]}]`,
    `type: STRICT_DNS, respect_dns_ttl: true, dns_refresh_rate: 1s${fields}`,
    `dns: {h.test: {${answer}}}\n`,
  );
const answers = effectsOf('dns answer', {
  addresses: resolved('addresses: [10.0.0.«1|2»]'),
  ttl: resolved('addresses: [10.0.0.1], ttl: «1s|0.1s»'),
  fail: resolved('«addresses: []|fail: true»'),
});

const PLACES =
  '{address: 10.0.0.1:80, hostname: one, locality: {region: r, zone: a}, metadata: {v: "1"}}, {address: 10.0.0.2:80, hostname: two, locality: {region: r, zone: b}, metadata: {v: "2"}}';
const selected = (selector: string, list = PLACES): string =>
  hosts(list, `behavior: [{hosts: {${selector}}, service_time: 9ms}]\n`);
const selectors = effectsOf('selector', {
  address: selected('address: 10.0.0.«1|2»:80'),
  hostname: selected('hostname: «one|two»'),
  cluster: `${TWO_CLUSTERS}workloads: [{route: [{cluster: b}, {cluster: c}], arrivals: {constant: 50/s}, stop: 1s}]\nbehavior: [{hosts: {cluster: «b|c»}, service_time: 9ms}]\n`,
  priority: selected('priority: «0|1»', '10.0.0.1:80, {address: 10.0.0.2:80, priority: 1}'),
  zone: selected('zone: «a|b»'),
  locality: selected('locality: {region: r, zone: «a|b»}'),
  metadata: selected('metadata: {v: "«1|2»"}'),
});

const served = (distribution: string): string => plain(`behavior: [{service_time: {${distribution}}}]\n`);
const cached = (service: string): string =>
  streamOf(
    'arrivals: 100/s, hash_key: {sequence: {keys: 5, prefix: k}}',
    RR,
    `behavior: [{service_time: {${service}}}]\n`,
  );
const distributions = [
  ...effectsOf('a distribution', {
    constant: served('constant: «1ms|9ms»'),
    exponential: served('exponential: {mean: «1ms|9ms»}'),
    erlang: served('erlang: {mean: «1ms|9ms», stages: 3}'),
    hyperexponential: served('hyperexponential: [{mean: «1ms|9ms», weight: 1}]'),
    weibull: served('weibull: {scale: «1ms|9ms», shape: 2}'),
    uniform: served('uniform: {min: 1ms, max: «2ms|9ms»}'),
    lognormal: served('lognormal: {median: «1ms|2ms», p99: 9ms}'),
    pareto: served('pareto: {scale: «1ms|2ms», shape: 3}'),
    empirical: served('empirical: [«1ms|9ms»]'),
  }),
  ...effectsOf('exponential', { mean: served('exponential: {mean: «1ms|9ms»}') }),
  ...effectsOf('service_time', {
    hit: cached('hit: «1ms|2ms», miss: 9ms, cache: {entries: 9}'),
    miss: cached('hit: 1ms, miss: «8ms|9ms», cache: {entries: 9}'),
    cache: cached('hit: 1ms, miss: 9ms, cache: {entries: «1|9»}'),
  }),
  ...effectsOf('cache', {
    entries: cached('hit: 1ms, miss: 9ms, cache: {entries: «1|9»}'),
    by: cached('hit: 1ms, miss: 9ms, cache: {entries: 9, by: «key|1»}'),
  }),
  ...effectsOf('network_latency', {
    between: `proxy: {node: {id: id, cluster: own, locality: {zone: a}}}\n${hosts(PLACES, 'behavior: [{network_latency: {between: {a: {b: «1ms|9ms»}}}}]\n')}`,
  }),
  ...effectsOf('erlang', {
    mean: served('erlang: {mean: «1ms|9ms», stages: 3}'),
    stages: served('erlang: {mean: 9ms, stages: «1|3»}'),
  }),
  ...effectsOf('hyperexponential', {
    mean: served('hyperexponential: [{mean: 1ms, weight: 1}, {mean: «1ms|99ms», weight: 1}]'),
    weight: served('hyperexponential: [{mean: 1ms, weight: «1|99»}, {mean: 99ms, weight: 1}]'),
  }),
  ...effectsOf('weibull', {
    scale: served('weibull: {scale: «1ms|9ms», shape: 2}'),
    shape: served('weibull: {scale: 9ms, shape: «0.5|2»}'),
  }),
  ...effectsOf('uniform', {
    min: served('uniform: {min: «1ms|8ms», max: 9ms}'),
    max: served('uniform: {min: 1ms, max: «2ms|9ms»}'),
    keys: streamOf('arrivals: {constant: 50/s}, hash_key: {uniform: {keys: «1|50»}}', 'lb_policy: MAGLEV'),
    prefix: streamOf(
      'arrivals: {constant: 50/s}, hash_key: {uniform: {keys: 9, prefix: «u-|v-»}}',
      'lb_policy: MAGLEV',
    ),
  }),
  ...effectsOf('lognormal', {
    median: served('lognormal: {median: «1ms|2ms», p99: 9ms}'),
    p99: served('lognormal: {median: 1ms, p99: «5ms|9ms»}'),
  }),
  ...effectsOf('pareto', {
    scale: served('pareto: {scale: «1ms|2ms», shape: 3}'),
    shape: served('pareto: {scale: 1ms, shape: «2|3»}'),
  }),
];

const KEYED = 'lb_policy: MAGLEV';
const keyed = (keys: string): string => streamOf(`arrivals: {constant: 50/s}, hash_key: {${keys}}`, KEYED);
const routed = (route: string): string =>
  `${TWO_CLUSTERS}workloads: [{route: [${route}], arrivals: {constant: 50/s}, stop: 1s}]\n`;
const traffic = [
  ...effectsOf('route entry', {
    cluster: routed('{cluster: «b|c»}'),
    weight: routed('{cluster: b, weight: «1|9»}, {cluster: c}'),
    metadata_match: cluster(SUBSETS, {
      hosts: VERSIONS,
      traffic:
        'workloads: [{route: [{cluster: b, metadata_match: {v: "«1|2»"}}], arrivals: {constant: 50/s}, stop: 1s}]\n',
    }),
  }),
  ...effectsOf('arrivals', {
    poisson: streamOf('arrivals: {poisson: «10|20»/s}'),
    constant: streamOf('arrivals: {constant: «10|20»/s}'),
    closed: streamOf('arrivals: {closed: {users: «1|2», think_time: 100ms}}'),
    ramp: streamOf('arrivals: {ramp: [{at: 0s, rate: «10|90»/s}]}'),
    trace: streamOf('arrivals: {trace: «one|two».csv}'),
  }),
  ...effectsOf('closed', {
    users: streamOf('arrivals: {closed: {users: «1|2», think_time: 100ms}}'),
    think_time: streamOf('arrivals: {closed: {users: 1, think_time: «100ms|200ms»}}'),
  }),
  ...effectsOf('ramp point', {
    at: streamOf('arrivals: {ramp: [{at: 0s, rate: 10/s}, {at: «1s|0.1s», rate: 90/s}]}'),
    rate: streamOf('arrivals: {ramp: [{at: 0s, rate: «10|90»/s}]}'),
  }),
  ...effectsOf('hash_key', {
    zipf: keyed('zipf: {keys: «1|50»}'),
    uniform: keyed('uniform: {keys: «1|50»}'),
    sequence: keyed('sequence: {keys: «1|50»}'),
    cycle: keyed('cycle: [«a|b», c, d]'),
  }),
  ...effectsOf('zipf', {
    keys: keyed('zipf: {keys: «1|50»}'),
    prefix: keyed('zipf: {keys: 9, prefix: «u-|v-»}'),
    exponent: keyed('zipf: {keys: 50, exponent: «0.1|3»}'),
  }),
  ...effectsOf('sequence', {
    keys: keyed('sequence: {keys: «1|50»}'),
    prefix: keyed('sequence: {keys: 9, prefix: «u-|v-»}'),
  }),
];

const asked = (fields: string): string =>
  retried(
    `rate_limited_retry_back_off: {${fields}}`,
    'behavior: [{error_rate: 50%, error_headers: {retry-after: "2"}}]\n',
  );
const retried = (policy: string, rest: string): string =>
  streamOf(`arrivals: {constant: 100/s}, retry_policy: {retry_on: 5xx, ${policy}}`, 'lb_policy: RANDOM', rest);
const PREVIOUS = 'name: proxy.retry_host_predicates.previous_hosts';
const ONE_FAILS = 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\n';
const ALL_FAIL = 'behavior: [{error_rate: 100%}]\n';
const TWO_PRIORITIES = '10.0.0.1:80, {address: 10.0.0.2:80, priority: 1}';
/** Retries that turn to the other priority, or not. */
const turned = (policy: string): string =>
  cluster('lb_policy: RANDOM', {
    hosts: TWO_PRIORITIES,
    traffic: `workloads: [{cluster: b, stop: 1s, arrivals: {constant: 100/s}, retry_policy: {retry_on: 5xx, num_retries: 3, ${policy}}}]\n`,
    rest: ONE_FAILS,
  });
const PRIORITIES = 'name: proxy.retry_priorities.previous_priorities';
const PRIORITIES_TYPE = '"@type": type.googleapis.com/envoy.config.retry.previous_priorities.PreviousPrioritiesConfig';
const OMIT = 'name: proxy.retry_host_predicates.omit_host_metadata';
const OMIT_TYPE = '"@type": type.googleapis.com/envoy.config.retry.omit_host_metadata.v2.OmitHostMetadataConfig';
/** Retries that avoid hosts by their metadata. */
const omitted = (options: string): string =>
  cluster('lb_policy: RANDOM', {
    hosts: VERSIONS,
    traffic: `workloads: [{cluster: b, stop: 1s, arrivals: {constant: 100/s}, retry_policy: {retry_on: 5xx, host_selection_retry_max_attempts: 9, retry_host_predicate: [{${OMIT}, ${options}}]}}]\n`,
    rest: ALL_FAIL,
  });
const retries = [
  ...effectsOf('retry priority', {
    name: turned(`«|retry_priority: {${PRIORITIES}, config: {update_frequency: 1}}»`),
    config: turned(`retry_priority: {${PRIORITIES}, config: {update_frequency: «1|2»}}`),
    typed_config: turned(
      `retry_priority: {${PRIORITIES}, typed_config: {${PRIORITIES_TYPE}, update_frequency: «1|2»}}`,
    ),
  }),
  ...effectsOf('previous_priorities', {
    update_frequency: turned(`retry_priority: {${PRIORITIES}, config: {update_frequency: «1|2»}}`),
  }),
  ...effectsOf('omit_host_metadata', { metadata_match: omitted('config: {metadata_match: {v: "«1|2»"}}') }),
  ...effectsOf('retry host predicate', {
    config: omitted('config: {metadata_match: {v: "«1|2»"}}'),
    typed_config: omitted(`typed_config: {${OMIT_TYPE}, metadata_match: {filter_metadata: {envoy.lb: {v: "«1|2»"}}}}`),
    name: retried(`retry_host_predicate: [«|{${PREVIOUS}}»], host_selection_retry_max_attempts: 9`, ONE_FAILS),
  }),
  ...effectsOf('rate-limited back-off', {
    reset_headers: asked('reset_headers: [{name: «retry-after|x-other»}]'),
    max_interval: asked('reset_headers: [{name: retry-after}], max_interval: «1s|3s»'),
  }),
  ...effectsOf('reset header', { name: asked('reset_headers: [{name: «retry-after|x-other»}]') }),
  {
    field: 'reset header.format',
    text: asked('reset_headers: [{name: retry-after, format: «SECONDS|UNIX_TIMESTAMP»}]'),
    shows: 'verdict' as const,
  },
  ...effectsOf('retry back-off', {
    base_interval: retried('num_retries: 3, retry_back_off: {base_interval: «1ms|50ms»}', ALL_FAIL),
    max_interval: retried('num_retries: 9, retry_back_off: {base_interval: 10ms, max_interval: «10ms|90ms»}', ALL_FAIL),
  }),
];

const behaving = (field: string): string => at(`set_behavior: {hosts: {}, ${field}}`);
const CHECKS =
  'health_checks: [{timeout: 0.2s, interval: 0.2s, unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: {path: /}}]';
const checked = (field: string, fields = CHECKS): string =>
  cluster(fields, { rest: `timeline: [{at: 0.5s, set_behavior: {hosts: 10.0.0.1:80, ${field}}}]\n` });
const SPECIFIC = '{address: 10.0.0.9:80, weight: 9}';
const actions = [
  ...effectsOf('set_health', {
    hosts: at('set_health: {hosts: 10.0.0.«1|2»:80, status: UNHEALTHY}'),
    status: at('set_health: {hosts: 10.0.0.1:80, status: «HEALTHY|UNHEALTHY»}'),
  }),
  ...effectsOf('set_weight', {
    hosts: at('set_weight: {hosts: 10.0.0.«1|2»:80, weight: 9}'),
    weight: at('set_weight: {hosts: 10.0.0.1:80, weight: «2|9»}'),
  }),
  ...effectsOf('set_metadata', {
    hosts: cluster(SUBSETS, {
      hosts: VERSIONS,
      traffic: 'workloads: [{cluster: b, arrivals: {constant: 50/s}, stop: 1s, metadata_match: {v: "3"}}]\n',
      rest: 'timeline: [{at: 0.5s, set_metadata: {hosts: 10.0.0.«1|2»:80, metadata: {v: "3"}}}]\n',
    }),
    metadata: cluster(SUBSETS, {
      hosts: VERSIONS,
      traffic: 'workloads: [{cluster: b, arrivals: {constant: 50/s}, stop: 1s, metadata_match: {v: "3"}}]\n',
      rest: 'timeline: [{at: 0.5s, set_metadata: {hosts: 10.0.0.1:80, metadata: {v: "«3|4»"}}}]\n',
    }),
  }),
  ...effectsOf('add_hosts', {
    cluster: `${TWO_CLUSTERS}workloads: [{route: [{cluster: b}, {cluster: c}], arrivals: {constant: 50/s}, stop: 1s}]\ntimeline: [{at: 0.5s, add_hosts: {cluster: «b|c», endpoints: [10.0.0.9:80]}}]\n`,
    priority: at('add_hosts: {cluster: b, priority: «0|1», endpoints: [10.0.0.9:80]}'),
    zone: at('add_hosts: {cluster: b, zone: «a|b», endpoints: [10.0.0.9:80]}'),
    locality: at('add_hosts: {cluster: b, locality: {region: «a|b»}, endpoints: [10.0.0.9:80]}'),
    endpoints: at(`add_hosts: {cluster: b, endpoints: [10.0.0.8:80«|, ${SPECIFIC}»]}`),
  }),
  ...effectsOf('set_behavior', {
    hosts: at('set_behavior: {hosts: 10.0.0.«1|2»:80, service_time: 9ms}'),
    service_time: behaving('service_time: «1ms|9ms»'),
    concurrency: behaving('service_time: 100ms, concurrency: «1|9»'),
    discipline: behaving(
      'service_time: 100ms, concurrency: 1, discipline: «first_come_first_served|processor_sharing»',
    ),
    queue_limit: behaving('service_time: 100ms, concurrency: 1, queue_limit: «1|99»'),
    error_rate: behaving('error_rate: «10%|90%»'),
    error_headers: streamOf(
      'arrivals: {constant: 100/s}, retry_policy: {retry_on: retriable-headers, retriable_headers: [{name: x-a, exact_match: b}]}',
      RR,
      'timeline: [{at: 0.5s, set_behavior: {hosts: {}, error_rate: 50%, error_headers: {x-a: «b|c»}}}]\n',
    ),
    error_status: behaving('error_rate: 100%, error_status: «503|404»'),
    closes: behaving('closes: «never|instead»'),
    close_rate: behaving('closes: instead, close_rate: «10%|90%»'),
    connect_time: plain('timeline: [{at: 0s, set_behavior: {hosts: {}, connect_time: «1ms|9ms»}}]\n'),
    connect_failure_rate: plain('timeline: [{at: 0s, set_behavior: {hosts: {}, connect_failure_rate: «0%|100%»}}]\n'),
    network_latency: behaving('network_latency: «1ms|9ms»'),
    down: behaving('down: «none|refuse»'),
    health_check: checked('health_check: «ok|503»'),
    immediate_health_check_fail: checked('immediate_health_check_fail: «false|true»'),
    match: at('set_behavior: {match: 10.0.0.«1|2»:80, service_time: 9ms}'),
    load_report: weighted(
      'timeline: [{at: 0.1s, set_behavior: {hosts: 10.0.0.1:80, load_report: {cpu_utilization: «0.1|0.9», rps_fractional: 9}}}]\n',
    ),
    initial_active_requests: checked('initial_active_requests: «0|9»', 'lb_policy: LEAST_REQUEST'),
  }),
  ...effectsOf('set_rate', {
    workload: `clusters: [{name: b}]\nendpoints: {b: [10.0.0.1:80]}\nworkloads: [{name: one, cluster: b, arrivals: {constant: 10/s}, stop: 2s}, {name: two, cluster: b, arrivals: {constant: 30/s}, stop: 2s}]\ntimeline: [{at: 1s, set_rate: {workload: «one|two», rate: 90/s}}]\n`,
    rate: at('set_rate: {workload: workload, rate: «10|20»/s}'),
  }),
];

/** Half of the run has four hosts, the other three. */
const expected = (expectation: string): string =>
  plain(`timeline: [{at: 1s, remove_hosts: 10.0.0.1:80}]\nexpect: [{${expectation}}]\n`);
/** Half of the traffic is for `b`, half for `c`, whose only host behaves so. */
const oneOfTwo = (expectation: string, behavior: string): string =>
  `${TWO_CLUSTERS}${TRAFFIC.replace('cluster: b', 'route: [{cluster: b}, {cluster: c}]')}behavior: [{hosts: 10.0.0.2:80, ${behavior}}]\nexpect: [${expectation}]\n`;
/** Keys of a ring that loses one of two hosts; `c` is another that loses none. */
const movedKeys = (expectation: string): string =>
  `clusters: [{name: b, lb_policy: RING_HASH}, {name: c, lb_policy: RING_HASH}]
endpoints: {b: [10.0.0.1:80, 10.0.0.2:80], c: [10.0.0.3:80]}
workloads: [{route: [{cluster: b}, {cluster: c}], arrivals: {constant: 100/s}, stop: 2s, hash_key: {uniform: {keys: 20}}}]
timeline: [{at: 1s, remove_hosts: 10.0.0.1:80}]
expect: [{${expectation}}]
`;
/** A proxy in zone a, hosts of `b` in none, of `c` beside it. */
const placed = (expectation: string): string =>
  `proxy: {node: {locality: {zone: a}}}
clusters: [{name: b}, {name: c}]
endpoints: {b: [10.0.0.1:80], c: [{address: 10.0.0.2:80, zone: a}]}
workloads: [{route: [{cluster: b}, {cluster: c}], arrivals: {constant: 100/s}, stop: 1s}]
expect: [{${expectation}}]
`;
/** Losses of `b` are noticed, those of `c` are not. */
const survived = (survives: string): string =>
  `clusters: [{name: b, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]}, {name: c}]
endpoints: {b: [{address: 10.0.0.1:80, count: 4}], c: [{address: 10.0.1.1:80, count: 4}]}
behavior: [{hosts: {}, service_time: 1ms, concurrency: 10}]
workloads: [{route: [{cluster: b}, {cluster: c}], arrivals: {constant: 10/s}, stop: 1s}]
expect: [{survives: {${survives}}}]
`;
const numbered = (number: string, rest = ''): string => plain(`${rest}question: [{${number}}]\n`);
const SHARE = 'share: {cluster: b, hosts: 10.0.0.1:80}';
const expectations = [
  ...effectsOf('expectation', {
    share: expected('share: {cluster: b, hosts: 10.0.0.«1|2»:80}, at_most: 20%'),
    no_host: expected('no_host: {cluster: b}, at_least: «0%|1%»'),
    crosses_zones: placed('crosses_zones: {cluster: b}, at_most: «0%|100%»'),
    moved_keys: movedKeys('moved_keys: {cluster: b}, at_most: «0%|100%»'),
    stat: expected('stat: cluster.b.«upstream_rq_total|lb_healthy_panic», at_least: 1'),
    success_rate: expected('success_rate: {cluster: b}, at_most: «99%|100%»'),
    latency: expected('latency: {cluster: b, percentile: 50}, at_most: «0ms|1ms»').replace(
      'expect:',
      'behavior: [{service_time: 0.5ms}]\nexpect:',
    ),
    mean_stat: expected('mean_stat: cluster.b.«upstream_rq_total|lb_healthy_panic», at_least: 1'),
    requests: expected('requests: {cluster: b}, at_least: «200|201»'),
    failures: expected('failures: {cluster: b}, at_least: «0|1»'),
    mean_latency: expected('mean_latency: {cluster: b}, at_most: «0ms|1ms»').replace(
      'expect:',
      'behavior: [{service_time: 0.5ms}]\nexpect:',
    ),
    host_load: expected('host_load: {cluster: b}, at_most: «1%|100%»').replace(
      'expect:',
      'behavior: [{service_time: 1ms, concurrency: 1}]\nexpect:',
    ),
    relative_to: expected('requests: {cluster: b}, at_most: 2, relative_to: {during: [0s, «1s|1ms»]}'),
    decision: expected('decision: «0|1», host: "10.0.0.1:80"'),
    survives: survived('cluster: b, lose: [«1|3» hosts], without: [panic]'),
    host: hosts('10.0.0.1:80', 'expect: [{decision: 0, host: "10.0.0.«1|2»:80"}]\n'),
    equals: expected('stat: cluster.b.upstream_rq_total, equals: «200|201»'),
    at_least: expected('stat: cluster.b.upstream_rq_total, at_least: «200|201»'),
    at_most: expected('stat: cluster.b.upstream_rq_total, at_most: «200|199»'),
    between: expected(`${SHARE}, between: [«10%|20%», 30%]`),
    within_sigma: cluster('lb_policy: RANDOM', { rest: `expect: [{${SHARE}, within_sigma: «0.001|9»}]\n` }),
    during: expected(`${SHARE}, at_least: 20%, during: [0s, «1s|2s»]`),
  }),
  ...effectsOf('survives', {
    cluster: survived('cluster: «b|c», lose: [1 hosts], without: [failures]'),
    lose: survived('cluster: b, lose: [«1|3» hosts], without: [panic]'),
    without: survived('cluster: b, lose: [3 hosts], without: [«panic|overload»]'),
  }),
  ...effectsOf('share', {
    cluster: `${TWO_CLUSTERS}${TRAFFIC.replace('cluster: b', 'route: [{cluster: b}, {cluster: c}]')}expect: [{share: {cluster: «b|c», hosts: 10.0.0.1:80}, at_least: 50%}]\n`,
    hosts: expected('share: {cluster: b, hosts: 10.0.0.«1|2»:80}, at_most: 20%'),
  }),
  ...effectsOf('no_host', {
    cluster: `${TWO_CLUSTERS.replace('10.0.0.2:80', '')}${TRAFFIC.replace('cluster: b', 'route: [{cluster: b}, {cluster: c}]')}expect: [{no_host: {cluster: «b|c»}, at_most: 0%}]\n`,
  }),
  ...effectsOf('crosses_zones', { cluster: placed('crosses_zones: {cluster: «b|c»}, at_most: 0%') }),
  ...effectsOf('moved_keys', { cluster: movedKeys('moved_keys: {cluster: «b|c»}, at_most: 0%') }),
  ...effectsOf('number', {
    share: numbered('share: {cluster: b, hosts: 10.0.0.«1|0/24»}'),
    no_host: numbered('«no_host|success_rate»: {cluster: b}'),
    crosses_zones: numbered('«crosses_zones|success_rate»: {cluster: b}'),
    moved_keys: numbered('«moved_keys|success_rate»: {cluster: b}'),
    stat: numbered('stat: cluster.b.«upstream_rq_total|lb_healthy_panic»'),
    mean_stat: numbered('mean_stat: cluster.b.«upstream_rq_total|lb_healthy_panic»'),
    success_rate: numbered('«success_rate|no_host»: {cluster: b}'),
    requests: numbered('«requests|failures»: {cluster: b}'),
    failures: numbered('«failures|requests»: {cluster: b}'),
    latency: numbered(
      'latency: {cluster: b, percentile: «50|99»}',
      'behavior: [{service_time: {exponential: {mean: 1ms}}}]\n',
    ),
    mean_latency: numbered('«mean_latency|requests»: {cluster: b}'),
    host_load: numbered(
      'host_load: {cluster: b, over: «1s|10ms»}',
      'behavior: [{service_time: 1ms, concurrency: 1}]\n',
    ),
    decision: numbered('decision: «0|1»'),
    during: numbered('requests: {cluster: b}, during: [0s, «1s|2s»]'),
  }),
  ...effectsOf('success_rate', {
    cluster: `${TWO_CLUSTERS}${TRAFFIC.replace('cluster: b', 'route: [{cluster: b}, {cluster: c}]')}behavior: [{hosts: 10.0.0.2:80, error_rate: 100%}]\nexpect: [{success_rate: {cluster: «b|c»}, at_least: 99%}]\n`,
  }),
  ...effectsOf('requests', {
    cluster: `${TWO_CLUSTERS}${TRAFFIC}expect: [{requests: {cluster: «b|c»}, at_least: 1}]\n`,
  }),
  ...effectsOf('failures', {
    cluster: oneOfTwo('{failures: {cluster: «b|c»}, equals: 0}', 'error_rate: 100%'),
    cause: oneOfTwo('{failures: {cluster: c, cause: «timeout|error_status»}, equals: 0}', 'error_rate: 100%'),
  }),
  ...effectsOf('mean_latency', {
    cluster: oneOfTwo('{mean_latency: {cluster: «b|c»}, at_most: 5ms}', 'service_time: 9ms'),
  }),
  ...effectsOf('host_load', {
    cluster: oneOfTwo('{host_load: {cluster: «b|c»}, at_most: 5%}', 'service_time: 9ms, concurrency: 1'),
    over: oneOfTwo('{host_load: {cluster: c, over: «1s|10ms»}, at_most: 60%}', 'service_time: 9ms, concurrency: 1'),
  }),
  ...effectsOf('relative_to', {
    cluster: oneOfTwo(
      '{mean_latency: {cluster: c}, during: [0s, 1s], at_most: 2, relative_to: {cluster: «b|c», during: [1s, 2s]}}',
      'service_time: 9ms',
    ),
    hosts: expected(`${SHARE}, at_least: 0.5, relative_to: {hosts: {address: 10.0.0.«2|0/24»}}`),
    percentile: cluster(RR, {
      rest: 'behavior: [{hosts: 10.0.0.1:80, service_time: 9ms}]\nexpect: [{latency: {cluster: b, percentile: 50}, at_least: 1, relative_to: {percentile: «1|99»}}]\n',
    }),
    cause: oneOfTwo(
      '{failures: {cluster: c, cause: timeout}, at_least: 1, relative_to: {cause: «error_status|reset»}}',
      'error_rate: 100%',
    ),
    stat: expected(
      'stat: cluster.b.upstream_rq_total, at_most: 1, relative_to: {stat: cluster.b.«upstream_rq_2xx|lb_healthy_panic»}',
    ),
    during: expected('requests: {cluster: b}, at_most: 2, relative_to: {during: [0s, «1s|1ms»]}'),
  }),
  ...effectsOf('latency', {
    cluster: `${TWO_CLUSTERS}${TRAFFIC.replace('cluster: b', 'route: [{cluster: b}, {cluster: c}]')}behavior: [{hosts: 10.0.0.2:80, service_time: 9ms}]\nexpect: [{latency: {cluster: «b|c», percentile: 50}, at_most: 5ms}]\n`,
    percentile: cluster(RR, {
      rest: 'behavior: [{hosts: 10.0.0.1:80, service_time: 9ms}]\nexpect: [{latency: {cluster: b, percentile: «50|99»}, at_most: 5ms}]\n',
    }),
  }),
];

export const WORD_EFFECTS: readonly Effect[] = [
  ...reports,
  ...shorthand,
  ...answers,
  ...selectors,
  ...distributions,
  ...traffic,
  ...retries,
  ...actions,
  ...expectations,
];
