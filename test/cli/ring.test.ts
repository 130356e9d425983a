import { afterAll, describe, expect, it } from 'vitest';
import type { RingView } from '../../src/result/generated/ring-view.js';
import { Folder, SMALL } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const ring = folder.file(
  'ring.yaml',
  SMALL.replace('ROUND_ROBIN', 'RING_HASH, ring_hash_lb_config: {minimum_ring_size: 10}'),
);
const maglev = folder.file('maglev.yaml', SMALL.replace('ROUND_ROBIN', 'MAGLEV'));
const plain = folder.file('plain.yaml', SMALL);

async function tables(argv: readonly string[]): Promise<RingView> {
  const { code, stdout, stderr } = await lbsim(['ring', ...argv, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as RingView;
}

describe('ring', () => {
  it('says who owns how much', async () => {
    const { code, stdout } = await lbsim(['ring', ring]);
    expect(code).toBe(0);
    expect(stdout).toContain('backend  RING_HASH · XX_HASH\n\n2 hosts on a ring of 10 entries, 5 entries per host.');
    expect(stdout).toContain('evenness  coefficient of variation ');
  });

  it('takes several files that are one configuration, and the name of a cluster behind them or as an option', async () => {
    const clusters = folder.file(
      'clusters.yaml',
      '- {name: a, lb_policy: MAGLEV, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n' +
        '- {name: b, lb_policy: MAGLEV, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n',
    );
    const endpoints = folder.file('endpoints.yaml', 'endpoints: {a: [10.0.0.1:80], b: [10.0.0.2:80, 10.0.0.3:80]}\n');
    for (const named of [['b'], ['--cluster', 'b']]) {
      const { code, stdout } = await lbsim(['ring', clusters, endpoints, ...named, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ cluster: 'b' });
    }
    const { stdout } = await lbsim(['ring', clusters, endpoints]);
    expect(stdout).toMatch(/^a {2}MAGLEV\n/);
    expect(stdout).toContain('\nTables too: b. Name one to see it.\n');
  });

  it('prints the tables as JSON', async () => {
    const view = await tables([ring]);
    expect(view).toMatchObject({ cluster: 'backend', policy: 'RING_HASH', hash_function: 'XX_HASH' });
    expect(view.tables).toHaveLength(1);
    const [table] = view.tables;
    expect(table).toMatchObject({ priority: 0, size: 10, entries: 10, min_hashes_per_host: 5, max_hashes_per_host: 5 });
    expect(table?.hosts.map((host) => host.share)).toEqual([0.5, 0.5]);
    expect(table?.hosts.reduce((sum, host) => sum + host.key_share, 0)).toBeCloseTo(1, 12);
  });

  it('owns keys in proportion to the arcs of its ring', async () => {
    const shares = (await tables([ring])).tables[0]?.hosts.map((host) => host.key_share) ?? [];
    const keys = Array.from({ length: 20_000 }, (_, index) => `user-${index}\n`).join('');
    const { stdout } = await lbsim(['ring', ring, '--keys', folder.file('many.txt', keys)]);
    const first = stdout.split('\n').filter((line) => line.endsWith('\t10.0.0.1:80')).length / 20_000;
    // Five standard errors of 20,000 draws are below 0.018.
    expect(Math.abs(first - (shares[0] ?? 0))).toBeLessThan(0.018);
    expect(Math.abs((shares[0] ?? 0) - 0.5)).toBeGreaterThan(0.02);
  });

  it('dumps every entry in order', async () => {
    const { stdout } = await lbsim(['ring', ring, '--dump']);
    const hashes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => BigInt(line.split('\t')[0] ?? ''));
    expect(hashes).toHaveLength(10);
    expect([...hashes].sort((a, b) => (a < b ? -1 : 1))).toEqual(hashes);
    const slots = (await lbsim(['ring', maglev, '--dump'])).stdout.trimEnd().split('\n');
    expect(slots).toHaveLength(65537);
    expect(slots[0]).toMatch(/^0\t10\.0\.0\.[12]:80$/);
    expect(slots[65536]).toMatch(/^65536\t/);
  });

  it('finds the owner of each key, as run does', async () => {
    const keys = folder.file('keys.txt', 'k0\r\nk1\nk2\nk3\nk4\n');
    const { stdout } = await lbsim(['ring', ring, 'backend', '--keys', keys]);
    const owners = new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    );
    expect([...owners.keys()]).toEqual(['k0', 'k1', 'k2', 'k3', 'k4']);
    const decisions = (await lbsim(['run', ring, '--decisions', '-'])).stdout.trimEnd().split('\n');
    decisions.forEach((line, index) => {
      expect((JSON.parse(line) as { host: string }).host).toBe(owners.get(`k${index % 5}`));
    });
    const json = await lbsim(['ring', ring, '--keys', '-', '--json'], { stdin: 'k0\n' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      cluster: 'backend',
      keys: [{ key: 'k0', address: owners.get('k0') }],
    });
  });

  it('shows what a change would do', async () => {
    expect(await tables([plain, '--set', 'clusters.backend.lb_policy=MAGLEV'])).toMatchObject({
      policy: 'MAGLEV',
      tables: [{ size: 65537 }],
    });
    const down = await tables([ring, '--unhealthy', '10.0.0.2:80']);
    expect(down.tables[0]?.entries).toBe(10);
  });

  it.each([
    [[plain], 'no cluster has lb_policy RING_HASH, MAGLEV or another that builds a table'],
    [[plain, 'backend'], 'cluster backend has lb_policy ROUND_ROBIN'],
    [[ring, 'nobody'], 'no cluster nobody'],
  ])('explains why %j has no table', async (argv, reason) => {
    const { code, stdout, stderr } = await lbsim(['ring', ...argv]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
    const json = await lbsim(['ring', ...argv, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ problems: [{ severity: 'error', rule: 'no-table' }] });
  });
});

describe('what follows a table', () => {
  const RING = `
clusters: [{name: web, lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 64}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
`;
  const ring64 = folder.file('ring-64.yaml', RING);
  const other = folder.file('ring-as-maglev.yaml', RING.replace(/lb_policy.*$/m, 'lb_policy: MAGLEV}]'));

  it('says who serves a key, here and there', async () => {
    const { stdout } = await lbsim(['ring', ring64, '--where', 'user-1', '--where', 'user-2']);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => line.split('\t')[0])).toEqual(['user-1', 'user-2']);
    const { stdout: both } = await lbsim(['ring', ring64, '--against', other, '--where', 'user-1', '--json']);
    const [first] = (
      JSON.parse(both) as { readonly keys: readonly { readonly address: string; readonly there: string }[] }
    ).keys;
    expect(first?.address).toBe(lines[0]?.split('\t')[1]);
    expect((await lbsim(['ring', other, '--where', 'user-1'])).stdout).toBe(`user-1\t${first?.there ?? ''}\n`);
  });

  it('says how many keys have another host in another file', async () => {
    const { stdout } = await lbsim(['ring', ring64, '--against', other]);
    expect(stdout).toMatch(/^\d\d\.\d\d % of all keys of web have another host/);
    expect((await lbsim(['ring', ring64, '--against', ring64])).stdout).toContain('Every key of web has the same host');
    const { stdout: json } = await lbsim(['ring', ring64, '--against', ring64, '--json']);
    expect(JSON.parse(json)).toMatchObject({ format: 1, cluster: 'web', moved: 0 });
  });

  it('advises the smallest table that is even enough', async () => {
    const { code, stdout } = await lbsim(['ring', ring64, '--advise', '10', '--json']);
    expect(code).toBe(0);
    const { tables, target } = JSON.parse(stdout) as {
      readonly target: number;
      readonly tables: readonly {
        readonly policy: string;
        readonly size: number;
        readonly peak: number;
        readonly orphaned: number;
      }[];
    };
    expect(target).toBe(0.1);
    expect(tables.map(({ policy, size }) => `${policy} ${size}`)).toContain('MAGLEV 65537');
    expect(tables.every(({ peak, orphaned }) => peak >= 1 && Math.abs(orphaned - 0.25) < 1e-9)).toBe(true);
  });

  it('advises on a table of a typed policy as on the same one of another form', async () => {
    const advised = async (name: string, policy: string): Promise<unknown> => {
      const text = `clusters: [{name: web, connect_timeout: 1s, ${policy}}]\nendpoints: {web: [{address: 10.0.0.1:80, count: 4}]}\n`;
      const { stdout } = await lbsim(['ring', folder.file(name, text), '--advise', '--json']);
      const { tables } = JSON.parse(stdout) as { readonly tables: readonly { readonly bytes: number }[] };
      expect(new Set(tables.map(({ bytes }) => bytes)).size).toBe(tables.length);
      return tables;
    };
    const type = 'type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash';
    const typed = `load_balancing_policy: {policies: [{typed_extension_config: {name: p, typed_config: {"@type": ${type}}}}]}`;
    expect(await advised('typed.yaml', typed)).toEqual(await advised('own.yaml', 'lb_policy: RING_HASH'));
  });

  it.each([
    [['--against', other, '--advise'], 'choose one'],
    [['--where', 'a', '--keys', 'k.txt'], 'choose one'],
    [['--advise', '0'], 'a number above 0'],
  ])('refuses %j', async (options, message) => {
    const { code, stderr } = await lbsim(['ring', ring64, ...options]);
    expect({ code, says: stderr.includes(message) }).toEqual({ code: 2, says: true });
  });

  it('says that a cluster has no table where the timeline takes it away at once', async () => {
    const file = folder.file(
      'changed.yaml',
      `clusters: [{name: web, lb_policy: MAGLEV}]
endpoints: {web: [10.0.0.1:80]}
timeline: [{at: 0s, update_cluster: {name: web, lb_policy: RANDOM}}]
`,
    );
    const { code, stderr } = await lbsim(['ring', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('web has lb_policy RANDOM, which builds no table')]);
  });
});

describe('a table of another policy', () => {
  const mine = `export default { name: 'MODULO', kind: 'table', build: ({ keys }) => keys, choose: (keys, hi, lo) => lo % keys.length };`;
  const scenario = folder.file(
    'own-table.yaml',
    'clusters: [{name: web, lb_policy: ./modulo.mjs}]\nendpoints: {web: [{address: 10.0.0.1:80, count: 4}]}\n',
  );
  folder.file('modulo.mjs', mine);

  it.each([
    [['--allow-code'], './modulo.mjs'] as const,
    [['--set', 'clusters.web.lb_policy=RENDEZVOUS'], 'RENDEZVOUS'] as const,
  ])('is shown by the keys that hosts get (%j)', async (args, policy) => {
    const { stdout, code } = await lbsim(['ring', scenario, ...args]);
    expect(code).toBe(0);
    expect(stdout).toContain(`web  ${policy}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '4 hosts in a table that lists no entries; 65,536 keys were looked up.',
    );
    for (const host of [1, 2, 3, 4]) expect(stdout).toMatch(new RegExp(`10\\.0\\.0\\.${host}:80 +2[45]\\.\\d %`));
    const owner = await lbsim(['ring', scenario, ...args, '--where', 'user-7']);
    expect(owner.stdout).toMatch(/^user-7\t10\.0\.0\.[1-4]:80\n$/);
    const dump = await lbsim(['ring', scenario, ...args, '--dump']);
    expect([dump.code, dump.stdout]).toEqual([2, '']);
    expect(dump.stderr).toContain('--dump: the table lists no entries');
  });
});
