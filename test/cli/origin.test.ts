import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const DISCOVERED = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}}';
const BOOTSTRAP = folder.file(
  'bootstrap.yaml',
  `static_resources:
  clusters:
  - {name: web, ${DISCOVERED}}
  - {name: web-canary, ${DISCOVERED}}
  - {name: auth, ${DISCOVERED}}
`,
);

async function run(...options: readonly string[]): Promise<RunResult> {
  const { code, stdout } = await lbsim(['run', BOOTSTRAP, '--json', ...options]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as RunResult;
}

describe('what an answer rests on', () => {
  it('stands below it, pasteable whole', async () => {
    const { code, stdout } = await lbsim(['run', BOOTSTRAP, '--hosts', 'web=10.0.0.1:80']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(4, 13)).toEqual([
      'read as v3 (resource_api_version: V3)',
      'the hosts of 2 of 3 clusters are in none of the files, and made up here:',
      'web-canary (EDS), auth (EDS). Shares can be trusted; failures, and which host a',
      'key goes to, cannot be told. To give the real ones:',
      '  --hosts web-canary=10.0.0.1:80,10.0.0.2:80                   # hosts that you know',
      "  --hosts '*=3'                                                # another number of made-up hosts",
      '  endpoints: {web-canary: ["10.0.0.1:80", "10.0.0.2:80"]}      # the first again, in a second file',
      '  curl -s localhost:9901/clusters?format=json > clusters.json  # from a live proxy: name this file, too',
      '',
    ]);
  });

  it('is in JSON, too', async () => {
    const result = await run('--hosts', 'web=10.0.0.1:80', '--hosts', 'auth=1');
    expect(result.input?.[0]).toBe('read as v3 (resource_api_version: V3)');
    const madeUp = Object.entries(result.clusters).map(([name, { hosts }]) => [
      name,
      hosts.map((host) => host.made_up),
    ]);
    expect(madeUp).toEqual([
      ['web', [undefined]],
      ['web-canary', [true, true, true]],
      ['auth', [true]],
    ]);
    expect(result).not.toHaveProperty('unknown_hosts');
  });

  it('names clusters of a scenario whose hosts nobody knows', async () => {
    const text = readFileSync(BOOTSTRAP, 'utf8').replace('static_resources:\n', '').replaceAll(/^ {2}/gm, '');
    const file = folder.file('open.yaml', `duration: 1s\n${text}`);
    const { stdout } = await lbsim(['run', file, '--json', '--hosts', 'web=10.0.0.1:80', '--hosts', 'auth=1']);
    expect((JSON.parse(stdout) as RunResult).unknown_hosts).toEqual(['web-canary']);
  });

  it('says which hosts are made up', async () => {
    const { stdout } = await lbsim(['run', BOOTSTRAP, '--hosts', '*=1']);
    expect(stdout).toContain('3 hosts are made up (from 198.18.0.1 on)');
    expect((await lbsim(['run', BOOTSTRAP, '--hosts', '*=1', '--full'])).stdout).toContain(
      'web-canary  ROUND_ROBIN · 1 host, made up ·',
    );
  });

  it.each(['find', 'curve'])('is nothing where no host is known, and failures are asked for: %s', async (command) => {
    const { code, stderr } = await lbsim([command, BOOTSTRAP, ...(command === 'curve' ? ['--lose', 'zone=a'] : [])]);
    expect(code).toBe(2);
    expect(stderr).toContain("\n    --hosts '*=3'    ");
  });

  it('is not what makes a file right', async () => {
    const { code, stdout } = await lbsim(['validate', BOOTSTRAP]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('no-hosts');
  });
});

describe('--cluster', () => {
  it('picks clusters by name and by pattern', async () => {
    const all = ['--hosts', '*=1'];
    expect(Object.keys((await run(...all)).clusters)).toEqual(['web', 'web-canary', 'auth']);
    expect(Object.keys((await run(...all, '--cluster', 'web')).clusters)).toEqual(['web']);
    expect(Object.keys((await run(...all, '--cluster', 'web*')).clusters)).toEqual(['web', 'web-canary']);
    const both = await run(...all, '--cluster', 'auth', '--cluster', '*-canary');
    expect(Object.keys(both.clusters)).toEqual(['web-canary', 'auth']);
  });

  it.each(['run', 'predict', 'validate'])('names the clusters that there are: %s', async (command) => {
    const { code, stdout, stderr } = await lbsim([command, BOOTSTRAP, '--cluster', 'outh']);
    expect(code).toBe(2);
    expect((stdout + stderr).replaceAll(/\n */g, ' ')).toContain(
      'there is no cluster "outh" (did you mean auth?); there are web, web-canary, auth',
    );
  });

  it('does not mind what is wrong with the others', async () => {
    const wrong = folder.file(
      'wrong.yaml',
      'static_resources: {clusters: [{name: a, load_assignment: {cluster_name: a}}, {name: b, lb_policy: NO}]}\n',
    );
    expect((await lbsim(['run', wrong])).code).toBe(2);
    expect((await lbsim(['run', wrong, '--cluster', 'a'])).code).toBe(0);
  });

  it('keeps the cluster that the proxies are in', async () => {
    const file = folder.file(
      'local.yaml',
      `cluster_manager: {local_cluster_name: mine}
static_resources: {clusters: [{name: mine}, {name: a}, {name: b}]}
`,
    );
    const { stdout } = await lbsim(['run', file, '--json', '--cluster', 'a', '--hosts', 'a=1', '--hosts', 'mine=1']);
    expect(Object.keys((JSON.parse(stdout) as RunResult).clusters)).toEqual(['a']);
  });

  it('follows routes as far as they lead there', async () => {
    const host = { endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } };
    const clusters = ['a', 'b'].map((name) => ({
      name,
      load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [host] }] },
    }));
    const split = {
      weighted_clusters: {
        clusters: [
          { name: 'a', weight: 50 },
          { name: 'b', weight: 50 },
        ],
      },
    };
    const routes = [
      { virtual_hosts: [{ name: 'v', domains: ['*'], routes: [{ match: { prefix: '/' }, route: split }] }] },
    ];
    const file = folder.file('clusters.json', JSON.stringify(clusters));
    const second = folder.file('routes.json', JSON.stringify(routes));
    const { stdout } = await lbsim(['run', file, second, '--json', '--cluster', 'a']);
    const { clusters: found, notes } = JSON.parse(stdout) as RunResult;
    expect(Object.keys(found)).toEqual(['a']);
    expect(notes).toEqual(['no workloads given: 1000/s for 10 s to each of these routes']);
    const report = await lbsim(['run', file, second, '--cluster', 'a']);
    expect(report.stdout).toContain('the route sends 50 % to a, 50 % to b; here all of it goes to a\n');
  });

  it('leaves the traffic of a scenario as it is, and reports the picked', async () => {
    const file = folder.file(
      'scenario.yaml',
      `clusters: [{name: a}, {name: b}]
endpoints: {a: ["10.0.0.1:80"], b: ["10.0.0.2:80"]}
workloads: [{cluster: a, arrivals: 10/s, stop: 1s}, {cluster: b, arrivals: 10/s, stop: 1s}]
`,
    );
    const { stdout: all } = await lbsim(['run', file, '--json']);
    const { stdout: one } = await lbsim(['run', file, '--json', '--cluster', 'b']);
    const of = (text: string): RunResult => JSON.parse(text) as RunResult;
    expect(of(one).clusters).toEqual({ b: of(all).clusters['b'] });
    expect(of(one).totals).toEqual(of(all).totals);
    const { stdout: predicted } = await lbsim(['predict', file, '--json', '--cluster', 'b']);
    expect(Object.keys(of(predicted).clusters)).toEqual(['b']);
  });
});
