import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND_LINE } from '../../src/cli/program/generated/commands.js';
import { Folder, SMALL } from './files.js';
import { lbsim, Sink } from './harness.js';

const COMMANDS = ['run', 'serve', 'ring', 'validate', 'import', 'init', 'examples'];

describe('help', () => {
  it.each(COMMANDS)('of %s describes every option and has an example', async (command) => {
    const { code, stdout, stderr } = await lbsim([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: lbsim ${command}`);
    expect(stdout).toMatch(new RegExp(`Examples:\n {2}\\$ lbsim ${command}`));
    // Every option has words beside it, or on the line below where its name is long.
    for (const [line] of stdout.matchAll(/^ {2}-.*(\n {10,}.*)?/gm)) expect(line).toMatch(/ {2,}[a-z].{8,}/);
    expect((await lbsim(['help', command])).stdout).toBe(stdout);
  });

  it.each([...COMMANDS, 'predict', 'schema'])('of %s fills its lines: its text is wrapped once', async (command) => {
    const { stdout } = await lbsim([command, '--help']);
    for (const paragraph of stdout
      .split(/^(?:Arguments|Options):$/m)[0]
      ?.split('\n\n')
      .slice(1) ?? []) {
      const lines = paragraph.trimEnd().split('\n');
      for (const [index, line] of lines.slice(0, -1).entries()) {
        const [word = ''] = lines[index + 1]?.split(' ') ?? [];
        expect({ line, fits: line.length + 1 + word.length <= 80 }).toEqual({ line, fits: false });
      }
    }
  });

  it('of the program has every command, by what one wants, on one screen', async () => {
    const { code, stdout } = await lbsim(['--help']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => /^[A-Z][\w ]*$/.test(line))).toEqual(Object.keys(COMMAND_LINE.groups));
    const grouped = Object.values(COMMAND_LINE.groups).flat();
    expect([...grouped].sort()).toEqual(Object.keys(COMMAND_LINE.commands).sort());
    const cells = lines.flatMap((line) => [line, line.slice(40)]);
    for (const name of grouped) expect(cells.some((cell) => new RegExp(`^  ${name} +\\S`).test(cell))).toBe(true);
    for (const topic of Object.keys(COMMAND_LINE.topics))
      expect(COMMAND_LINE.closing).toMatch(new RegExp(`\\b${topic}\\b`));
  });

  it('of something else names the commands and topics', async () => {
    const { code, stderr } = await lbsim(['help', 'pannic']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lbsim: there is no command or topic "pannic" (did you mean panic?)\nSee "lbsim --help".\n',
    });
  });

  it('is what a call without a command gets, as an error', async () => {
    const { code, stdout, stderr } = await lbsim([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: lbsim');
  });

  it('has the version', async () => {
    const { code, stdout } = await lbsim(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('wrong usage', () => {
  it.each([
    [['rum'], 'Did you mean run?'],
    [['run', 'x.yaml', '--jsn'], 'Did you mean --json?'],
    [['run'], "missing required argument 'FILE'"],
    [['ring', 'x.yaml', 'a', '--cluster', 'b'], 'choose one'],
    [
      ['run', 'x.yaml', '--proxy-version', '2.0'],
      '"2.0" is not a version that can be simulated: allowed are "1.12" to "1.40"',
    ],
    [['compare', 'x.yaml', '--version-a', '1.50'], 'docs/fidelity.md says what differs between versions'],
    [['run', 'x.yaml', '--width', '7'], 'from 40 to 1000'],
    [['run', 'x.yaml', '--json', '--csv'], '--json and --csv both want standard output'],
    [['run', 'x.yaml', '--json', '--decisions', '-'], '--json and --decisions - both want standard output'],
    [['ring', 'x.yaml', '--dump', '--json'], 'choose one of --dump and --json'],
    [['ring', '-', '--keys', '-'], 'cannot both come from standard input'],
    [['examples', 'showcase', '--json'], '--json prints the list'],
    [['validate', 'x.yaml', '--as', 'core.Nod'], 'there is no such message (did you mean core.Node?)'],
    [['validate', 'x.yaml', '--as', 'constructor'], 'there is no such message'],
    [['validate', 'x.yaml', '--as', 'Cluster', '--set', 'a=b'], "'--as <TYPE>' cannot be used with option '--set"],
  ])('%j is explained, exit code 2', async (argv, reason) => {
    const { code, stderr } = await lbsim(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/See "lbsim .*--help"\.\n$/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('points to the help that knows more', async () => {
    expect((await lbsim(['nope'])).stderr).toBe('lbsim: unknown command \'nope\'\nSee "lbsim --help".\n');
    expect((await lbsim(['run'])).stderr).toContain('See "lbsim run --help".\n');
  });

  it('is one JSON document on standard output where JSON was asked for', async () => {
    const { code, stdout } = await lbsim(['run', '--json', '--nonsense']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ severity: 'error', rule: 'usage' }] });
  });
});

describe('output that cannot be written', () => {
  it('is reported and makes the call fail', async () => {
    const stdout = new Sink();
    stdout.room = 0;
    expect(await lbsim(['--help'], { stdout })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'lbsim: cannot write standard output: no space left on the device\n',
    });
  });

  it('ends quietly where nobody reads any more', async () => {
    const stdout = new Sink();
    stdout.room = 0;
    stdout.failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const { code, stderr } = await lbsim(['run', '--help'], { stdout });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('goes on for the files that are written besides, and for the verdict, where nobody reads any more', async () => {
    const folder = new Folder();
    onTestFinished(() => folder.remove());
    const failing = `${SMALL}\nexpect: [{no_host: {cluster: backend}, at_least: 50%}]\n`;
    const [file, target] = [folder.file('small.yaml', failing), join(folder.path, 'stats.txt')];
    const all = await lbsim(['run', file, '--stats-file', '-']);
    const stdout = new Sink();
    stdout.room = 0;
    stdout.failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const { code, stderr } = await lbsim(['run', file, '--decisions', '-', '--stats-file', target], { stdout });
    expect([code, stderr]).toEqual([1, '']);
    expect(readFileSync(target, 'utf8')).toBe(all.stdout);
  });

  it('does not throw even where the complaint cannot be written', async () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    stdout.room = 0;
    stderr.room = 0;
    expect((await lbsim(['--help'], { stdout, stderr })).code).toBe(2);
  });
});
