import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { find, loadScenario } from '../../src/index.js';
import { Folder } from './files.js';
import { lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const file = folder.file(
  'web.yaml',
  `
clusters: [{name: web}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3, zone: a}, {address: 10.0.1.1:80, zone: b}], other: [10.9.0.1:80]}
workloads: [{cluster: web, arrivals: 10/s, stop: 2s}]
timeline: [{at: 1s, set_health: {hosts: 10.0.0.1, status: HEALTHY}}]
`,
);

describe('find', () => {
  it('says what cannot be lost, and what comes of it', async () => {
    const { code, stdout, stderr } = await lbsim(['find', file, '--cluster', 'web']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/\s+/g, ' ')).toContain('failed requests. Losing a is enough; no smaller set is.');
    expect(stdout).toContain('3 of 4 hosts lost: panic and failed requests.');
    expect(stdout).toContain('no capacity is known');
    expect(stdout).toContain('\nweb\n  What a loss brings once the control plane has noticed it.\n');
  });

  it('takes several files that are one configuration, as curve does, and says a note once', async () => {
    const clusters = folder.file(
      'clusters.yaml',
      '- {name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n' +
        '- {name: b, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n',
    );
    const endpoints = folder.file('endpoints.yaml', 'endpoints: {a: [10.0.0.1:80, 10.0.0.2:80], b: [10.0.0.3:80]}\n');
    const { code, stdout } = await lbsim(['find', clusters, endpoints]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nnote      a and b: no capacity is known; give concurrency and service_time, or\n');
    const curve = await lbsim(['curve', clusters, endpoints, '--cluster', 'a', '--lose', '10.0.0.0/24']);
    expect(curve.stdout).toContain('Losing 10.0.0.0/24 host by host');
  });

  it('shows on a terminal how far it is', async () => {
    const stderr = Object.assign(new Sink(), { isTTY: true, cursorTo: () => true, clearLine: () => true });
    await lbsim(['find', file], { stderr });
    expect(stderr.text).toMatch(/searching .* \d+ %/);
  });

  it('tells how far it is after each set that it tried, and never less than before', async () => {
    const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') });
    if (scenario === undefined) throw new Error('it does not load');
    const told: number[] = [];
    await find(scenario, { pause: (done) => Promise.resolve(void told.push(done)) });
    expect(told.length).toBeGreaterThan(5);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBeGreaterThanOrEqual(0.5);
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['find', file, '--json', '--capacity', '6']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, scenario: 'web' });
  });

  it('writes a scenario of the first finding alone, which replays it', async () => {
    const replay = join(folder.path, 'replay.yaml');
    expect((await lbsim(['find', file, '--replay', replay])).code).toBe(0);
    expect(readFileSync(replay, 'utf8')).not.toContain('other');
    const { code, stdout } = await lbsim(['run', replay, '--json']);
    expect(code).toBe(0);
    const { clusters } = JSON.parse(stdout) as {
      readonly clusters: Readonly<
        Record<string, { readonly phases: readonly { readonly failed: number; readonly reasons: readonly string[] }[] }>
      >;
    };
    expect(clusters['web']?.phases[1]?.reasons.join()).toContain('panic');
    expect(clusters['web']?.phases[1]?.failed).toBeGreaterThan(1000);
    expect((await lbsim(['find', file, '--replay', replay])).code).toBe(2);
  });

  it('replays what is out at the start, and leaves out what is about other clusters', async () => {
    const two = folder.file(
      'two.yaml',
      `clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}], other: [10.0.9.1:80]}
workloads: [{name: w, cluster: other, arrivals: 10/s, stop: 2s}]
behavior: [{hosts: {cluster: other}, service_time: 1ms}]
timeline:
  - {at: 0s, fail: {cluster: other}}
  - {at: 0s, set_rate: {workload: w, rate: 5/s}}
  - {at: 0s, set_health: {hosts: {address: 10.0.0.1:80}, status: UNHEALTHY}}
`,
    );
    const { stdout } = await lbsim(['find', two, '--cluster', 'web', '--replay', '-']);
    expect(stdout).not.toContain('other');
    expect(stdout).toContain('address: 10.0.0.1:80');
    const { code } = await lbsim(['run', '-'], { stdin: stdout });
    expect(code).toBe(0);
  });

  it('begins with what nothing notices, as run --fail has it, and replays it', async () => {
    const text = 'clusters: [{name: web}]\nendpoints: {web: [{address: 10.0.0.1:80, count: 4}]}\n';
    const plain = folder.file('plain.yaml', text);
    const found = await lbsim(['find', plain]);
    expect(found.stdout).toContain('\nweb\n  What a loss brings, which nothing notices (no health_checks, no\n');
    expect(found.stdout).toContain('1 of 4 hosts lost: failed requests. Losing 10.0.0.1:80 is enough; no');
    expect(found.stdout).toContain('25.0 % of the requests fail.');
    const curve = await lbsim(['curve', plain, '--lose', '10.0.0.1']);
    expect(curve.stdout).toContain('Losing 10.0.0.1 host by host, which nothing notices');
    const { stdout } = await lbsim(['run', plain, '--fail', '10.0.0.1']);
    expect(stdout).toContain('\n25.0 % of requests failed');
    const replay = await lbsim(['find', plain, '--replay', '-']);
    expect(replay.stdout).toContain('fail:');
    expect(replay.stdout).not.toContain('set_health');
  });

  it.each([
    [['find', '-', '--replay', 'x.yaml'], 'not standard input'],
    [['find', file, '--replay', 'x.yaml', '--fail', 'zone=a'], 'write what --fail says into it'],
    [['find', file, '--capacity', '0'], 'a number above 0'],
    [['curve', file], 'say which hosts are to go'],
    [['curve', file, '--lose', 'zone=c'], 'no host is zone=c'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await lbsim(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('curve', () => {
  it('begins with where it tips over', async () => {
    const { code, stdout } = await lbsim(['curve', file, '--lose', 'zone=a']);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('panic begins with 3 of 3 lost');
    expect(stdout.split('\n').filter((line) => line.endsWith('panic'))).toHaveLength(1);
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['curve', file, '--lose', 'zone=a', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, lose: 'zone=a', points: [{ lost: 0 }, {}, {}, {}] });
  });
});
