import { afterAll, describe, expect, it } from 'vitest';
import type { RunDocument } from '../../src/report/documents.js';
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
    expect(stdout).toContain('\n… 5 more clusters (--all shows each)\n');
    const all = await lbsim([...args, '--all']);
    expect([...all.stdout.matchAll(heading)]).toHaveLength(25);
    expect(all.stdout).not.toContain('more cluster');
  });
});

it('of many hosts in many proxies, JSON has the proxies one by one with --all alone', async () => {
  const fleet = folder.file(
    'fleet.yaml',
    'proxies: [{name: p, count: 201}]\nclusters: [{name: c}]\nendpoints: {c: [{address: "10.0.0.1:80", count: 100}]}\n' +
      'workloads: [{cluster: c, arrivals: {constant: 201/s}, stop: 1s}]\n',
  );
  const [some, all] = await Promise.all([[], ['--all']].map((more) => lbsim(['run', fleet, '--json', ...more])));
  const [left, whole] = [some, all].map((one) => JSON.parse(one?.stdout ?? '') as RunDocument);
  expect(left?.notes).toEqual([
    ...(whole?.notes ?? []),
    'what each of 201 proxies did, 20,100 rows of hosts, is left out here: --all has it',
  ]);
  expect({ ...left, notes: [] }).toEqual({ ...whole, proxies: {}, notes: [] });
  expect(Object.keys(whole?.proxies ?? {})).toHaveLength(201);
});

describe('of the clusters of a mesh', () => {
  const host = '{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}';
  const mesh = folder.file(
    'mesh.yaml',
    '- {name: BlackHoleCluster, type: STATIC, load_assignment: {cluster_name: BlackHoleCluster}}\n' +
      '- {name: InboundPassthroughClusterIpv4, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}\n' +
      '- {name: PassthroughCluster, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}\n' +
      `- {name: outbound|80||web.shop, type: STATIC, load_assignment: {cluster_name: web, endpoints: [{lb_endpoints: [${host}]}]}}\n`,
  );

  it.each([['run', '--full'], ['predict'], ['race', '--policies', 'RANDOM,MAGLEV', '--runs', '1'], ['import']])(
    '%s tells first of those that have hosts',
    async (command, ...options) => {
      const { code, stdout } = await lbsim([command, mesh, ...options]);
      expect(code).toBe(0);
      const [first = -1, ...sinks] = ['outbound|80||web.shop', 'BlackHole', 'InboundPass', 'PassthroughCluster'].map(
        (name) => stdout.indexOf(name),
      );
      expect(first).toBeGreaterThan(-1);
      for (const at of sinks) expect(at).toBeGreaterThan(first);
    },
  );

  it('--cluster says what a pattern would match', async () => {
    expect((await lbsim(['run', mesh, '--cluster', 'web'])).stderr).toContain(
      'there is no cluster "web", but some match "*web*"',
    );
    expect((await lbsim(['run', mesh, '--cluster', 'cart'])).stderr.replaceAll(/\s+/g, ' ')).toContain(
      '; * stands for any text',
    );
  });
});
