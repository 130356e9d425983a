import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/layout.js';
import { questionOf, topicOf } from '../../src/scenario/example.js';
import { lbsim } from './harness.js';

describe('examples', () => {
  it('are listed with a question each', async () => {
    const { code, stdout } = await lbsim(['examples']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}showcase +\S/m);
    for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    const { examples } = JSON.parse((await lbsim(['examples', '--json'])).stdout) as {
      examples: { name: string; topic: string; question: string; file: string }[];
    };
    expect(examples.length).toBeGreaterThanOrEqual(10);
    for (const example of examples) expect(example.question).toMatch(/\?/);
    // Headings at the margin, each once, in the order of the list; nothing was left without a topic.
    const topics = [...new Set(examples.map(({ topic }) => topic))];
    const headings = stdout.split('\n').filter((line) => /^[A-Z]/.test(line));
    expect(headings).toEqual(topics);
    expect(topics).not.toContain('More');
    expect(topics[0]).toBe('Weights and policies');
  });

  it('are printed as they are', async () => {
    const text = readFileSync(new URL('../../scenarios/showcase.yaml', import.meta.url), 'utf8');
    expect(await lbsim(['examples', 'showcase'])).toEqual({ code: 0, stdout: text, stderr: '' });
    expect((await lbsim(['examples', 'showcase.yaml'])).stdout).toBe(text);
  });

  it('are listed by a word of their name, topic or question', async () => {
    const { code, stdout } = await lbsim(['examples', 'zone']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Zones and localities$/m);
    expect(stdout).toContain('zone-routing-too-small');
    expect(stdout).not.toContain('peak-ewma');
    const { examples } = JSON.parse((await lbsim(['examples', 'Subsets', '--json'])).stdout) as {
      examples: { topic: string }[];
    };
    expect(examples.some(({ topic }) => topic === 'Subsets')).toBe(true);
  });

  it('are run by their names, unless a file has that name', async () => {
    const { code, stdout } = await lbsim(['run', 'tiny-ring']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tiny-ring {2}seed/);
    expect((await lbsim(['run', './tiny-ring'])).stderr).toContain('There is no such file.');
    expect((await lbsim(['validate', 'tiny-ring'])).code).toBe(0);
  });

  it('are no files: a path that is not there is a mistake', async () => {
    const { code, stdout } = await lbsim(['validate', 'showcase.yaml']);
    expect(code).toBe(2);
    expect(stdout).toContain('There is no such file');
  });

  it('are suggested where the name is nearly right', async () => {
    const { code, stderr } = await lbsim(['examples', 'showcse']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no example "showcse", nor a topic or question\n(Did you mean showcase?)');
  });

  it('take their question from the comment they open with', () => {
    expect(questionOf('# yaml-language-server: $schema=x\n# Why\n#   this?\n#\n# Because.\nname: x\n')).toBe(
      'Why this?',
    );
    expect(questionOf('name: x\n')).toBe('');
    expect(topicOf('# Why?\n#\n# Topic: Zones and localities\nname: x\n')).toBe('Zones and localities');
    expect(topicOf('# Why?\nname: x\n')).toBe('More');
  });
});
