import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/analysis/compare/generated/comparison.js';
import type { Race, Replications, Sweep } from '../../src/analysis/generated/experiments.js';
import type { RunResult } from '../../src/result/run-result.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

/** Of three hosts that take 100 ms two refuse at once, or fall silent until a request times out. */
const scenario = (fault: string): string => `
name: few-answer
clusters: [{name: web, lb_policy: ROUND_ROBIN, common_lb_config: {healthy_panic_threshold: {value: 50}}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3}]}
behavior:
  - {hosts: {}, service_time: 100ms}
  - {hosts: {address: 10.0.0.1:80}, ${fault}}
  - {hosts: {address: 10.0.0.2:80}, ${fault}}
workloads: [{cluster: web, arrivals: {constant: 30/s}, stop: 4s, timeout: 1s}]
expect: [{latency: {cluster: web, percentile: 50}, equals: 100ms}, {mean_latency: {cluster: web}, equals: 100ms}]
`;
const refuse = folder.file('refuse.yaml', scenario('down: refuse'));
const hang = folder.file('hang.yaml', scenario('down: hang'));
const THIRD = 1 / 3;

async function json<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse((await lbsim([...args, '--json'])).stdout) as T;
}

describe.each([
  ['refuse', refuse],
  ['do not answer', hang],
])('the latency of a cluster two of whose hosts %s is that of the third', (_name, file) => {
  it('in the report, in each interval and for expectations, which say whose it is', async () => {
    const { clusters, expect: judged } = await json<RunResult>('run', file);
    const { latency_ms: latency, course, failed } = clusters['web'] as RunResult['clusters'][string];
    expect(failed).toBe(80);
    expect(latency).toEqual({ p50: 100, p90: 100, p99: 100, max: 100, mean: 100 });
    const known = (course?.intervals ?? []).filter(({ latency_ms: { max } }) => max !== null);
    expect(new Set(known.map(({ latency_ms: { mean } }) => mean))).toEqual(new Set([100]));
    expect(judged.map(({ passed, answered_share: share }) => [passed, share])).toEqual([
      [true, THIRD],
      [true, THIRD],
    ]);
    const { stdout } = await lbsim(['run', file, '--full']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('max 100.0 ms of the 33.3 % answered');
    expect(stdout).toContain('100.0 ms of the 33.33 % answered');
  });

  it('in a comparison, a race, a sweep, and over runs and batches', async () => {
    const both = await json<Comparison>('compare', refuse, hang, '--runs', '2');
    const { failed, latency_ms: latency } = both.clusters['web']?.whole ?? {};
    expect([failed?.mean, latency?.mean.mean, latency?.p50.mean]).toEqual([
      [2 * THIRD, 2 * THIRD],
      [100, 100],
      [100, 100],
    ]);
    const race = await json<Race>('race', file, '--policies', 'ROUND_ROBIN,LEAST_REQUEST', '--runs', '2');
    for (const { failed: part, latency_ms: own } of race.clusters['web'] ?? []) {
      expect(part).toBeGreaterThan(0.3);
      expect(own).toEqual({ mean: 100, p50: 100, p99: 100 });
    }
    const sweep = await json<Sweep>(
      ...['sweep', file, '--vary', 'endpoints.web[0].count=2,3', '--results', join(folder.path, `${_name}.sqlite`)],
    );
    expect(sweep.results.map(({ measures }) => measures['p99']?.mean)).toEqual([undefined, 100]);
    for (const method of ['--replications', '--batches']) {
      const { numbers } = await json<Replications>('run', file, method, '4');
      expect(numbers['clusters.web.latency_ms.mean']?.mean).toBe(100);
      expect(numbers['clusters.web.failed_share']?.mean).toBeCloseTo(2 * THIRD, 12);
    }
  });
});

it('the answer of a search says how much of the requests failed', async () => {
  const { stdout } = await lbsim([
    ...['sweep', refuse, '--vary', 'workloads[0].stop=3s,4s', '--minimize', 'p99', '--width', '200'],
    ...['--results', join(folder.path, 'search.sqlite')],
  ]);
  expect(stdout).toContain('of answered requests only: 66.7 % failed');
});
