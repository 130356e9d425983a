import type { Command } from 'commander';
import type { Call } from './shared-options.js';
import { examples } from './shared-options.js';

export function addExamples(program: Command, call: Call): void {
  program
    .command('examples')
    .summary('list the shipped scenarios, or print one')
    .description('Lists the scenarios that come with lbsim, each with the question it answers, or prints one of them.')
    .argument('[NAME]', 'the scenario to print')
    .option('--json', 'print the list as one JSON document')
    .addHelpText(
      'after',
      examples('lbsim examples', 'lbsim examples showcase > mine.yaml', 'lbsim examples showcase | lbsim run -'),
    )
    .action((name: string | undefined, options: { readonly json?: boolean }) =>
      call(async (session) => (await import('../commands/examples.js')).examples(name, options, session)),
    );
}
