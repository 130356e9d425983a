import type { Command } from 'commander';
import type { FindOptions } from '../commands/find.js';
import type { Call } from './shared-options.js';
import { addLayoutOptions, addScenarioOptions, examples, FORCE, positive } from './shared-options.js';

export function addFind(program: Command, call: Call): void {
  const command = program
    .command('find')
    .summary('find the smallest losses that cause trouble')
    .description(
      'Finds the smallest sets of hosts, of zones, and of DNS records, whose loss brings panic, failed requests, or a host above its ' +
        'capacity. Every set is judged by its exact prediction; where not all smaller sets could be tried, it says so, ' +
        'and none of the set can be spared.',
    )
    .argument('<FILE...>', 'as of `lbsim run`; "-" is standard input')
    .option('--json', 'print the findings as one JSON document')
    .option(
      '--capacity <N>',
      'requests a second that a host can take (default: its concurrency over its mean service time)',
      positive,
    )
    .option('--replay <OUT>', 'write a scenario of the first finding alone; "-": standard output, no report')
    .option(...FORCE);
  addScenarioOptions(command);
  addLayoutOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        'lbsim find prod.yaml',
        'lbsim find prod.yaml --capacity 250',
        'lbsim find prod.yaml --replay outage.yaml',
      ),
    )
    .action((files: string[], options: FindOptions) =>
      call(async (session) => (await import('../commands/find.js')).findCommand(files, options, session)),
    );
}
