import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LawsDocument } from '../../src/report/documents.js';
import { loadScenario } from '../../src/scenario/load.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

/** Balancers of other programs, asked over a pipe. */

const EXAMPLES = join(import.meta.dirname, '../../examples/balancers');
const folder = new Folder();
afterAll(() => folder.remove());

const isThere = (tool: string, ...args: readonly string[]): boolean => spawnSync(tool, args).status === 0;

/** A balancer whose answers to `hosts` and `choose` this expression has, of the question `q` and what it `keeps`. */
function balancer(name: string, begin: object, host: string): string {
  const text = `
    let keeps = {};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const q = JSON.parse(line);
      if (q.do === 'begin') keeps = {};
      const answer = q.do === 'begin' ? ${JSON.stringify({ name, ...begin })} : q.do === 'hosts' ? {} : { host: ${host} };
      console.log(JSON.stringify(answer));
    });`;
  return `'${process.execPath}' '${folder.file(`${name}.cjs`, text)}'`;
}

async function lawsOf(command: string, ...more: readonly string[]): Promise<LawsDocument> {
  const { stdout, stderr } = await lbsim(['laws', '--command', command, '--seed', '1', '--json', ...more]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as LawsDocument;
}

const broken = ({ laws }: LawsDocument): readonly string[] => laws.filter(({ holds }) => !holds).map(({ law }) => law);

describe('examples/balancers', () => {
  // Laws with few picks of all balancers, and those of the promise with the fewest examples.
  it.skipIf(!isThere('python3', '--version')).each(['repeats', 'picks', 'present', 'choices'])(
    'least.py obeys the laws of %s',
    async (law) => {
      const found = await lawsOf(`python3 ${join(EXAMPLES, 'least.py')}`, '--runs', '1', '--law', law);
      expect([found.balancer, broken(found)]).toEqual(['LEAST_OF_TWO', []]);
      expect(found.laws).not.toEqual([]);
    },
  );

  it.skipIf(!isThere('go', 'version'))(
    'rendezvous.go obeys the laws, and keeps its promise',
    async () => {
      const binary = join(folder.path, 'rendezvous');
      execFileSync('go', ['build', '-o', binary, join(EXAMPLES, 'rendezvous.go')]);
      const found = await lawsOf(binary, '--runs', '2');
      expect([found.balancer, broken(found)]).toEqual(['RENDEZVOUS', []]);
      expect(found.laws.map(({ law }) => law)).toContain('ignores the order of its list');
    },
    300_000,
  );
});

describe('what falsifies a law', () => {
  it.each([
    ['BUSIEST', { kind: 'list', choices: 2 }, 'q.active.indexOf(Math.max(...q.active))', 'takes the fewest'],
    ['FIRST', { kind: 'list', follows: 'nothing' }, '0', 'follows its shares'],
    ['STAYS', { kind: 'list', takes_turns: true }, '0', 'takes turns'],
    ['OWN_CHANCE', { kind: 'list' }, 'Math.floor(Math.random() * q.active.length)', 'repeats itself'],
    ['NAMES', { kind: 'list' }, '"10.0.0.1:80"', 'picks hosts that are there'],
    ['COUNTS', { kind: 'table' }, '(keeps[q.list] = (keeps[q.list] ?? 0) + 1) % 2', 'looks up its hosts'],
    ['PLACES', { kind: 'table', ignores_order: true }, '0', 'ignores the order'],
  ])('is found in %s, with a scenario', async (name, begin, host, law) => {
    const found = await lawsOf(balancer(name, begin, host), '--law', law, '--runs', '5');
    expect(found.laws).toMatchObject([{ holds: false, says: expect.any(String) as string, seed: 1 }]);
    const text = found.laws[0]?.scenario ?? '';
    expect(loadScenario({ file: 'falsified.yaml', text }).problems).toEqual([]);
  });

  it('is told in words, and fails the call', async () => {
    const command = balancer('LAST', { kind: 'list', follows: 'weights' }, 'q.active.length - 1');
    const { code, stdout } = await lbsim(['laws', '--command', command, '--law', 'follows its', '--runs', '2']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILS {2}follows its shares\n\nhost 0 has 0 of .*\nThe same again: --seed \d+\./);
    expect(stdout).toContain('\nclusters:');
    expect(stdout).toMatch(/\nLAST: 0 of 1 laws hold\n$/);
  });
});

describe('a command that does not keep to it', () => {
  const silent = `'${process.execPath}' -e 'setInterval(() => undefined, 1e6)'`;

  it.each([
    ['hangs', silent, 'did not answer within 0.05 s: {"do":"begin"}'],
    ['ends', 'true', 'ended without an answer: {"do":"begin"}'],
    ['talks', 'echo hello; cat', 'answered hello, which is no JSON: {"do":"begin"}'],
    ['is nobody', 'echo "{}"; cat', 'begin has no name; begin has no kind'],
    [
      'is of no kind',
      balancer('RING', { kind: 'ring', choices: 0 }, '0'),
      "begin.kind is 'ring', and has to be one of list, table; begin.choices is 0, and has to be a whole number from 1",
    ],
    [
      'ends in mid-law',
      balancer('ENDS', { kind: 'list' }, 'process.exit()'),
      'ended without an answer: {"do":"choose"',
    ],
    ['has no such law', balancer('ANY', { kind: 'list' }, '0'), '--law: no law of ANY has "murmurs" in it'],
  ])('and %s is named', async (_, command, named) => {
    const more = named.includes('murmurs') ? ['--law', 'murmurs'] : [];
    const within = command === silent ? '50ms' : '1m';
    const { code, stderr } = await lbsim(['laws', '--command', command, '--answer-within', within, ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
  });
});

it('docs/other-languages.md has what examples/balancers answer', () => {
  const page = readFileSync('docs/other-languages.md', 'utf8');
  const [, begin = ''] = /\{"do": "begin"\}\n(.*)\n/.exec(page) ?? [];
  expect(readFileSync(join(EXAMPLES, 'least.py'), 'utf8')).toContain(`return ${begin}`);
  for (const field of ['follows', 'takes_turns', 'choices', 'distinct', 'ignores_order']) expect(page).toContain(field);
});
