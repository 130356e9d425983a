import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { between } from '../generated/between.js';
import { coverageOf, POLICIES } from './coverage.js';

const page = join(import.meta.dirname, '../../docs/fidelity.md');

await new Command('judge')
  .description('Puts `bounds` to tests of right proxies.')
  .option('--tests <n>', 'of each policy', '10000')
  .option('--write', 'write the table of docs/fidelity.md')
  .action(run)
  .parseAsync();

interface Options {
  readonly tests: string;
  readonly write?: true;
}

async function run({ tests, write }: Options): Promise<void> {
  const text = await coverageTable(Number(tests));
  console.log(text);
  if (write === true) writeFileSync(page, between(readFileSync(page, 'utf8'), 'judge', text));
}

async function coverageTable(tests: number): Promise<string> {
  const rows: string[] = [];
  for (const [name, policy] of Object.entries(POLICIES)) {
    const { failed, narrower } = await coverageOf(policy, tests);
    rows.push(`| ${name} | ${failed} | ${narrower} |`);
  }
  return [
    `| ${tests.toLocaleString('en')} tests of 200 requests, at a chance of 0.001 | fail | would fail with bounds closer by one request |`,
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
