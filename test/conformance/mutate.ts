import { Command } from 'commander';
import { mutate, tableOf } from './mutations.js';

const command = new Command('alterations')
  .description('Make each recorded expectation wrong in turn, and count for which ones a replay still passes.')
  .argument('<path>', 'directory or file')
  .option('--every <n>', 'try only every nth alteration of a file', '1')
  .option('--only <pattern>', 'try only kinds of this regular expression, as "hosts"')
  .option('--simulated-only', 'do not notice that a recording contradicts itself')
  .action(async (path: string, { every, only, simulatedOnly = false }: Options) => {
    const options = { every: Number(every), only: only === undefined ? undefined : new RegExp(only), simulatedOnly };
    for (const line of tableOf(await mutate(path, options), path)) console.log(line);
  });

interface Options {
  readonly every: string;
  readonly only?: string;
  readonly simulatedOnly?: boolean;
}

await command.parseAsync();
