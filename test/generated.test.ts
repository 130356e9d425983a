import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaText } from '../src/cli/commands/schema.js';
import { COMMAND_LINE } from '../src/cli/program/generated/commands.js';
import { textReport } from '../src/report/run/text-report.js';
import { schemaOf } from '../src/scenario/scenario.js';
import { loadScenario } from '../src/scenario/load.js';
import { runScenario } from '../src/analysis/run/run-scenario.js';
import { apiPages } from './generated/api-pages.js';
import { unexportedTypes } from './generated/reachable-types.js';
import { between } from './generated/between.js';
import { errorsPage, explained } from './generated/errors-page.js';
import { lintPage } from './generated/lint-page.js';
import { MARKING_PAINT, terminalPicture } from './generated/picture.js';
import { outputSchemas } from './generated/output-schemas.js';
import { referencePages } from './generated/reference.js';
import { versionTables } from './generated/versions.js';

/**
 * Files that are written from the code: `npm run docs` writes them, and this holds them current.
 */
const root = join(import.meta.dirname, '..');
const pages = referencePages();
/** All of src/ but the table of problems itself. */
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('core/generated/problems.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

describe('schema/', () => {
  it.each(['scenario', 'cluster', 'bootstrap'] as const)('%s.schema.json is what lbsim schema prints', async (kind) => {
    await expect(schemaText(schemaOf(kind))).toMatchFileSnapshot(join(root, 'schema', `${kind}.schema.json`));
  });

  it.each(['scenario', 'cluster'] as const)('%s.v3.schema.json is what lbsim schema --api v3 prints', async (kind) => {
    const file = join(root, 'schema', `${kind}.v3.schema.json`);
    await expect(schemaText(schemaOf(kind, 'v3'))).toMatchFileSnapshot(file);
  });
});

describe('schema/output/', () => {
  const schemas = outputSchemas();

  it.each([...schemas])('%s.schema.json is what its types say', async (name, schema) => {
    const file = join(root, 'schema/output', `${name}.schema.json`);
    await expect(schemaText(schema)).toMatchFileSnapshot(file);
  });

  it('has no schema of what is gone, and lbsim schema --output knows all', () => {
    const files = readdirSync(join(root, 'schema/output')).sort();
    expect(files).toEqual([...schemas.keys()].map((name) => `${name}.schema.json`).sort());
    expect([...COMMAND_LINE.outputs].sort()).toEqual([...schemas.keys()].sort());
  });
});

describe('docs/run.svg', () => {
  it('is a run as a terminal shows it', async () => {
    const text = readFileSync(join(root, 'scenarios/zone-outage.yaml'), 'utf8');
    const { scenario } = loadScenario({ file: 'zone-outage.yaml', text });
    if (scenario === undefined) throw new Error('the scenario does not load');
    const output = textReport(await runScenario(scenario), {
      width: 80,
      bars: true,
      paint: MARKING_PAINT,
      all: false,
      expectations: scenario.expect,
    });
    const picture = terminalPicture('lbsim run scenarios/zone-outage.yaml', output, 80);
    await expect(picture).toMatchFileSnapshot(join(root, 'docs/run.svg'));
  });
});

describe('docs/errors.md', () => {
  it('tells of every problem', async () => {
    await expect(errorsPage()).toMatchFileSnapshot(join(root, 'docs/errors.md'));
  });

  it.each([...explained()])('%s is told of somewhere, and says why and what to do', (name, { why, fix }) => {
    expect([`'${name}'`, `"rule":"${name}"`].some((told) => sources.includes(told))).toBe(true);
    for (const sentence of [why, fix]) expect(sentence).toMatch(/^.{6,}[.`]$/s);
  });
});

describe('docs/lint.md', () => {
  it('tells of every rule', async () => {
    await expect(lintPage()).toMatchFileSnapshot(join(root, 'docs/lint.md'));
  });
});

describe('docs/fidelity.md', () => {
  it('has the tables of versions and of what differs between them', async () => {
    const file = join(root, 'docs/fidelity.md');
    await expect(between(readFileSync(file, 'utf8'), 'versions', versionTables())).toMatchFileSnapshot(file);
  });
});

describe('docs/reference/', () => {
  it.each([...pages])('%s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(join(root, 'docs/reference', name));
  });

  it('has no page of a message that is gone', () => {
    expect(readdirSync(join(root, 'docs/reference')).sort()).toEqual([...pages.keys()].sort());
  });

  it('says of every field what it is and what becomes of it', () => {
    expect(pages.size).toBeGreaterThan(80);
    for (const [name, page] of pages) {
      for (const row of page.split('\n').filter((line) => line.startsWith('| `'))) {
        const cells = row
          .replaceAll('\\|', '/')
          .split('|')
          .map((cell) => cell.trim());
        expect({ name, row, cells: cells.length }).toEqual({ name, row, cells: 7 });
        expect(cells[2]).not.toMatch(/^(|custom|undefined)$/);
        expect(cells[4]).not.toBe('');
        expect(cells[5]).toMatch(/^(acted on|checked only|not simulated: )/);
      }
      expect(page).not.toMatch(/^\* +\(/m);
    }
  });
});

it.each(['index.ts', 'policies/index.ts', 'policies/hashing/index.ts', 'testing/index.ts'])(
  'src/%s exports every type that its types name',
  (door) => {
    expect(unexportedTypes(join(root, 'src', door))).toEqual([]);
  },
);

it('a type that is not exported is found, with the way to it', () => {
  const found = unexportedTypes(join(root, 'src/index.ts'), ['Severity']);
  expect(found).toEqual(['Problem > Severity']);
});

describe('docs/api/', () => {
  const all = apiPages();

  it.each([...all])('%s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(join(root, 'docs/api', name));
  });

  it('has no page of a door that is gone', () => {
    expect(readdirSync(join(root, 'docs/api')).sort()).toEqual([...all.keys()].sort());
  });

  it('says of every function what it does', () => {
    const undescribed = [...all.values()].flatMap((page) => {
      const [, functions = ''] = /\n## Functions\n([^]*?)\n## /.exec(page) ?? [];
      return [...functions.matchAll(/^### `(\w+)`\n\n```/gm)].map(([, name]) => name);
    });
    expect(undescribed).toEqual([]);
  });
});
