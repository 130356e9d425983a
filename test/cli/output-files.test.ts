import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { openOutput } from '../../src/cli/output/output-files.js';
import { Session } from '../../src/cli/session.js';
import { ioOf, lbsim } from './harness.js';

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

describe('a file that is there already', () => {
  const OLD = 'the old report';
  const calls: readonly (readonly [string, () => readonly string[]])[] = [
    ['run --decisions', () => ['run', at('scenario.yaml'), '--decisions', at('out'), '--force']],
    ['run --html', () => ['run', at('scenario.yaml'), '--html', at('out'), '--force']],
    ['import', () => ['import', at('clusters.yaml'), '--output', at('out'), '--force']],
    ['init', () => ['init', at('out'), '--force']],
  ];
  beforeEach(() => {
    const host = 'endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}';
    const hosts = `load_assignment: {cluster_name: backend, endpoints: [{lb_endpoints: [{${host}}]}]}`;
    const type = '"@type": type.googleapis.com/envoy.api.v2.Cluster';
    writeFileSync(at('clusters.yaml'), `resources: [{${type}, name: backend, ${hosts}}]\n`);
    writeFileSync(at('out'), OLD, { mode: 0o640 });
  });

  it.each(calls)('keeps its content until the new one is whole: %s', async (_, call) => {
    const before = statSync(at('out'));
    const descriptor = openSync(at('out'), 'r');
    expect((await lbsim(call())).code).toBe(0);
    // Who reads it meanwhile sees all of the old one.
    expect(readFileSync(descriptor, 'utf8')).toBe(OLD);
    expect(read('out')).not.toContain(OLD);
    expect(statSync(at('out')).mode).toBe(before.mode);
    expect(leftIn()).toEqual([]);
  });

  it('keeps it where the call fails, and a new file is not begun', async () => {
    const failing = SMALL.replace('{constant: 20/s}', '{trace: none.csv}');
    writeFileSync(at('scenario.yaml'), failing);
    expect((await run('--decisions', at('out'), '--force')).code).toBe(2);
    expect(read('out')).toBe(OLD);
    writeFileSync(at('scenario.yaml'), SMALL);
    const found = await lbsim(['find', at('scenario.yaml'), '--replay', at('out'), '--force', '--capacity', '0.5']);
    expect(found.code).not.toBe(3);
    expect(leftIn()).toEqual([]);
  });

  it('keeps it where the disk is full', () => {
    // 512,000 bytes: the compiler of the sources keeps files of its own.
    const script = `ulimit -f 1000; exec "$0" --import ./scripts/typescript-register.mjs src/cli/main.ts "$@"`;
    writeFileSync(at('scenario.yaml'), SMALL.replace('20/s', '10000/s'));
    const argv = ['run', at('scenario.yaml'), '--decisions', at('out'), '--force'];
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, ...argv], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('the file would become too large')]);
    expect(read('out')).toBe(OLD);
    expect(leftIn()).toEqual([]);
  });

  it('is replaced where a link leads to it, and the link stays', async () => {
    symlinkSync('out', at('link'));
    expect((await lbsim(['init', at('link'), '--force'])).code).toBe(0);
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(read('out')).not.toContain(OLD);
  });

  function leftIn(): readonly string[] {
    return readdirSync(at('.')).filter((name) => name.startsWith('.lbsim'));
  }
});

it('leaves nothing where a signal ends the process', async () => {
  const before = process.listeners('exit');
  const file = await openOutput('--decisions', at('out'), { inputs: [], named: [] }, new Session(ioOf({})));
  // A busy process hears no signal: none may find a file that is begun and empty.
  expect(readdirSync(at('')).sort()).toEqual(['arrivals.csv', 'scenario.yaml']);
  await file?.write('the half');
  expect(readdirSync(at(''))).toHaveLength(3);
  for (const listener of process.listeners('exit').filter((one) => !before.includes(one))) listener.call(process, 130);
  expect(readdirSync(at('')).sort()).toEqual(['arrivals.csv', 'scenario.yaml']);
});
