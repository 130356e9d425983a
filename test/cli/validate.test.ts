import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const QUIET = SMALL.replace(/, hash_key: .*(?=}\])/, '');
const right = folder.file('right.yaml', QUIET);
const wrong = folder.file('wrong.yaml', QUIET.replace('10.0.0.2:80', '10.0.0.299:80'));

interface Verdict {
  valid: boolean;
  problems: {
    severity: string;
    file: string;
    path: string;
    line: number;
    column: number;
    message: string;
    rule: string;
  }[];
}

async function verdict(argv: readonly string[], stdin = ''): Promise<Verdict & { code: number }> {
  const { code, stdout, stderr } = await lbsim(['validate', ...argv, '--format', 'json'], { stdin });
  expect(stderr).toBe('');
  return { code, ...(JSON.parse(stdout) as Verdict) };
}

/** One of each severity; a bare cluster. */
const EVERYTHING = `name: backend
type: STATIC
lb_policy: RANDOM
connect_timeout: 1s
per_connection_buffer_limit_bytes: 32768
hosts:
  - {socket_address: {address: 10.0.0.1, port_value: 80}}
  - {socket_address: {address: 10.0.0.1, port_value: 80}}
ring_hash_lb_config: {minimum_ring_size: 2048}
dns_refresh_rate: 5
lb_polcy: RANDOM
`;

describe('validate', () => {
  it('has nothing to say about what is right', async () => {
    expect(await lbsim(['validate', right])).toEqual({ code: 0, stdout: '1 file: valid.\n', stderr: '' });
    expect(JSON.parse((await lbsim(['validate', right, '--json'])).stdout)).toEqual({
      format: 1,
      valid: true,
      problems: [],
    });
  });

  it.each(['README.md', 'LICENSE', 'src/index.ts', 'docs/run.svg'])(
    'says in a sentence that %s is no data',
    async (name) => {
      const { problems, code } = await verdict([join(import.meta.dirname, '../..', name)]);
      expect(code).toBe(2);
      expect(problems.map(({ rule }) => rule)).toEqual(['kind']);
      expect(problems[0]?.message).toContain('this is neither YAML nor JSON');
    },
  );

  it('still points at the mistake of a file that is data', async () => {
    const broken = folder.file('broken.yaml', `${QUIET}\nexpect: [{no_host: {cluster: web}\n`);
    expect((await verdict([broken])).problems.map(({ rule }) => rule)).toContain('yaml-syntax');
  });

  it('shows each problem with its line', async () => {
    const { code, stdout, stderr } = await lbsim(['validate', right, wrong]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toContain(`${wrong}:4:`);
    expect(stdout).toMatch(/^ {4}4 \| endpoints: .*10\.0\.0\.299:80.*\n {6}\| +\^+$/m);
    expect(stdout).toMatch(/1 error\. 1 of 2 files is not valid\.\n$/);
  });

  it('checks all files, also where one cannot be read', async () => {
    const missing = join(folder.path, 'missing.yaml');
    const { code, valid, problems } = await verdict([missing, wrong]);
    expect({ code, valid }).toEqual({ code: 2, valid: false });
    expect(problems.map((problem) => problem.file)).toEqual([missing, wrong]);
    expect(problems[1]?.line).toBe(4);
  });

  it('tells all problems of a file at once, by severity, with place, path, rule, finding and suggestion', async () => {
    const file = folder.file('everything.yaml', EVERYTHING);
    const { code, problems } = await verdict([file]);
    expect(code).toBe(2);
    expect(problems.map(({ severity, line, path, rule }) => [severity, line, path, rule])).toEqual([
      ['note', 5, 'per_connection_buffer_limit_bytes', 'no-effect'],
      ['deprecation', 6, 'hosts', 'deprecated'],
      ['error', 9, 'ring_hash_lb_config', 'lb-config-mismatch'],
      ['error', 10, 'dns_refresh_rate', 'duration'],
      ['error', 11, 'lb_polcy', 'unknown-field'],
    ]);
    const [note, deprecation, , duration, unknown] = problems.map(({ message }) => message);
    expect(note).toMatch(/no effect in the simulation: bytes/);
    expect(deprecation).toMatch(/use load_assignment/);
    expect(duration).toMatch(/found 5/);
    expect(duration).toMatch(/"5s"/);
    expect(unknown).toMatch(/did you mean lb_policy\?/);
  });

  it('warns of what does not do what it seems to, and says which page knows more', async () => {
    const sound = EVERYTHING.replace(/ring_hash[^]*/, '').replace('RANDOM', 'LEAST_REQUEST');
    const { code, valid, problems } = await verdict(['-'], sound);
    expect({ code, valid }).toEqual({ code: 0, valid: true });
    expect(problems.map(({ severity, rule, path }) => [severity, rule, path])).toContainEqual([
      'warning',
      'duplicate-addresses',
      'hosts[1]',
    ]);
    expect((await lbsim(['validate', '--help'])).stdout).toContain('docs/lint.md');
  });

  it('leaves out notes where they are not wanted', async () => {
    const file = folder.file('everything-again.yaml', EVERYTHING);
    const { problems } = await verdict([file, '--no-notes']);
    expect(problems.map(({ severity }) => severity)).toEqual(['deprecation', 'error', 'error', 'error']);
  });

  it('takes scenarios, bare clusters and bootstraps, in YAML and JSON, from standard input too', async () => {
    const cluster = { name: 'a', connect_timeout: '1s', load_assignment: { cluster_name: 'a' } };
    const bootstrap = JSON.stringify({ static_resources: { clusters: [cluster] } });
    expect((await verdict(['-'], JSON.stringify(cluster))).valid).toBe(true);
    expect((await verdict(['-'], bootstrap)).valid).toBe(true);
    expect((await verdict(['-'], QUIET)).valid).toBe(true);
    const { valid, problems } = await verdict(['-'], bootstrap.replace('"1s"', '"0s"'));
    expect({ valid, file: problems[0]?.file }).toEqual({ valid: false, file: '-' });
    expect(problems[0]?.path).toBe('static_resources.clusters[0].connect_timeout');
  });
});

describe('files that the configuration names', () => {
  const present = folder.file('ca.pem', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
  const cluster = (path: string): string => `name: a
load_assignment: {cluster_name: a}
transport_socket:
  name: envoy.transport_sockets.tls
  typed_config:
    "@type": type.googleapis.com/envoy.api.v2.auth.UpstreamTlsContext
    common_tls_context: {validation_context: {trusted_ca: {filename: ${path}}}}
`;
  const scenario = (path: string): string => `clusters:\n- ${cluster(path).trim().replaceAll('\n', '\n  ')}\n`;
  const eds = `name: a\ntype: EDS\neds_cluster_config: {eds_config: {path: /no/such/eds.json}}\n`;

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['one that is there', cluster(present), [], []],
    ['one that is not', cluster('/no/such/ca.pem'), [], ['warning 7']],
    ['one that is not, in a scenario', scenario('/no/such/ca.pem'), [], ['warning 8']],
    ['one that is not, and does not matter', cluster('/no/such/ca.pem'), ['--no-files'], []],
    ['assignments', eds, [], ['warning 3']],
  ])('%s', async (_, text, options, expected) => {
    const { problems } = await verdict(['-', ...options], text);
    const found = problems.filter(({ rule }) => rule === 'file');
    expect(found.map(({ severity, line }) => `${severity} ${line}`)).toEqual(expected);
  });

  it('are of no concern to a run', async () => {
    expect((await lbsim(['run', '-', '--json'], { stdin: scenario('/no/such/ca.pem') })).code).toBe(0);
  });
});

describe('a page of /clusters', () => {
  it('is checked together with the configuration beside it', async () => {
    const at = (host: string): object => ({ socket_address: { address: host, port_value: 80 } });
    const levels = ['10.0.0.1', '10.0.0.2'].map((host, priority) => ({
      priority,
      lb_endpoints: [{ endpoint: { address: at(host) } }],
    }));
    const check = { timeout: '1s', interval: '5s', unhealthy_threshold: 2, healthy_threshold: 1, tcp_health_check: {} };
    const web = { name: 'web', connect_timeout: '1s', load_assignment: { cluster_name: 'web', endpoints: levels } };
    const configured = folder.file(
      'configured.json',
      JSON.stringify({ static_resources: { clusters: [{ ...web, health_checks: [check] }] } }),
    );
    const hosts = ['10.0.0.1', '10.0.0.2'].map((host, priority) => ({ address: at(host), priority, weight: 1 }));
    const page = folder.file(
      'page.json',
      JSON.stringify({ cluster_statuses: [{ name: 'web', host_statuses: hosts }] }),
    );
    expect((await verdict([page])).problems.map(({ rule }) => rule)).toEqual(['failover-without-health']);
    expect((await verdict([configured, page])).problems).toEqual([]);
  });
});

describe('validate DIRECTORY', () => {
  it('checks every YAML and JSON file below it, each once, in order', async () => {
    const root = new Folder();
    mkdirSync(join(root.path, 'b/deeper'), { recursive: true });
    mkdirSync(join(root.path, '.hidden'));
    mkdirSync(join(root.path, 'node_modules'));
    const bad = QUIET.replace('10.0.0.2:80', 'x');
    for (const name of ['a.yml', 'b/c.yaml', 'b/deeper/d.json', 'notes.txt', '.hidden/e.yaml', 'node_modules/f.yaml']) {
      writeFileSync(join(root.path, name), bad);
    }
    // A loop of links must not become a loop of ours.
    symlinkSync(root.path, join(root.path, 'b/loop'));
    const { code, problems } = await verdict([root.path, join(root.path, 'a.yml')]);
    expect(code).toBe(2);
    const files = ['a.yml', 'b/c.yaml', 'b/deeper/d.json'].map((name) => join(root.path, name));
    expect([...new Set(problems.map(({ file }) => file))]).toEqual(files);
    expect(problems.filter(({ file }) => file === files[0])).toHaveLength(1);
    root.remove();
  });

  it('says so where there is nothing to check', async () => {
    const root = new Folder();
    const { code, problems } = await verdict([root.path]);
    expect(code).toBe(2);
    expect(problems.map(({ rule, file }) => [rule, file])).toEqual([['no-files', root.path]]);
    root.remove();
  });
});

describe('validate --format github', () => {
  it('writes a workflow command for each problem', async () => {
    const file = folder.file('a,b.yaml', EVERYTHING);
    const { code, stdout } = await lbsim(['validate', file, '--format', 'github']);
    expect(code).toBe(2);
    const lines = stdout.split('\n');
    const name = file.replaceAll(':', '%3A').replaceAll(',', '%2C');
    expect(lines[0]).toMatch(/^::notice file=[^,]+,line=5,col=1,endColumn=34,title=note%3A no-effect::per_connection_/);
    expect(lines[1]).toMatch(/^::warning file=[^,]+,line=6,col=1,endColumn=6,title=deprecation%3A deprecated::hosts: /);
    expect(lines[2]?.startsWith(`::error file=${name},line=9,col=1,endColumn=20,title=lb-config-mismatch::`)).toBe(
      true,
    );
    expect(lines.at(-2)).toBe('3 errors, 1 deprecation, 1 note. 1 of 1 file is not valid.');
  });

  it('names no file for standard input, and no line where there is none', async () => {
    const { stdout } = await lbsim(['validate', '-', join(folder.path, 'gone%.yaml'), '--format', 'github'], {
      stdin: 'clusters: 5',
    });
    expect(stdout).toMatch(/^::error title=type::clusters: /);
    expect(stdout).toMatch(/\n::error file=[^\n,]*gone%25\.yaml,title=no-such-file::There is no such file/);
  });

  it('is quiet about what is right', async () => {
    expect((await lbsim(['validate', right, '--format', 'github'])).stdout).toBe('1 file: valid.\n');
  });
});

describe('validate on a terminal', () => {
  it('underlines the spot in colour', async () => {
    const stdout = new Sink();
    stdout.isTTY = true;
    const shown = await lbsim(['validate', wrong], { stdout, env: { TERM: 'xterm' } });
    expect(shown.stdout).toMatch(/\u001b\[31m\^+\u001b\[39m/);
  });
});

describe('a file of nothing but mistakes', () => {
  it('has the first thousand listed, and the rest counted', async () => {
    const text = Array.from({ length: 5000 }, (_, index) => `f${index}: x`).join('\n');
    const { code, problems } = await verdict(['-'], text);
    expect(code).toBe(2);
    expect(problems).toHaveLength(1001);
    expect(problems[0]).toMatchObject({ rule: 'unknown-field', line: 1, path: 'f0' });
    // 5,000 unknown fields, and clusters are missing.
    expect(problems[1000]).toMatchObject({ severity: 'error', rule: 'too-many-problems' });
    expect(problems[1000]?.message).toMatch(/^there are 4001 further problems/);
  });

  it('of warnings only stays valid', async () => {
    const keys = '    a: {}\n'.repeat(2000);
    const text = `name: a\nload_assignment: {cluster_name: a}\nmetadata:\n  filter_metadata:\n${keys}`;
    const { code, valid, problems } = await verdict(['-'], text);
    expect({ code, valid }).toEqual({ code: 0, valid: true });
    expect(problems).toHaveLength(1001);
    expect(problems[1000]).toMatchObject({ severity: 'warning', rule: 'too-many-problems' });
  });
});

describe('what cannot be checked is refused, quickly and in words', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const anchors = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level += 1) {
    const previous = String.fromCharCode(96 + level);
    const own = String.fromCharCode(97 + level);
    anchors.push(`${own}: &${own} [${Array.from({ length: 10 }, () => `*${previous}`).join(', ')}]`);
  }
  const nested = Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');

  const levels = Array.from(
    { length: 200 },
    (_, level) => `- &a${level + 1} ${'['.repeat(90)}*a${level}${']'.repeat(90)}`,
  );
  const nestedAliases = ['- &a0 x', ...levels].join('\n');

  it.each([
    ['more than 256 MB', `name: ${'x'.repeat(257 * 1024 * 1024)}`, 'too-large'],
    ['brackets without end', deep, 'nesting'],
    ['blocks without end', nested, 'nesting'],
    ['a billion laughs', anchors.join('\n'), 'too-many-values'],
    ['an anchor in itself', 'a: &a [*a]', 'aliases'],
    ['a zero byte', 'name: a\0b', 'not-text'],
    ['nothing', '', 'empty-file'],
    ['a tab', 'a:\n\t- b', 'yaml-tab'],
    ['aliases in aliases, each nested', nestedAliases, 'nesting'],
    ['more tags than there is time for', '- !x y\n'.repeat(400_000), 'file-size'],
    ['brackets that nothing closes', `&x ${'['.repeat(300_000)}`, 'nesting'],
  ])('%s', async (_, text, rule) => {
    const { code, valid, problems } = await verdict(['-'], text);
    expect({ code, valid }).toEqual({ code: 2, valid: false });
    expect(problems.map((problem) => problem.rule)).toEqual([rule]);
    expect(problems[0]?.message.length).toBeLessThan(200);
  });
});

describe('validate --as', () => {
  const findings = async (type: string, text: string): Promise<readonly string[]> => {
    const { problems, code, valid } = await verdict(['-', '--as', type], text);
    expect({ code, valid }).toEqual(valid ? { code: 0, valid } : { code: 2, valid });
    return problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
  };

  it.each([
    ['core.RuntimeUInt32', '{default_value: 1, runtime_key: x}', []],
    ['core.RuntimeUInt32', '{default_value: 1}', ['error required ']],
    ['core.RuntimeUInt32', '{default_value: -1, runtime_key: x}', ['error type default_value']],
    ['core.RuntimeDouble', '{default_value: 1.5, runtime_key: x}', []],
    ['core.RuntimeDouble', '{default_value: 1.5}', ['error required ']],
    ['core.RuntimeFeatureFlag', '{default_value: true, runtime_key: x}', []],
    ['core.RuntimeFeatureFlag', '{runtime_key: x}', ['error required ']],
    ['core.RuntimeFractionalPercent', '{default_value: {numerator: 5}}', []],
    ['core.RuntimeFractionalPercent', '{runtime_key: x}', ['error required ']],
    ['core.RetryPolicy', '{retry_back_off: {base_interval: 1s}, num_retries: 3}', []],
    [
      'core.RetryPolicy',
      '{retry_back_off: {base_interval: 2s, max_interval: 1s}}',
      ['error backoff-order retry_back_off.max_interval'],
    ],
    ['core.RemoteDataSource', '{http_uri: {uri: x, cluster: a, timeout: 1s}, sha256: x}', []],
    ['core.RemoteDataSource', '{http_uri: {uri: x, cluster: a, timeout: 1s}}', ['error required ']],
    ['core.AsyncDataSource', '{local: {inline_string: x}}', []],
    ['core.AsyncDataSource', '{}', ['error one-of-none ']],
    ['core.ControlPlane', '{identifier: x}', []],
    ['core.ControlPlane', '{identifier: 5}', ['error type identifier']],
    ['UpstreamBindConfig', '{source_address: {socket_address: {address: 10.0.0.1, port_value: 0}}}', []],
    ['UpstreamBindConfig', '{address: 10.0.0.1}', ['error unknown-field address']],
    ['config.metrics.v2.StatsSink', '{name: proxy.stat_sinks.dashboard}', ['error extension-config name']],
    ['config.metrics.v2.TagSpecifier', '{tag_name: env, fixed_value: x}', []],
    [
      'Cluster.LbSubsetConfig.LbSubsetSelector',
      '{keys: [a], fallback_policy: KEYS_SUBSET}',
      ['error fallback-keys-subset fallback_keys_subset'],
    ],
    ['envoy.api.v2.core.Node', '{id: x}', []],
    [
      'type.googleapis.com/envoy.api.v2.Cluster',
      '{type: STATIC}',
      ['error required ', 'warning load-assignment-required '],
    ],
  ])('%s: %s', async (type, text, expected) => {
    expect([...(await findings(type, text))].sort()).toEqual([...expected].sort());
  });

  it('checks several files, and says which', async () => {
    const one = folder.file('node.yaml', 'id: x\n');
    const two = folder.file('nod.yaml', 'ids: x\n');
    const { stdout } = await lbsim(['validate', '--as', 'core.Node', one, two]);
    expect(stdout).toContain(`${two}:1:1  error  ids  (unknown-field)`);
    expect(stdout).toMatch(/1 of 2 files is not valid\.\n$/);
  });
});

it('reads standard input once, though it looks at it alone and then beside the files that it belongs to', async () => {
  const cluster = folder.file(
    'eds.yaml',
    '{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, connect_timeout: 1s}',
  );
  const address = '{socket_address: {address: 10.0.0.1, port_value: 80}}';
  const hosts = `{cluster_name: web, endpoints: [{lb_endpoints: [{endpoint: {address: ${address}}}]}]}`;
  const { code, problems } = await verdict([cluster, '-'], hosts);
  expect({ code, errors: problems.filter(({ severity }) => severity === 'error') }).toEqual({ code: 0, errors: [] });
});
