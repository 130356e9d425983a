import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import { csvReport } from '../../src/report/csv.js';
import { PLAIN } from '../../src/report/layout.js';
import { predictionJson } from '../../src/report/prediction-json.js';
import { predictionReport } from '../../src/report/prediction-report.js';
import { run, scenarioOf } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';

describe('names of a file', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const value = {
    proxies: names.map((name) => ({ name })),
    clusters: names.map((name) => ({ name })),
    endpoints: Object.fromEntries(names.map((name) => [name, [A, B]])),
    workloads: names.map((cluster) => ({ name: cluster, cluster, arrivals: { constant: '10/s' }, stop: '1s' })),
  };

  it('are names of clusters and proxies in a prediction, whatever they mean to the language', async () => {
    const { clusters, proxies } = await predict(scenarioOf(value));
    expect(Object.keys(clusters)).toEqual(names);
    expect(Object.keys(proxies)).toEqual(names);
    for (const { clusters: own } of Object.values(proxies)) expect(Object.keys(own)).toEqual(names);
    for (const cluster of Object.values(clusters)) expect(cluster.hosts.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('and in a run beside it', async () => {
    const { clusters, proxies } = await run(value, { predict: true });
    expect([Object.keys(clusters), Object.keys(proxies)]).toEqual([names, names]);
    for (const { hosts } of Object.values(clusters)) {
      expect(hosts.map(({ predicted_share }) => predicted_share)).toEqual([0.5, 0.5]);
    }
  });
});

describe('names that every object inherits', () => {
  it('are keys of a selector that a request does not ask for', async () => {
    const lb_subset_config = {
      fallback_policy: 'NO_FALLBACK',
      subset_selectors: [{ keys: ['constructor'] }, { keys: ['v'] }],
      allow_redundant_keys: true,
    };
    const value = {
      proxy: { version: '1.40' },
      clusters: [{ name: 'c', lb_subset_config }],
      endpoints: { c: [A, { address: B, metadata: { v: 'x' } }] },
      workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '1s', metadata_match: { v: 'x' } }],
    };
    const { clusters } = await run(value, { predict: true });
    const { hosts, phases } = clusters['c'] ?? {};
    expect(hosts?.map(({ share, predicted_share }) => [share, predicted_share])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    const prediction = await predict(scenarioOf(value));
    expect(prediction.clusters['c']?.phases[0]?.reasons).toEqual(phases?.[0]?.reasons);
  });
});

describe('predicted numbers', () => {
  const zipf = {
    clusters: [{ name: 'c', lb_policy: 'RING_HASH' }],
    endpoints: { c: [{ address: A, zone: 'a' }] },
    workloads: [{ cluster: 'c', arrivals: '100/s', stop: '1s', hash_key: { zipf: { keys: 1000, exponent: 1.1 } } }],
  };

  it('add up to everything, though sums of doubles miss it', async () => {
    const { clusters } = await predict(scenarioOf(zipf));
    const { hosts, localities, priorities } = clusters['c'] ?? {};
    for (const groups of [hosts, localities, priorities]) expect(groups?.map(({ share }) => share)).toEqual([1]);
  });

  it('are written as they are meant', async () => {
    const [headings = '', row = ''] = [...csvReport(await run(zipf, { predict: true }))].join('').split('\n');
    const at = headings.split(',').indexOf('predicted_share');
    expect(row.split(',')[at]).toBe('1');
  });
});

describe('what is predicted of extremes', () => {
  const base = {
    clusters: [{ name: 'c', lb_policy: 'LEAST_REQUEST' }],
    endpoints: { c: [A, B] },
    workloads: [{ cluster: 'c', arrivals: '100/s', stop: '10s' }],
  };
  const retries = { retry_policy: { retry_on: '5xx', num_retries: 50 } };

  it.each<[string, object]>([
    ['nobody is there', { endpoints: { c: [] } }],
    ['nothing is sent', { workloads: [] }],
    [
      'the rate is 0',
      { workloads: [{ cluster: 'c', arrivals: '0/s', stop: '10s' }], behavior: [{ hosts: A, service_time: '1s' }] },
    ],
    [
      'the rate is enormous',
      {
        workloads: [{ cluster: 'c', arrivals: '1000000000/s', stop: '1ms' }],
        behavior: [{ hosts: A, service_time: '1s' }],
      },
    ],
    [
      'a host hangs for ever',
      {
        workloads: [{ cluster: 'c', arrivals: '1/s', stop: '10s', timeout: '0s' }],
        behavior: [{ hosts: A, down: 'hang' }],
      },
    ],
    ['times have no mean', { behavior: [{ hosts: A, service_time: { pareto: { scale: '1ms', shape: 0.5 } } }] }],
    [
      'a host holds very many requests',
      { behavior: [{ hosts: A, initial_active_requests: 1000000, service_time: '1ms' }] },
    ],
    [
      'every host refuses',
      {
        behavior: [{ hosts: {}, down: 'refuse' }],
        workloads: [{ cluster: 'c', arrivals: '100/s', stop: '10s', ...retries }],
      },
    ],
    [
      'every answer is an error',
      {
        clusters: [{ name: 'c', lb_policy: 'RANDOM' }],
        behavior: [{ hosts: {}, error_rate: '100%' }],
        workloads: [{ cluster: 'c', arrivals: '100/s', stop: '10s', ...retries }],
      },
    ],
    [
      'a queue grows',
      {
        behavior: [
          { hosts: {}, service_time: { exponential: { mean: '1s' } }, concurrency: 1 },
          { hosts: A, network_latency: '1ms' },
        ],
      },
    ],
  ])('is a finite number, or a reason: %s', async (_, more) => {
    const prediction = await predict(scenarioOf({ ...base, ...more }));
    const layout = { width: 80, all: false, bars: false, paint: PLAIN };
    const text = [...predictionReport(prediction, layout)].join('\n');
    const json = [...predictionJson(prediction)].join('');
    for (const output of [text, json]) expect(output).not.toMatch(/Infinity|NaN|∞/);
    const numbers: number[] = [];
    JSON.parse(JSON.stringify(prediction), (_key, value: unknown) => {
      if (typeof value === 'number') numbers.push(value);
      return value;
    });
    // JSON writes null for what is no number, and only numbers of requests may be unknown.
    const nulls = json.match(/"[a-z_]+":null/g) ?? [];
    expect(nulls.filter((field) => field !== '"requests":null')).toEqual([]);
    expect(numbers.every(Number.isFinite)).toBe(true);
    const { success } = prediction.clusters['c'] ?? {};
    for (const chance of success?.after ?? []) expect(chance >= 0 && chance <= 1).toBe(true);
  });
});
