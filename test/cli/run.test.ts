import { existsSync, readFileSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputStream } from '../../src/cli/session.js';
import type { RunResult } from '../../src/result/run-result.js';
import { Folder, SMALL } from './files.js';
import { lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const small = folder.file('small.yaml', SMALL);

describe('run', () => {
  it('reports the split', async () => {
    const { code, stdout, stderr } = await lbsim(['run', small]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^small {2}seed 1 · .*20 requests, none failed ·\n {2}behaves as Envoy 1\.17.*\n\n2 hosts get 50\.0 % each\.\n/,
    );
    // A pipe gets neither bars nor escape sequences.

    expect(stdout).not.toMatch(/[█\u001b]/);
  });

  it('says what nobody knows of a version where it matters, in text and JSON', async () => {
    const ejected = folder.file(
      'ejected.yaml',
      `clusters: [{name: web, outlier_detection: {consecutive_5xx: 2, interval: 1s, base_ejection_time: 2s, max_ejection_percent: 40}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: 10.0.0.1, error_rate: 100%}]
workloads: [{cluster: web, arrivals: {constant: 200/s}, stop: 30s}]
`,
    );
    const told = 'it is not known whether 1.30 already has this';
    const at = async (...options: readonly string[]): Promise<string> =>
      (await lbsim(['run', ejected, ...options])).stdout;
    expect((await at('--proxy-version', '1.30')).replaceAll(/\s+/g, ' ')).toContain(told);
    const { notes } = JSON.parse(await at('--proxy-version', '1.30', '--json')) as RunResult;
    expect(notes.join()).toContain(told);
    expect(await at('--proxy-version', '1.36')).not.toContain('not known');
  });

  it('says what divides the traffic otherwise than it seems to, below the split and in JSON', async () => {
    const weighted = folder.file(
      'weighted.yaml',
      `clusters: [{name: c, load_assignment: {cluster_name: c, endpoints: [
        {locality: {zone: a}, load_balancing_weight: 2, lb_endpoints: [
          {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]},
        {locality: {zone: b}, load_balancing_weight: 1, lb_endpoints: [
          {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}}]
workloads: [{cluster: c, arrivals: {constant: 10/s}, stop: 2s}]
`,
    );
    const { stdout, stderr } = await lbsim(['run', weighted]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/2 hosts get 50\.0 % each\.\n[^]*\nLocality weights are ignored: /);
    const { advice } = JSON.parse((await lbsim(['run', weighted, '--json'])).stdout) as { advice: unknown };
    expect(advice).toMatchObject([{ rule: 'locality-weights-ignored', line: 2 }]);
  });

  it('tells the course in intervals, as rows, JSON and CSV, and refuses too many', async () => {
    const text = await lbsim(['run', small, '--every', '500ms']);
    expect(text.stdout).toMatch(/^ +from +attempts +failed +p50 +p99 +in flight$/m);
    const { clusters } = JSON.parse((await lbsim(['run', small, '--every', '500ms', '--json'])).stdout) as RunResult;
    expect(clusters['backend']?.course?.intervals.map(({ requests }) => requests)).toEqual([10, 10]);
    const csv = (await lbsim(['run', small, '--every', '500ms', '--csv'])).stdout.trimEnd().split('\n');
    expect(csv.length).toBe(1 + 2 * 2);
    const refused = await lbsim(['run', small, '--every', '1us']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--every 1us makes 1,000,000 intervals of 1s: at most 10,000 are kept');
  });

  it('prints one JSON document, the same every time', async () => {
    const first = await lbsim(['run', small, '--json']);
    const result = JSON.parse(first.stdout) as RunResult;
    expect(result).toMatchObject({
      scenario: 'small',
      seed: '1',
      version: '1.17',
      totals: { requests: 20, success: 20 },
    });
    expect(result.clusters['backend']?.hosts.map((row) => row.requests)).toEqual([10, 10]);
    expect(await lbsim(['run', small, '--json'])).toEqual(first);
  });

  it('prints a row per phase and host as CSV', async () => {
    const { stdout } = await lbsim(['run', small, '--csv']);
    expect(stdout.split('\n')).toHaveLength(1 + 2 + 1);
    expect(stdout).toContain('small,1,1.17,backend,0,0,');
  });

  it('writes decisions to a file, beside the report', async () => {
    const out = join(folder.path, 'decisions.jsonl');
    const { code, stdout } = await lbsim(['run', small, '--decisions', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('2 hosts get 50.0 % each.');
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(20);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      request: 1,
      attempt: 0,
      t: 0.05,
      workload: 'users',
      cluster: 'backend',
    });
    const { stdout: piped } = await lbsim(['run', small, '--decisions', '-']);
    expect(piped).toBe(readFileSync(out, 'utf8'));
  });

  it('takes seed, duration, version and changes from the command line', async () => {
    const argv = ['run', small, '--json', '--seed', '9', '--duration', '480ms', '--proxy-version', '1.40'];
    const result = JSON.parse(
      (await lbsim([...argv, '--set', 'clusters.backend.lb_policy=RANDOM'])).stdout,
    ) as RunResult;
    expect(result).toMatchObject({ seed: '9', version: '1.40', duration_s: 0.48, totals: { requests: 10 } });
    expect(result.clusters['backend']?.policy).toBe('RANDOM');
    const down = JSON.parse((await lbsim(['run', small, '--json', '--unhealthy', '10.0.0.2:80'])).stdout) as RunResult;
    expect(down.clusters['backend']?.hosts.map((row) => row.health)).toEqual(['healthy', 'unhealthy']);
    const failed = JSON.parse((await lbsim(['run', small, '--json', '--fail', '10.0.0.2:80'])).stdout) as RunResult;
    expect(failed.totals.failed).toBe(10);
  });

  it('is one line for a chat', async () => {
    const { code, stdout } = await lbsim(['run', small, '--brief']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'small: 2 hosts get 50.0 % each.\n' });
    const both = await lbsim(['run', small, '--brief', '--json']);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('--brief and --json');
  });

  it('reads standard input', async () => {
    expect((await lbsim(['run', '-'], { stdin: SMALL })).stdout).toContain('2 hosts get 50.0 % each.');
  });

  it('fails with 1 where an expectation does not hold', async () => {
    const expecting = (most: string): string =>
      `${SMALL}expect: [{share: {cluster: backend, hosts: 10.0.0.1:80}, at_most: ${most}}]\n`;
    const held = await lbsim(['run', folder.file('held.yaml', expecting('60%'))]);
    expect(held.code).toBe(0);
    expect(held.stdout).toContain('1 of 1 expectation holds.');
    const broken = await lbsim(['run', folder.file('broken.yaml', expecting('40%'))]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^expect .* {2}FAILED \(50 %\)$/m);
    const { stdout } = await lbsim(['run', join(folder.path, 'held.yaml'), '--full']);
    expect(stdout).toMatch(/^expect .* {2}ok \(50 %\)$/m);
  });

  it('prints what is known when interrupted, and exits with 130', async () => {
    const long = folder.file('long.yaml', SMALL.replace('20/s', '2000/s').replace('stop: 1s', 'stop: 100s'));
    const { code, stdout, stderr } = await lbsim(['run', long, '--json'], { interrupt: true });
    expect(code).toBe(130);
    const result = JSON.parse(stdout) as RunResult;
    expect(result.partial).toBe(true);
    expect(result.totals.requests).toBeGreaterThan(0);
    expect(result.totals.requests).toBeLessThan(200_000);
    expect(stderr).toContain('interrupted');
    const text = await lbsim(['run', long], { interrupt: true });
    expect(text.code).toBe(130);
    expect(text.stdout).toContain('PARTIAL: interrupted at ');
  });

  it('shows colours, bars and the time taken on a terminal, and obeys NO_COLOR', async () => {
    const terminal = (): Sink => Object.assign(new Sink(), { isTTY: true });
    const shown = await lbsim(['run', small], { stdout: terminal() });
    expect(shown.stdout).toContain('\u001b[1msmall\u001b[22m');
    expect(shown.stdout).toContain('█');
    expect(shown.stdout).toContain('(simulated in ');
    const plain = await lbsim(['run', small], { stdout: terminal(), env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
    expect(plain.stdout).toContain('█');
    const forced = await lbsim(['run', small, '--bars'], { env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\u001b[36m█');
  });

  it('moves a bar on standard error only where that is a terminal', async () => {
    const long = folder.file('bar.yaml', SMALL.replace('20/s', '2000/s').replace('stop: 1s', 'stop: 60s'));
    const stderr = Object.assign(new Sink(), { isTTY: true, cursorTo: () => true, clearLine: () => true });
    const shown = await lbsim(['run', long, '--json'], { stderr });
    expect(shown.stderr).toContain('simulating');
    expect(() => JSON.parse(shown.stdout) as unknown).not.toThrow();
    expect((await lbsim(['run', long, '--json'])).stderr).toBe('');
  });
});

describe('output that cannot be written', () => {
  it('is reported for a full disk', async () => {
    const full = createWriteStream('/dev/full') as OutputStream;
    const { code, stderr } = await lbsim(['run', small], { stdout: full as unknown as Sink });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lbsim: cannot write standard output: no space left on the device\n',
    });
  });

  it.each([
    ['/dev/full', 'no space left on the device'],
    [join(folder.path, 'none', 'x.jsonl'), 'no such directory'],
    [folder.path, 'it is a directory'],
  ])('is reported for decisions in %s', async (out, reason) => {
    const { code, stdout, stderr } = await lbsim(['run', small, '--decisions', out]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `lbsim: cannot write ${out}: ${reason}\n`,
    });
  });

  it('does not overwrite the scenario with decisions', async () => {
    const { code, stderr } = await lbsim(['run', small, '--decisions', small]);
    expect(code).toBe(2);
    expect(stderr).toContain('would overwrite the scenario');
    expect(readFileSync(small, 'utf8')).toBe(SMALL);
  });
});

describe('input that cannot be run', () => {
  const BROKEN = 'clusters: [{name: backend, lb_polcy: ROUND_ROBIN}]\n';

  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', ' \n', 'is empty'],
    ['a binary file', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), 'zero byte at offset 4'],
    ['text that is not UTF-8', new Uint8Array([0x61, 0xe9, 0x61]), 'not UTF-8'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0]), 'UTF-16'],
    ['broken YAML', 'clusters: [', ''],
    ['an unknown field', BROKEN, 'lb_policy'],
  ])('%s is explained with exit code 2', async (name, content, reason) => {
    const file = folder.file(`${name.replaceAll(' ', '-')}.yaml`, content);
    const { code, stdout, stderr } = await lbsim(['run', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(file);
    expect(stderr).toContain(reason);
    // Errors alone; of the rest a count.
    expect(stderr).toMatch(/\n\d+ errors?\. Nothing was run\.\n(\d+ .* besides: lbsim validate .*\n)?$/);
    expect(stderr).not.toMatch(/ {2}(warning|deprecation|note) {2}/);
    expect(stderr).not.toMatch(/^\s+at /m);
    const json = await lbsim(['run', file, '--json']);
    expect(json.code).toBe(2);
    expect(json.stderr).toBe('');
    const { problems } = JSON.parse(json.stdout) as { problems: object[] };
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(Object.keys(problem)).toEqual(['severity', 'file', 'path', 'line', 'column', 'message', 'rule']);
    }
  });

  it('a missing file, a directory and no input at all are explained', async () => {
    expect((await lbsim(['run', join(folder.path, 'smal.yaml')])).stderr).toContain(
      `There is no such file. Did you mean ${small}?`,
    );
    expect((await lbsim(['run', '/nowhere/x.yaml'])).stderr).toContain('There is no such file.\n');
    expect((await lbsim(['run', folder.path])).stderr).toContain('This is a directory. Name a file');
    const empty = await lbsim(['run', '-']);
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('(standard input)  error  (empty-file)\n  Standard input is empty.');
  });

  it('what is not supported yet is refused by name', async () => {
    const headers = '{name: users, headers: {x-proxy-upstream-alt-stat-name: slow}';
    const file = folder.file('later.yaml', SMALL.replace('{name: users', headers));
    const { code, stderr } = await lbsim(['run', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('not supported yet: header x-proxy-upstream-alt-stat-name');
    const checked = await lbsim(['validate', file, '--json', '--no-notes']);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      valid: true,
      problems: [{ severity: 'warning', rule: 'not-supported' }],
    });
  });
});

describe('init', () => {
  it('writes a scenario that runs and holds what it expects', async () => {
    const file = join(folder.path, 'new.yaml');
    expect(await lbsim(['init', file])).toEqual({
      code: 0,
      stdout: `Wrote ${file}. Run it with: lbsim run ${file}\n`,
      stderr: '',
    });
    const { code, stdout, stderr } = await lbsim(['run', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^hello {2}seed 1/);
  });

  it('overwrites only with --force, and prints to standard output', async () => {
    const file = folder.file('mine.yaml', 'mine');
    const refused = await lbsim(['init', file]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--force overwrites it.\n\n1 error. Nothing was written.');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await lbsim(['init', file, '--force'])).code).toBe(0);
    expect((await lbsim(['init', '-'])).stdout).toBe(readFileSync(file, 'utf8'));
    expect((await lbsim(['init', join(folder.path, 'no', 'x.yaml')])).stderr).toMatch(
      /cannot write .*: no such directory/,
    );
    expect(existsSync(join(folder.path, 'no'))).toBe(false);
  });
});

it('answers where a route leads to a cluster that is in no file', async () => {
  const cluster = `{name: web, connect_timeout: 1s, load_assignment: {cluster_name: web, endpoints: [{lb_endpoints: [${HOST}]}]}}`;
  const routes = '{route: {weighted_clusters: {clusters: [{name: web, weight: 50}, {name: gone, weight: 50}]}}}';
  const files = [
    folder.file('web.yaml', cluster),
    folder.file('routes.yaml', `{name: all, virtual_hosts: [{name: all, domains: ['*'], routes: [${routes}]}]}`),
  ];
  const { code, stdout } = await lbsim(['run', ...files, '--json']);
  expect(code).toBe(0);
  expect(Object.keys((JSON.parse(stdout) as { clusters: object }).clusters)).toEqual(['web', 'gone']);
});

const HOST = '{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}';
