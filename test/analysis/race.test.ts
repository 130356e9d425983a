import { describe, expect, it } from 'vitest';
import { compare, imbalanceOf } from '../../src/analysis/compare/compare.js';
import type { RaceEntry } from '../../src/analysis/generated/experiments.js';
import { race } from '../../src/analysis/race.js';
import { PLAIN } from '../../src/report/layout.js';
import { raceReport } from '../../src/report/compare/race-report.js';
import { loadScenario } from '../../src/scenario/load.js';
import { Folder } from '../cli/files.js';
import { lbsim } from '../cli/harness.js';

describe('imbalance', () => {
  it.each([
    [[5, 5, 5, 5], { peak_to_mean: 1, jain: 1, cov: 0 }],
    [[8, 0, 0, 0], { peak_to_mean: 4, jain: 0.25, cov: Math.sqrt(3) }],
    // Mean 2, squares 1 + 4 + 9: (6²) / (3 · 14), variance 2/3.
    [[1, 2, 3], { peak_to_mean: 1.5, jain: 36 / 42, cov: Math.sqrt(2 / 3) / 2 }],
    [[], { peak_to_mean: null, jain: null, cov: null }],
    [[0, 0], { peak_to_mean: null, jain: null, cov: null }],
  ])('%j', (counts, expected) => {
    const found = imbalanceOf(counts);
    for (const key of ['peak_to_mean', 'jain', 'cov'] as const) {
      if (expected[key] === null) expect(found[key]).toBeNull();
      else expect(found[key]).toBeCloseTo(expected[key], 12);
    }
  });
});

const LAYOUT = { width: 100, bars: false, paint: PLAIN, all: false };

const text = `
name: uneven
clusters: [{name: web}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
behavior: [{hosts: {}, service_time: 5ms}, {hosts: {address: 10.0.0.4:80}, service_time: 200ms}]
workloads: [{cluster: web, arrivals: 200/s, stop: 5s, hash_key: {uniform: {keys: 10000}}}]
`;

it('puts policies in order of failures, then latency, under the same seeds', async () => {
  const sides = ['ROUND_ROBIN', 'PEAK_EWMA', 'RENDEZVOUS'].map((name) => {
    const { scenario } = loadScenario({ file: 'a.yaml', text }, { set: [`clusters.web.lb_policy=${name}`] });
    if (scenario === undefined) throw new Error('it does not load');
    return { name, scenario };
  });
  const { clusters, runs, seeds } = await race(sides, { runs: 3 });
  expect({ runs, seeds }).toEqual({ runs: 3, seeds: ['1', '1-2', '1-3'] });
  const entries = clusters['web'] ?? [];
  expect(entries[0]?.policy).toBe('PEAK_EWMA');
  expect(entries[0]?.latency_ms.p99).toBe(5);
  expect(entries[1]?.latency_ms.p99).toBe(200);
  const turns = entries.find(({ policy }) => policy === 'ROUND_ROBIN');
  expect(turns?.imbalance.peak_to_mean).toBeCloseTo(1, 2);
  expect(turns?.imbalance.jain).toBeCloseTo(1, 4);
  expect(turns?.moved_keys).toBeNull();
  for (const { share } of turns?.hosts ?? []) expect(share).toBeCloseTo(0.25, 2);
  const keys = entries.find(({ policy }) => policy === 'RENDEZVOUS')?.moved_keys;
  // A quarter is lost, and nothing else moves; as far as looking 65,536 hashes up can tell.
  expect(keys?.minimum).toBeCloseTo(0.25, 2);
  expect(keys?.moved).toBeCloseTo(0.25, 2);
});

it('tells how far each is behind the first, run by run of the same seed', async () => {
  const sides = ['RANDOM', 'LEAST_REQUEST', 'POWER_OF_D'].map((name) => {
    const { scenario } = loadScenario({ file: 'a.yaml', text }, { set: [`clusters.web.lb_policy=${name}`] });
    if (scenario === undefined) throw new Error('it does not load');
    return { name, scenario };
  });
  const { clusters } = await race(sides, { runs: 4 });
  const [first, ...others] = clusters['web'] ?? [];
  expect(first?.behind).toBeNull();
  expect(others).toHaveLength(2);
  for (const { policy, behind, latency_ms: latency } of others) {
    const side = (name: string | undefined) => sides.filter((one) => one.name === name);
    const pair = await compare([...side(first?.policy), ...side(policy)], { runs: 4 });
    expect(behind?.latency_ms.mean).toEqual(pair.clusters['web']?.whole.latency_ms.mean.change[0]);
    expect(behind?.failed).toEqual({ mean: 0, low: 0, high: 0 });
    expect(behind?.latency_ms.p99?.mean).toBeCloseTo((latency.p99 ?? NaN) - (first?.latency_ms.p99 ?? NaN), 9);
  }
});

it('tells the load of the busiest host where hosts can serve so much and no more', async () => {
  const loadsOf = async (own: string): Promise<readonly (number | null | undefined)[]> => {
    const sides = ['ROUND_ROBIN', 'LEAST_REQUEST'].map((name) => {
      const { scenario } = loadScenario({ file: 'a.yaml', text: own }, { set: [`clusters.web.lb_policy=${name}`] });
      if (scenario === undefined) throw new Error('it does not load');
      return { name, scenario };
    });
    const { clusters } = await race(sides, { runs: 2 });
    return ['ROUND_ROBIN', 'LEAST_REQUEST'].map((name) => clusters['web']?.find(({ policy }) => policy === name)?.load);
  };
  expect(await loadsOf(text)).toEqual([null, null]);
  // A quarter of 200/s for a host that serves one in 200 ms, ten at once: the run goes on until it has answered all.
  const [turns = 0, fewest = 0] = await loadsOf(text.replace('200ms', '200ms, concurrency: 10'));
  expect(turns).toBeGreaterThan(0.9);
  expect(turns).toBeLessThanOrEqual(1.01);
  expect(fewest).toBeLessThan(turns ?? 0);
});

it('names those whose differences from the first may be chance', () => {
  const entry = (policy: string, p99: number, low: number | null): RaceEntry => ({
    policy,
    failed: 0,
    latency_ms: { mean: 1, p50: 1, p99 },
    imbalance: { peak_to_mean: 1, jain: 1, cov: 0 },
    load: null,
    moved_keys: null,
    hosts: [],
    behind: { failed: null, latency_ms: { mean: null, p99: { mean: p99, low, high: low === null ? null : 2 * p99 } } },
  });
  const entries = [{ ...entry('FIRST', 1, 0), behind: null }, entry('NEAR', 2, -1), entry('FAR', 5, 1)];
  const report = (shown: readonly RaceEntry[]): string =>
    [
      ...raceReport({ format: 1, scenario: 'a', runs: 2, seeds: ['1'], clusters: { web: shown }, notes: [] }, LAYOUT),
    ].join(' ');
  expect(report(entries)).toContain('  NEAR may be as good as the first: the difference may be chance');
  // One run has no intervals.
  expect(report([{ ...entry('FIRST', 1, 0), behind: null }, entry('NEAR', 2, null)])).not.toContain('as good');
});

describe('lbsim race', () => {
  const folder = new Folder();
  const file = folder.file('uneven.yaml', text);
  const own = folder.file(
    'last.mjs',
    `export default { name: 'LAST', kind: 'list', start: () => null, refresh() {}, choose: (s, n, hosts) => hosts.length - 1 };\n`,
  );

  it('runs all policies, and those of one’s own', async () => {
    const { code, stdout } = await lbsim(['race', file, '--runs', '1', '--duration', '2s', '--policy', `last=${own}`]);
    expect(code).toBe(0);
    const order = [...stdout.matchAll(/^ {2}([A-Za-z_]{4,}) /gm)].map(([, name]) => name);
    expect(new Set(order.slice(1, 12)).size).toBe(11);
    expect(order.indexOf('last')).toBeGreaterThan(order.indexOf('PEAK_EWMA'));
    expect(stdout).toContain('Jain');
  });

  it('runs some, and prints JSON', async () => {
    const args = ['race', file, '--runs', '1', '--policies', 'round_robin,maglev', '--json'];
    const { code, stdout } = await lbsim(args);
    expect(code).toBe(0);
    const { clusters } = JSON.parse(stdout) as { clusters: { web: { policy: string }[] } };
    expect(clusters.web.map(({ policy }) => policy).sort()).toEqual(['MAGLEV', 'ROUND_ROBIN']);
  });

  it('refuses what is no policy', async () => {
    const { code, stderr } = await lbsim(['race', file, '--policies', 'FASTEST,MAGLEV']);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('there is no FASTEST; there are all and ROUND_ROBIN');
    folder.remove();
  });
});

it('lbsim policies tells which the proxy has, and which not', async () => {
  const { code, stdout } = await lbsim(['policies']);
  expect(code).toBe(0);
  const [proxys = '', others = ''] = stdout.split('Policies that the proxy has not');
  expect(proxys).toContain('LEAST_REQUEST');
  expect(proxys).not.toContain('PEAK_EWMA');
  expect(others.replaceAll(/\s+/g, ' ')).toContain('decay_time: a duration, as 250ms, above 0s; default 10s');
  expect(others).toContain('HAProxy');
});
