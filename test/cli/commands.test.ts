import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { COMMAND_LINE } from '../../src/cli/program/generated/commands.js';
import { Session } from '../../src/cli/session.js';
import * as index from '../../src/index.js';
import { Folder, SMALL } from './files.js';
import { ioOf, lbsim } from './harness.js';

/** What every command owes its users: JSON, a function of the library, an example in its page, and bad input named. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const library: Readonly<Record<string, unknown>> = index;
const hooks = { onHelp: () => undefined, onDone: () => undefined };
const program = buildProgram(new Session(ioOf({})), hooks);
const commands: readonly (readonly [string, Command])[] = program.commands.map((command) => [command.name(), command]);
const names = commands.map(([name]) => name);

/** They print a text that is meant for something else than a program that reads JSON, or JSON anyway. */
const WITHOUT_JSON = new Map([
  ['schema', 'it prints JSON'],
  ['init', 'it writes a file to be edited'],
  ['completion', 'it prints a script for a shell'],
  ['worker', 'its results are those of the sweep that it works for'],
]);

/** Functions of the library that do what a command does, where they have another name. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  run: 'runScenario',
  serve: 'createSimulation',
  ring: 'inspectRing',
  test: 'runScenario',
  validate: 'loadScenario',
  schema: 'schemaOf',
  import: 'importScenario',
};

/** They are about files of this package, the user’s shell, a proxy or the threads of this machine, which no library knows. */
const WITHOUT_FUNCTION: ReadonlySet<string> = new Set([
  'init',
  'examples',
  'policies',
  'laws',
  'bench',
  'completion',
  'verify',
  'fuzz',
  'sweep',
  'worker',
  'paper',
]);

/** They wait for something that a page cannot start: another machine, a program in another language. */
const WITHOUT_EXAMPLE: ReadonlySet<string> = new Set(['worker', 'laws']);

const folder = new Folder();
afterAll(() => folder.remove());
const wrong = folder.file('wrong.yaml', SMALL.replace('ROUND_ROBIN', 'FASTEST'));
const bootstrap = folder.file('bootstrap.yaml', 'static_resources:\n  clusters: [{name: web, lb_policy: FASTEST}]\n');
const taken = folder.file('taken.yaml', SMALL);

/** A call with bad input, and what of it has to be named; else a file with a policy that there is not. */
const BAD: Readonly<Record<string, { readonly args: readonly string[]; readonly named: readonly string[] }>> = {
  curve: { args: [wrong, '--lose', '*'], named: ['wrong.yaml:3:39', 'FASTEST'] },
  compare: { args: [taken, wrong], named: ['wrong.yaml:3:39', 'FASTEST'] },
  sweep: { args: [wrong, '--vary', 'seed=1,2'], named: ['wrong.yaml:3:39', 'FASTEST'] },
  worker: { args: ['--redis', 'redis://127.0.0.1:1'], named: ['redis://127.0.0.1:1', 'nothing listens there'] },
  paper: { args: ['maglef'], named: ['maglef', 'maglev'] },
  test: { args: [wrong], named: ['wrong.yaml', ' 3:39 ', 'FASTEST'] },
  import: { args: [bootstrap], named: ['bootstrap.yaml:2:37', 'lb_policy'] },
  policies: { args: ['MAGLEF'], named: ["'policies'"] },
  laws: { args: ['--command', 'true'], named: ['--command: true ended'] },
  bench: { args: ['--mine', './none.mjs'], named: ['./none.mjs', 'no such module'] },
  schema: { args: ['clusters'], named: ['scenario, cluster, bootstrap'] },
  init: { args: [taken], named: ['taken.yaml', '--force'] },
  examples: { args: ['tinyring'], named: ['tinyring', 'tiny-ring'] },
  fuzz: { args: ['--against-proxy', '--runs', 'many'], named: ['--runs', 'a whole number from 1'] },
  completion: { args: ['tcsh'], named: ['bash, zsh, fish'] },
};

describe.each(commands)('%s', (name, command) => {
  it('prints JSON, in a form that has a schema', () => {
    const hasJson = command.options.some(({ long }) => long === '--json');
    expect({ name, hasJson }).toEqual({ name, hasJson: !WITHOUT_JSON.has(name) });
    if (hasJson) expect(COMMAND_LINE.outputs).toContain(name);
  });

  it('is a function of the library, which docs/library.md tells of', () => {
    if (WITHOUT_FUNCTION.has(name)) return;
    const own = FUNCTIONS[name] ?? name;
    expect(typeof library[own]).toBe('function');
    expect(read('docs/library.md')).toContain(`| \`${own}(`);
  });

  it('has an example in docs/commands.md, which test/docs.test.ts runs, and a row in its table', () => {
    const [, examples = ''] = /\nEach of them once:\n+```\n([^`]*)```/.exec(read('docs/commands.md')) ?? [];
    expect(examples.split('\n').filter((line) => line.startsWith(`lbsim ${name} `))).toHaveLength(
      WITHOUT_EXAMPLE.has(name) ? 0 : 1,
    );
    expect(new RegExp(`\\n\\| \`lbsim ${name}[ \`]`).test(read('docs/commands.md'))).toBe(true);
  });

  it('names bad input and its place, in words and without a stack', async () => {
    const { args, named } = BAD[name] ?? { args: [wrong], named: ['wrong.yaml:3:39', 'FASTEST'] };
    const { code, stdout, stderr } = await lbsim([name, ...args]);
    expect(code).toBe(2);
    for (const word of named) expect(stdout + stderr).toContain(word);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each(['bash', 'zsh', 'fish'])('is completed in %s with all of its options', async (shell) => {
    const { stdout } = await lbsim(['completion', shell]);
    for (const { long } of command.options) {
      if (typeof long === 'string') expect(stdout).toContain(shell === 'fish' ? `-l ${long.slice(2)} ` : long);
    }
  });
});

it('no list here names a command that is gone', () => {
  for (const name of [
    ...WITHOUT_JSON.keys(),
    ...WITHOUT_FUNCTION,
    ...WITHOUT_EXAMPLE,
    ...Object.keys(FUNCTIONS),
    ...Object.keys(BAD),
  ]) {
    expect(names).toContain(name);
  }
});
