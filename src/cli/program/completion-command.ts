import { Argument } from 'commander';
import { completionScript, type Shell, SHELLS } from '../completion.js';
import type { Session } from '../session.js';
import type { LbsimCommand } from './lbsim-command.js';

export function addCompletion(command: LbsimCommand, program: LbsimCommand): void {
  command
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script that completes commands, options and files. bash: source <(lbsim completion bash) in ~/.bashrc; ' +
        'zsh: the same in ~/.zshrc, after compinit; fish: lbsim completion fish > ~/.config/fish/completions/lbsim.fish',
    )
    .addArgument(new Argument('<SHELL>', 'for which shell').choices(SHELLS))
    .examples('source <(lbsim completion bash)')
    .does(() =>
      Promise.resolve((shell: Shell, _: unknown, { out }: Session) => out.write(completionScript(program, shell))),
    );
}
