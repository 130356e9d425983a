import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const names = Array.from({ length: 25 }, (_, index) => `c${index}`);
/** All alike, but c23 has no host that is up. */
const file = folder.file(
  'many.yaml',
  `clusters: [${names.map((name) => `{name: ${name}, common_lb_config: {healthy_panic_threshold: {value: 0}}}`).join(', ')}]\n` +
    `endpoints: {${names.map((name) => `${name}: [{address: "10.0.0.1:80", health: ${name === 'c23' ? 'UNHEALTHY' : 'HEALTHY'}}]`).join(', ')}}\n` +
    `workloads: [${names.map((name) => `{cluster: ${name}, arrivals: {constant: 10/s}, stop: 1s}`).join(', ')}]\n`,
);

describe('of more than twenty clusters', () => {
  it.each([
    ['predict', ['predict', file], /^c(\d+) +ROUND_ROBIN/gm],
    ['race', ['race', file, '--policies', 'RANDOM,ROUND_ROBIN', '--runs', '1'], /^c(\d+)$/gm],
    ['run --replications', ['run', file, '--replications', '2'], /^c(\d+) +ROUND_ROBIN/gm],
  ])('%s tells of twenty, the one that fails among them, and --all of each', async (_, args, heading) => {
    const { stdout } = await lbsim(args);
    const told = [...stdout.matchAll(heading)].map(([, index]) => Number(index));
    expect(told).toEqual([...Array(19).keys(), 23]);
    expect(stdout).toContain('\n… 5 more clusters (--all tells of each)\n');
    const all = await lbsim([...args, '--all']);
    expect([...all.stdout.matchAll(heading)]).toHaveLength(25);
    expect(all.stdout).not.toContain('more cluster');
  });
});
