import type { LbsimCommand } from './lbsim-command.js';
import { FILES, FORCE, positive } from './shared-options.js';

export function addFind(command: LbsimCommand): void {
  command
    .summary('find the smallest losses that cause trouble')
    .description(
      'Finds the smallest sets of hosts, of zones, and of DNS records, whose loss brings panic, failed requests, or a host above its ' +
        'capacity. Every set is judged by its exact prediction; where not all smaller sets could be tried, it says so, ' +
        'and none of the set can be spared.',
    )
    .argument(...FILES)
    .option('--json', 'print the findings as one JSON document')
    .option(
      '--capacity <N>',
      'requests a second that a host can take (default: its concurrency over its mean service time)',
      positive,
    )
    .option('--replay <OUT>', 'write a scenario of the first finding alone; "-": standard output, no report')
    .option(...FORCE)
    .scenarioOptions()
    .layoutOptions()
    .examples(
      'lbsim find prod.yaml',
      'lbsim find prod.yaml --capacity 250',
      'lbsim find prod.yaml --replay outage.yaml',
    )
    .does(async () => (await import('../commands/find.js')).findCommand);
}
