import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const CLUSTERS = folder.file(
  'clusters.yaml',
  `- name: backend
  connect_timeout: 1s
  tls_context: {common_tls_context: {tls_certificates: [{private_key: {inline_string: hunter2}}]}}
  load_assignment:
    cluster_name: backend
    endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]
`,
);
const STATS = folder.file('stats.json', '{"stats":[{"name":"cluster.backend.upstream_rq_total","value":120}]}');
const out = (name: string): string => join(folder.path, name);

describe('lbsim import', () => {
  it('prints a scenario that runs, and says beside it what was left out', async () => {
    const { code, stdout, stderr } = await lbsim(['import', CLUSTERS, STATS, '--uptime', '60s']);
    expect(code).toBe(0);
    expect(stdout).toContain('  - {name: backend, cluster: backend, arrivals: 2/s, stop: 60s}  # 120 requests\n');
    expect(stderr).toContain('lbsim: imported 1 cluster, in v2\n');
    expect(stderr).toContain('tls_context (TLS: certificates, keys) of 1');
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stdout).not.toContain(folder.path);
    const run = await lbsim(['run', '-', '--json'], { stdin: stdout });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      scenario: 'clusters',
      clusters: { backend: { hosts: [{ share: 1 }] } },
    });
  });

  it('writes a file, over another with --force only, and never over one that it reads', async () => {
    const file = out('new.yaml');
    const first = await lbsim(['import', CLUSTERS, '-o', file]);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain(`wrote ${file}; run it with: lbsim run ${file}\n`);
    const text = readFileSync(file, 'utf8');
    const again = await lbsim(['import', CLUSTERS, STATS, '--uptime', '1s', '-o', file]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`--output ${file}: this file exists already; --force overwrites it\n`);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await lbsim(['import', CLUSTERS, '-o', file, '--force'])).toMatchObject({ code: 0 });
    for (const input of [CLUSTERS, STATS]) {
      const before = readFileSync(input, 'utf8');
      const { code, stderr } = await lbsim(['import', CLUSTERS, STATS, '--uptime', '1s', '-o', input, '--force']);
      expect(code).toBe(2);
      expect(stderr).toContain(`--output ${input} would overwrite ${input}, which is read\n`);
      expect(readFileSync(input, 'utf8')).toBe(before);
    }
  });

  it('shows no line of a file that it refuses, and leaves nothing behind', async () => {
    const wrong = folder.file(
      'wrong.json',
      '{"name": "backend", "lb_policy": "NOPE", "connect_timeout": "1s", "tls_context": {"x": "hunter2"}}',
    );
    const { code, stdout, stderr } = await lbsim(['import', wrong, '-o', out('none.yaml')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/wrong\.json:1:\d+ {2}error {2}clusters\[0\]\.lb_policy/);
    expect(stderr).toContain('Nothing was written.');
    expect(stderr).not.toContain('hunter2');
    expect(existsSync(out('none.yaml'))).toBe(false);
  });

  it('makes workloads of what two pages of /stats differ by, as a proxy writes them', async () => {
    const page = (total: number): string => `{"stats":[{"name":"cluster.backend.upstream_rq_total","value":${total}}]}`;
    const [first, second] = [folder.file('stats-1.json', page(1000)), folder.file('stats-2.json', page(1300))];
    const { code, stdout } = await lbsim(['import', CLUSTERS, first, second, '--stats-interval', '60s']);
    expect(code).toBe(0);
    expect(stdout).toContain('  - {name: backend, cluster: backend, arrivals: 5/s, stop: 60s}  # 300 requests\n');
    const swapped = await lbsim(['import', CLUSTERS, second, first, '--stats-interval', '60s']);
    expect(swapped.stdout).toContain('# counters were reset between the pages: backend');
  });

  it('has one verdict with run, predict and validate on a cluster type that is not simulated', async () => {
    const type = 'type.googleapis.com/envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig';
    const clusterType = `{name: envoy.clusters.dynamic_forward_proxy, typed_config: {"@type": ${type}, dns_cache_config: {name: c}}}`;
    const dynamic = `- {name: dyn, connect_timeout: 1s, lb_policy: CLUSTER_PROVIDED, cluster_type: ${clusterType}}\n`;
    const words = 'not supported yet: cluster_type envoy.clusters.dynamic_forward_proxy';
    const alone = folder.file('dynamic.yaml', dynamic);
    for (const command of ['run', 'predict', 'import', 'validate']) {
      const { code, stdout, stderr } = await lbsim([command, alone]);
      expect({ command, code }).toEqual({ command, code: command === 'validate' ? 0 : 2 });
      expect((stdout + stderr).replaceAll(/\n */g, ' ')).toContain(words);
    }
    expect((await lbsim(['validate', alone])).stdout).toContain('it does not run as it stands');
    const route = '{match: {prefix: /}, route: {cluster: dyn}}';
    const routes = folder.file(
      'dynamic-routes.yaml',
      `{name: r, virtual_hosts: [{name: v, domains: ["*"], routes: [${route}]}]}`,
    );
    const beside = folder.file(
      'dynamic-beside.yaml',
      readFileSync(CLUSTERS, 'utf8').replace(/ {2}tls_context.*\n/, '') + dynamic,
    );
    for (const command of ['run', 'predict', 'import']) {
      const { code, stdout } = await lbsim([command, beside, routes]);
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\n(?:# )?/g, ' ')).toContain(
        'nothing is sent to routes that lead only to dyn: cluster_type envoy.clusters.dynamic_forward_proxy is not simulated',
      );
    }
  });

  it('takes no option that does nothing', async () => {
    const { code, stderr } = await lbsim(['import', CLUSTERS, '--force']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lbsim: --force overwrites a file: name it with --output\nSee "lbsim import --help".\n',
    });
  });

  it('has the traffic that run takes from the same pages', async () => {
    const page = folder.file('aged.txt', `cluster.backend.upstream_rq_total: 6000\nserver.uptime: 60\n`);
    const { stdout: direct } = await lbsim(['run', CLUSTERS, page, '--json']);
    const { stdout: text } = await lbsim(['import', CLUSTERS, page]);
    const { stdout: imported } = await lbsim(['run', folder.file('aged.yaml', text), '--json']);
    const clusters = (json: string): unknown => (JSON.parse(json) as { readonly clusters: unknown }).clusters;
    expect(clusters(direct)).toEqual(clusters(imported));
    expect(direct).toContain('the workloads are mean rates over 60 s, as the proxy counted them');
  });

  it('is named to whom gives pages of /stats alone, and a scenario says itself what is sent', async () => {
    const { code, stderr } = await lbsim(['run', STATS]);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain('/config_dump?include_eds beside it');
    const own = await lbsim(['run', 'scenarios/tiny-ring.yaml', STATS]);
    expect(own.stderr).toContain('a scenario says itself what is sent: leave the page out');
  });

  it('reads standard input, picks clusters, and is told the API', async () => {
    const stdin =
      readFileSync(CLUSTERS, 'utf8').replace(/ {2}tls_context.*\n/, '') + '- {name: other, connect_timeout: 1s}\n';
    const { code, stdout } = await lbsim(['import', '-', '--cluster', 'back*', '--api', 'v3'], { stdin });
    expect(code).toBe(0);
    expect(stdout).toContain('# Imported by lbsim from standard input.');
    expect(stdout).toContain('api: v3');
    expect(stdout).not.toContain('other');
  });
});
