import type { LbsimCommand } from './lbsim-command.js';

export function addInit(command: LbsimCommand): void {
  command
    .summary('write a scenario, or a policy, to start from')
    .description(
      'Writes a small scenario, or with --policy a policy of your own and its test, with a comment on every line that matters.',
    )
    .argument('[FILE]', 'where to; "-" is standard output', 'scenario.yaml')
    .option('--policy', 'write a load-balancing policy as a module, and its test beside it')
    .option('--force', 'overwrite the file if it exists')
    .examples('lbsim init', 'lbsim init canary.yaml', 'lbsim init - | lbsim run -', 'lbsim init --policy my-policy.mjs')
    .does(async () => (await import('../commands/init.js')).init);
}
