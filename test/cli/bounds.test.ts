import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bounds } from '../../src/analysis/generated/experiments.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const root = join(import.meta.dirname, '../..');
const canary = join(root, 'docs/observe/canary.yaml');
const folder = new Folder();
afterAll(() => folder.remove());

describe('docs/testing-splits.md', () => {
  const page = readFileSync(join(root, 'docs/testing-splits.md'), 'utf8');
  const blocks = [...page.matchAll(/```console\n\$ lbsim (.*)\n([^`]*)```/g)];
  it.each(blocks.map(([, call = '', output = '']) => [call, output] as const))('%s', async (call, output) => {
    const { stdout } = await lbsim(call.split(' ').map((word) => (word.startsWith('docs/') ? join(root, word) : word)));
    expect(stdout.trimEnd()).toBe(output.trimEnd());
  });
});

async function boundsOf(...args: readonly string[]): Promise<Bounds> {
  const { stdout, stderr } = await lbsim(['bounds', ...args, '--json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Bounds;
}

describe('bounds', () => {
  it('of a draw are those of the binomial distribution', async () => {
    const { splits } = await boundsOf(canary, '--requests', '30', '--false-alarm', '0.2');
    // Nobody arrives at the canary with a chance of 0.9^30 = 0.042, and one at most with 0.184.
    expect(splits[0]?.parts[1]).toMatchObject({ name: 'canary', least: 1 });
  });

  it('see what they say that they see, and --detect finds the fewest requests for that', async () => {
    const { requests, splits } = await boundsOf(canary, '--detect', '5%');
    const [, part] = splits[0]?.parts ?? [];
    expect(part?.sees_above).toBeLessThan(0.15);
    const fewer = await boundsOf(canary, '--requests', String(requests - 10));
    expect(fewer.splits[0]?.parts[1]?.sees_above).toBeGreaterThan(0.149);
  });

  it('of turns of more workers are wider', async () => {
    const spreads = [];
    for (const workers of ['1', '32']) {
      const { splits } = await boundsOf(join(root, 'docs/observe/web.yaml'), '--requests', '500', '--workers', workers);
      const [part] = splits[0]?.parts ?? [];
      spreads.push((part?.most ?? 0) - (part?.least ?? 0));
    }
    expect(spreads[0]).toBe(0);
    expect(spreads[1]).toBeGreaterThan(10);
  });

  it.each(['go', 'python', 'typescript', 'k6'])('are printed as a test in %s', async (language) => {
    const { code, stdout } = await lbsim(['bounds', canary, '--snippet', language]);
    expect(code).toBe(0);
    expect(stdout).toContain('849');
    expect(stdout).not.toMatch(/HEAD|ROWS|NAME|LEAST|MOST|REQUESTS/);
  });

  it.each([
    ['clusters: [{ name: web }]\nendpoints: { web: [10.0.0.1:80] }', [], 'no cluster with several hosts'],
    ['clusters: [{ name: web }]\nendpoints: { web: [10.0.0.1:80] }', ['--false-alarm', '0'], 'from 1e-12 to below 1'],
  ])('%s %j is refused', async (text, args, words) => {
    const file = folder.file('one.yaml', `${text}\nworkloads: [{ cluster: web, arrivals: 100/s, stop: 1s }]\n`);
    const { code, stderr } = await lbsim(['bounds', file, ...args]);
    expect({ code, said: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 2,
      said: expect.stringContaining(words) as string,
    });
  });
});
