import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { expositionProblems } from '../support/exposition.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const path = (name: string): string => join(folder.path, name);

const UDP = (port: number | string, address = '127.0.0.1'): string =>
  `address: {socket_address: {protocol: UDP, address: "${address}", port_value: ${port}}}`;

interface Parts {
  readonly sink?: string;
  readonly stats?: string;
  readonly statsdPort?: number;
  readonly seconds?: number;
}

let written = 0;

/** 20 requests a second to two hosts, flushed every second; gives the file's path. */
function scenario({ sink = UDP(8125), stats = '', statsdPort = 8125, seconds = 3 }: Parts = {}): string {
  return folder.file(
    `scenario-${++written}.yaml`,
    `
name: with-sinks
duration: ${seconds}s
proxies:
  - name: edge
    node: {id: edge, cluster: edges}
    stats_flush_interval: 1s
    ${stats}
    stats_sinks: [{name: proxy.stat_sinks.statsd, typed_config: {"@type": type.googleapis.com/config.metrics.v2.StatsdSink, ${sink}}}]
clusters:
  - {name: backend, lb_policy: ROUND_ROBIN}
  - name: statsd
    type: STATIC
    connect_timeout: 1s
    load_assignment: {cluster_name: statsd, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ${statsdPort}}}}}]}]}
endpoints: {backend: ["10.0.0.1:80", "10.0.0.2:80"]}
workloads: [{name: users, cluster: backend, arrivals: {constant: 20/s}}]
`,
  );
}

async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('sinks', () => {
  it('get nothing unless --sinks asks for it, and that is said', async () => {
    const { code, stdout, stderr } = await lbsim(['run', scenario(), '--json']);
    expect(code).toBe(0);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(stderr).toContain('lbsim: nothing was sent to the stats sinks; --sinks sends, --stats-file writes.\n');
  });

  it('that are not there are said as well', async () => {
    const file = folder.file('bare.yaml', 'name: bare\nclusters: [{name: c}]\nendpoints: {c: ["10.0.0.1:80"]}\n');
    const { code, stderr } = await lbsim(['run', file, '--sinks']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'lbsim: --sinks: the scenario has no stats_sinks that send; nothing was sent.\n',
    });
  });

  it('an unreachable TCP cluster is named before the run, which goes on and counts what is dropped', async () => {
    const port = await deadPort();
    const file = scenario({ sink: 'tcp_cluster_name: statsd', statsdPort: port });
    const { code, stdout, stderr } = await lbsim(['run', file, '--sinks', '--json'], { monotonicMs: () => 0 });
    expect(code).toBe(0);
    const without = await lbsim(['run', file, '--json']);
    expect(stdout).toBe(without.stdout);
    const [before, after] = stderr.split('\n');
    expect(before).toBe(
      `lbsim: sink tcp cluster statsd of edge: 127.0.0.1:${port} refuses connections; its lines are dropped until that changes`,
    );
    expect(after).toMatch(
      new RegExp(
        `^lbsim: sink tcp cluster statsd of edge: 0 lines sent, \\d+ dropped \\(127\\.0\\.0\\.1:${port} refuses connections\\)$`,
      ),
    );
  });

  it.each([
    [UDP(0), 'port 0 of 127.0.0.1: nothing can be sent to it', ['--sinks']],
    ['address: {pipe: {path: /tmp/statsd.sock}}', 'a Unix domain socket (/tmp/statsd.sock)', ['--sinks']],
    [UDP(8125, 'localhost'), 'malformed IP address: localhost', []],
    [UDP(65536), '65536', []],
    ['tcp_cluster_name: nowhere', 'nowhere', []],
    [`${UDP(8125)}, tcp_cluster_name: statsd`, 'tcp_cluster_name', []],
  ])('%s is refused before the run', async (sink, problem, options) => {
    const { code, stdout, stderr } = await lbsim(['run', scenario({ sink }), ...options]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replace(/\s+/g, ' ')).toContain(problem);
    expect(stderr).toContain('Nothing was run.');
  });

  it.each([
    ['stats_tags: [{tag_name: t, regex: "(a"}]', "Invalid regex '(a'"],
    ['stats_matcher: {exclusion_list: {patterns: [{safe_regex: {regex: "a**"}}]}}', 'bad repetition operator: **'],
    ['stats_matcher: {exclusion_list: {patterns: [{regex: "(a)\\\\1"}]}}', 'back-references cannot be matched'],
  ])('%s is refused before the run', async (stats, problem) => {
    const { code, stderr } = await lbsim(['run', scenario({ stats: `stats_config: {${stats}}` })]);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(problem);
  });

  it('a tag that takes more than linear time is left out, but where statistics are asked for', async () => {
    const file = scenario({ stats: 'stats_config: {stats_tags: [{tag_name: t, regex: "(a)(?=b)"}]}' });
    const said = 'look-ahead cannot be matched in linear time';
    const run = await lbsim(['run', file]);
    expect(run.code).toBe(0);
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(`the tag t is left out: ${said}`);
    const asked = await lbsim(['run', file, '--prometheus', '-']);
    expect(asked.code).toBe(2);
    expect(asked.stderr.replace(/\s+/g, ' ')).toContain(said);
  });

  it('an expression that backtracks for ever elsewhere runs here', async () => {
    const stats = `stats_config: {stats_matcher: {exclusion_list: {patterns: [{regex: "^(([a-z]+)*[._]?)*(([a-z]+)*)*!$"}]}}}`;
    expect((await lbsim(['run', scenario({ stats })])).code).toBe(0);
  });
});

describe('--stats-file', () => {
  it('holds time, proxy, sink and line; a second sink is told apart', async () => {
    const second = `tcp_cluster_name: statsd}}, {name: proxy.stat_sinks.statsd, typed_config: {"@type": type.googleapis.com/config.metrics.v2.StatsdSink, ${UDP(8126)}, prefix: second`;
    const { code } = await lbsim(['run', scenario({ sink: second }), '--stats-file', path('lines.tsv')]);
    expect(code).toBe(0);
    const rows = readFileSync(path('lines.tsv'), 'utf8').trimEnd().split('\n');
    for (const row of rows) {
      expect(row).toMatch(/^\d+\.\d{6}\tedge\t(statsd\tproxy|statsd-2\tsecond)\.[\w.]+:\d+\|(c|g|ms)$/);
    }
    expect(rows).toContain('1.000000\tedge\tstatsd\tproxy.cluster.backend.membership_total:2|g');
    const deltas = rows.filter((row) => row.includes('statsd-2\tsecond.cluster.backend.upstream_rq_total:'));
    expect(deltas.map((row) => row.split('\t')[0])).toEqual(['1.000000', '2.000000', '3.000000']);
  });

  it('"-" is standard output, without a report', async () => {
    const { code, stdout } = await lbsim(['run', scenario({ seconds: 1 }), '--stats-file', '-']);
    expect(code).toBe(0);
    for (const row of stdout.trimEnd().split('\n')) expect(row.split('\t')).toHaveLength(4);
    const both = await lbsim(['run', scenario(), '--stats-file', '-', '--json']);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('--json and --stats-file - both want standard output: choose one');
  });

  it('a disk that is full is said, and the exit code tells', async () => {
    const { code, stdout, stderr } = await lbsim(['run', scenario(), '--stats-file', '/dev/full']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('cannot write /dev/full: no space left on the device');
    const json = await lbsim(['run', scenario(), '--stats-file', '/dev/full', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      problems: [{ rule: 'output', message: 'cannot write /dev/full: no space left on the device' }],
    });
  });

  it('two options do not write one file, and none writes over the scenario', async () => {
    const file = scenario();
    const twice = await lbsim(['run', file, '--stats-file', path('same'), '--prometheus', path('./same')]);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('--stats-file and --prometheus both write');
    const over = await lbsim(['run', file, '--prometheus', file]);
    expect(over.code).toBe(2);
    expect(over.stderr).toContain('would overwrite the scenario');
    expect(readFileSync(file, 'utf8')).toContain('name: with-sinks');
  });

  it('of a run that is interrupted ends with a last flush', async () => {
    const file = scenario({ seconds: 100_000 });
    const { code, stdout } = await lbsim(['run', file, '--json', '--stats-file', path('part.tsv')], {
      interrupt: true,
    });
    expect(code).toBe(130);
    const result = JSON.parse(stdout) as RunResult;
    let sum = 0;
    for (const row of readFileSync(path('part.tsv'), 'utf8').split('\n')) {
      sum += Number(/cluster\.backend\.upstream_rq_total:(\d+)\|c$/.exec(row)?.[1] ?? 0);
    }
    expect(sum).toBe(result.stats.counters['cluster.backend.upstream_rq_total']);
  });
});

describe('--prometheus', () => {
  it('is valid and holds the numbers of the run, of several proxies too', async () => {
    for (const [name, count] of [
      ['one', 1],
      ['three', 3],
    ] as const) {
      const file = scenario({ stats: `count: ${count}` });
      const { code, stdout } = await lbsim(['run', file, '--json', '--prometheus', path(name)]);
      expect(code).toBe(0);
      const text = readFileSync(path(name), 'utf8');
      expect(expositionProblems(text)).toEqual([]);
      const total = [...text.matchAll(/^proxy_cluster_upstream_rq_total\{(.*)\} (\d+)$/gm)].filter(([line]) =>
        line.includes('proxy_cluster_name="backend"'),
      );
      expect(total).toHaveLength(count);
      const sum = total.reduce((all, [, , value]) => all + Number(value), 0);
      const { stats } = JSON.parse(stdout) as RunResult;
      expect(sum).toBe(stats.counters['cluster.backend.upstream_rq_total']);
    }
  });
});

describe('--pace', () => {
  it('couples virtual to wall time', async () => {
    let now = 0;
    const monotonicMs = (): number => (now += 5);
    const { code } = await lbsim(['run', scenario({ seconds: 1 }), '--pace', '10x'], { monotonicMs });
    expect(code).toBe(0);
    // A virtual second takes 100 ms.
    expect(now).toBeGreaterThanOrEqual(100);
  });

  it.each(['0x', '-1x', '2', 'fast', 'Infinityx'])('%s is refused', async (pace) => {
    const { code, stderr } = await lbsim(['run', scenario(), `--pace=${pace}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('1x');
  });
});
