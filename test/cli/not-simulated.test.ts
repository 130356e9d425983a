import { join } from 'node:path';
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
const RING = ['--set', 'clusters.web.lb_policy=RING_HASH'];
const SENTENCE =
  'detect_degraded_hosts is not simulated: a proxy avoids hosts whose answers have the header x-envoy-degraded; here only health checks mark hosts as degraded (clusters[0].outlier_detection.detect_degraded_hosts)';
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
    ['explain', FILE, '--request', '1'],
    ['explain', FILE, '--why-not', '10.0.0.1:80'],
    ['run', FILE, '--replications', '2'],
    ['run', FILE, '--until-precision', '5%'],
    ['run', FILE, '--batches', '2'],
    ['ring', FILE, ...RING],
    ['ring', FILE, ...RING, '--against', FILE],
    ['ring', FILE, ...RING, '--advise'],
    ['serve', FILE, '--pace', 'max', '--port', '0', '--at-end', 'exit'],
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

  it.each([
    ['ring', FILE, ...RING, '--dump'],
    ['ring', FILE, ...RING, '--where', 'a'],
    ['ring', FILE, ...RING, '--against', FILE, '--where', 'a'],
    ['serve', FILE, '--pace', 'max', '--port', '0', '--at-end', 'exit'],
  ])('is told by %s beside what another program reads, and before what takes long', async (command, ...args) => {
    const { code, stderr } = await lbsim([command, ...args]);
    expect(code, stderr).toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(SENTENCE);
  });

  it('is told by test, below the line of the file and in JSON', async () => {
    const { stdout } = await lbsim(['test', FILE]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`runs, expects nothing ${SENTENCE}`);
    const json = await lbsim(['test', FILE, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ files: [{ input: [SENTENCE] }] });
  });

  it('is told by verify, whether or not the proxy agrees', async () => {
    const standIn = join(import.meta.dirname, '../real-proxy/stand-in.mjs');
    const args = ['verify', FILE, '--set', 'clusters.web.lb_policy=RANDOM', '--envoy', standIn, '--requests', '100'];
    const { stdout, stderr } = await lbsim(args);
    expect(stdout.replaceAll(/\s+/g, ' '), stderr).toContain(SENTENCE);
    const json = await lbsim([...args, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ input: [SENTENCE] });
  });
});
