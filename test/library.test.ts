import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as lbsim from '../src/index.js';

const page = readFileSync(join(import.meta.dirname, '../docs/library.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code);

/** What an example prints, a text a line. */
async function printed(code: string): Promise<string[]> {
  const { outputText } = ts.transpileModule(code.replace(/^import (\{[^}]*\}) from 'lbsim';$/m, 'const $1 = lbsim;'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const lines: string[] = [];
  const console = { log: (value: unknown) => lines.push(JSON.stringify(value)) };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the text is ours: docs/library.md
  await new Function('lbsim', 'console', `return (async () => {${outputText}})();`)(lbsim, console);
  return lines;
}

describe('docs/library.md', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  it.each(examples.map((code, index) => [index, code] as const))('example %s prints what it says', async (_, code) => {
    const said = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value = '']) => value);
    expect(said.length).toBeGreaterThan(0);
    expect(await printed(code)).toEqual(said);
  });

  it('names every function of the library', () => {
    const functions = Object.entries(lbsim).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
    );
    expect(functions.filter((name) => !page.includes(`| \`${name}(`))).toEqual([]);
  });
});
