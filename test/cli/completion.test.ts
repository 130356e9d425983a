import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/cli/program/generated/commands.js';
import { TOPICS } from '../../src/cli/program.js';
import { loadScenario } from '../../src/scenario/load.js';
import { lbsim } from './harness.js';

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s names every command and its options', async (shell) => {
    const { code, stdout } = await lbsim(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['compare', 'explain', 'validate', 'why-not', 'junit', 'proxy-version'])
      expect(stdout).toContain(word);
  });

  it('has the commands by what one wants, as --help does', async () => {
    const order = Object.values(COMMAND_LINE.groups).flat();
    const { stdout: zsh } = await lbsim(['completion', 'zsh']);
    const [, words = ''] = /commands=\((.*)\)/.exec(zsh) ?? [];
    expect([...words.matchAll(/'([a-z]+):/g)].map(([, name]) => name)).toEqual(order);
    expect(words).toContain("'prove:Break – what you can lose'");
  });

  it('works in bash: commands, then options of the command', async () => {
    const { stdout: script } = await lbsim(['completion', 'bash']);
    const complete = (words: string): string[] => {
      const list = words.split(' ');
      const call = `COMP_WORDS=(${list.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${list.length - 1}; _lbsim; echo "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.trim().split(' ');
    };
    expect(complete('lbsim ex')).toEqual(['explain', 'examples']);
    expect(complete('lbsim explain --why')).toEqual(['--why-not']);
    expect(complete('lbsim test --ju')).toEqual(['--junit']);
  });

  it('refuses other shells', async () => {
    const { code, stderr } = await lbsim(['completion', 'tcsh']);
    expect({ code, says: stderr.includes('bash, zsh, fish') }).toEqual({ code: 2, says: true });
  });
});

describe('help', () => {
  it.each(Object.keys(TOPICS))('tells of %s', async (topic) => {
    const { code, stdout } = await lbsim(['help', topic]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: TOPICS[topic] });
    expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true);
  });

  it('still tells of commands', async () => {
    expect((await lbsim(['help', 'ring'])).stdout).toContain('Usage: lbsim ring');
  });
});

it('what help expect shows are expectations', () => {
  const entries = [...(TOPICS['expect'] ?? '').matchAll(/^ {2}(\{.*\})$/gm)].map(([, entry = '']) => entry);
  expect(entries.length).toBeGreaterThan(5);
  const text = `clusters: [{name: web}]\nendpoints: {web: [{address: 10.0.0.1:80, zone: a}]}\nbehavior: [{hosts: {}, service_time: 1ms, concurrency: 1}]\nexpect: [${entries.join(', ')}]\n`;
  expect(loadScenario({ file: 'help.yaml', text }).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});
