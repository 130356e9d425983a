import { appendFileSync } from 'node:fs';
import { Command } from 'commander';
import { publicLaws } from './public-laws.js';
import { rightOnes } from './right-ones.js';

interface Options {
  readonly runs: string;
  readonly seed: string;
  readonly only: string;
  readonly log?: string;
}

await new Command('laws')
  .description(
    'Runs every law of lbsim/testing many times over our own policies and seven others that are right: none may fail.',
  )
  .option('--runs <n>', 'examples for each law and policy', '10000')
  .option('--seed <n>', 'of the examples', '1')
  .option('--only <pattern>', 'only those whose name, as `MAGLEV at 1.40 picks from subsets`, it matches', '')
  .option('--log <file>', 'append the lines to this file, too')
  .action(run)
  .parseAsync();

function run({ runs, seed, only, log }: Options): void {
  const checks = [...rightOnes(), ...publicLaws()].filter(({ name }) => new RegExp(only).test(name));
  let failed = 0;
  const say = (line: string): void => {
    console.log(line);
    if (log !== undefined) appendFileSync(log, `${line}\n`);
  };
  for (const { name, check } of checks) {
    const before = process.cpuUsage();
    let outcome = 'holds';
    try {
      check({ numRuns: Number(runs), seed: Number(seed) });
    } catch (error) {
      failed++;
      outcome = `FAILS: ${error instanceof Error ? error.message : String(error)}`;
    }
    const { user, system } = process.cpuUsage(before);
    say(`${((user + system) / 1e6).toFixed(1).padStart(7)} s  ${name}  ${outcome}`);
  }
  say(`${checks.length} laws of policies, ${runs} runs each, seed ${seed}: ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
