import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PaperComparison } from '../src/analysis/paper/comparison.js';
import { lbsim } from './cli/harness.js';

/** Published comparisons, as scenarios: each states the source, what it derives from it, and what cannot be held. */
const page = readFileSync('docs/papers.md', 'utf8');
const PAPERS = readdirSync('papers').filter((file) => file.endsWith('.yaml'));

describe.each(PAPERS)('papers/%s', (file) => {
  const text = readFileSync(`papers/${file}`, 'utf8');

  it('names its source, and is named where they are told of', () => {
    expect(text).toMatch(/^# yaml-language-server: .*\n# [A-Z].*"\w/);
    expect(text).toMatch(/^# Held: /m);
    expect(text).toContain(`\nname: ${file.replace('.yaml', '')}\n`);
    expect(page).toContain(`../papers/${file}`);
  });

  it('holds what was published', async () => {
    const { stdout, stderr, code } = await lbsim(['run', `papers/${file}`, '--allow-code', '--json']);
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

  it('docs/papers.md has no difference without a reason (npm run papers makes it anew)', () => {
    expect(page).not.toContain('DIFFERS');
    expect([...page.matchAll(/\| agrees \|$/gm)].length).toBeGreaterThan(40);
  });

  it.each(['queues', 'prequal'])('%s gives about what docs/papers.md has (npm run papers)', async (name) => {
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

  it('differs from what is published where a row is not as it was', async () => {
    const { paperRow } = await import('../src/analysis/paper/comparison.js');
    const ours = { mean: 1, low: 0.9, high: 1.1 };
    const value = { published: 1.15, within: 0.04, ours };
    expect(paperRow('a', [value], undefined).verdict).toBe('differs');
    expect(paperRow('a', [value], 'for a reason')).toMatchObject({ verdict: 'known', why: 'for a reason' });
    expect(paperRow('a', [{ ...value, within: 0.05 }], undefined).verdict).toBe('agrees');
  });
});
