import type { Command } from 'commander';
import { Option } from 'commander';
import type { TestOptions } from '../commands/test.js';
import { OUTPUT_FORMATS } from '../output-formats.js';
import type { Call } from './shared-options.js';
import { addScenarioOptions, examples, FORCE } from './shared-options.js';

export function addTest(program: Command, call: Call): void {
  const command = program
    .command('test')
    .summary('run scenarios and check their expectations, for CI')
    .description(
      'Runs scenarios and says in a line each whether all of their expectations hold; those that do not stand below, ' +
        'with their line in the file. Exit code 1 if one fails, 2 if a file cannot be run.',
    )
    .argument('<FILE...>', "files, directories, or patterns as 'scenarios/**'")
    .option('--json', 'short for --format json')
    .addOption(
      new Option('--format <FORMAT>', 'text, one JSON document, or text with annotations of GitHub workflows')
        .choices(OUTPUT_FORMATS)
        .default('text'),
    )
    .option('--junit <OUT>', 'write the results as JUnit XML too; "-": standard output, no report')
    .option(...FORCE);
  addScenarioOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        "lbsim test 'scenarios/**'",
        'lbsim test scenarios/ --junit results.xml',
        'lbsim test tests/*.yaml --format github',
      ),
    )
    .action((files: string[], options: TestOptions) =>
      call(async (session) => (await import('../commands/test.js')).testCommand(files, options, session)),
    );
}
