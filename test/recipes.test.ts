import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The recipes of CONTRIBUTING.md, by heading. */
const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  .replace(/[^]*\n## Recipes\n/, '')
  .replace(/\n## [^]*/, '')
  .split('\n### ')
  .slice(1)
  .map((text) => ({ title: text.slice(0, text.indexOf('\n')), text }));

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(/```(\w+)\n([^]*?)\n```/g)].flatMap(([, found, body = '']) =>
    found === language ? [body] : [],
  );
}

/** A copy of the sources, to which all recipes are applied, one after the other. */
const copy = mkdtempSync(join(tmpdir(), 'lbsim-recipes-'));

beforeAll(() => {
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** Blocks that begin with `// src/…` are new files. */
function newFiles(text: string): readonly string[] {
  return blocks(text, 'ts').flatMap((body) => {
    const path = /^\/\/ (src\/\S+)\n/.exec(body)?.[1];
    if (path === undefined) return [];
    expect(existsSync(join(copy, path))).toBe(false);
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), body.slice(body.indexOf('\n') + 1));
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

function lbsim(call: string): string {
  const argv = call.replace(/^lbsim /, '').split(' ');
  const options = { cwd: copy, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './scripts/typescript-register.mjs', 'src/cli/main.ts', ...argv],
    options,
  );
  return `${stdout}${stderr}`;
}

describe('recipes of CONTRIBUTING.md', () => {
  it('are those for what is added most often', () => {
    expect(recipes.map(({ title }) => title)).toEqual([
      'A policy',
      'An expectation',
      'A lint rule',
      'A timeline action',
      'A statistic',
      'A version',
    ]);
  });

  it.each(recipes)('$title: works as it stands there', ({ title, text }) => {
    const files = newFiles(text);
    const changed = changedFiles(text);
    writeFileSync(join(copy, 'scenario.yaml'), blocks(text, 'yaml')[0] ?? '');
    const [call = '', ...lines] = (blocks(text, 'console')[0] ?? '').split('\n');
    const output = lbsim(call.slice(2)).replaceAll(/\s+/g, ' ');
    for (const line of lines) expect(output).toContain(line.replaceAll(/\s+/g, ' '));
    expect(lines.length).toBeGreaterThan(0);
    if (title !== 'A policy') return;
    expect(files).toEqual(['src/policy/fewest-active.ts']);
    expect(changed).toEqual(['src/policy/registry.ts', 'src/config/load-balancing.ts', 'src/config/api/v2.txt']);
    const added = blocks(text, 'diff')
      .join('\n')
      .match(/^\+(?!import)/gm);
    expect(added).toHaveLength(changed.length);
    expect(lbsim('lbsim predict scenario.yaml')).toContain('FEWEST_ACTIVE');
    expect(lbsim('lbsim race scenario.yaml')).toContain('FEWEST_ACTIVE');
  });
});
