import type { LbsimCommand } from './lbsim-command.js';

export function addExamples(command: LbsimCommand): void {
  command
    .summary('list the shipped scenarios, or print one')
    .description('Lists the scenarios that come with lbsim, each with the question it answers, or prints one of them.')
    .argument('[NAME]', 'the scenario to print')
    .option('--json', 'print the list as one JSON document')
    .examples('lbsim examples', 'lbsim examples showcase > mine.yaml', 'lbsim examples showcase | lbsim run -')
    .does(async () => (await import('../commands/examples.js')).examples);
}
