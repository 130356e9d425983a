import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMAND_LINE } from '../../src/cli/program/generated/commands.js';
import type { OutputName } from '../../src/cli/program/option-values.js';
import { Folder, SMALL } from './files.js';
import { lbsim, lbsimApart } from './harness.js';

/** What commands print with `--json` is what their schemas say. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const scenarios = join(root, 'scenarios');
const shipped = readdirSync(scenarios).filter((file) => file.endsWith('.yaml'));

const folder = new Folder();
const small = folder.file('small.yaml', SMALL);
const ring = folder.file('ring.yaml', SMALL.replace('ROUND_ROBIN', 'RING_HASH'));
const wrong = folder.file('wrong.yaml', SMALL.replace('ROUND_ROBIN', 'FASTEST'));
const failing = folder.file('failing.yaml', `${SMALL}expect: [{success_rate: {cluster: backend}, at_most: 1%}]\n`);
const config = join(root, 'docs/tutorial/bootstrap.yaml');
afterAll(() => folder.remove());

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, allErrors: false });
const schemas = new Map<OutputName, ValidateFunction>();

function schemaOf(name: OutputName): ValidateFunction {
  let schema = schemas.get(name);
  if (schema === undefined) {
    schema = ajv.compile(
      JSON.parse(readFileSync(join(root, 'schema/output', `${name}.schema.json`), 'utf8')) as object,
    );
    schemas.set(name, schema);
  }
  return schema;
}

/** What a document says that its schema does not. */
function strayFrom(name: OutputName, document: unknown): unknown {
  const validate = schemaOf(name);
  return validate(document) ? [] : validate.errors;
}

/** One call; its document is held to the schema. */
async function document(name: OutputName, args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const isMeasured = name === 'bench' && args.includes('--keys');
  const { stdout } = isMeasured ? lbsimApart([name, ...args]) : await lbsim([name, ...args]);
  const parsed = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  expect({ args, stray: strayFrom(name, parsed) }).toEqual({ args, stray: [] });
  expect(Object.entries(parsed)[0]).toEqual(['format', 1]);
  return parsed;
}

const path = (file: string): string => join(scenarios, file);

describe.each(shipped)('%s', (file) => {
  it.each([
    ['run', 'clusters'],
    ['predict', 'clusters'],
    ['validate', 'valid'],
  ] as const)('as %s prints it', async (command, field) => {
    expect(await document(command, [path(file), '--json'])).toHaveProperty(field);
  });

  it.each(['ring', 'curve', 'explain'] as const)('as %s prints it, or why not', async (command) => {
    const lose = command === 'curve' ? ['--lose', '*'] : [];
    await document(command, [path(file), ...lose, '--json']);
  });
});

// A search predicts or runs each of its steps.
it.each(shipped.filter((_, index) => index % 6 === 1))('what find tells of %s', async (file) => {
  expect(await document('find', [path(file), '--json'])).toHaveProperty('found');
});

/** With fewer requests: a comparison of versions runs it once for each of some forty differences between them. */
function thinned(file: string): string {
  const scenario = parse(readFileSync(path(file), 'utf8')) as { readonly workloads: readonly object[] };
  const workloads = scenario.workloads.map((one) => ('arrivals' in one ? { ...one, arrivals: '50/s' } : one));
  return folder.file(file, JSON.stringify({ ...scenario, workloads }));
}

it.each(shipped.filter((_, index) => index % 12 === 0))('compare of %s with another version', async (file) => {
  await document('compare', [thinned(file), '--version-a', '1.17', '--version-b', '1.40', '--runs', '1', '--json']);
});

/** A call of each command that answers, and what its document has. */
const answers: readonly (readonly [OutputName, readonly string[], string])[] = [
  ['run', [small, '--json', '--every', '100ms'], 'clusters'],
  ['run', [small, '--json', '--replications', '2'], 'numbers'],
  ['run', [small, '--json', '--until-precision', '10%', '--replications', '2'], 'precision'],
  ['run', [small, '--json', '--batches', '2'], 'numbers'],
  ['sweep', [small, '--json', '--vary', 'seed=1,2', '--results', join(folder.path, 'a.sqlite')], 'results'],
  [
    'sweep',
    [small, '--json', '--vary', 'seed=1,2', '--minimize', 'p99', '--results', join(folder.path, 'b.sqlite')],
    'search',
  ],
  ['paper', ['maglev', '--json'], 'rows'],
  ['run', [failing, '--json', '--all'], 'expect'],
  ['serve', [small, '--json', '--pace', 'max', '--port', '0', '--at-end', 'exit'], 'clusters'],
  ['predict', [small, '--json'], 'clusters'],
  ['predict', [ring, '--json'], 'clusters'],
  ['ring', [ring, '--json'], 'tables'],
  ['ring', [ring, '--json', '--where', 'k1'], 'keys'],
  ['ring', [ring, '--json', '--against', ring], 'against'],
  ['ring', [ring, '--json', '--against', ring, '--where', 'k1'], 'keys'],
  ['ring', [ring, '--json', '--advise'], 'target'],
  ['compare', [small, '--policies', 'all', '--runs', '2', '--json'], 'sides'],
  ['compare', [ring, '--version-b', '1.40', '--runs', '1', '--all-single-host-failures', '--json'], 'sides'],
  ['race', [small, '--policies', 'RANDOM,MAGLEV', '--runs', '2', '--json'], 'scenario'],
  ['explain', [ring, '--key', 'k1', '--header', 'a=b', '--json'], 'steps'],
  ['explain', [small, '--why-not', '10.0.0.1:80', '--json'], 'host'],
  ['find', [small, '--json'], 'found'],
  ['find', [path('zones-uneven.yaml'), '--capacity', '10', '--json'], 'found'],
  ['curve', [small, '--lose', '*', '--json'], 'points'],
  ['prove', [path('zones-uneven.yaml'), '--survive', 'zone', '--json'], 'survives'],
  ['observe', [join(root, 'docs/observe/web.yaml'), join(root, 'docs/observe/counts.csv'), '--json'], 'verdict'],
  ['bounds', [small, '--json'], 'splits'],
  [
    'verify',
    [small, '--envoy', join(root, 'test/real-proxy/stand-in.mjs'), '--requests', '100', '--json'],
    'situations',
  ],
  [
    'fuzz',
    [
      '--against-proxy',
      '--envoy',
      join(root, 'test/real-proxy/stand-in.mjs'),
      '--runs',
      '1',
      '--shrink',
      '0',
      '--json',
    ],
    'differences',
  ],
  ['bench', ['--hosts', '4', '--keys', '100', '--json'], 'rings'],
  ['test', [small, failing, wrong, '--json'], 'files'],
  ['validate', [small, wrong, '--json'], 'valid'],
  [
    'validate',
    [folder.file('idle.yaml', 'clusters: [{name: web, type: EDS, connect_timeout: 1s}]\n'), '--json'],
    'valid',
  ],
  ['import', [config, '--json'], 'scenario'],
  ['import', [config, '--json', '--output', join(folder.path, 'made.yaml')], 'output'],
  ['examples', ['--json'], 'examples'],
  ['policies', ['--json'], 'policies'],
  [
    'laws',
    [
      '--command',
      `python3 ${join(root, 'examples/balancers/least.py')}`,
      '--law',
      'eligible',
      '--runs',
      '20',
      '--json',
    ],
    'laws',
  ],
];

describe('an answer', () => {
  it.each(answers)('%s %j', async (command, args, field) => {
    expect(await document(command, args)).toHaveProperty(field);
  });

  it('of every command is among them, or a line of decisions', async () => {
    const { stdout } = await lbsim(['run', ring, '--decisions', '-']);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBe(20);
    for (const line of lines) expect(strayFrom('decisions', JSON.parse(line))).toEqual([]);
    expect(new Set([...answers.map(([command]) => command), 'decisions'])).toEqual(new Set(COMMAND_LINE.outputs));
  });
});

describe('what goes wrong', () => {
  const commands = COMMAND_LINE.outputs.filter(
    (name) => !['decisions', 'examples', 'paper', 'policies', 'laws', 'test'].includes(name),
  );

  it.each(commands)('in a file of %s', async (command) => {
    const { problems } = await document(command, [wrong, '--json', ...(command === 'curve' ? ['--lose', '*'] : [])]);
    expect(problems).not.toEqual([]);
  });

  it.each(COMMAND_LINE.outputs.filter((name) => name !== 'decisions'))('in a call of %s', async (command) => {
    const { problems } = await document(command, [small, small, '--json', '--nonsense']);
    expect(problems).toMatchObject([{ rule: 'usage' }]);
  });
});

describe('a schema', () => {
  it('is printed by lbsim schema --output', async () => {
    const { code, stdout } = await lbsim(['schema', '--output', 'curve']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: readFileSync(join(root, 'schema/output/curve.schema.json'), 'utf8'),
    });
  });

  it.each([
    ['cluster', ['cluster']],
    ['--api', ['--api', 'v3']],
  ])('of what is printed has nothing to do with %s', async (word, args) => {
    const { code, stderr } = await lbsim(['schema', ...args, '--output', 'run']);
    expect(code).toBe(2);
    expect(stderr).toContain(`--output is about what a command prints, ${word} about what it reads`);
  });

  it('refuses a field that it does not know', () => {
    const told = { format: 1, valid: true, problems: [] };
    expect(strayFrom('validate', told)).toEqual([]);
    expect(strayFrom('validate', { ...told, new_field: 1 })).not.toEqual([]);
    expect(strayFrom('validate', { ...told, format: 2 })).not.toEqual([]);
  });
});
