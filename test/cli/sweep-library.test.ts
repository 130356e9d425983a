import { afterAll, describe, expect, it } from 'vitest';
import { NoSweep } from '../../src/analysis/sweep/axis.js';
import { sweep } from '../../src/analysis/sweep/run-sweep.js';
import type { SweepOptions } from '../../src/analysis/generated/options.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const text = `
clusters: [{name: web, lb_policy: RANDOM}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
behavior: [{hosts: {}, service_time: {exponential: {mean: 4ms}}, concurrency: 1}]
workloads: [{cluster: web, arrivals: 200/s, start: 0s, stop: 2s}]
`;
const file = folder.file('queue.yaml', text);
const input = { file, text };
const set = ['behavior[0].concurrency=2'];
const COUNT = 'endpoints.web[0].count';
const POLICY = 'clusters.web.lb_policy=RANDOM,LEAST_REQUEST';
const RATE = 'workloads[0].arrivals';

/** The options of the command that say the same. */
const flags = ({ vary, random, latinHypercube, replications, ...goal }: SweepOptions): readonly string[] => [
  ...vary.flatMap((one) => ['--vary', one]),
  ...(random === undefined ? [] : ['--random', String(random)]),
  ...(latinHypercube === undefined ? [] : ['--latin-hypercube', String(latinHypercube)]),
  ...(replications === undefined ? [] : ['--replications', String(replications)]),
  ...(goal.measure ?? []).flatMap((one) => ['--measure', one]),
  ...(goal.minimize === undefined ? [] : ['--minimize', goal.minimize]),
  ...(goal.maximize === undefined ? [] : ['--maximize', goal.maximize]),
  ...(goal.subjectTo ?? []).flatMap((one) => ['--subject-to', one]),
];

describe('sweep', () => {
  const CASES: readonly SweepOptions[] = [
    { vary: [POLICY] },
    { vary: [`${RATE}=10/s..90/s:lin3`, POLICY], replications: 2, measure: ['totals.retries'] },
    { vary: [POLICY, `${RATE}=10/s..90/s`], random: 3 },
    { vary: [POLICY, `${RATE}=10/s..90/s`], latinHypercube: 3 },
    // From 1 s to 1 s nothing can be sent.
    { vary: ['workloads[0].start=0s,1s', 'workloads[0].stop=1s,2s'] },
    { vary: [POLICY, `${COUNT}=1..3`], maximize: 'requests', subjectTo: ['p99<40ms'] },
    { vary: [`${COUNT}=1,2,4,16`], minimize: COUNT, subjectTo: ['mean<8ms', `${COUNT}>=2`] },
  ];
  it.each(CASES)('is lbsim sweep %j --json', async (options) => {
    const sets = set.flatMap((one) => ['--set', one]);
    const args = ['sweep', file, ...sets, ...flags(options), '--results', ':memory:', '--json'];
    const { stdout, stderr } = await lbsim(args);
    const found = await sweep(input, { ...options, load: { set } });
    expect(stdout, stderr).toMatch(/^\{/);
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(stdout));
  });

  it('tells no secret that is varied', async () => {
    const vary = ['clusters.web.metadata.filter_metadata.acme.password=opensesame'];
    const { results } = await sweep(input, { vary, load: { set } });
    expect(results[0]?.values).toEqual({ 'clusters.web.metadata.filter_metadata.acme.password': '"[redacted]"' });
  });

  it.each([
    [{ vary: ['seed'] }, 'write a path and values'],
    [{ vary: ['seed=1', 'seed=2'] }, 'stands twice'],
    [{ vary: ['seed=1'], minimize: 'p98' }, '--minimize p98: there is no p98'],
    [{ vary: ['seed=1'], minimize: 'p99', subjectTo: ['p99'] }, '--subject-to p99: write a measure'],
    [{ vary: ['seed=1'], minimize: 'p99', maximize: 'p99' }, 'minimize and maximize: take one'],
    [{ vary: ['clusters.web.lb_policy=FASTEST'] }, 'FASTEST'],
  ])('%j cannot be', async (options, words) => {
    const found = sweep(input, options);
    await expect(found).rejects.toThrow(NoSweep);
    await expect(found).rejects.toThrow(words);
  });

  it('has the problems of a value', async () => {
    const problems = [expect.objectContaining({ file: '--set clusters.web.lb_policy=FASTEST' })];
    await expect(sweep(input, { vary: ['clusters.web.lb_policy=FASTEST'] })).rejects.toMatchObject({ problems });
  });

  it('refuses a scenario that needs what is not simulated, as the command does', async () => {
    const text = `${input.text}\nrequests: [{at: 0s, cluster: web, headers: {x-proxy-unknown: 'yes'}}]\n`;
    const found = sweep({ file: 'web.yaml', text }, { vary: ['seed=1'], load: { set } });
    await expect(found).rejects.toThrow('not supported yet: header x-proxy-unknown');
    await expect(found).rejects.toThrow(NoSweep);
  });

  it('tells how far it is, and ends where its caller wants', async () => {
    const parts: number[] = [];
    const pause = (part: number): Promise<void> => {
      parts.push(part);
      return part === 1 ? Promise.reject(new Error('enough')) : Promise.resolve();
    };
    await expect(sweep(input, { vary: ['seed=1..2'], pause, load: { set } })).rejects.toThrow('enough');
    expect(new Set(parts)).toEqual(new Set([0.5, 1]));
  });
});
