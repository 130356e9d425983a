import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Folder } from './cli/files.js';

const root = join(import.meta.dirname, '..');
const folder = new Folder();
afterAll(() => folder.remove());

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly name?: string; readonly env?: object; readonly run?: string }[];
  };
};
const step = action.runs.steps.find(({ name }) => name === 'lbsim test');

/** What the step calls, with a program in the place of lbsim that prints its arguments. */
function calledWith(inputs: Readonly<Record<string, string>>): unknown {
  folder.file('dist/cli/main.js', 'console.log(JSON.stringify(process.argv.slice(2)));\n');
  const { stdout } = spawnSync('bash', ['-e', '-c', step?.run ?? ''], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', GITHUB_ACTION_PATH: folder.path, ...inputs },
  });
  return JSON.parse(stdout);
}

describe('the action', () => {
  it('hands files, options and the report on, and never as a command', () => {
    const inputs = {
      LBSIM_FILES: 'a b.yaml\n$(touch x)\n\n**/c.yaml\n',
      LBSIM_JUNIT: 'out.xml',
      LBSIM_OPTIONS: '--proxy-version=1.40',
    };
    expect(calledWith(inputs)).toEqual([
      'test',
      '--format=github',
      '--proxy-version=1.40',
      '--junit=out.xml',
      '--force',
      '--',
      'a b.yaml',
      '$(touch x)',
      '**/c.yaml',
    ]);
    expect(calledWith({ LBSIM_FILES: 'a', LBSIM_JUNIT: '', LBSIM_OPTIONS: '' })).toEqual([
      'test',
      '--format=github',
      '--',
      'a',
    ]);
  });

  it('reads every input as a variable', () => {
    expect(Object.keys(step?.env ?? {})).toHaveLength(Object.keys(action.inputs).length);
    expect(action.runs.steps.map(({ run = '' }) => run).join()).not.toContain('${{');
  });
});

describe('the image', () => {
  it('does not run as root', () => {
    const lines = readFileSync(join(root, 'docs/distributed/Dockerfile'), 'utf8').split('\n');
    expect(lines.findLastIndex((line) => line === 'USER node')).toBeGreaterThan(
      lines.findLastIndex((line) => line.startsWith('RUN ')),
    );
  });
});
