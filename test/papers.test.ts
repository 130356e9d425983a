import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lbsim } from './cli/harness.js';

/** Published comparisons, as scenarios: each states the source, what it derives from it, and what cannot be held. */
const PAPERS = readdirSync('papers').filter((file) => file.endsWith('.yaml'));

describe.each(PAPERS)('papers/%s', (file) => {
  const text = readFileSync(`papers/${file}`, 'utf8');

  it('names its source, and is named where they are told of', () => {
    expect(text).toMatch(/^# yaml-language-server: .*\n# [A-Z].*"\w/);
    expect(text).toMatch(/^# Held: /m);
    expect(text).toContain(`\nname: ${file.replace('.yaml', '')}\n`);
    expect(readFileSync('docs/policies.md', 'utf8')).toContain(`../papers/${file}`);
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
