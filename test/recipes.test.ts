import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The recipes of docs/recipes.md, by heading, behind that of a policy, which has a page of its own. */
const recipes = ['docs/new-policy.md', 'docs/recipes.md'].flatMap((page) =>
  readFileSync(join(root, page), 'utf8')
    .split('\n## ')
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')), text })),
);

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(/```(\w+)\n([^]*?)\n```/g)].flatMap(([, found, body = '']) =>
    found === language ? [body] : [],
  );
}

/** What recipes change, and what knows where it lies. */
const COPIED = [
  ...['src', 'test', 'docs', 'schema', 'scripts', 'bench', 'CONTRIBUTING.md', 'README.md', 'package.json'],
  ...['tsconfig.json', 'vitest.config.ts'],
];
const LINKED = ['node_modules', 'scenarios'];

/** Tests that look at lists of what there is; those of generated pages write them anew, as `npm run docs` does. Recordings that are written anew hold nothing. */
const RELATED = [
  'test/cli/commands.test.ts',
  'test/config/protobuf/coverage.test.ts',
  'test/core/quirks.test.ts',
  'test/generated.test.ts',
  'test/layers.test.ts',
  'test/scenario/lint/advice.test.ts',
  'test/scenario/lint/rules.test.ts',
  'test/scenario/load.test.ts',
  'test/scenario/problems.test.ts',
  'test/scenario/units.test.ts',
  'test/stats/stat-names.test.ts',
  'test/stats/stats-page.test.ts',
];

/** A copy of the sources, to which all recipes are applied, one after the other. */
const copy = mkdtempSync(join(tmpdir(), 'lbsim-recipes-'));

beforeAll(() => {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(root, name), join(copy, name));
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** Files that the recipes wrote or changed. */
const touched = new Set<string>();

/** Blocks that begin with `// src/…` or `// test/…` are new files. */
function newFiles(text: string): readonly string[] {
  return blocks(text, 'ts').flatMap((body) => {
    const path = /^\/\/ ((?:src|test)\/\S+)\n/.exec(body)?.[1];
    if (path === undefined) return [];
    expect(existsSync(join(copy, path))).toBe(false);
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), `${body.slice(body.indexOf('\n') + 1)}\n`);
    return [path];
  });
}

/** `+` lines follow the line before them, `-` lines go. Each file is walked once, from its beginning. */
function changedFiles(text: string): readonly string[] {
  return blocks(text, 'diff').flatMap((diff) =>
    diff
      .split(/^--- /m)
      .slice(1)
      .map((part) => {
        const [path = '', ...changes] = part.trimEnd().split('\n');
        const lines = readFileSync(join(copy, path), 'utf8').split('\n');
        let at = 0;
        let rest = '';
        for (const change of changes) {
          // What follows the three dots stays as it is.
          const [line = '', open] = change.slice(1).split('…');
          if (change.startsWith('+')) {
            lines.splice(at, 0, open === undefined ? line : line + rest);
            at++;
            continue;
          }
          const found = lines.findIndex(
            (each, index) => index >= at && (open === undefined ? each === line : each.startsWith(line)),
          );
          expect({ path, line, found: found >= 0 }).toEqual({ path, line, found: true });
          rest = (lines[found] ?? '').slice(line.length);
          if (change.startsWith('-')) lines.splice(found, 1);
          at = change.startsWith('-') ? found : found + 1;
        }
        writeFileSync(join(copy, path), lines.join('\n'));
        return path;
      }),
  );
}

/** What `tsc` and `eslint FILE…` say: of one program, as each takes half a minute to make it. */
const CHECK = `
import { ESLint } from 'eslint';
import ts from 'typescript';
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const program = ts.createProgram(fileNames, options);
const found = [...errors, ...ts.getPreEmitDiagnostics(program)];
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => '\\n' };
process.stdout.write(ts.formatDiagnostics(found, host));
const overrideConfig = { languageOptions: { parserOptions: { projectService: false, programs: [program] } } };
const eslint = new ESLint({ overrideConfigFile: 'scripts/eslint.config.mjs', overrideConfig });
const { format } = await eslint.loadFormatter();
process.stdout.write(await format(await eslint.lintFiles(process.argv.slice(1))));
`;

function node(...argv: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: copy, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

function lbsim(call: string): string {
  const argv = call.replace(/^lbsim /, '').split(' ');
  return node('--import', './scripts/typescript-register.mjs', 'src/cli/main.ts', ...argv).said;
}

describe('docs/new-policy.md and docs/recipes.md', () => {
  it('are those for what is added most often', () => {
    expect(recipes.map(({ title }) => title)).toEqual([
      'A policy',
      'An expectation',
      'A lint rule',
      'A timeline action',
      'A statistic',
      'A command',
      'A version',
    ]);
  });

  it.each(recipes)('$title: works as it stands there', ({ title, text }) => {
    const files = newFiles(text);
    const changed = changedFiles(text);
    for (const file of [...files, ...changed]) touched.add(file);
    writeFileSync(join(copy, 'scenario.yaml'), blocks(text, 'yaml')[0] ?? '');
    const [call = '', ...lines] = (blocks(text, 'console')[0] ?? '').split('\n');
    const output = lbsim(call.slice(2)).replaceAll(/\s+/g, ' ');
    for (const line of lines) expect(output).toContain(line.replaceAll(/\s+/g, ' '));
    expect(lines.length).toBeGreaterThan(0);
    if (title !== 'A policy') return;
    expect(files).toEqual(['src/policy/fewest-active.ts', 'test/policy/fewest-active.test.ts']);
    expect(changed.filter((file) => file.startsWith('src/'))).toEqual([
      'src/policy/policy-facts.yaml',
      'src/policy/registry.ts',
      'src/policy/policy-of.ts',
      'src/config/api/v2.txt',
    ]);
    expect(lbsim('lbsim predict scenario.yaml')).toContain('FEWEST_ACTIVE');
    expect(lbsim('lbsim race scenario.yaml')).toContain('FEWEST_ACTIVE');
  });

  const sources = (): readonly string[] => [...touched].filter((file) => file.endsWith('.ts'));

  it('leave tests that pass', () => {
    const own = sources().filter((file) => file.endsWith('.test.ts') && !RELATED.includes(file));
    const run = node('node_modules/vitest/vitest.mjs', 'run', ...RELATED, ...own, '--update', '--maxWorkers=1');
    expect(own).toEqual(['test/policy/fewest-active.test.ts']);
    expect(run.status, run.said).toBe(0);
  });

  it('leave nothing that the compiler or the linter has to say', () => {
    expect(node('--input-type=module', '--eval', CHECK, ...sources())).toEqual({ status: 0, said: '' });
  });
});
