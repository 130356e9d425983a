import { describe, expect, it } from 'vitest';
import { ALL_VERSIONS } from '../../src/core/version.js';
import type { Problem } from '../../src/core/problem.js';
import { loadScenario } from '../../src/scenario/load.js';

/** As a compiler prints it: `line:column severity [rule] path: message`, of many words the first three. Notes are left out. */
function lines(problems: readonly Problem[]): string[] {
  return problems
    .filter((problem) => problem.severity !== 'note')
    .map(({ file, line, column, severity, rule, path, message }) => {
      expect(file).toBe('a.yaml');
      const short = message.replace(/(one of (?:\w+, ){3})(?:\w+, ){3,}\w+/, '$1…');
      return `${line}:${column} ${severity} [${rule}] ${path}: ${short}`;
    });
}

function load(text: string): string[] {
  const { problems, scenario } = loadScenario({ file: 'a.yaml', text });
  expect(scenario === undefined).toBe(problems.some((problem) => problem.severity === 'error'));
  return lines(problems);
}

/** Two lines of cluster and hosts, so that what a case adds begins in line 3. */
const BASE = `clusters: [{name: backend}]
endpoints: {backend: [10.0.0.1:80, {address: 10.0.0.2:80, zone: b}]}
`;

describe('one problem each, with its place', () => {
  it.each([
    // the document
    ['workloads: []\n', '1:1 error [required] : clusters is required in scenario'],
    ['- a\n', '1:1 error [type] : expected a map (scenario), found a list'],
    ['clusters: []\n', '1:11 error [empty-list] clusters: a scenario needs at least one cluster'],
    [
      `${BASE}workload: []\n`,
      '3:1 error [unknown-field] workload: workload is not a field of scenario: write workloads: [{cluster: …, arrivals: 500/s}]',
    ],
    [
      `${BASE}timelin: []\n`,
      '3:1 error [unknown-field] timelin: timelin is not a field of scenario (did you mean timeline?)',
    ],
    [`${BASE}seed: 1\nseed: 2\n`, '4:1 error [duplicate-key] seed: seed is already set in line 3'],
    [
      `${BASE}duration: 60\n`,
      '3:11 error [duration] duration: 60 has no unit: write 60s for seconds, or 60ms, 60m, 60h',
    ],
    [`${BASE}duration: 0s\n`, '3:11 error [duration] duration: duration must be longer than 0'],
    [
      `${BASE}duration: 5s\nwarmup: 5s\n`,
      '4:9 warning [warmup] warmup: warmup is not shorter than the run (5s): nothing is counted',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 1/s, stop: 5s}]\nrequests: [{at: 7s, cluster: backend}]\nwarmup: 8s\n`,
      '5:9 warning [warmup] warmup: warmup is not shorter than the run (7s): nothing is counted',
    ],
    [
      `${BASE}behavior: [{concurrency: 1}]\nhosts: [{concurrency: 2}]\n`,
      '4:1 error [one-of] hosts: hosts cannot stand beside behavior: at most one of behavior, hosts may be set',
    ],
    [
      `${BASE}proxy: {}\nproxies: [{}]\n`,
      '4:1 error [one-of] proxies: proxies cannot stand beside proxy: at most one of proxies, proxy may be set',
    ],

    // proxies and their clusters
    [
      `${BASE}proxy: {stats_sinks: [{name: proxy.stat_sinks.statsd, typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.StatsdSink, tcp_cluster_name: bakend}}]}\n`,
      "3:24 error [statsd-cluster] proxy.stats_sinks[0]: tcp statsd: unknown cluster 'bakend' (did you mean backend?)",
    ],
    [
      `${BASE}proxies: [{}, {stats_sinks: [{name: proxy.stat_sinks.dashboard, typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.DashboardSink}}, {name: proxy.stat_sinks.dashboard, typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v2.DashboardSink}}]}]\n`,
      '3:151 warning [dashboard-sinks] proxies[1].stats_sinks[1]: only one dashboard sink should be configured; the first one serves',
    ],
    [
      BASE.replace('backend}', 'backend, use_tcp_for_dns_lookups: true}') +
        'proxies: [{runtime: {envoy.restart_features.use_platform_api_for_dns_lookups: true}}, {runtime: {envoy.restart_features.use_platform_api_for_dns_lookups: true}}]\n',
      '1:53 error [platform-dns] clusters[0].use_tcp_for_dns_lookups: use_tcp_for_dns_lookups cannot be used while proxy.restart_features.use_platform_api_for_dns_lookups is true: the proxy does not start',
    ],

    // clusters and their hosts
    [
      'clusters: [{name: a, load_assignment: {cluster_name: a}}, {name: a, load_assignment: {cluster_name: a}}]\n',
      '1:66 error [duplicate-name] clusters[1].name: there is already a cluster "a"',
    ],
    [
      'clusters: [{name: a, load_assignment: {cluster_name: a}}]\nendpoints: {a: [10.0.0.1:80]}\n',
      '2:13 error [endpoints] endpoints.a: a has a load_assignment of its own: write its endpoints in one place',
    ],
    [
      'clusters: [{name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}}, service_name: s}}]\nassignments: {s: {cluster_name: s}}\nendpoints: {a: [10.0.0.1:80]}\n',
      '3:13 error [endpoints] endpoints.a: assignments has s already: write the endpoints of a in one place',
    ],
    [
      'clusters: [{name: a, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}]\nendpoints: {a: [10.0.0.1:80]}\n',
      '2:13 error [endpoints] endpoints.a: a is an ORIGINAL_DST cluster: its hosts come from the requests, it takes no endpoints',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [10.0.0.1]}\n',
      '2:17 error [address] endpoints.a[0]: "10.0.0.1" has no port: write 10.0.0.1:80',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [{address: 10.0.0.1:80, weight: 0}]}\n',
      '2:48 error [integer] endpoints.a[0].weight: weight must be an integer from 1 to 4294967295, found 0',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [{address: 10.0.0.1:80, health: healthy}]}\n',
      '2:48 error [invalid-value] endpoints.a[0].health: expected one of UNKNOWN, HEALTHY, UNHEALTHY, … healthy (did you mean HEALTHY?)',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [{address: 10.0.0.1:80, zone: b, locality: {zone: b}}]}\n',
      '2:49 error [one-of] endpoints.a[0].locality: locality cannot stand beside zone: at most one of zone, locality may be set',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [{address: 255.255.255.250:80, count: 10}]}\n',
      '2:54 error [endpoint-count] endpoints.a[0].count: 10 addresses from 255.255.255.250 on pass the last one',
    ],
    [
      'clusters: [{name: a, type: STRICT_DNS}]\nendpoints: {a: [{address: x.test:80, count: 2}]}\n',
      '2:45 error [endpoint-count] endpoints.a[0].count: count needs an IP address: a name has no next one',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [{endpoint: {}}]}\n',
      '2:18 error [unknown-field] endpoints.a[0].endpoint: endpoint is not a field of endpoint: this is the shorthand; an LbEndpoint belongs in load_assignment or assignments',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [x.test:80]}\n',
      '2:17 error [address] endpoints.a[0]: x.test is a name: give the hosts of a IP addresses, or the cluster type: STRICT_DNS',
    ],
    [
      `${BASE}assignments: {backend: {cluster_name: backend}}\n`,
      '3:15 error [assignment-type] assignments.backend: backend is a STATIC cluster: assignments are for EDS clusters, write its load_assignment',
    ],
    [
      `${BASE}assignments: {backnd: {cluster_name: backnd}}\n`,
      '3:15 error [unknown-cluster] assignments.backnd: no cluster asks for assignments by the name "backnd" (did you mean backend?)',
    ],
    [
      'clusters: [{name: a, type: EDS, eds_cluster_config: {service_name: b, eds_config: {ads: {}}}}]\nassignments: {a: {cluster_name: a}}\n',
      '2:15 warning [unknown-cluster] assignments.a: a asks for assignments by the name "b": this one never reaches it',
    ],
    [
      'clusters: [{name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\nassignments: {a: {cluster_name: b}}\n',
      '2:33 error [assignment-name] assignments.a.cluster_name: this assignment is for b, and stands under a: the proxy would reject it',
    ],

    // proxies
    [
      `${BASE}proxy: {version: 1.4}\n`,
      `3:18 error [version] proxy.version: "1.4" is not a version that can be simulated: allowed are ${ALL_VERSIONS}`,
    ],
    [
      `${BASE}proxy: {workers: 0}\n`,
      '3:18 error [integer] proxy.workers: workers must be an integer from 1 to 1024, found 0',
    ],
    [`${BASE}proxy: {share: 0}\n`, '3:16 error [number] proxy.share: share must be a number above 0, found 0'],
    [
      `${BASE}proxies: [{name: a, count: 2}, {name: a-2}]\n`,
      '3:39 error [duplicate-name] proxies[1].name: there is already a proxy "a-2"',
    ],
    [
      `${BASE}proxy: {local_cluster_name: bakend}\n`,
      '3:29 error [unknown-cluster] proxy.local_cluster_name: there is no cluster "bakend" (did you mean backend?)',
    ],
    [
      'clusters: [{name: a}]\nendpoints: {a: [10.0.0.1:80, {address: 10.0.0.2:80, priority: 1}]}\nproxy: {local_cluster_name: a}\n',
      '3:29 error [local-cluster] proxy.local_cluster_name: the local cluster a may have hosts in priority 0 only',
    ],
    [
      `${BASE}proxy: {stats_flush_interval: 10m}\n`,
      '3:31 error [stats-flush-interval] proxy.stats_flush_interval: 10m is out of range: allowed are 1ms to 5m',
    ],
    [
      `${BASE}proxy: {init_random: [-1]}\n`,
      '3:23 error [uint64] proxy.init_random[0]: "-1" is not a 64-bit unsigned integer: allowed are 0 to 18446744073709551615',
    ],
    [
      `${BASE}proxy: {zone: a}\n`,
      '3:9 error [unknown-field] proxy.zone: zone is not a field of proxy: write node: {locality: {zone: …}}',
    ],

    // workloads
    [
      `${BASE}workloads: [{cluster: bakend, arrivals: 5/s, stop: 1s}]\n`,
      '3:23 error [unknown-cluster] workloads[0].cluster: there is no cluster "bakend" (did you mean backend?)',
    ],
    [
      `${BASE}workloads: [{cluster: x, arrivals: 5/s, stop: 1s}]\n`,
      '3:23 error [unknown-cluster] workloads[0].cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}workloads: [{route: [{cluster: x}], arrivals: 5/s, stop: 1s}]\n`,
      '3:32 error [unknown-cluster] workloads[0].route[0].cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s}]\n`,
      '3:14 error [duration-required] workloads[0]: this workload never ends: give it a stop, or the scenario a duration',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: -5/s, stop: 1s}]\n`,
      '3:42 error [rate] workloads[0].arrivals: -5/s is negative: a rate is 0 or more',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 500, stop: 1s}]\n`,
      '3:42 error [rate] workloads[0].arrivals: 500 has no unit: write 500/s for 500 per second, or 500/m, 500/h',
    ],
    [
      `${BASE}workloads: [{cluster: backend, stop: 1s}]\n`,
      '3:14 error [required] workloads[0]: arrivals is required in workload',
    ],
    [
      `${BASE}workloads: [{arrivals: 5/s, stop: 1s}]\n`,
      '3:14 error [one-of-none] workloads[0]: where requests go: exactly one of cluster, route must be set, found none',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, start: 2s, stop: 1s}]\n`,
      '3:64 error [workload-window] workloads[0].stop: stop is not after start: no request would be sent',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: {closed: {users: 0}}, stop: 1s}]\n`,
      '3:59 error [integer] workloads[0].arrivals.closed.users: users must be an integer from 1 to 10000000, found 0',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: {closed: {users: 1}}, stop: 1s}]\n`,
      '3:43 error [closed-loop] workloads[0].arrivals.closed: hosts answer at once and users do not think: give hosts a service_time or users a think_time',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: {ramp: []}, stop: 1s}]\n`,
      '3:49 error [ramp] workloads[0].arrivals.ramp: a ramp needs at least one point',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: {ramp: [{at: 1s, rate: 1/s}, {at: 1s, rate: 2/s}]}, stop: 1s}]\n`,
      '3:76 error [ramp] workloads[0].arrivals.ramp[1].at: the points of a ramp must be in ascending order of time',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: {trace: t.csv}, stop: 1s}]\n`,
      '3:50 error [trace] workloads[0].arrivals.trace: t.csv cannot be read here: no files are at hand',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, hash_key: {zipf: {keys: 10, exponent: 0}}}]\n`,
      '3:95 error [number] workloads[0].hash_key.zipf.exponent: exponent must be a number above 0 (for equal shares use uniform), found 0',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, hash_key: {uniform: {keys: 0}}}]\n`,
      '3:84 error [integer] workloads[0].hash_key.uniform.keys: keys must be an integer from 1 to 1000000000, found 0',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, hash_key: {cycle: []}}]\n`,
      '3:75 error [empty-list] workloads[0].hash_key.cycle: a cycle needs at least one key',
    ],
    [
      `${BASE}workloads: [{route: [{cluster: backend, weight: 0}], arrivals: 5/s, stop: 1s}]\n`,
      '3:21 error [route] workloads[0].route: all weights are 0: no cluster can be chosen',
    ],
    [
      `${BASE}workloads: [{route: [{cluster: backend, weight: -1}], arrivals: 5/s, stop: 1s}]\n`,
      '3:49 error [integer] workloads[0].route[0].weight: weight must be an integer from 0 to 4294967295, found -1',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, proxies: [edge]}]\n`,
      '3:67 error [unknown-proxy] workloads[0].proxies[0]: there is no proxy "edge": there is proxy',
    ],
    [
      `${BASE}workloads: [{name: a, cluster: backend, arrivals: 5/s, stop: 1s}, {name: a, cluster: backend, arrivals: 5/s, stop: 1s}]\n`,
      '3:74 error [duplicate-name] workloads[1].name: there is already a workload "a"',
    ],
    [
      `${BASE}duration: 1s\nworkloads: [{cluster: backend, arrivals: 5/s, start: 1s}]\n`,
      '4:54 warning [past-end] workloads[0].start: 1s is past the end of the run (1s): this workload sends nothing',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, metadata_match: {filter_metadata: {proxy.lb: {}}, v: 1}}]\n`,
      '3:110 error [metadata] workloads[0].metadata_match.v: v cannot stand beside filter_metadata: move it below proxy.lb, or drop filter_metadata',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, retry_policy: {retry_on: 5x}}]\n`,
      '3:82 warning [retry-on] workloads[0].retry_policy.retry_on: the proxy ignores "5x" (did you mean 5xx?)',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, retry_policy: {}}]\n`,
      '3:71 warning [retry-on] workloads[0].retry_policy.retry_on: without retry_on nothing is retried',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, retry_policy: {retry_on: 5xx, retry_host_predicate: [omit]}}]\n`,
      '3:110 error [retry-host-predicate] workloads[0].retry_policy.retry_host_predicate[0]: omit is no retry host predicate: known is proxy.retry_host_predicates.previous_hosts, proxy.retry_host_predicates.omit_canary_hosts, proxy.retry_host_predicates.omit_host_metadata',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, retry_policy: {retry_on: 5xx, retry_options_predicates: []}}]\n`,
      '3:87 error [unknown-field] workloads[0].retry_policy.retry_options_predicates: retry_options_predicates is not a field of retry policy: a proxy knows none unless its build adds one, and refuses the route; it would change the socket of a retry, not its host: leave it out',
    ],
    [
      `${BASE}workloads: [{cluster: backend, arrivals: 5/s, stop: 1s, headers: {a b: c}}]\n`,
      '3:67 error [key] workloads[0].headers["a b"]: not a header name',
    ],

    // requests
    [`${BASE}requests: [{cluster: backend}]\n`, '3:13 error [required] requests[0]: at is required in request'],
    [
      `${BASE}requests: [{at: 0s, cluster: x}]\n`,
      '3:30 error [unknown-cluster] requests[0].cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}requests: [{at: 0s, cluster: backend, header_name: x, use_hash_policy: true}]\n`,
      '3:55 error [one-of] requests[0].use_hash_policy: use_hash_policy cannot stand beside header_name: at most one of header_name, use_hash_policy may be set',
    ],
    [
      `${BASE}requests: [{at: 0s, cluster: backend, hash: 1, hash_key: a}]\n`,
      '3:48 error [one-of] requests[0].hash_key: hash_key cannot stand beside hash: at most one of hash_key, hash may be set',
    ],
    [
      `${BASE}requests: [{at: 0s, cluster: backend, hash: 18446744073709551616}]\n`,
      '3:45 error [uint64] requests[0].hash: "18446744073709551616" is not a 64-bit unsigned integer: allowed are 0 to 18446744073709551615',
    ],
    [
      `${BASE}requests: [{at: 0s, cluster: backend, proxy: prox}]\n`,
      '3:46 error [unknown-proxy] requests[0].proxy: there is no proxy "prox" (did you mean proxy?)',
    ],
    [
      `${BASE}requests: [{at: 0s, cluster: backend, worker: 1}]\n`,
      '3:47 error [unknown-worker] requests[0].worker: proxy has 1 worker, number 0',
    ],
    [
      `${BASE}duration: 1s\nrequests: [{at: 1s, cluster: backend}]\n`,
      '4:17 warning [past-end] requests[0].at: 1s is past the end of the run (1s): this request is not sent',
    ],

    // behaviour
    [
      `${BASE}behavior: [{hosts: {zone: q}, concurrency: 1}]\n`,
      '3:13 warning [no-such-host] behavior[0].hosts: no host is ever zone q',
    ],
    [
      `${BASE}hosts: [{hosts: 10.0.0.3, concurrency: 1}]\n`,
      '3:17 warning [no-such-host] hosts[0].hosts: no host is ever 10.0.0.3',
    ],
    [`${BASE}behavior: [{hosts: {}}]\n`, '3:13 warning [behavior-empty] behavior[0]: nothing is said of these hosts'],
    [
      `${BASE}behavior: [{error_rate: 50}]\n`,
      '3:25 error [percentage] behavior[0].error_rate: a bare 50 is not a percentage: write 50%, or a portion of 1 as 0.12',
    ],
    [
      `${BASE}behavior: [{concurrency: 0}]\n`,
      '3:26 error [integer] behavior[0].concurrency: concurrency must be an integer of 1 or more, or unlimited, found 0',
    ],
    [
      `${BASE}behavior: [{health_check: 99}]\n`,
      '3:27 error [health-check] behavior[0].health_check: health_check must be ok, degraded, hang, refuse or an HTTP status as 503, found "99"',
    ],
    [
      `${BASE}behavior: [{error_status: 200}]\n`,
      '3:27 error [integer] behavior[0].error_status: error_status must be an integer from 400 to 599, found 200',
    ],
    [
      `${BASE}behavior: [{service_time: {uniform: {min: 2ms, max: 1ms}}}]\n`,
      '3:43 error [distribution] behavior[0].service_time.uniform.min: min is above max',
    ],
    [
      `${BASE}behavior: [{service_time: {lognormal: {median: 2ms, p99: 1ms}}}]\n`,
      '3:58 error [distribution] behavior[0].service_time.lognormal.p99: p99 is below the median',
    ],
    [
      `${BASE}behavior: [{service_time: {pareto: {scale: 2ms, shape: 0}}}]\n`,
      '3:56 error [number] behavior[0].service_time.pareto.shape: shape must be a number above 0, found 0',
    ],
    [
      `${BASE}behavior: [{service_time: {pareto: {scale: 2ms, shape: 1}}}]\n`,
      '3:56 warning [distribution] behavior[0].service_time.pareto.shape: with a shape of 1 or less the mean is infinite',
    ],
    [
      `${BASE}behavior: [{service_time: {empirical: []}}]\n`,
      '3:39 error [empty-list] behavior[0].service_time.empirical: an empirical distribution needs at least one value',
    ],
    [
      `${BASE}behavior: [{service_time: {normal: {mean: 1ms}}}]\n`,
      '3:28 error [unknown-field] behavior[0].service_time.normal: normal is not a field of a distribution (did you mean lognormal?)',
    ],

    // selectors
    [
      `${BASE}behavior: [{hosts: zone=b, concurrency: 1}]\n`,
      '3:20 error [address] behavior[0].hosts: "zone=b" is not an address: write {zone: b}',
    ],
    [
      `${BASE}behavior: [{hosts: {zoen: b}, concurrency: 1}]\n`,
      '3:21 error [unknown-field] behavior[0].hosts.zoen: zoen is not a field of selector (did you mean zone?)',
    ],
    [
      `${BASE}behavior: [{hosts: {cluster: x}, concurrency: 1}]\n`,
      '3:30 error [unknown-cluster] behavior[0].hosts.cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}behavior: [{hosts: {address: 10.0.0.0/33}, concurrency: 1}]\n`,
      '3:30 error [address] behavior[0].hosts.address: "10.0.0.0/33" is not a CIDR block: write it as 10.0.0.0/24 or 2001:db8::/32',
    ],
    [
      `${BASE}behavior: [{hosts: {priority: -1}, concurrency: 1}]\n`,
      '3:31 error [integer] behavior[0].hosts.priority: priority must be an integer from 0 to 127, found -1',
    ],

    // timeline
    [
      `${BASE}timeline: [{at: 1s}]\n`,
      '3:13 error [one-of-none] timeline[0]: action: exactly one of fail, recover, set_health, … must be set, found none',
    ],
    [
      `${BASE}timeline: [{at: 1s, note: a, fail: {}}]\n`,
      '3:30 error [one-of] timeline[0].fail: fail cannot stand beside note: at most one of fail, recover, set_health, … may be set',
    ],
    [
      `${BASE}timeline: [{note: a}]\n`,
      '3:13 error [one-of-none] timeline[0]: when: exactly one of at, every must be set, found none',
    ],
    [
      `${BASE}timeline: [{every: 0s, note: a}]\n`,
      '3:20 error [duration] timeline[0].every: every must be longer than 0',
    ],
    [
      `${BASE}timeline: [{at: 1s, until: 2s, note: a}]\n`,
      '3:28 error [timeline-window] timeline[0].until: until belongs to every',
    ],
    [
      `${BASE}timeline: [{every: 1s, from: 2s, until: 2s, note: a}]\n`,
      '3:41 error [timeline-window] timeline[0].until: until is not after from: this would never act',
    ],
    [
      `${BASE}duration: 1s\ntimeline: [{at: 1s, note: a}]\n`,
      '4:17 warning [past-end] timeline[0].at: 1s is past the end of the run (1s): this never happens',
    ],
    [
      `${BASE}timeline: [{at: 1s, fail: {zone: q}}]\n`,
      '3:21 warning [no-such-host] timeline[0].fail: no host is ever zone q',
    ],
    [
      `${BASE}timeline: [{at: 1s, set_behavior: {hosts: {zone: q}, down: hang}}]\n`,
      '3:36 warning [no-such-host] timeline[0].set_behavior.hosts: no host is ever zone q',
    ],
    [
      `${BASE}timeline: [{at: 1s, set_health: {hosts: {}, status: SICK}}]\n`,
      '3:53 error [invalid-value] timeline[0].set_health.status: expected one of HEALTHY, UNHEALTHY, DRAINING, TIMEOUT, DEGRADED, found SICK',
    ],
    [
      `${BASE}timeline: [{at: 1s, set_weight: {hosts: {}, weight: 0}}]\n`,
      '3:53 error [integer] timeline[0].set_weight.weight: weight must be an integer from 1 to 4294967295, found 0',
    ],
    [
      `${BASE}timeline: [{at: 1s, set_weight: {weight: 1}}]\n`,
      '3:34 error [required] timeline[0].set_weight: hosts is required in set_weight',
    ],
    [
      `${BASE}timeline: [{at: 1s, set_rate: {workload: w, rate: 1/s}}]\n`,
      '3:42 error [unknown-workload] timeline[0].set_rate.workload: there is no workload "w": there is none',
    ],
    [
      `${BASE}workloads: [{name: w, cluster: backend, arrivals: {closed: {users: 1, think_time: 1s}}, stop: 1s}]\ntimeline: [{at: 0s, set_rate: {workload: w, rate: 1/s}}]\n`,
      '4:42 error [set-rate] timeline[0].set_rate.workload: w has closed arrivals: only poisson and constant ones have a rate to set',
    ],
    [
      `${BASE}timeline: [{at: 1s, add_hosts: {cluster: x, endpoints: [10.0.0.3:80]}}]\n`,
      '3:42 error [unknown-cluster] timeline[0].add_hosts.cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}timeline: [{at: 1s, add_hosts: {cluster: backend, endpoints: [{address: 10.0.0.3:80, zone: a}]}}]\n`,
      '3:63 error [endpoints] timeline[0].add_hosts.endpoints[0]: priority and locality of new hosts belong to add_hosts itself',
    ],
    [
      `${BASE}timeline: [{at: 1s, add_hosts: {cluster: backend, endpoints: []}}]\n`,
      '3:62 error [empty-list] timeline[0].add_hosts.endpoints: name at least one host',
    ],
    [
      `${BASE}timeline: [{at: 1s, remove_cluster: x}]\n`,
      '3:37 error [unknown-cluster] timeline[0].remove_cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}timeline: [{at: 1s, assign: {cluster_name: x}}]\n`,
      '3:44 error [unknown-cluster] timeline[0].assign.cluster_name: there is no cluster "x": there is backend',
    ],
    [
      'clusters: [{name: a, type: STRICT_DNS}]\nendpoints: {a: [x.test:80]}\ntimeline: [{at: 1s, set_weight: {hosts: {cluster: a}, weight: 2}}]\n',
      '3:21 error [discovery-type] timeline[0].set_weight: the hosts of a come from DNS: change them with dns',
    ],
    [
      `${BASE}timeline: [{at: 1s, dns: {x: {addresses: [10.0.0.1:80]}}}]\n`,
      '3:43 error [address] timeline[0].dns.x.addresses[0]: "10.0.0.1:80" is not an IP address; ports belong to the cluster',
    ],
    [`${BASE}dns: {x: {fail: true, ttl: 1s}}\n`, '3:28 error [dns-ttl] dns.x.ttl: a query that fails has no ttl'],
    [
      `${BASE}dns: {x: {}}\n`,
      '3:10 error [one-of-none] dns.x: answer: exactly one of addresses, fail must be set, found none',
    ],

    // expectations
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {}}, between: [48, 52%]}]\n`,
      '3:59 error [comparator] expect[0].between[0]: a bare 48 is not a percentage: write 48%, or a portion of 1 as 0.12',
    ],
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {}}, between: [52%, 48%]}]\n`,
      '3:49 error [comparator] expect[0].between: between takes the lower value first',
    ],
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {}}, between: [52%]}]\n`,
      '3:58 error [comparator] expect[0].between: between takes two values, as [48%, 52%]; found 1',
    ],
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {}}}]\n`,
      '3:11 error [comparator] expect[0]: nothing to compare with: write one of equals, at_least, at_most, between, within_sigma',
    ],
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {}}, within_sigma: -3}]\n`,
      '3:63 error [comparator] expect[0].within_sigma: within_sigma takes a positive number of standard errors, as 4; found "-3"',
    ],
    [
      `${BASE}expect: [{at_least: 3}]\n`,
      '3:11 error [one-of-none] expect[0]: what is expected: exactly one of share, no_host, crosses_zones, … must be set, found none',
    ],
    [
      `${BASE}expect: [{no_host: {cluster: x}, at_most: 0%}]\n`,
      '3:30 error [unknown-cluster] expect[0].no_host.cluster: there is no cluster "x": there is backend',
    ],
    [
      `${BASE}expect: [{share: {cluster: backend, hosts: {zone: q}}, equals: 0%}]\n`,
      '3:37 warning [no-such-host] expect[0].share.hosts: no host is ever zone q of backend',
    ],
    [
      `${BASE}expect: [{stat: cluster.bckend.x, equals: 0}]\n`,
      '3:17 error [unknown-cluster] expect[0].stat: no cluster counts as "bckend" (did you mean backend?)',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend.upstream_rq_totl, equals: 0}]\n`,
      '3:17 error [unknown-statistic] expect[0].stat: there is no statistic "upstream_rq_totl" of a cluster (did you mean upstream_rq_total?)',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend, equals: 0}]\n`,
      '3:17 error [unknown-statistic] expect[0].stat: "cluster.backend" is a cluster: name one of its statistics, as cluster.backend.upstream_rq_total',
    ],
    [
      `${BASE}expect: [{stat: cluster_manager.cluster_add, equals: 0}]\n`,
      '3:17 error [unknown-statistic] expect[0].stat: there is no statistic "cluster_manager.cluster_add" (did you mean cluster_manager.cluster_added?)',
    ],
    [
      `${BASE}expect: [{stat: constructor, equals: 0}]\n`,
      '3:17 error [unknown-statistic] expect[0].stat: there is no statistic "constructor"; docs/stats.md lists them all',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend.upstream_rq_time, equals: 0}]\n`,
      '3:17 error [unknown-statistic] expect[0].stat: "upstream_rq_time" is a histogram: counters and gauges can be compared, and the latency of a cluster',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend.health_check.failure, equals: 0}]\n`,
      '3:17 warning [absent-statistic] expect[0].stat: backend does not have "health_check.failure": it needs health_checks',
    ],
    [
      `${BASE}expect: [{stat: cluster_manager.cds.update_attempt, equals: 0}]\n`,
      '3:17 warning [absent-statistic] expect[0].stat: there is no "cluster_manager.cds.update_attempt": the proxy listens to CDS only where the timeline has update_cluster or remove_cluster',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend.upstream_rq_503, equals: 0, during: [0s, 1s]}]\n`,
      '3:61 warning [during] expect[0].during: a statistic is looked at as the run ends: during changes nothing; mean_stat looks at a time',
    ],
    [`${BASE}expect: [{stat: a, equals: much}]\n`, '3:28 error [comparator] expect[0].equals: "much" is not a number'],
    [
      `${BASE}expect: [{latency: {cluster: backend, percentile: 101}, at_most: 1s}]\n`,
      '3:51 error [number] expect[0].latency.percentile: percentile must be a number from 0 to 100, found 101',
    ],
    [
      `${BASE}expect: [{latency: {cluster: backend, percentile: 99}, at_most: 1}]\n`,
      '3:65 error [comparator] expect[0].at_most: 1 has no unit: write 1s for seconds, or 1ms, 1m, 1h',
    ],
    [
      `${BASE}expect: [{decision: 0}]\n`,
      '3:21 error [expectation-host] expect[0].decision: a decision needs a host: its address, or null for none',
    ],
    [
      `${BASE}expect: [{decision: 0, host: 10.0.0.1}]\n`,
      '3:30 error [address] expect[0].host: "10.0.0.1" has no port: write 10.0.0.1:80',
    ],
    [
      `${BASE}expect: [{decision: 0, host: null, at_least: 1}]\n`,
      '3:11 error [comparator] expect[0]: a decision is compared with host, nothing else',
    ],
    [
      `${BASE}expect: [{decision: 0, host: null, during: [0s, 1s]}]\n`,
      '3:36 error [during] expect[0].during: a decision has its own time',
    ],
    [
      `${BASE}expect: [{stat: a, equals: 0, host: null}]\n`,
      '3:37 error [expectation-host] expect[0].host: host belongs to a decision',
    ],
    [
      `${BASE}expect: [{mean_stat: cluster.backend.upstream_rq_actve, at_most: 1}]\n`,
      '3:22 error [unknown-statistic] expect[0].mean_stat: there is no statistic "upstream_rq_actve" of a cluster (did you mean upstream_rq_active?)',
    ],
    [
      `${BASE}expect: [{stat: cluster.backend.upstream_rq_total, at_most: 1, relative_to: {stat: cluster.backend.upstream_rq_totl}}]\n`,
      '3:84 error [unknown-statistic] expect[0].relative_to.stat: there is no statistic "upstream_rq_totl" of a cluster (did you mean upstream_rq_total?)',
    ],
    [
      `${BASE}expect: [{mean_stat: cluster.backnd.upstream_rq_active, at_most: 1}]\n`,
      '3:22 error [unknown-cluster] expect[0].mean_stat: no cluster counts as "backnd" (did you mean backend?)',
    ],
    [
      `${BASE}expect: [{failures: {cluster: backend, cause: time_out}, equals: 0}]\n`,
      '3:47 error [invalid-value] expect[0].failures.cause: expected one of no_host, overflow, connect_failure, … time_out (did you mean timeout?)',
    ],
    [
      `${BASE}expect: [{host_load: {cluster: backend}, at_most: 100%}]\n`,
      '3:11 error [no-capacity] expect[0].host_load: no host has a capacity: give concurrency and service_time in behavior',
    ],
    [
      `${BASE}expect: [{requests: {cluster: backend}, at_most: 2, relative_to: {}}]\n`,
      '3:53 error [relative-to] expect[0].relative_to: it says nothing that differs: give cluster, during …',
    ],
    [
      `${BASE}expect: [{requests: {cluster: backend}, at_most: 2, relative_to: {cluster: backend}}]\n`,
      '3:53 error [relative-to] expect[0].relative_to: it is compared with itself: another cluster, another time … makes a difference',
    ],
    [
      `${BASE}expect: [{requests: {cluster: backend}, at_most: 2, relative_to: {percentile: 5}}]\n`,
      '3:79 error [relative-to] expect[0].relative_to.percentile: percentile belongs to latency',
    ],
    [
      `${BASE}expect: [{requests: {cluster: backend}, at_most: 2, relative_to: {cluster: bakend}}]\n`,
      '3:76 error [unknown-cluster] expect[0].relative_to.cluster: there is no cluster "bakend" (did you mean backend?)',
    ],
    [
      `${BASE}expect: [{no_host: {cluster: backend}, within_sigma: 4, relative_to: {during: [0s, 1s]}}]\n`,
      '3:57 error [relative-to] expect[0].relative_to: within_sigma compares with the prediction, relative_to with another measure: choose one',
    ],
    [
      `${BASE}expect: [{requests: {cluster: backend}, at_most: 200%, relative_to: {during: [0s, 1s]}}]\n`,
      '3:50 error [comparator] expect[0].at_most: "200%" is not a number: with relative_to values are multiples, as 2',
    ],
    [
      `${BASE}expect: [{no_host: {cluster: backend}, equals: 0%, during: [2s, 1s]}]\n`,
      '3:52 error [during] expect[0].during: during ends before it begins',
    ],
    [
      `${BASE}duration: 1s\nexpect: [{no_host: {cluster: backend}, equals: 0%, during: [2s, 3s]}]\n`,
      '4:61 warning [past-end] expect[0].during[0]: 2s is past the end of the run (1s): there is nothing to measure',
    ],
  ])('%j', (text, expected) => {
    expect(load(text)).toEqual([expected]);
  });
});

describe('instances of a proxy', () => {
  const several = (rest: string): string => `${BASE}proxies: [{name: edge, count: 2, workers: 2}]\n${rest}`;

  it('are named by requests and not by workloads', () => {
    expect(load(several('requests: [{at: 0s, cluster: backend, proxy: edge-2, worker: 1}]\n'))).toEqual([]);
    expect(load(several('requests: [{at: 0s, cluster: backend, proxy: edge-3}]\n'))).toEqual([
      '4:46 error [unknown-proxy] requests[0].proxy: there is no proxy "edge-3" (did you mean edge-1?)',
    ]);
    expect(load(several('workloads: [{cluster: backend, arrivals: 1/s, stop: 1s, proxies: [edge-2]}]\n'))).toEqual([
      '4:67 error [unknown-proxy] workloads[0].proxies[0]: edge-2 is one instance of a proxy: a workload names the proxy and is dealt out to all its instances',
    ]);
    expect(load(several('requests: [{at: 0s, cluster: backend, worker: 2}]\n'))).toEqual([
      '4:47 error [unknown-worker] requests[0].worker: edge has 2 workers, 0 to 1',
    ]);
  });
});

describe('all problems at once', () => {
  it('keeps looking after the first, in every part of the file', () => {
    expect(
      load(`name: bad
seed: 7
seed: 8
proxies:
  - {name: edge, version: 1.4, workers: 0}
  - {name: edge, local_cluster_name: webb}
clusters:
  - name: backend
    lb_policy: RING_HSH
  - {name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
endpoints:
  backend: [10.0.0.1:80, {address: 10.0.0.300:80}]
  wbe: [10.0.0.1:80]
duration: 60s
workloads:
  - {cluster: bakend, arrivals: 500/s}
  - {cluster: webb, arrivals: -3/s}
timeline:
  - {at: 80s, note: too late}
  - {at: 3s, remove_cluster: wbe}
expect:
  - {no_host: {cluster: wbe}, at_most: 50}
  - {stat: cluster.bckend.lb_healthy_panic, at_least: 1}
`),
    ).toEqual([
      '3:1 error [duplicate-key] seed: seed is already set in line 2',
      `5:27 error [version] proxies[0].version: "1.4" is not a version that can be simulated: allowed are ${ALL_VERSIONS}`,
      '5:41 error [integer] proxies[0].workers: workers must be an integer from 1 to 1024, found 0',
      '6:38 error [unknown-cluster] proxies[1].local_cluster_name: there is no cluster "webb" (did you mean web?)',
      '9:16 error [enum] clusters[0].lb_policy: expected one of ROUND_ROBIN, LEAST_REQUEST, RING_HASH, … RING_HSH (did you mean RING_HASH?)',
      '12:36 error [address] endpoints.backend[1].address: "10.0.0.300:80" is not an address: "10.0.0.300" is not an IP address',
      '13:3 error [unknown-cluster] endpoints.wbe: there is no cluster "wbe": there are backend, web',
      '16:15 error [unknown-cluster] workloads[0].cluster: there is no cluster "bakend" (did you mean backend?)',
      '17:15 error [unknown-cluster] workloads[1].cluster: there is no cluster "webb" (did you mean web?)',
      '17:31 error [rate] workloads[1].arrivals: -3/s is negative: a rate is 0 or more',
      '19:10 warning [past-end] timeline[0].at: 80s is past the end of the run (60s): this never happens',
      '20:30 error [unknown-cluster] timeline[1].remove_cluster: there is no cluster "wbe": there are backend, web',
      '22:25 error [unknown-cluster] expect[0].no_host.cluster: there is no cluster "wbe": there are backend, web',
      '22:40 error [comparator] expect[0].at_most: a bare 50 is not a percentage: write 50%, or a portion of 1 as 0.12',
      '23:12 error [unknown-cluster] expect[1].stat: no cluster counts as "bckend" (did you mean backend?)',
    ]);
  });

  it('reports a misspelt cluster of endpoints where it is, and not the cluster that has none', () => {
    const text = 'clusters: [{name: backend}]\nendpoints: {bakend: [10.0.0.1:80]}\n';
    expect(load(text)).toEqual([
      '2:13 error [unknown-cluster] endpoints.bakend: there is no cluster "bakend" (did you mean backend?)',
    ]);
  });

  it('says nothing of references to entries that could not be read', () => {
    expect(
      load(`${BASE}proxies: [{name: a, workers: 0}]\nrequests: [{at: 0s, cluster: backend, proxy: a, worker: 3}]\n`),
    ).toEqual(['3:30 error [integer] proxies[0].workers: workers must be an integer from 1 to 1024, found 0']);
    expect(load(`${BASE}duration: soon\nworkloads: [{cluster: backend, arrivals: 5/s}]\n`)).toEqual([
      '3:11 error [duration] duration: "soon" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h',
    ]);
  });

  it('survives what is no scenario at all', () => {
    expect(load('')).toEqual(['1:1 error [empty-document] : the document is empty']);
    expect(load('just words')).toEqual(['1:1 error [type] : expected a map (scenario), found just words']);
    expect(load('a: [')[0]).toMatch(/^1:5 error \[yaml-syntax\] : /);
  });
});

it('an assignment may be for a service that a cluster of the timeline asks for', () => {
  const timeline = (service: string): string => `${BASE}timeline:
  - {at: 1s, update_cluster: {name: late, type: EDS, eds_cluster_config: {service_name: svc, eds_config: {ads: {}}}}}
  - {at: 2s, assign: {cluster_name: ${service}, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.9, port_value: 80}}}}]}]}}
`;
  expect(load(timeline('svc'))).toEqual([]);
  expect(load(timeline('svx'))).toEqual([
    '5:37 error [unknown-cluster] timeline[1].assign.cluster_name: there is no cluster "svx": there are backend, late',
  ]);
});

describe('what people paste that is no scenario', () => {
  it.each([
    [
      'apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\n',
      /a Kubernetes object \(EnvoyFilter, networking.istio.io\/v1alpha3\): give the proxy's own/,
    ],
    ['{"configs": [{}]}', /there is no cluster in a config_dump/],
    ['resources: [{name: a}]\n', /there is no cluster in a DiscoveryResponse/],
    ['{"type_url": "/__proto__", "resources": [{"name": "a"}]}', /there is no cluster in a DiscoveryResponse/],
    ['{"configs": [{"@type": "/constructor"}]}', /there is no cluster in a config_dump/],
    ['scrape_configs: []\n', /a Prometheus configuration/],
    ['a: {{ .Values.a }}\n', /a template: render it first/],
  ])('%s', (text, expected) => {
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.map(({ message }) => message).join('\n')).toMatch(expected);
  });
});

describe('where unknown fields are no errors, a name that is meant for a required field is still missing', () => {
  const cluster = (own: object, endpoint: object): object => ({
    ...{ '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster', type: 'STATIC', ...own },
    load_assignment: { cluster_name: 'a', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
  });
  const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };

  it.each([
    ['adress', cluster({ name: 'a' }, { adress: address }), /^address is required/],
    ['nme', cluster({ nme: 'a' }, { address }), /^name is required/],
    ['address: {x: 1}', cluster({ name: 'a' }, { address: { x: 1 } }), /^address: exactly one of socket_address/],
  ])('%s', (_, resource, expected) => {
    for (const value of [{ resources: [resource] }, { configs: [resource] }]) {
      const { scenario, problems } = loadScenario({ file: 'a.json', text: JSON.stringify(value) });
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(scenario).toBeUndefined();
      expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
    }
  });

  it('also with the option', () => {
    const text = 'clusters: [{nme: a}]\nendpoints: {a: [10.0.0.1:80]}\n';
    const { problems } = loadScenario({ file: 'a.yaml', text }, { allowUnknownFields: true });
    expect(problems.map(({ severity, rule }) => `${severity} ${rule}`)).toContain('error required');
  });
});
