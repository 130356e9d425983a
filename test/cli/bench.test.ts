import { afterAll, describe, expect, it } from 'vitest';
import type { BenchDocument, MeasuredRing } from '../../src/report/documents.js';
import { Folder } from './files.js';
import { lbsim, lbsimApart } from './harness.js';

/** Tables beside each other: what is timed is not looked at. */

const folder = new Folder();
afterAll(() => folder.remove());

const SMALL = ['--hosts', '10', '--keys', '2000'];
const moduleOf = (name: string, members: string): string =>
  folder.file(`${name}.mjs`, `export default { name: '${name}', kind: 'table', ${members} };`);

function ringsOf(...args: readonly string[]): ReadonlyMap<string, MeasuredRing> {
  const { stdout, stderr, code } = lbsimApart(['bench', ...SMALL, '--json', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  const { rings, hosts, keys } = JSON.parse(stdout) as BenchDocument;
  expect([hosts, keys]).toEqual([10, 2000]);
  return new Map(rings.map((ring) => [ring.name, ring]));
}

const MODULO = 'build: ({ keys }) => ({ count: keys.length }), choose: ({ count }, hi, lo) => lo % count';

describe('lbsim bench', () => {
  it('measures what it is given beside what is known', () => {
    const remembers = moduleOf(
      'REMEMBERS',
      `build: ({ keys }) => ({ left: keys.map((_, host) => host) }),
       choose: () => -1,
       lookUp: ({ left }, key) => left[Number(key.slice(5)) % left.length],
       without: ({ left }, host) => ({ left: left.map((one) => (one === host ? 0 : one)) })`,
    );
    const rings = ringsOf('--mine', moduleOf('MODULO', MODULO), '--mine', remembers);
    const count = (of: MeasuredRing['of']): number => [...rings.values()].filter((ring) => ring.of === of).length;
    expect((['mine', 'lbsim', 'npm', 'published'] as const).map(count)).toEqual([2, 3, 2, 9]);
    for (const { bytes, build_ms: ms, look_up_ns: ns, busiest, moved, needless } of rings.values()) {
      for (const value of [bytes, ms, ns, moved, needless]) expect(value).toBeGreaterThanOrEqual(0);
      expect(busiest).toBeGreaterThanOrEqual(1);
    }
    // A tenth of the keys is lost with a host, and with modulo nine tenths have another one.
    expect(rings.get('MODULO')).toMatchObject({ of: 'mine', moved: expect.closeTo(0.9, 1) as number });
    expect(rings.get('REMEMBERS')).toMatchObject({ busiest: 1, needless: 0 });
    for (const name of ['RING', 'RENDEZVOUS', 'ANCHOR', 'DX', 'MEMENTO', 'MULTI_PROBE', 'hashring', 'consistent-hash'])
      expect(rings.get(name)).toMatchObject({ needless: 0 });
  });

  it('loses others of few hosts, each once', () => {
    const last = moduleOf('LAST', 'build: ({ keys }) => ({ count: keys.length }), choose: ({ count }) => count - 1');
    const { stdout } = lbsimApart(['bench', '--hosts', '3', '--keys', '10', '--json', '--mine', last]);
    // The first of three, and the last, which has all keys.
    expect((JSON.parse(stdout) as BenchDocument).rings[0]).toMatchObject({ name: 'LAST', moved: 0.5 });
  });

  it('shows a line for each', () => {
    const { stdout, code } = lbsimApart(['bench', ...SMALL, '--mine', moduleOf('MINE', MODULO)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^10 hosts, 2,000 keys\./);
    expect(stdout).toMatch(/^MINE +mine +[\d.]+ ms +\d+ ns +[\d.]+ [kM]B +1\.\d\d × +\d+\.\d % +\d+\.\d %$/m);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it.each([
    ['./none.mjs', 'there is no such module'],
    [moduleOf('LIST', 'build() {}'), 'choose is missing: choose(table, hashHi, hashLo, attempt)'],
    [moduleOf('OUTSIDE', 'build: () => ({}), choose: () => 10'), 'OUTSIDE'],
    [moduleOf('THROWS', "build: () => ({}), choose() { throw new Error('no') }"), 'Error: no'],
    [
      folder.file(
        'list.mjs',
        `export default { name: 'L', kind: 'list', start: () => null, refresh() {}, choose: () => 0 };`,
      ),
      "kind is 'list': tables are measured",
    ],
  ])('refuses %s', async (file, why) => {
    const call = await lbsim(['bench', ...SMALL, '--mine', file]);
    expect(call.code).toBe(2);
    expect(call.stderr.replace(/\s+/g, ' ')).toContain(why);
    expect(call.stdout).toBe('');
  });
});
