import type { Command } from 'commander';
import type { Call } from './shared-options.js';
import { examples } from './shared-options.js';

export function addInit(program: Command, call: Call): void {
  program
    .command('init')
    .summary('write a scenario to start from')
    .description('Writes a small scenario with a comment on every line that matters.')
    .argument('[FILE]', 'where to; "-" is standard output', 'scenario.yaml')
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', examples('lbsim init', 'lbsim init canary.yaml', 'lbsim init - | lbsim run -'))
    .action((file: string, options: { readonly force?: boolean }) =>
      call(async (session) => (await import('../commands/init.js')).init(file, options, session)),
    );
}
