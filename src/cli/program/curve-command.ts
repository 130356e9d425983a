import type { Command } from 'commander';
import type { CurveOptions } from '../commands/curve.js';
import type { Call } from './shared-options.js';
import { addLayoutOptions, addScenarioOptions, examples } from './shared-options.js';

export function addCurve(program: Command, call: Call): void {
  const command = program
    .command('curve')
    .summary('lose hosts one by one, and see when things change')
    .description(
      'Loses the hosts of a selector one by one, in their order, and predicts the split, the failures and panic after ' +
        'each: where does panic begin, when do requests fail?',
    )
    .argument('<FILE...>', 'as of `lbsim run`; "-" is standard input')
    .option('--lose <SELECTOR>', 'which hosts go, as zone=a, priority=0, 10.0.0.0/24')
    .option('--json', 'print the points as one JSON document');
  addScenarioOptions(command);
  addLayoutOptions(command);
  command
    .addHelpText(
      'after',
      examples('lbsim curve prod.yaml --lose zone=a', 'lbsim curve prod.yaml --lose priority=0 --json'),
    )
    .action((files: string[], options: CurveOptions) =>
      call(async (session) => (await import('../commands/curve.js')).curveCommand(files, options, session)),
    );
}
