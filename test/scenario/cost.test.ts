import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../src/scenario/check/cost.js';
import { countOccurrences, occurrences } from '../../src/settings/world.js';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';

const HANG = { behavior: [{ hosts: '10.0.0.1:80', down: 'hang' }] };
const CHECKED = {
  name: 'b',
  health_checks: [
    { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} },
  ],
};

const NO_LIMITS = { max_connections: 4294967295, max_pending_requests: 4294967295, max_requests: 4294967295 };

/** What is too much of a scenario with one cluster `b`: path and message. */
function tooMuch(fields: object, purpose?: Purpose): string[] {
  const scenario = {
    clusters: [{ name: 'b' }],
    endpoints: { b: ['10.0.0.1:80', '10.0.0.2:80'] },
    workloads: [{ cluster: 'b', arrivals: '100/s', stop: '10s' }],
    ...fields,
  };
  const { problems } = loadScenarioValue(scenario, 'cost', { purpose });
  return problems.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path}: ${message}`);
}

describe('what cannot end or fit is refused before it runs', () => {
  it.each<[string, object, string]>([
    [
      'arrivals without number',
      { workloads: [{ cluster: 'b', arrivals: '1e9/s', stop: '11s' }] },
      'workloads[0].arrivals: these arrivals make about 11,000,000,000 events: a run has at most 10,000,000,000',
    ],
    [
      'arrivals that only all together are too many',
      {
        workloads: [
          { cluster: 'b', arrivals: '1e9/s', stop: '4s' },
          { cluster: 'b', arrivals: { ramp: [{ at: '0s', rate: '1e9/s' }] }, stop: '7s' },
        ],
      },
      'workloads[1].arrivals: these arrivals make about 7,000,000,000 events, with all the rest 11,000,000,000',
    ],
    [
      'a rate that the timeline sets',
      {
        timeline: [{ at: '1s', set_rate: { workload: 'workload', rate: '1e9/s' } }],
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1h' }],
      },
      'workloads[0].arrivals: these arrivals make about',
    ],
    [
      'requests that stay open, where nothing ends them',
      {
        clusters: [{ name: 'b', circuit_breakers: { thresholds: [NO_LIMITS] } }],
        behavior: [{ hosts: {}, service_time: '100h' }],
        workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '60s', timeout: '0s' }],
      },
      'workloads[0].arrivals: these arrivals leave up to 60,000,000 requests open, which take about 54,000,000,000 bytes: there may be 4,294,967,296',
    ],
    [
      'requests at hosts that hang',
      {
        clusters: [{ name: 'b', circuit_breakers: { thresholds: [NO_LIMITS] } }],
        behavior: [{ hosts: {}, down: 'hang' }],
        workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '60s', timeout: '10s' }],
      },
      'workloads[0].arrivals: these arrivals leave up to 10,000,000 requests open, which take about 9,000,000,000 bytes',
    ],
    [
      'a timeline without end',
      { timeline: [{ every: '1us', note: 'x' }], workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1000h' }] },
      'timeline[0].every: it acts 3,600,000,000,001 times: the entries of a timeline act at most 1,000,000',
    ],
    [
      'hosts times phases',
      {
        endpoints: { b: [{ address: '10.0.0.1:80', count: 10_000 }] },
        timeline: [{ every: '1ms', set_weight: { hosts: '10.0.0.1:80', weight: 2 } }],
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '60s' }],
      },
      'timeline[0].every: its phases, each with every host, take about',
    ],
    [
      'health checks each millisecond',
      {
        clusters: [{ ...CHECKED, health_checks: [{ ...CHECKED.health_checks[0], interval: '0.000001s' }] }],
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1500h' }],
      },
      'clusters[0].health_checks[0].interval: these health checks are',
    ],
    [
      'look-ups each microsecond',
      {
        clusters: [{ name: 'b', type: 'STRICT_DNS', dns_refresh_rate: '0.001s' }],
        endpoints: { b: ['x.test:80'] },
        dns: { 'x.test': { addresses: ['10.0.0.1'] } },
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '3000h' }],
      },
      'clusters[0].dns_refresh_rate: its look-ups are',
    ],
    [
      'choices among more hosts than can be looked at',
      { clusters: [{ name: 'b', lb_policy: 'LEAST_REQUEST', least_request_lb_config: { choice_count: 4294967295 } }] },
      'clusters[0].least_request_lb_config.choice_count: 4,294,967,295 hosts are drawn for each request: a decision looks at no more than 10,000 hosts',
    ],
    [
      'hosts that a retry throws away',
      {
        workloads: [
          {
            cluster: 'b',
            arrivals: '1/s',
            stop: '1s',
            retry_policy: { retry_on: '5xx', host_selection_retry_max_attempts: 1_000_000 },
          },
        ],
      },
      'workloads[0].retry_policy.host_selection_retry_max_attempts: a retry draws up to',
    ],
    [
      'more keys than fit',
      { workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1s', hash_key: { zipf: { keys: 1_000_000_000 } } }] },
      'workloads[0].hash_key: these keys take about 32,000,000,000 bytes: there may be 4,294,967,296',
    ],
    [
      'more proxies than fit',
      { proxy: { count: 10_000, workers: 1024 } },
      'proxy: its instances, with all hosts and workers, take about',
    ],
    [
      'requests that nothing ends, in a run that ends with its last request',
      { ...HANG, clusters: [CHECKED], workloads: [{ cluster: 'b', arrivals: '10/s', stop: '2s', timeout: '0s' }] },
      'workloads[0].timeout: without a time-out (0s) a request to a host that hangs (behavior[0]) never ends',
    ],
    [
      'the same of one request, where a host hangs later',
      {
        clusters: [{ name: 'b', outlier_detection: {} }],
        timeline: [{ at: '1s', set_behavior: { hosts: {}, down: 'hang' } }],
        requests: [{ at: '2s', cluster: 'b', timeout: '0s' }],
      },
      'requests[0].timeout: without a time-out (0s) a request to a host that hangs (timeline[0]) never ends',
    ],
  ])('%s', (_, fields, expected) => {
    const found = tooMuch(fields);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it.each<[string, object]>([
    ['a minute of a million requests a second', { workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '1m' }] }],
    [
      'an entry a second for a week',
      { timeline: [{ every: '1s', note: 'x' }], workloads: [{ cluster: 'b', arrivals: '1/m', stop: '168h' }] },
    ],
    [
      'requests that hang until the duration ends',
      { ...HANG, clusters: [CHECKED], duration: '5s', workloads: [{ cluster: 'b', arrivals: '10/s', timeout: '0s' }] },
    ],
    [
      'requests that hang where nothing else happens',
      { ...HANG, workloads: [{ cluster: 'b', arrivals: '10/s', stop: '2s', timeout: '0s' }] },
    ],
    [
      'requests that stay open as far as circuit breakers let them',
      {
        behavior: [{ hosts: {}, down: 'hang' }],
        workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '60s', timeout: '1h' }],
      },
    ],
    [
      'requests that some hosts keep and others may not',
      {
        clusters: [{ name: 'b', circuit_breakers: { thresholds: [NO_LIMITS] } }],
        behavior: [
          { hosts: {}, service_time: '100h', queue_limit: 9, concurrency: 1 },
          { hosts: '10.0.0.2:80', service_time: '100h' },
        ],
        workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '60s', timeout: '0s' }],
      },
    ],
    [
      'a fleet: 500 hosts in each of 5,000 proxies',
      { endpoints: { b: [{ address: '10.0.0.1:80', count: 500 }] }, proxy: { count: 5000, workers: 1 } },
    ],
    [
      'as many choices as hosts',
      { clusters: [{ name: 'b', lb_policy: 'LEAST_REQUEST', least_request_lb_config: { choice_count: 1000 } }] },
    ],
  ])('but not %s', (_, fields) => {
    expect(tooMuch(fields)).toEqual([]);
  });

  it('takes what memory there is: a host in a proxy costs more where requests reach it, and where it is checked', () => {
    const bytes = (fields: object, problem = -1): number => {
      const scenario = {
        clusters: [{ name: 'b' }],
        endpoints: { b: [{ address: '10.0.0.1:80', count: 10_000 }] },
        proxy: { count: 100, workers: 1 },
        workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1s' }],
        ...fields,
      };
      const { problems } = loadScenarioValue(scenario, 'cost', { memory: 1 });
      const [, found] = / take about ([\d,]+) bytes: there may be 1$/.exec(problems.at(problem)?.message ?? '') ?? [];
      return Number(found?.replaceAll(',', '')) / 1_000_000;
    };
    expect(bytes({})).toBeCloseTo(241.3, 1);
    expect(bytes({ workloads: [{ cluster: 'b', arrivals: '1e8/s', stop: '1s' }] })).toBeCloseTo(1641.3, 1);
    expect(bytes({ clusters: [CHECKED] })).toBeCloseTo(1641.3, 1);
    // Of a small cluster most is not its hosts'.
    expect(bytes({ endpoints: { b: ['10.0.0.1:80'] }, proxy: { count: 10_000, workers: 1 } })).toBeCloseTo(132.4, 1);
    // All proxies share what there is once.
    expect(bytes({}, -2)).toBeCloseTo(12.01, 2);
  });

  it('asks of a prediction and of tables only what they cost', () => {
    const busy = { workloads: [{ cluster: 'b', arrivals: '1e6/s', stop: '1000h' }] };
    expect(tooMuch(busy)).toHaveLength(1);
    expect(tooMuch(busy, 'predict')).toEqual([]);
    const often = {
      timeline: [{ every: '1ms', note: 'x' }],
      workloads: [{ cluster: 'b', arrivals: '1/s', stop: '24h' }],
    };
    expect(tooMuch(often, 'predict')).toHaveLength(1);
    expect(tooMuch(often, 'tables')).toEqual([]);
  });

  it('says of a file of the proxy that it is right, and would be too much to run', () => {
    const text =
      'name: b\nlb_policy: LEAST_REQUEST\nleast_request_lb_config: {choice_count: 4294967295}\nconnect_timeout: 1s\nload_assignment: {cluster_name: b, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n';
    const severities = (lint: boolean): string[] =>
      loadScenario({ file: 'b.yaml', text }, { lint })
        .problems.filter(({ rule }) => rule === 'too-much')
        .map(({ severity, line }) => `${severity} ${line}`);
    expect(severities(true)).toEqual(['warning 3']);
    expect(severities(false)).toEqual(['error 3']);
  });

  it.each(['1e300/s', '1e308/s', '1000000001/s'])('has no rate as large as %s', (arrivals) => {
    expect(tooMuch({ workloads: [{ cluster: 'b', arrivals, stop: '1s' }] })).toEqual([
      `workloads[0].arrivals: ${arrivals} is more than 1000000000 per second`,
    ]);
  });
});

it('counts how often an entry acts without listing it', () => {
  const action = { kind: 'note', text: 'x' } as const;
  for (const atUs of [0, 3, 10]) {
    for (const everyUs of [undefined, 1, 3, 20]) {
      for (const untilUs of everyUs === undefined ? [undefined] : [undefined, 5, 10, 11]) {
        const entry = { atUs, everyUs, untilUs, action, label: 'x' };
        for (const endUs of [0, 2, 3, 9, 10, 30]) {
          expect(countOccurrences(entry, endUs)).toBe(occurrences(entry, endUs).length);
        }
      }
    }
  }
});
