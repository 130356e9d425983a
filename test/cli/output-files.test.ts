import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const TRACED = SMALL.replace('{constant: 20/s}', '{trace: arrivals.csv}');
let number = 0;
/** Of the test that runs: a folder with a scenario and the trace that it reads. */
let at = (name: string): string => name;
beforeEach(() => {
  const path = join(folder.path, String(number++));
  mkdirSync(path);
  at = (name) => join(path, name);
  writeFileSync(at('scenario.yaml'), TRACED);
  writeFileSync(at('arrivals.csv'), '0\n0.5\n');
});

const run = (...argv: readonly string[]): ReturnType<typeof lbsim> => lbsim(['run', at('scenario.yaml'), ...argv]);
const read = (name: string): string => readFileSync(at(name), 'utf8');

describe.each(['--decisions', '--stats-file', '--prometheus'])('%s', (option) => {
  it('overwrites what exists with --force only', async () => {
    writeFileSync(at('mine'), 'mine');
    const { code, stdout, stderr } = await run(option, at('mine'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `lbsim: ${option} ${at('mine')}: this file exists already; --force overwrites it\nSee "lbsim run --help".\n`,
    );
    expect(read('mine')).toBe('mine');
    expect((await run(option, at('mine'), '--force')).code).toBe(0);
    expect(read('mine')).not.toContain('mine');
  });

  it.each(['scenario.yaml', 'arrivals.csv'])('never overwrites %s, by whatever name', async (input) => {
    const before = read(input);
    symlinkSync(input, at('soft'));
    linkSync(at(input), at('hard'));
    symlinkSync('.', at('folder'));
    for (const name of [input, 'soft', 'hard', `folder/${input}`]) {
      for (const force of [[], ['--force']]) {
        const { code, stderr } = await run(option, at(name), ...force);
        expect(code).toBe(2);
        const what = input === 'scenario.yaml' ? 'the scenario' : `${at(input)}, which the scenario names`;
        expect(stderr).toContain(`${option} ${at(name)} would overwrite ${what}\n`);
      }
    }
    expect(read(input)).toBe(before);
  });

  it('writes to what is no file without being forced', async () => {
    expect((await run(option, '/dev/null')).code).toBe(0);
  });
});

describe('several inputs', () => {
  const CLUSTERS = 'resources: [{"@type": type.googleapis.com/envoy.api.v2.Cluster, name: backend}]\n';
  const WORLD = 'endpoints: {backend: [10.0.0.1:80]}\n';
  beforeEach(() => {
    writeFileSync(at('clusters.yaml'), CLUSTERS);
    writeFileSync(at('world.yaml'), WORLD);
  });

  it.each(['clusters.yaml', 'world.yaml'])('are not overwritten: %s', async (input) => {
    const target = at(input);
    const { code, stderr } = await lbsim([
      ...['run', at('clusters.yaml'), at('world.yaml'), '--decisions', target, '--force'],
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--decisions ${target} would overwrite ${target}, which is read\n`);
    expect(read('clusters.yaml') + read('world.yaml')).toBe(CLUSTERS + WORLD);
  });

  it.each([
    ['-', 'clusters.yaml'],
    ['clusters.yaml', '-'],
  ])('may be standard input, which is not overwritten either: %s %s', (...names) => {
    const target = at('world.yaml');
    const argv = ['run', ...names.map((name) => (name === '-' ? name : at(name))), '--decisions', target, '--force'];
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', './scripts/typescript-register.mjs', 'src/cli/main.ts', ...argv],
      { stdio: [openSync(target, 'r'), 'pipe', 'pipe'], encoding: 'utf8' },
    );
    expect(stderr).toContain(`--decisions ${target} would overwrite standard input, which is read\n`);
    expect(status).toBe(2);
    expect(read('world.yaml')).toBe(WORLD);
  });
});

describe('several files', () => {
  it('are all looked at before one is touched', async () => {
    writeFileSync(at('mine'), 'mine');
    const { code, stderr } = await run(
      '--decisions',
      at('new'),
      '--stats-file',
      at('mine'),
      '--prometheus',
      at('mine'),
    );
    expect(code).toBe(2);
    expect(stderr).toContain(`--stats-file ${at('mine')}: this file exists already`);
    expect(stderr).toContain(`--stats-file and --prometheus both write ${at('mine')}\n`);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('leave nothing behind where one cannot be opened', async () => {
    const { code, stderr } = await run('--decisions', at('new'), '--stats-file', at('none/lines'));
    expect(code).toBe(2);
    expect(stderr).toContain(`cannot write ${at('none/lines')}: no such directory`);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('are told apart where they are one by a link', async () => {
    writeFileSync(at('one'), '');
    linkSync(at('one'), at('two'));
    symlinkSync('.', at('folder'));
    const linked = await run('--decisions', at('one'), '--stats-file', at('two'), '--force');
    expect(linked.stderr).toContain(`--decisions and --stats-file both write ${at('two')}`);
    const created = await run('--decisions', at('new'), '--stats-file', at('folder/new'), '--force');
    expect(created.stderr).toContain(`--decisions and --stats-file both write ${at('folder/new')}`);
  });

  it('may share a device', async () => {
    expect((await run('--decisions', '/dev/null', '--stats-file', '/dev/null')).code).toBe(0);
  });
});
