import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModuleConfig } from '../../src/policy/foreign/policy-module.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import { CLUSTER_STATS, generalised } from './cluster-stats.js';
import { REPORTED_OUT_OF_BAND } from '../support/load-reports.js';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Rows of the page: `name` | kind. */
const documented = new Map(
  [...page('stats.md').matchAll(/^\| `([^`]+)` +\| (counter|gauge|histogram) +\|/gm)].map(([, name, kind]) => [
    name as string,
    kind as string,
  ]),
);
const missing = new Set(
  [
    ...(/## Statistics that are missing([\s\S]*?)(?=\n## |$)/.exec(page('fidelity.md'))?.[1] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split(' | ')[0] as string)
      .join('\n')
      .matchAll(/`([^`]+)`/g),
  ].map(([, name]) => name as string),
);

const check = {
  timeout: '1s',
  interval: '1s',
  unhealthy_threshold: 1,
  healthy_threshold: 1,
  http_health_check: { path: '/' },
};
const subsets = { fallback_policy: 'ANY_ENDPOINT', subset_selectors: [{ keys: ['v'] }] };
const limits = ['DEFAULT', 'HIGH'].map((priority) => ({ priority, track_remaining: true }));

/** A policy that counts what it chose. */
const counting = {
  name: 'COUNTING',
  kind: 'list',
  statistics: ['picks'],
  start: (config: ModuleConfig) => config,
  refresh: () => undefined,
  choose: (config: ModuleConfig) => {
    config.count('picks');
    return 0;
  },
};

/** Runs that between them produce all there is; each cluster has a retry, an error and a host of its own zone. */
const RUNS: readonly Record<string, unknown>[] = ['1.17', '1.40'].map((version) => ({
  proxies: [
    {
      version,
      node: { locality: { zone: 'a' } },
      stats_flush_interval: '1s',
    },
  ],
  clusters: [
    { name: 'ring', lb_policy: 'RING_HASH', circuit_breakers: { thresholds: limits } },
    { name: 'maglev', lb_policy: 'MAGLEV', track_timeout_budgets: true, max_requests_per_connection: 1 },
    {
      name: 'subset',
      lb_subset_config: subsets,
      http2_protocol_options: {},
      common_http_protocol_options: { idle_timeout: '0.05s', max_connection_duration: '0.06s' },
    },
    { name: 'watched', health_checks: [check], outlier_detection: {} },
    { name: 'eds', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } },
    { name: 'own', lb_policy: './counting.mjs' },
    { name: 'streams', http2_protocol_options: {}, max_requests_per_connection: 1 },
    { name: 'refused' },
    {
      name: 'reporting',
      load_balancing_policy: REPORTED_OUT_OF_BAND,
    },
  ],
  endpoints: {
    ...Object.fromEntries(
      ['ring', 'maglev', 'subset', 'watched', 'eds', 'own', 'streams'].map((name) => [
        name,
        [{ address: '10.0.0.1:80', zone: 'b', metadata: { v: '1', canary: true } }],
      ]),
    ),
    refused: ['10.0.0.2:80'],
  },
  timeline: [
    { at: '4s', remove_cluster: 'watched' },
    { at: '2s', update_cluster: { name: 'late', load_assignment: { cluster_name: 'late' } } },
  ],
  behavior: [
    { hosts: { address: '10.0.0.2:80' }, down: 'refuse' },
    { hosts: { address: '10.0.0.1:80' }, error_rate: '20%', error_status: 503, closes: 'announced', close_rate: '10%' },
  ],
  workloads: [
    {
      cluster: 'maglev',
      arrivals: '100/s',
      stop: '5s',
      hash_key: { uniform: { keys: 10 } },
      retry_policy: { retry_on: '5xx', num_retries: 2, per_try_timeout: '1s' },
    },
    { cluster: 'subset', arrivals: '10/s', stop: '5s', request_mirror_policies: [{ cluster: 'streams' }] },
    { cluster: 'streams', arrivals: '10/s', stop: '5s' },
    { cluster: 'refused', arrivals: '10/s', stop: '5s', tcp: { lifetime: '1s' } },
  ],
}));

/** What the runs produce: names with placeholders, and their kind. */
const produced = new Map<string, string>();

function note(name: string, kind: string): void {
  const local = /^cluster\.[^.]+\.(.*)$/.exec(name)?.[1];
  produced.set(local === undefined ? name : `cluster.<name>.${generalised(local)}`, kind);
}

beforeAll(async () => {
  for (const value of RUNS) {
    const { scenario, problems } = loadScenarioValue(value, 'test', { policies: { './counting.mjs': counting } });
    if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
    const simulation = await createSimulation(scenario, {
      stats: {
        onFlush: ({ snapshot }) => {
          for (const { stat } of snapshot.counters) note(stat.name, 'counter');
          for (const { stat } of snapshot.gauges) note(stat.name, 'gauge');
          for (const { stat } of snapshot.histograms) note(stat.name, 'histogram');
        },
      },
    });
    while (!simulation.advance(100_000));
    const { stats } = simulation.result();
    for (const name of Object.keys(stats.counters)) note(name, 'counter');
    for (const name of Object.keys(stats.gauges)) note(name, 'gauge');
    for (const name of Object.keys(stats.histograms)) note(name, 'histogram');
  }
});

describe('the page of statistics', () => {
  it('has a row for every statistic that is produced, of the right kind', () => {
    const differing = [...produced].filter(([name, kind]) => documented.get(name) !== kind);
    expect(differing).toEqual([]);
  });

  it('has no row for a statistic that is not produced', () => {
    expect([...documented.keys()].filter((name) => !produced.has(name))).toEqual([]);
  });
});

describe('the statistics of a cluster of the real proxy', () => {
  it('are produced, or listed with the reason why not', () => {
    const lacking = CLUSTER_STATS.filter((name) => !produced.has(`cluster.<name>.${name}`) && !missing.has(name));
    expect(lacking).toEqual([]);
  });

  it('are not said to be missing where they are produced, nor where there are none of that name', () => {
    const wrong = [...missing].filter(
      (name) => produced.has(`cluster.<name>.${name}`) || !CLUSTER_STATS.includes(name),
    );
    expect(wrong).toEqual([]);
  });

  const recorded = new URL('../../../shared/fixtures/cluster-stats.json', import.meta.url);
  it.skipIf(!existsSync(recorded))('are all those of a recorded one', () => {
    const unknown = recordedNames(JSON.parse(readFileSync(recorded, 'utf8')) as RecordedStats).filter(
      (name) => !CLUSTER_STATS.includes(generalised(name)),
    );
    expect(unknown).toEqual([]);
  });
  if (!existsSync(recorded)) console.log('The recorded statistics of a cluster are not here: ../shared/fixtures');
});

interface RecordedStats {
  readonly common_at_start: Readonly<Record<string, readonly string[]>>;
  readonly clusters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Every name in a document whose lists and keys are names, by kind. */
function recordedNames(document: RecordedStats): string[] {
  const names = Object.values(document.common_at_start).flat();
  for (const cluster of Object.values(document.clusters)) {
    for (const part of ['only_this_at_start', 'added_by_traffic']) {
      names.push(...Object.values((cluster[part] ?? {}) as Record<string, string[]>).flat());
    }
    names.push(...Object.keys(cluster['beyond_common'] ?? {}));
  }
  return names;
}
