import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Shell } from '../completion.js';
import { completionScript, SHELLS } from '../completion.js';
import { ExitCode } from '../exit-code.js';
import type { Call } from './shared-options.js';
import { examples } from './shared-options.js';

export function addCompletion(program: Command, call: Call): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script that completes commands, options and files. bash: source <(lbsim completion bash) in ~/.bashrc; ' +
        'zsh: the same in ~/.zshrc, behind compinit; fish: lbsim completion fish > ~/.config/fish/completions/lbsim.fish',
    )
    .addArgument(new Argument('<SHELL>', 'for which shell').choices(SHELLS))
    .addHelpText('after', examples('source <(lbsim completion bash)'))
    .action((shell: Shell) =>
      call(async (session) => {
        await session.out.write(completionScript(program, shell));
        return ExitCode.ok;
      }),
    );
}
