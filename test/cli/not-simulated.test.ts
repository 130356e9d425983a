import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const FILE = folder.file(
  'degraded.yaml',
  `
api: v3
clusters: [{name: web, outlier_detection: {detect_degraded_hosts: true}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 1s}]
`,
);
const SENTENCE =
  'detect_degraded_hosts is not simulated: a proxy prefers other hosts to those whose answers have the header x-envoy-degraded; here health checks alone tell of that (clusters[0].outlier_detection.detect_degraded_hosts)';
const COUNT = `1 field not simulated: lbsim validate ${FILE} lists it`;

describe('a setting that is not simulated', () => {
  it.each([
    ['run', FILE],
    ['predict', FILE],
    ['compare', FILE, '--runs', '2', '--set', 'clusters.web.lb_policy=RANDOM'],
    ['race', FILE, '--runs', '1', '--policies', 'RANDOM,ROUND_ROBIN'],
    ['find', FILE],
    ['curve', FILE, '--lose', 'cluster=web'],
    ['explain', FILE, '--cluster', 'web'],
    ['sweep', FILE, '--vary', 'clusters.web.lb_policy=RANDOM,ROUND_ROBIN', '--results', folder.file('sweep.db', '')],
  ])('is told by %s in its first lines and in JSON, and counted beside them', async (command, ...args) => {
    const text = await lbsim([command, ...args]);
    expect(text.code, text.stderr).toBe(0);
    // A sentence is at most three lines.
    const first = text.stdout.split('\n').slice(0, 9).join(' ').replaceAll(/\s+/g, ' ');
    expect(first).toContain(SENTENCE);
    expect(text.stderr).toContain(COUNT);
    const json = await lbsim([command, ...args, '--json']);
    expect((JSON.parse(json.stdout) as { readonly input?: readonly string[] }).input?.[0]).toBe(SENTENCE);
  });
});
