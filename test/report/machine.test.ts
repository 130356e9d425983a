import { describe, expect, it } from 'vitest';
import { csvReport } from '../../src/report/csv.js';
import { decisionLine, jsonDocument } from '../../src/report/documents.js';
import { runDocument, runJson } from '../../src/report/run/run-json.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';
import { runInWords } from '../../src/words/results.js';
import { zoneDown, zoneOutage, run, cluster, host } from './results.js';

describe('csv', () => {
  it('has a row per phase and host under one heading', () => {
    const rows = [...csvReport(zoneOutage())].join('').trimEnd().split('\n');
    expect(rows).toHaveLength(1 + 3 * 6);
    expect(rows[0]).toBe(
      'scenario,seed,version,cluster,phase,from_s,to_s,cause,address,priority,region,zone,sub_zone,weight,health,' +
        'requests,share,predicted_share,phase_requests,phase_no_host,phase_overflow,' +
        'phase_failed,phase_failed_no_host,phase_failed_overflow,phase_failed_connect_failure,phase_failed_reset,' +
        'phase_failed_timeout,phase_failed_error_status,phase_failed_drop_overload,phase_failed_no_cluster',
    );
    expect(rows[13]).toBe(
      'zone-outage,7,1.17,backend,2,21.4,60,"10.0.0.1:80, 10.0.0.2:80 unhealthy",10.0.0.1:80,0,,a,,1,unhealthy,0,0,,19300,0,0,0,0,0,0,0,0,0,0,0',
    );
  });

  it('quotes what would break a row', () => {
    const text = [...csvReport(run({ 'a "b",\nc': cluster([host('10.0.0.1:80', 1)]) }))].join('');
    expect(text).toContain('"a ""b"",\ufffdc"');
  });
});

describe('json', () => {
  it('is the result itself, in its order', () => {
    const result = zoneDown();
    const text = jsonDocument(result);
    expect(JSON.parse(text)).toEqual(result);
    expect(text.endsWith('}\n')).toBe(true);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(result));
  });

  it('is made in pieces that a string has room for, and is the same document', async () => {
    const { scenario } = loadScenarioValue(
      {
        proxies: [{ name: 'a' }, { name: 'b' }],
        clusters: [{ name: 'many' }, { name: 'none', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }],
        endpoints: { many: [{ address: '10.0.0.1:80', count: 450 }] },
        workloads: [{ cluster: 'many', arrivals: { constant: '1000/s' }, stop: '3s' }],
        timeline: [{ every: '1s', set_weight: { hosts: '10.0.0.1:80', weight: 2 } }],
      },
      'pieces',
    );
    if (scenario === undefined) throw new Error('not valid');
    const result = await runScenario(scenario, { predict: true });
    const pieces = [...runJson(result)];
    expect(pieces.join('')).toBe(jsonDocument(runDocument(result)));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(150_000);
    const zones = runInWords(zoneOutage());
    expect([...runJson(zones)].join('')).toBe(jsonDocument(runDocument(zones)));
  });

  it.each([
    ['of clusters apart', { clusters: [{ name: 'a' }, { name: 'b\u202e"' }] }],
    ['of clusters that count as one', { clusters: [{ name: 'a' }, { name: 'b' }, { name: 'c', alt_stat_name: 'a' }] }],
    ['of a cluster called as a part of another', { clusters: [{ name: 'a' }, { name: 'a.external' }] }],
    ['of several proxies', { proxies: [{ name: 'p', count: 2 }], clusters: [{ name: 'a' }] }],
    [
      'that a matcher leaves',
      {
        proxy: { stats_config: { stats_matcher: { inclusion_list: { patterns: [{ suffix: '_rq_total' }] } } } },
        clusters: [{ name: 'a' }, { name: 'b' }],
      },
    ],
  ])('holds the statistics %s, each name once', async (_, world) => {
    const { scenario, problems } = loadScenarioValue(
      {
        ...world,
        endpoints: Object.fromEntries(world.clusters.map(({ name }, index) => [name, [`10.0.0.${index}:80`]])),
        workloads: world.clusters.map(({ name }) => ({ cluster: name, arrivals: { constant: '10/s' }, stop: '1s' })),
      },
      'statistics',
    );
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (scenario === undefined) return;
    const result = await runScenario(scenario);
    const text = [...runJson(result)].join('');
    expect(text).toBe(jsonDocument(runDocument(result)));
    expect(Object.keys(result.stats.counters).filter((name) => name.endsWith('.upstream_rq_total')).length).toBe(
      new Set(world.clusters.map((cluster) => ('alt_stat_name' in cluster ? cluster.alt_stat_name : cluster.name)))
        .size,
    );
  });

  it('writes a decision as the format says', () => {
    expect(
      decisionLine({
        request: 0,
        attempt: 0,
        tUs: 12_000,
        proxy: 'edge',
        worker: 0,
        workload: 'users',
        cluster: 'backend',
        hash: '123',
        host: '10.0.0.1:80',
        priority: 0,
        locality: { region: '', zone: 'a', sub_zone: '' },
        subset: null,
        panic: false,
      }),
    ).toBe(
      '{"request":0,"attempt":0,"t":0.012,"proxy":"edge","worker":0,"workload":"users","cluster":"backend","hash":"123",' +
        '"host":"10.0.0.1:80","priority":0,"locality":{"region":"","zone":"a","sub_zone":""},"subset":null,"panic":false}\n',
    );
  });
});
