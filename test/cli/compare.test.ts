import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const RING = `
clusters: [{name: web, lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 64}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 1s, hash_key: {sequence: {keys: 100, prefix: k}}}]
expect: [{stat: cluster.web.ring_hash_lb.size, equals: 64}]
`;
const file = folder.file('ring.yaml', RING);

/** The two files of one proxy, as docs bring them. */
const [dump = '', hosts = ''] = ['config_dump.json', 'clusters.json'].map((name) =>
  join(import.meta.dirname, '../../docs/tutorial', name),
);

describe('the files of one configuration', () => {
  const compared = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await lbsim(['compare', ...args, '--runs', '2', '--json']);
    expect(code, stderr).toBe(0);
    const { clusters, runs, seeds } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    return { clusters, runs, seeds };
  };
  const change = ['--set', 'clusters.web.lb_policy=MAGLEV'];

  it('are both sides, with the changes to B, as what import makes of them', async () => {
    const written = join(folder.path, 'imported.yaml');
    expect((await lbsim(['import', dump, hosts, '-o', written])).code).toBe(0);
    const imported = await compared(written, ...change);
    expect(await compared(dump, hosts, ...change)).toEqual(imported);
    expect(await compared(hosts, dump, ...change)).toEqual(imported);
  });

  it('are also equal where both pick a cluster that a route sends a part of its requests to', async () => {
    const written = join(folder.path, 'web-alone.yaml');
    const picked = ['--cluster', 'web'];
    expect((await lbsim(['import', dump, hosts, ...picked, '-o', written])).code).toBe(0);
    expect(await compared(dump, hosts, ...picked, ...change)).toEqual(await compared(written, ...change));
  });

  it('take in a scenario that has workloads alone', async () => {
    const traffic = folder.file('traffic.yaml', 'workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 1s}]\n');
    const whole = await compared(dump, hosts, traffic, ...change);
    expect(whole).toMatchObject({ clusters: { web: { policy: ['ROUND_ROBIN', 'MAGLEV'] } } });
  });

  it('are told of in the help, with what reaches which side', async () => {
    const help = (await lbsim(['compare', '--help'])).stdout.replaceAll(/\s+/g, ' ');
    expect(help).toContain('--set changes B, --set-a changes A; --unhealthy, --fail and --hosts reach both sides');
    expect(help).toContain('are part of a configuration and never a side');
  });
});

describe('compare', () => {
  it('says in the first sentence who gains, who loses and how many keys move', async () => {
    const { code, stdout, stderr } = await lbsim(['compare', file, '--set', 'clusters.web.lb_policy=MAGLEV']);
    expect(code).toBe(0);
    expect(stdout).toContain(' gains most; ');
    expect(stdout).toMatch(/\d %\s+of\s+all\s+keys\s+move\s+to\s+another\s+host/);
    expect(stdout).toContain('web  RING_HASH → MAGLEV\n');
    // The block of the other policy goes, and nothing is said of what the file expects.
    expect(stderr).toContain("the file's ring_hash_lb_config is left out: it belongs to another policy");
    expect(stderr).not.toContain('absent-statistic');
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['compare', file, '--version-b', '1.40', '--runs', '2', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, runs: 2, sides: [{ version: '1.17' }, { version: '1.40' }] });
  });

  it('puts policies in a row, a line each', async () => {
    const { code, stdout } = await lbsim(['compare', file, '--policies', 'RANDOM,MAGLEV,RING_HASH', '--runs', '2']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^A {2}RANDOM\nB {2}MAGLEV\nC {2}RING_HASH\n/);
    expect(stdout.split('\n').filter((line) => /^ {4}[ABC] +100 /.test(line))).toHaveLength(3);
  });

  it('tells of many clusters only those that differ, with --all of each', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const many = folder.file(
      'many.yaml',
      `clusters: [${names.map((name) => `{name: ${name}, lb_policy: RANDOM}`).join(', ')}]\n` +
        `endpoints: {${names.map((name) => `${name}: [10.0.0.1:80, 10.0.0.2:80]`).join(', ')}}\n` +
        `workloads: [{cluster: c0, arrivals: {constant: 100/s}, stop: 1s}]\n`,
    );
    const args = [
      'compare',
      many,
      '--set',
      'clusters.c7.lb_policy=MAGLEV',
      '--set',
      'clusters.c0.lb_policy=ROUND_ROBIN',
    ];
    const { stdout } = await lbsim([...args, '--runs', '2']);
    expect(stdout).toMatch(/\n… \d\d more clusters: 0 differ less, \d\d not at all \(--all shows each\)\n/);
    expect(stdout).not.toContain('\nc8 ');
    const all = await lbsim([...args, '--runs', '2', '--all']);
    expect(all.stdout).not.toContain('more cluster');
    for (const name of names) expect(all.stdout).toContain(`\n${name}  `);
  });

  it('reads standard input once for both sides', async () => {
    const { code, stdout } = await lbsim(['compare', '-', '--version-b', '1.40', '--runs', '1'], { stdin: RING });
    expect({ code, begins: stdout.startsWith('A  - · behaves as Envoy 1.17, the last of the v2 API\n') }).toEqual({
      code: 0,
      begins: true,
    });
  });

  it.each(['compare', 'race'])('%s reads several files as one configuration with --policies', async (command) => {
    const resource = (message: string, fields: string): string =>
      `resources: [{'@type': type.googleapis.com/envoy.config.${message}, ${fields}}]\n`;
    const at = (ip: string): string => `{endpoint: {address: {socket_address: {address: ${ip}, port_value: 80}}}`;
    const clusters = folder.file(
      'clusters.yaml',
      resource('cluster.v3.Cluster', 'name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}'),
    );
    const hosts = folder.file(
      'hosts.yaml',
      resource(
        'endpoint.v3.ClusterLoadAssignment',
        `cluster_name: web, endpoints: [{lb_endpoints: [${at('10.0.0.1')}}, ${at('10.0.0.2')}, load_balancing_weight: 3}]}]`,
      ),
    );
    const { code, stdout } = await lbsim([command, clusters, hosts, '--policies', 'RANDOM,ROUND_ROBIN', '--runs', '3']);
    expect(code).toBe(0);
    // A rotation follows weights, which random picks do not.
    expect(stdout).toMatch(command === 'race' ? /ROUND_ROBIN .* 1\.5 / : /10\.0\.0\.2:80 +50\.0 % +75\.0 %/);
  });

  it.each([
    [['compare', file], 'there is nothing to compare with'],
    [['compare', '-', '-'], 'only one of the two can come from standard input'],
    [['compare', file, '--policies', 'FOO,MAGLEV'], '--policies: there is no FOO'],
    [['compare', file, '--policies', 'MAGLEV'], 'two policies or more'],
    [['compare', file, file, file], 'two files are compared, A and B'],
    [['compare', dump, hosts], 'at most one has clusters, so they are one configuration: name another'],
    [['compare', hosts, dump], 'there is nothing to compare with: of '],
    [['compare', dump, hosts, file], `here ${dump} and ${file} have clusters, each its own`],
    [['compare', file, '--runs', '0', '--version-b', '1.40'], 'whole number from 1'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await lbsim(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('names what is wrong with either side, and compares nothing', async () => {
    const { code, stderr } = await lbsim(['compare', file, '--set', 'clusters.web.lb_policy=NONE']);
    expect(code).toBe(2);
    expect(stderr).toContain('lb_policy');
    expect(stderr).toContain('Nothing was compared.');
  });

  it('tells how many requests a cluster gets, where a route weighs it otherwise', async () => {
    const routed = (weight: number): string =>
      folder.file(
        `weight-${weight}.yaml`,
        `clusters: [{name: a}, {name: b}]
endpoints: {a: ["10.0.0.1:80"], b: ["10.0.0.2:80"]}
workloads: [{route: [{cluster: a, weight: ${weight}}, {cluster: b, weight: ${100 - weight}}], arrivals: {constant: 100/s}, stop: 10s}]
`,
      );
    const { stdout } = await lbsim(['compare', routed(90), routed(50), '--runs', '4']);
    expect(stdout).toMatch(
      /\na: The cluster gets \d+ requests instead of 9\d\d\.\nb: The cluster gets \d+ requests instead of \d\d\./,
    );
    expect(stdout).toMatch(/\na .*\n +A +B +change\n +requests +9\d\d +\d+ +−\d+ ± \d+\n/);
    const same = await lbsim(['compare', routed(90), routed(90), '--runs', '2']);
    expect(same.stdout).toContain('No difference');
    expect(same.stdout).not.toContain('requests   ');
  });

  it('says what is not known where it compares versions of which one is known less well', async () => {
    const plain = folder.file(
      'plain.yaml',
      'clusters: [{name: web}]\nendpoints: {web: ["10.0.0.1:80"]}\nrequests: [{at: 0s, cluster: web}]\n',
    );
    const versions = (a: string, b: string, ...more: string[]): string[] => [
      ...['compare', plain, '--runs', '1', '--version-a', a, '--version-b', b],
      ...more,
    ];
    const { stdout } = await lbsim(versions('1.12', '1.14'));
    expect(stdout).toContain('No known difference: neither in who');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Not known: further differences between 1.12 and 1.14 in what happens around balancers (discovery, health checks, connections, statistics): for 1.12 and 1.14 these are known from',
    );
    const json = JSON.parse((await lbsim(versions('1.17', '1.40', '--json'))).stdout) as { not_known?: string };
    expect(json.not_known).toMatch(/between 1.17 and 1.40 in .*: for 1.17 these are known/);
    const same = await lbsim(versions('1.12', '1.12'));
    expect(same.stdout).toContain('No difference: neither');
    expect(same.stdout).not.toContain('ot known');
  });

  it('has nothing to say against a cluster that one side lacks', async () => {
    const other = folder.file('named.yaml', RING.replaceAll('web', 'shop'));
    const { stdout } = await lbsim(['compare', file, other, '--runs', '2']);
    expect(stdout).toContain('web  RING_HASH → not there\n    only A has it: 100 requests\n');
    expect(stdout).toContain('shop  not there → RING_HASH\n    only B has it: 100 requests\n');
    expect(stdout).not.toContain('no difference');
  });

  it('a what-if that selects no host of either side is wrong, of one side worth a warning', async () => {
    const other = folder.file('other.yaml', RING.replace('10.0.0.1', '10.9.0.1'));
    const missing = await lbsim(['compare', file, other, '--runs', '2', '--unhealthy', '10.0.0.9', '--fail', 'zone=q']);
    expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 2, stdout: '' });
    // What A and B have instead; said of each option once.
    for (const text of ['there are the hosts 10.0.0.1:80', 'there are the hosts 10.9.0.1:80'])
      expect(missing.stderr.match(new RegExp(text, 'g'))).toHaveLength(1);
    expect(missing.stderr).toContain('--fail zone=q  error  (no-such-host)');
    expect(missing.stderr).toContain('Nothing was compared.');
    const one = await lbsim(['compare', file, other, '--runs', '2', '--unhealthy', '10.9.0.2']);
    expect(one.code).toBe(0);
    expect(one.stderr).toContain('--unhealthy 10.9.0.2  warning  (no-such-host)');
    const changed = ['--set', 'clusters.web.lb_policy=MAGLEV'];
    expect((await lbsim(['compare', file, ...changed, '--fail', '10.0.0.9'])).code).toBe(2);
    expect((await lbsim(['race', file, '--policies', 'RANDOM,MAGLEV', '--fail', '10.0.0.9'])).code).toBe(2);
  });

  it('ends where the user interrupts it', async () => {
    const { code, stdout, stderr } = await lbsim(['compare', file, '--version-b', '1.40', '--runs', '1000'], {
      interrupt: true,
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('interrupted; there is no result yet');
  });
});
