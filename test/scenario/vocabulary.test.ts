import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/config/json-schema.js';
import type { Schema } from '../../src/config/reader.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Action, Scenario } from '../../src/scenario/model.js';
import { parseSelectorText } from '../../src/scenario/selector.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { formatDuration } from '../../src/core/words.js';
import { formatRate } from '../../src/scenario/fields/units.js';

const HEAD = `clusters:
  - {name: backend}
  - {name: dynamic, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
endpoints:
  backend: [{address: 10.0.0.1:80, zone: a}, {address: 10.0.0.2:80, zone: b}]
  dynamic: [{address: 10.1.0.1:80, zone: a, metadata: {version: "1"}}]
`;

function load(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text: HEAD + text });
  if (scenario === undefined) throw new Error(problems.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
  return scenario;
}

describe('every field is accepted', () => {
  it.each([
    [
      'name: x\ndescription: what it shows\nseed: abc\nduration: 1m\nwarmup: 10s\n$schema: x\n',
      { name: 'x', description: 'what it shows', seed: 'abc', durationUs: 60_000_000, warmupUs: 10_000_000 },
    ],
    [
      'dns: {a.test: {addresses: [10.0.0.1, "2001:DB8::1"], ttl: 5s}, b.test: {fail: true}}',
      {
        dns: new Map<string, unknown>([
          ['a.test', { addresses: ['10.0.0.1', '2001:db8::1'], ttlUs: 5_000_000 }],
          ['b.test', { fail: true }],
        ]),
      },
    ],
    [
      'proxies: [{name: edge, count: 3, share: 0.5, workers: 2, version: "1.12", node: {id: e}, local_cluster_name: backend, runtime: {a: 1}, stats_flush_interval: 1s, stats_config: {}, stats_sinks: [], init_random: ["0"]}]',
      {
        proxies: [
          {
            name: 'edge',
            count: 3,
            share: 0.5,
            workers: 2,
            version: '1.12',
            localClusterName: 'backend',
            runtime: { a: 1 },
            statsFlushIntervalUs: 1_000_000,
            statsSinks: [],
            initRandom: [{ hi: 0, lo: 0 }],
          },
        ],
      },
    ],
    [
      'requests: [{at: 1s, cluster: backend, hash_key: 7, service_time: 10s, proxy: proxy, worker: 0, metadata_match: {v: "1"}, headers: {X-Envoy-Original-Dst-Host: "10.0.0.9:80"}, priority: HIGH, timeout: 0s}]',
      {
        requests: [
          {
            atUs: 1_000_000,
            cluster: 'backend',
            hashKey: '7',
            answers: [{ serviceUs: 10_000_000 }],
            proxy: 'proxy',
            worker: 0,
            metadataMatch: { v: '1' },
            headers: { 'x-proxy-original-dst-host': '10.0.0.9:80' },
            priority: 'HIGH',
            timeoutUs: 0,
          },
        ],
      },
    ],
    [
      'workloads: [{name: w, cluster: backend, arrivals: {constant: 30/m}, start: 1s, stop: 2s, hash_key: {zipf: {keys: 10, exponent: 1.1, prefix: user-}}, proxies: [proxy]}]',
      {
        workloads: [
          {
            name: 'w',
            arrivals: { kind: 'constant', perSecond: 0.5 },
            startUs: 1_000_000,
            stopUs: 2_000_000,
            hashKey: { kind: 'zipf', keys: 10, exponent: 1.1, prefix: 'user-' },
            proxies: ['proxy'],
          },
        ],
      },
    ],
    [
      'workloads: [{cluster: backend, stop: 1s, arrivals: {poisson: 5/s}, retry_policy: {retry_on: "5xx, connect-failure", num_retries: 3, per_try_timeout: 0.2s, host_selection_retry_max_attempts: "3", retry_host_predicate: [envoy.retry_host_predicates.previous_hosts], retriable_status_codes: [503], retry_back_off: {base_interval: 1ms, max_interval: 5ms}}}]',
      {
        workloads: [
          {
            retryPolicy: {
              retryOn: ['5xx', 'connect-failure'],
              numRetries: 3,
              perTryTimeoutUs: 200_000,
              hostSelectionRetryMaxAttempts: 3,
              retryHostPredicate: [{ kind: 'previous_hosts' }],
              retriableHeaders: [],
              retriableRequestHeaders: [],
              retriableStatusCodes: [503],
              retryBackOff: { baseIntervalUs: 1000, maxIntervalUs: 5000 },
            },
          },
        ],
      },
    ],
  ])('%s', (text, expected) => {
    expect(load(text)).toMatchObject(expected);
  });

  it.each([
    ['500/s', { kind: 'poisson', perSecond: 500 }],
    ['{poisson: 2/h}', { kind: 'poisson', perSecond: 2 / 3600 }],
    [
      '{closed: {users: 40, think_time: {exponential: {mean: 100ms}}}}',
      { kind: 'closed', users: 40, thinkTime: { kind: 'exponential', mean: 100_000 } },
    ],
    [
      '{ramp: [{at: 0s, rate: 10/s}, {at: 60s, rate: 900/s}]}',
      {
        kind: 'ramp',
        points: [
          { atUs: 0, perSecond: 10 },
          { atUs: 60_000_000, perSecond: 900 },
        ],
      },
    ],
  ])('arrivals: %s', (text, expected) => {
    expect(load(`workloads: [{cluster: backend, stop: 1s, arrivals: ${text}}]`).workloads[0]?.arrivals).toEqual(
      expected,
    );
  });

  it.each([
    ['{uniform: {keys: 3, prefix: k}}', { kind: 'uniform', keys: 3, prefix: 'k' }],
    ['{sequence: {keys: 3}}', { kind: 'sequence', keys: 3, prefix: '' }],
    ['{zipf: {keys: 3}}', { kind: 'zipf', keys: 3, prefix: '', exponent: 1 }],
    ['{cycle: [a, 1, 1.50]}', { kind: 'cycle', keys: ['a', '1', '1.50'] }],
  ])('hash_key: %s', (text, expected) => {
    expect(
      load(`workloads: [{cluster: backend, stop: 1s, arrivals: 1/s, hash_key: ${text}}]`).workloads[0]?.hashKey,
    ).toEqual(expected);
  });

  it.each([
    ['service_time: 5ms', { serviceTime: { kind: 'constant', value: 5000 } }],
    ['service_time: {constant: 5ms}', { serviceTime: { kind: 'constant', value: 5000 } }],
    ['service_time: {exponential: {mean: 5ms}}', { serviceTime: { kind: 'exponential', mean: 5000 } }],
    ['service_time: {uniform: {min: 1ms, max: 2ms}}', { serviceTime: { kind: 'uniform', min: 1000, max: 2000 } }],
    ['service_time: {erlang: {mean: 5ms, stages: 3}}', { serviceTime: { kind: 'erlang', mean: 5000, stages: 3 } }],
    [
      'service_time: {hyperexponential: [{mean: 1ms, weight: 9}, {mean: 90ms, weight: 1}]}',
      {
        serviceTime: {
          kind: 'hyperexponential',
          branches: [
            { mean: 1000, weight: 9 },
            { mean: 90_000, weight: 1 },
          ],
        },
      },
    ],
    [
      'service_time: {weibull: {scale: 2ms, shape: 0.5}}',
      { serviceTime: { kind: 'weibull', scale: 2000, shape: 0.5 } },
    ],
    [
      'service_time: {lognormal: {median: 1ms, p99: 2ms}}',
      { serviceTime: { kind: 'lognormal', median: 1000, p99: 2000 } },
    ],
    ['service_time: {pareto: {scale: 1ms, shape: 1.5}}', { serviceTime: { kind: 'pareto', scale: 1000, shape: 1.5 } }],
    ['service_time: {empirical: [1ms, 2ms]}', { serviceTime: { kind: 'empirical', values: [1000, 2000] } }],
    ['concurrency: 8, queue_limit: 0', { concurrency: 8, queueLimit: 0 }],
    ['concurrency: unlimited, queue_limit: unlimited', { concurrency: Infinity, queueLimit: Infinity }],
    ['error_rate: 0.5%, error_status: 500', { errorRate: 0.005, errorStatus: 500 }],
    [
      'connect_time: 1ms, connect_failure_rate: 0',
      { connectTime: { kind: 'constant', value: 1000 }, connectFailureRate: 0 },
    ],
    ['network_latency: 1ms, down: hang', { networkLatency: { kind: 'constant', value: 1000 }, down: 'hang' }],
    ['health_check: ok', { healthCheck: 'ok' }],
    [
      'health_check: 503, immediate_health_check_fail: true, initial_active_requests: 2',
      { healthCheck: 503, immediateHealthCheckFail: true, initialActiveRequests: 2 },
    ],
    ['health_check: "503"', { healthCheck: 503 }],
  ])('behavior: %s', (text, expected) => {
    const [rule] = load(`behavior: [{hosts: {zone: a}, ${text}}]`).behavior;
    expect(rule).toEqual({ hosts: { locality: { zone: 'a' } }, behavior: expected });
  });

  it.each([
    ['{}', {}],
    ['10.0.0.1', { address: '10.0.0.1' }],
    ['{address: 10.0.0.9/24}', { address: '10.0.0.0/24' }],
    ['{cluster: backend, priority: 0, zone: a}', { cluster: 'backend', priority: 0, locality: { zone: 'a' } }],
    ['{locality: {region: "", zone: a, sub_zone: ""}}', { locality: { region: '', zone: 'a', subZone: '' } }],
    ['{metadata: {version: "1"}}', { metadata: { version: '1' } }],
    ['{metadata: {filter_metadata: {envoy.lb: {version: "1"}}}}', { metadata: { version: '1' } }],
  ])('hosts: %s', (text, expected) => {
    expect(load(`behavior: [{hosts: ${text}, concurrency: 1}]`).behavior[0]?.hosts).toEqual(expected);
  });

  const zoneA = { locality: { zone: 'a' } };
  it.each<[string, Partial<Action> & { kind: Action['kind'] }, string]>([
    ['fail: {zone: a}', { kind: 'set_behavior', hosts: zoneA, behavior: { down: 'refuse' } }, 'zone a stops answering'],
    [
      'recover: {zone: a}',
      { kind: 'set_behavior', hosts: zoneA, behavior: { down: 'none', healthCheck: 'ok' } },
      'zone a answers again',
    ],
    [
      'fail: 10.0.0.1:80',
      { kind: 'set_behavior', hosts: { address: '10.0.0.1:80' }, behavior: { down: 'refuse' } },
      '10.0.0.1:80 stops answering',
    ],
    [
      'set_health: {hosts: {zone: a}, status: DRAINING}',
      { kind: 'set_health', hosts: zoneA, status: 'DRAINING' },
      'zone a set DRAINING',
    ],
    [
      'set_weight: {hosts: {zone: a, cluster: backend}, weight: 5}',
      { kind: 'set_weight', hosts: { cluster: 'backend', ...zoneA }, weight: 5 },
      'zone a of backend gets weight 5',
    ],
    [
      'set_metadata: {hosts: {}, metadata: {v: "2"}}',
      { kind: 'set_metadata', hosts: {}, metadata: { 'proxy.lb': { v: '2' } } },
      'every host gets metadata {"proxy.lb":{"v":"2"}}',
    ],
    [
      'remove_hosts: {metadata: {version: "1"}}',
      { kind: 'remove_hosts', hosts: { metadata: { version: '1' } } },
      'every host with version=1 leaves',
    ],
    ['remove_cluster: dynamic', { kind: 'remove_cluster', name: 'dynamic' }, 'cluster dynamic is removed'],
    [
      'set_behavior: {hosts: {zone: a}, error_rate: 100%, service_time: 5ms}',
      {
        kind: 'set_behavior',
        hosts: zoneA,
        behavior: { errorRate: 1, serviceTime: { kind: 'constant', value: 5000 } },
      },
      'zone a begins to take 5 ms a request, begins to answer 100 % with errors',
    ],
    ['set_rate: {workload: w, rate: 900/s}', { kind: 'set_rate', workload: 'w', perSecond: 900 }, 'w sends 900/s'],
    [
      'set_runtime: {upstream: {zone_routing: {enabled: 0}}}',
      { kind: 'set_runtime', values: { 'upstream.zone_routing.enabled': 0 } },
      'runtime upstream.zone_routing.enabled = 0',
    ],
    ['note: a word', { kind: 'note', text: 'a word' }, 'a word'],
    ['dns: {}', { kind: 'dns', answers: new Map() }, 'the resolver knows no name any more'],
    [
      'dns: {x.test: {addresses: [10.0.0.1]}, y.test: {fail: true}}',
      { kind: 'dns' },
      'the resolver has 1 address for x.test, fails for y.test',
    ],
    [
      'assign: {cluster_name: dynamic, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.1.0.2, port_value: 80}}}}]}]}',
      { kind: 'assign' },
      'dynamic is assigned 1 host',
    ],
    [
      'update_cluster: {name: backend, lb_policy: RANDOM, load_assignment: {cluster_name: backend}}',
      { kind: 'update_cluster' },
      'an update replaces cluster backend and all its connections',
    ],
    [
      'add_hosts: {cluster: dynamic, priority: 1, zone: c, endpoints: [{address: 10.1.0.2:80, count: 2, weight: 3}]}',
      { kind: 'add_hosts', cluster: 'dynamic', priority: 1, locality: { region: '', zone: 'c', subZone: '' } },
      'dynamic gains 2 hosts',
    ],
  ])('timeline: %s', (text, action, label) => {
    const { timeline } = load(
      `workloads: [{name: w, cluster: backend, arrivals: 1/s, stop: 1s}]\ntimeline: [{at: 1s, ${text}}]`,
    );
    expect(timeline[0]).toMatchObject({ atUs: 1_000_000, everyUs: undefined, untilUs: undefined, action, label });
    expect(Object.keys(timeline[0] ?? {}).sort()).toEqual(['action', 'atUs', 'everyUs', 'label', 'untilUs']);
  });

  it.each([
    ['every: 10s', { atUs: 0, everyUs: 10_000_000, untilUs: undefined }],
    ['every: 10s, from: 5s, until: 1m', { atUs: 5_000_000, everyUs: 10_000_000, untilUs: 60_000_000 }],
  ])('timeline: %s', (text, expected) => {
    expect(load(`timeline: [{${text}, note: x}]`).timeline[0]).toMatchObject(expected);
  });

  it.each([
    [
      '{share: {cluster: backend, hosts: {zone: b}}, between: [32%, 52%]}',
      'share of zone b of backend between 32 % and 52 %',
    ],
    [
      '{share: {cluster: backend, hosts: {}}, equals: 100%, during: [0s, 1.5s]}',
      'share of every host of backend 100 %, from 0 s to 1.5 s',
    ],
    ['{no_host: {cluster: backend}, at_most: 0%}', 'requests of backend without a host at most 0 %'],
    ['{stat: cluster.backend.lb_healthy_panic, at_least: 1}', 'cluster.backend.lb_healthy_panic at least 1'],
    ['{success_rate: {cluster: backend}, at_least: 99.9%}', 'success rate of backend at least 99.9 %'],
    ['{latency: {cluster: backend, percentile: 99.9}, at_most: 50ms}', 'p99.9 latency of backend at most 50 ms'],
    ['{decision: 0, host: "10.0.0.1:80"}', 'request 0 goes to 10.0.0.1:80'],
    ['{decision: 3, host: null}', 'request 3 finds no host'],
  ])('expect: %s', (text, sentence) => {
    expect(load(`expect: [${text}]`).expect[0]?.text).toBe(sentence);
  });

  it('an expectation of the only cluster does not name it', () => {
    const { scenario } = loadScenario({
      file: 'a.yaml',
      text: 'clusters: [{name: a}]\nendpoints: {a: [10.0.0.1:80]}\nexpect: [{share: {cluster: a, hosts: {priority: 0}}, equals: 1}]\n',
    });
    expect(scenario?.expect[0]?.text).toBe('share of priority 0 100 %');
  });
});

describe('the schema', () => {
  it('describes every field in words', () => {
    const undescribed: string[] = [];
    const visit = (schema: Schema<unknown>, path: string): void => {
      const { message } = schema.marks;
      if (message?.doc === '') undescribed.push(path);
      for (const { name, doc } of message === undefined ? [] : fieldsOf(message))
        if (doc === '') undescribed.push(`${path}.${name}`);
    };
    visit(ScenarioFile, '');
    expect(Object.keys(ScenarioFile.marks.message?.shape ?? {})).toContain('timeline');
    expect(undescribed).toEqual([]);
  });
});

describe('grammars and selectors together', () => {
  it('a timeline entry means what was written, whatever its time and rate', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (at, rate) => {
        const text = `workloads: [{name: w, cluster: backend, arrivals: 1/s, stop: 1s}]\ntimeline: [{at: ${formatDuration(at)}, set_rate: {workload: w, rate: ${formatRate(rate)}}}]`;
        const [entry] = load(text).timeline;
        expect(entry).toMatchObject({ atUs: at, action: { perSecond: rate } });
      }),
      { numRuns: 50 },
    );
  });

  it('a selector in one word is the selector of a file', () => {
    const part = fc.record({ zone: fc.stringMatching(/^[a-z]{1,8}$/), priority: fc.nat({ max: 127 }), ip: fc.ipV4() });
    fc.assert(
      fc.property(part, ({ zone, priority, ip }) => {
        const word = parseSelectorText(`zone=${zone},priority=${priority},address=${ip}`);
        const { scenario } = loadScenario({
          file: 'a',
          text: `${HEAD}behavior: [{hosts: {zone: "${zone}", priority: ${priority}, address: ${ip}}, concurrency: 1}]`,
        });
        expect(word).toEqual({ ok: true, value: scenario?.behavior[0]?.hosts });
      }),
      { numRuns: 50 },
    );
  });
});

describe('docs/scenario-format.md and docs/scenario-timeline.md', () => {
  const page = ['scenario-format', 'scenario-timeline']
    .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
    .join('\n');
  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples.filter((example) => !example.startsWith('hosts:')))('example %#: %s', (example) => {
    const clusters = 'clusters: [{name: backend}, {name: web, load_assignment: {cluster_name: web}}]\n';
    const hosts = 'endpoints: {backend: [10.0.0.1:80]}\n';
    const text = `${example.includes('clusters:') ? '' : clusters}${example.includes('endpoints:') ? '' : hosts}${example}`;
    const { problems } = loadScenario(
      { file: 'example.yaml', text },
      { set: ['proxies[0].workers=2'].filter(() => example.includes('worker:')) },
    );
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
