import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as lbsim from '../src/index.js';
import { signaturesOf } from './generated/signatures.js';
import { compilerErrors } from './generated/type-program.js';
import { examplesPrintWhatTheySay } from './support/page-examples.js';

examplesPrintWhatTheySay('docs/library.md', 'lbsim', lbsim);

it('docs/library.md has each function with its signature, and calls it', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/library.md'), 'utf8');
  const functions = Object.keys(lbsim).filter((name) => /^[a-z]/.test(name));
  expect(functions.length).toBeGreaterThan(20);
  const signatures = signaturesOf('src/index.ts');
  const rows = functions.map((name) => `| \`${signatures.get(name)?.replaceAll('|', '\\|') ?? name}\` |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  const code = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, text = '']) => text).join('\n');
  expect(functions.filter((name) => !new RegExp(`\\b${name}\\(`).test(code))).toEqual([]);
});

it('the examples of all pages compile as shown, and a wrong one does not', () => {
  const pages = ['docs/testing.md', 'docs/library.md', 'docs/policies.md'].flatMap((page) => {
    const text = readFileSync(join(import.meta.dirname, '..', page), 'utf8');
    const examples = [...text.matchAll(/```ts\n([^]*?)```/g)];
    expect(examples.length).toBeGreaterThan(0);
    return examples.map(([, code = ''], index) => [`${page.replace('/', '-')}-${index}`, code] as const);
  });
  const swallowed =
    "import { differenceAt, predict, type Scenario } from 'lbsim';\nexport const it = async (scenario: Scenario) => differenceAt(scenario, await predict(scenario), '1.40');\n";
  expect(compilerErrors(new Map([...pages, ['wrong', swallowed]]))).toEqual([
    expect.stringMatching(/^wrong:2 Argument of/),
  ]);
});
