import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const SECRET = 'root:x:0:0:root:/root\n12345\nhunter2,hunter3\n9f86d081884c7d65\n';
const OUTSIDE =
  'a scenario reads files below its own folder, by relative paths; --allow-outside-files lets it read any';

// home/ is the user's; home/stranger/ is what came from elsewhere.
const home = join(folder.path, 'home');
const stranger = join(home, 'stranger');
mkdirSync(join(stranger, 'traces'), { recursive: true });
writeFileSync(join(home, 'secret'), SECRET);
writeFileSync(join(home, 'arrivals.csv'), '0.5\n');
writeFileSync(join(stranger, 'traces', 'arrivals.csv'), '0\n0.5\n');
writeFileSync(join(stranger, '..odd'), '0\n');
symlinkSync('../secret', join(stranger, 'link'));
symlinkSync('..', join(stranger, 'up'));
symlinkSync('traces/arrivals.csv', join(stranger, 'inside'));
symlinkSync('stranger', join(home, 'alias'));

function scenario(trace: string, name = 'scenario.yaml'): string {
  const path = join(stranger, name);
  const arrivals = JSON.stringify(trace);
  writeFileSync(
    path,
    `clusters: [{name: b}]\nendpoints: {b: [10.0.0.1:80]}\nworkloads: [{cluster: b, arrivals: {trace: ${arrivals}}}]\n`,
  );
  return path;
}

const COMMANDS = [
  ['validate'],
  ['validate', '--json'],
  ['validate', '--format', 'github'],
  ['run'],
  ['predict'],
  ['ring'],
];

describe('a scenario of a stranger', () => {
  it.each([
    '../secret',
    '../no-such-file',
    '../../../../../../../../../../../etc/passwd',
    'traces/../../secret',
    join(home, 'secret'),
    join(stranger, 'traces', 'arrivals.csv'),
    '/proc/self/environ',
    '/dev/zero',
    'link',
    'up/secret',
    'up/arrivals.csv',
    '..',
    '.',
    '',
  ])('does not read %s', async (trace) => {
    const file = scenario(trace);
    for (const command of COMMANDS) {
      const [name = '', ...options] = command;
      const { code, stdout, stderr } = await lbsim([name, file, ...options]);
      expect({ command, code }).toEqual({ command, code: 2 });
      if (trace !== '') expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(OUTSIDE);
      expect(stdout + stderr).not.toMatch(/12345|hunter|9f86d|root:|no such file/);
    }
  });

  it.each(['traces/arrivals.csv', './traces/arrivals.csv', 'traces/../inside', 'inside', '..odd'])(
    'reads %s',
    async (trace) => {
      const { code, stderr } = await lbsim(['run', scenario(trace), '--json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('may be named through a link, and from its own folder', async () => {
    scenario('traces/arrivals.csv');
    expect(await lbsim(['run', join(home, 'alias', 'scenario.yaml'), '--json'])).toMatchObject({ code: 0 });
    const near = relative(process.cwd(), join(stranger, 'scenario.yaml'));
    expect(await lbsim(['run', near, '--json'])).toMatchObject({ code: 0 });
  });

  it('on standard input has the working directory as its folder', async () => {
    const text = `clusters: [{name: b}]\nendpoints: {b: [10.0.0.1:80]}\nworkloads: [{cluster: b, arrivals: {trace: TRACE}}]\n`;
    const at = (trace: string): Promise<{ stdout: string }> =>
      lbsim(['validate', '-', '--json'], { stdin: text.replace('TRACE', trace) });
    expect((await at('../package.json')).stdout).toContain('--allow-outside-files');
    expect((await at('package.json')).stdout).toContain('this is no trace');
  });

  it('names files beside itself, whichever of several files it is', async () => {
    const clusters = folder.file('clusters.yaml', 'resources: [{name: b, load_assignment: {cluster_name: b}}]\n');
    const text = 'workloads: [{cluster: b, arrivals: {trace: TRACE}}]\n';
    const world = (trace: string): string => folder.file('home/stranger/world.yaml', text.replace('TRACE', trace));
    for (const inputs of [
      [clusters, world('traces/arrivals.csv')],
      [world('traces/arrivals.csv'), clusters],
    ]) {
      expect(await lbsim(['run', ...inputs, '--json'])).toMatchObject({ code: 0 });
    }
    const { code, stderr } = await lbsim(['run', clusters, world('../arrivals.csv')]);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(OUTSIDE);
  });

  it('reads any file where the user trusts it', async () => {
    for (const trace of ['../arrivals.csv', join(home, 'arrivals.csv'), 'up/arrivals.csv']) {
      const { code } = await lbsim(['run', scenario(trace), '--allow-outside-files', '--json']);
      expect({ trace, code }).toEqual({ trace, code: 0 });
    }
  });
});

describe('a file that is no trace', () => {
  it.each([
    ['of words', SECRET, /hunter|9f86d|root:/],
    ['of one line', 'PASSWORD=hunter2', /hunter/],
    ['that begins like a trace', '0.5\nhunter2\n12345:hunter3\n9f86d081884c7d65\n', /hunter|9f86d|12345/],
    ['that is binary', '\u0000ELF\u0000hunter\n1hunter\u0000', /hunter/],
  ])('%s is not quoted', async (_, content, secret) => {
    writeFileSync(join(stranger, 'secret'), content);
    linkSync(join(stranger, 'secret'), join(stranger, 'hard'));
    const file = scenario('hard');
    for (const [name = '', ...options] of COMMANDS) {
      const { code, stdout, stderr } = await lbsim([name, file, '--allow-outside-files', ...options]);
      expect(code).toBe(2);
      expect(stdout + stderr).toContain('trace');
      expect(stdout + stderr).not.toMatch(secret);
    }
    rmSync(join(stranger, 'hard'));
  });
});
