import type { LbsimCommand } from './lbsim-command.js';
import { JOBS, wholeNumber } from './shared-options.js';

export function addPaper(command: LbsimCommand): void {
  command
    .summary('put ours beside published tables')
    .description(
      'Lists published tables, or runs the scenarios of one and puts ours beside theirs with 95 % intervals. Exit code 1 where they ' +
        'differ without a known reason.',
    )
    .argument('[NAME...]', 'the paper; all: every one')
    .option('--replications <N>', 'runs of each row (default: as the paper wants)', wholeNumber(1, 100_000))
    .option(...JOBS)
    .option('--json', 'print the comparison as one JSON document')
    .option('--markdown', 'print chapters of a page')
    .widthOption()
    .examples('lbsim paper', 'lbsim paper supermarket --replications 30')
    .does(async () => (await import('../commands/paper.js')).paperCommand);
}
