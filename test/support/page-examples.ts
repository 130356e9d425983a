import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * Runs the examples of a page, each by itself, and holds them to what their comments say.
 *
 * @param page from the project's root.
 * @param specifier what they import.
 */
export function examplesPrintWhatTheySay(
  page: string,
  specifier: string,
  library: Readonly<Record<string, unknown>>,
): void {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const examples = [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code);

  describe(page, () => {
    it('has examples', () => {
      expect(examples.length).toBeGreaterThanOrEqual(4);
    });

    it.each(examples.map((code, index) => [index, code] as const))(
      'example %s prints what it says',
      async (_, code) => {
        const said = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value = '']) => value);
        expect(said.length).toBeGreaterThan(0);
        expect(await printed(code, specifier, library)).toEqual(said);
      },
    );

    it('names every function of the library', () => {
      const functions = Object.entries(library).flatMap(([name, value]) =>
        typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
      );
      expect(functions.filter((name) => !text.includes(`\`${name}`) && !text.includes(`${name}(`))).toEqual([]);
    });
  });
}

/** What an example prints, a text a line. */
async function printed(code: string, specifier: string, library: Readonly<Record<string, unknown>>): Promise<string[]> {
  const own = code.replace(
    new RegExp(`^import (\\{[^}]*\\}) from '${specifier}(?:/\\w+)?';$`, 'gm'),
    'const $1 = library;',
  );
  const { outputText } = ts.transpileModule(own, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => lines.push(values.map((value) => JSON.stringify(value)).join(' ')) };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the text is ours
  await new Function('library', 'console', `return (async () => {${outputText}})();`)(library, console);
  return lines;
}
