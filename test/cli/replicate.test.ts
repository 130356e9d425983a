import { afterAll, describe, expect, it } from 'vitest';
import type { Replications } from '../../src/analysis/generated/experiments.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const text = `
name: pair
clusters: [{name: web, lb_policy: RANDOM}]
endpoints: {web: ["10.0.0.1:80", "10.0.0.2:80"]}
behavior: [{hosts: {}, service_time: {exponential: {mean: 4ms}}}]
workloads: [{cluster: web, arrivals: 200/s, stop: 2s}]
expect: [{share: {cluster: web, hosts: 10.0.0.1}, at_least: 50%}]
`;
const file = folder.file('pair.yaml', text);

async function json(...args: readonly string[]): Promise<Replications> {
  return JSON.parse((await lbsim(['run', file, '--json', ...args])).stdout) as Replications;
}

describe('lbsim run --replications', () => {
  it('tells means of runs whose seeds any single run may be given', async () => {
    const found = await json('--replications', '3');
    expect(found).toMatchObject({ method: 'replications', runs: 3, seeds: ['1', '1-2', '1-3'], confidence: 0.95 });
    const shares: number[] = [];
    for (const seed of found.seeds) {
      const { stdout } = await lbsim(['run', file, '--json', '--seed', seed]);
      const run = JSON.parse(stdout) as { clusters: { web: { hosts: { share: number }[] } } };
      shares.push(run.clusters.web.hosts[0]?.share ?? NaN);
    }
    const mean = shares.reduce((sum, share) => sum + share, 0) / 3;
    expect(found.numbers['clusters.web.hosts.10.0.0.1:80.share']?.mean).toBeCloseTo(mean, 12);
    const passed = shares.filter((share) => share >= 0.5).length;
    expect(found.expect).toMatchObject([{ passed, runs: 3 }]);
  });

  it('fails where an expectation fails in any run', async () => {
    // A fair coin of 400 tosses.
    const { code, stdout } = await lbsim(['run', file, '--replications', '8']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED \(\d of 8 runs\)/);
    expect(stdout).toMatch(/^ {2}mean latency +\d\.\d+ +± 0\.\d+ ms$/m);
    expect(stdout).toMatch(/^ {2}10\.0\.0\.1:80 +\d\d\.\d+ +± \d\.\d+ %$/m);
  });

  it('writes every number as a row', async () => {
    const { stdout } = await lbsim(['run', file, '--replications', '2', '--csv']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('scenario,version,number,mean,low,high,runs');
    const { numbers } = await json('--replications', '2');
    expect(lines.length - 1).toBe(Object.keys(numbers).length);
    const { mean, low, high } = numbers['totals.requests'] ?? { mean: 0, low: 0, high: 0 };
    expect(lines).toContain(`pair,1.17,totals.requests,${mean},${low},${high},2`);
  });

  it('leaves out what arrives before the warm-up, as a field of the file does', async () => {
    const asked = await lbsim(['run', file, '--replications', '2', '--warmup', '1s', '--json']);
    const set = await lbsim(['run', file, '--replications', '2', '--set', 'warmup=1s', '--json']);
    expect(asked.stdout).toBe(set.stdout);
    expect(JSON.parse(asked.stdout)).toMatchObject({ warmup_s: 1 });
  });

  it('goes on until the main numbers are known well enough, or no further', async () => {
    const precise = await json('--until-precision', '5%');
    expect(precise.precision).toMatchObject({ wanted: 0.05, reached: true });
    expect(precise.precision?.half_width).toBeLessThanOrEqual(0.05);
    expect(precise.runs).toBeGreaterThanOrEqual(10);
    const { stdout } = await lbsim(['run', file, '--until-precision', '0.1%', '--replications', '12']);
    expect(stdout).toContain('NOT within 0.1 % after 12 runs');
    const few = await lbsim(['run', file, '--until-precision', '50%', '--replications', '3']);
    expect(few.stdout.replaceAll(/\s+/g, ' ')).toContain('not judged after 3 runs');
  });

  it('cuts one run into batches', async () => {
    const found = await json('--batches', '10', '--warmup', '500ms');
    expect(found).toMatchObject({ method: 'batches', runs: 10, seeds: ['1'], warmup_s: 0.5 });
    expect(found.numbers['clusters.web.requests']?.mean).toBeCloseTo(30, -1);
  });

  it('tells of the course where its intervals were asked for', async () => {
    const { numbers } = await json('--replications', '2', '--every', '1s');
    expect(Object.keys(numbers)).toContain('clusters.web.course.intervals.1.requests');
  });

  it('reports the runs that had ended when it is interrupted, and nothing before the first', async () => {
    const early = await lbsim(['run', file, '--replications', '4'], { interrupt: true });
    expect(early).toMatchObject({ code: 130, stdout: '' });
    expect(early.stderr).toContain('there is no result yet');
  });

  it.each([
    [['--jobs', '2'], '--jobs: one run has one thread'],
    [['--replications', '2', '--batches', '2'], 'choose one'],
    [['--batches', '2', '--jobs', '2'], 'one thread'],
    [['--replications', '2', '--decisions', '-'], '--decisions is about one run'],
    [['--replications', '2', '--watch'], '--watch is about one run'],
    [['--replications', '2', '--html', 'run.html'], '--html is about one run'],
    [['--replications', '2', '--brief'], '--brief is about one run'],
    [['--replications', '1'], 'whole number from 2'],
    [['--until-precision', '5'], '5'],
    [['--until-precision', '100%'], 'between 0% and 100%'],
    [['--replications', '2', '--json', '--csv'], 'choose one'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await lbsim(['run', file, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
