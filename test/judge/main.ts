import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { between } from '../generated/between.js';
import { groupBy } from '../../src/core/values.js';
import { falseAlarms, type JudgedPlant, plantedCauses, predictedAmong, REQUESTS, shuffled } from './causes.js';
import { coverageOf, POLICIES } from './coverage.js';
import { PLANTS } from './plants.js';
import { recordings } from './recordings.js';

const page = join(import.meta.dirname, '../../docs/fidelity.md');

await new Command('judge')
  .description('Puts `bounds` to tests of right proxies, and `observe` to recordings of a real one.')
  .option('--tests <n>', 'of each policy', '10000')
  .option('--recordings <n>', 'that are compared with their own configuration', '200')
  .option('--each <n>', 'causes of each kind that are planted', '30')
  .option('--write', 'write the tables of docs/fidelity.md')
  .action(run)
  .parseAsync();

interface Options {
  readonly tests: string;
  readonly recordings: string;
  readonly each: string;
  readonly write?: true;
}

async function run({ tests, recordings: number, each, write }: Options): Promise<void> {
  const tables = {
    judge: () => coverageTable(Number(tests)),
    causes: () => causesTable(Number(number), Number(each)),
  };
  for (const [mark, make] of Object.entries(tables)) {
    const text = await make();
    console.log(text);
    if (write === true && text !== '') writeFileSync(page, between(readFileSync(page, 'utf8'), mark, text));
  }
}

/** '': there are no recordings here. */
async function causesTable(number: number, each: number): Promise<string> {
  const all = shuffled(recordings(REQUESTS));
  if (all.length === 0) return '';
  const some = (await predictedAmong(all)).slice(0, number);
  const alarms = await falseAlarms(some);
  for (const alarm of alarms) console.error(alarm);
  const judged: JudgedPlant[] = [];
  for (const plant of Object.keys(PLANTS)) judged.push(...(await plantedCauses(plant, all, each)));
  for (const one of judged) if (one.moved && one.found !== 'first') console.error(JSON.stringify(one));
  const rows = [...groupBy(judged, ({ plant }) => plant), ['all', judged] as const].map(([plant, own]) => {
    const moved = own.filter((one) => one.moved);
    const found = (how: JudgedPlant['found']): number => moved.filter((one) => one.found === how).length;
    const noticed = moved.filter((one) => one.noticed).length;
    return `| ${plant} | ${moved.length} | ${noticed} | ${found('first')} | ${found('tied')} | ${found('later')} | ${found('no')} |`;
  });
  return [
    `Of ${some.length} recordings with their own configuration, ${alarms.length} are said not to do what it says.`,
    '',
    '| what is otherwise | moves a share by 5 points | noticed | named first | named beside the first | named later | not named |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
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
