import { OUTPUT_FORMATS } from '../output-formats.js';
import type { LbsimCommand } from './lbsim-command.js';
import { FORCE } from './shared-options.js';

export function addTest(command: LbsimCommand): void {
  command
    .summary('run scenarios and check their expectations, for CI')
    .description(
      'Runs scenarios and says in a line each whether all of their expectations hold; those that do not stand below, ' +
        'with their line in the file. Exit code 1 if one fails, 2 if a file cannot be run.',
    )
    .argument('<FILE...>', "files, directories, or patterns as 'scenarios/**'")
    .option('--json', 'short for --format json')
    .choice(
      '--format <FORMAT>',
      'text, one JSON document, or text with annotations of GitHub workflows',
      OUTPUT_FORMATS,
      'text',
    )
    .option('--junit <OUT>', 'write the results as JUnit XML too; "-": standard output, no report')
    .option(...FORCE)
    .scenarioOptions()
    .examples(
      "lbsim test 'scenarios/**'",
      'lbsim test scenarios/ --junit results.xml',
      'lbsim test tests/*.yaml --format github',
    )
    .does(async () => (await import('../commands/test.js')).testCommand);
}
