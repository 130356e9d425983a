import { describe, expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { csvReport } from '../../src/report/csv.js';
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
