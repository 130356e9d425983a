import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PaperComparison } from '../src/analysis/paper/comparison.js';
import { lbsim } from './cli/harness.js';

/** Published comparisons, as scenarios: each states the source, what it derives from it, and what cannot be held. */
const page = readFileSync('docs/papers.md', 'utf8');
const PAPERS = readdirSync('docs/papers').filter((file) => file.endsWith('.yaml'));

describe.each(PAPERS)('docs/papers/%s', (file) => {
  const text = readFileSync(`docs/papers/${file}`, 'utf8');

  it('names its source, and is named where they are told of', () => {
    expect(text).toMatch(/^# yaml-language-server: .*\n# [A-Z].*"\w/);
    expect(text).toMatch(/^# Held: /m);
    expect(text).toContain(`\nname: ${file.replace('.yaml', '')}\n`);
    expect(page).toContain(`papers/${file}`);
  });

  it('holds what was published', async () => {
    const { stdout, stderr, code } = await lbsim(['run', `docs/papers/${file}`, '--allow-code', '--json']);
    expect(stderr).toBe('');
    const { expect: found } = JSON.parse(stdout) as { expect: readonly { passed: boolean; text?: string }[] };
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter(({ passed }) => !passed)).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('lbsim paper', () => {
  it('lists every paper, and each has a scenario here', async () => {
    const { stdout } = await lbsim(['paper']);
    const names = [...stdout.matchAll(/^ {2}(\S+) +\S/gm)].map(([, name = '']) => name);
    expect(names.length).toBe(PAPERS.length);
    for (const name of names) expect(page).toContain(`\`lbsim paper ${name}\` · [`);
  });

  it.each(['documentation', 'ring', 'maglev'])('%s is worked out as docs/papers.md has it', async (name) => {
    const { code, stdout } = await lbsim(['paper', name, '--markdown']);
    expect(code).toBe(0);
    expect(page).toContain(stdout.trim());
  });

  it('docs/papers.md has no difference without a reason (node scripts/papers.mjs makes it anew)', () => {
    expect(page).not.toContain('DIFFERS');
    expect([...page.matchAll(/\| agrees \|$/gm)].length).toBeGreaterThan(40);
  });

  it.each(['queues', 'prequal'])('%s gives about what docs/papers.md has (node scripts/papers.mjs)', async (name) => {
    const { stdout } = await lbsim(['paper', name, '--replications', '1', '--json']);
    const { rows } = JSON.parse(stdout) as PaperComparison;
    expect(rows.length).toBeGreaterThan(3);
    for (const { row, values } of rows) {
      const line = page.split('\n').find((one) => one.startsWith(`| ${row} |`)) ?? '';
      const [, mean = '', reach = '0'] = /\| (-?[\d.,]+)(?: ± ([\d.]+))? \| agrees \|$/.exec(line) ?? [];
      expect(line).not.toBe('');
      // Five standard deviations of one run, where the interval is of five runs or more.
      expect(Math.abs((values[0]?.ours.mean ?? NaN) - Number(mean))).toBeLessThanOrEqual(9 * Number(reach) + 0.001);
    }
  });

  it.each([
    ['the shorter of 2, by a board written every service', 2, 1],
    ['the shortest of 3, by a board written every service', 3, 1],
    ['the shortest of all, by a board written every service', Infinity, 1],
    ['the shorter of 2, by a board written every 5 services', 2, 5],
  ])('stale-information: %s is what the equations give', (row, choices, age) => {
    const [, published = ''] = new RegExp(`^\\| ${row} \\| ([\\d.]+) `, 'm').exec(page) ?? [];
    expect(Math.abs(timeByBoard(0.8, choices, age) - Number(published))).toBeLessThan(0.002);
  });

  it('differs from what is published where a row is not as it was', async () => {
    const { paperRow } = await import('../src/analysis/paper/comparison.js');
    const ours = { mean: 1, low: 0.9, high: 1.1 };
    const value = { published: 1.15, within: 0.04, ours };
    const row = { row: 'a', basis: 'published' } as const;
    expect(paperRow(row, [value]).verdict).toBe('differs');
    expect(paperRow({ ...row, why: 'for a reason' }, [value])).toMatchObject({ verdict: 'known', why: 'for a reason' });
    expect(paperRow(row, [{ ...value, within: 0.05 }]).verdict).toBe('agrees');
  });
});

/** Queues beyond this length are too few to count. */
const LONGEST = 60;

/** @returns the mean time in services, as docs/papers/stale-information.yaml derives it. */
function timeByBoard(load: number, choices: number, age: number): number {
  let board: number[] = Array.from({ length: LONGEST }, (_, length) => (length === 0 ? 1 : 0));
  for (let before = 0; ;) {
    const next = new Array<number>(LONGEST).fill(0);
    const least = board.findIndex((part) => part > 1e-9);
    let longer = 1;
    let queued = 0;
    board.forEach((part, length) => {
      const most = longer;
      longer -= part;
      if (part < 1e-9) return;
      const shortest = length === least ? 1 / part : 0;
      const rate = load * (choices === Infinity ? shortest : (most ** choices - Math.max(0, longer) ** choices) / part);
      const steps = Math.ceil(20 * age * (1 + rate));
      let state = new Array<number>(LONGEST).fill(0);
      state[length] = 1;
      for (let step = 0; step < steps; step++) {
        const middle = after(state, state, rate, age / steps / 2);
        queued += (part * meanOf(middle)) / steps;
        state = after(state, middle, rate, age / steps);
      }
      state.forEach((chance, now) => (next[now] = (next[now] ?? 0) + part * chance));
    });
    board = next;
    if (Math.abs(queued - before) < 1e-5) return queued / load;
    before = queued;
  }
}

/** The chances of lengths some time later, by how fast they change in another state. */
function after(state: readonly number[], slope: readonly number[], rate: number, time: number): number[] {
  const at = (length: number): number => slope[length] ?? 0;
  return state.map((chance, length) => {
    const left = (length === LONGEST - 1 ? 0 : rate * at(length)) + (length === 0 ? 0 : at(length));
    return chance + time * (rate * at(length - 1) + at(length + 1) - left);
  });
}

function meanOf(chances: readonly number[]): number {
  return chances.reduce((sum, chance, length) => sum + length * chance, 0);
}
