import type { LbsimCommand } from './lbsim-command.js';
import { DURATION, FILES, FORCE, JOBS, SEED, wholeNumber } from './shared-options.js';

export function addRace(command: LbsimCommand): void {
  command
    .summary('run one scenario under many policies, and rank them')
    .description(
      'Runs a scenario under each policy with the same seeds: the proxy’s own, the extensions of `lbsim policies`, and those that ' +
        '--policy names. Says who fails least, latency, how unevenly hosts are loaded (peak to mean, Jain’s index, coefficient of ' +
        'variation), and of hashing policies how many keys move without need where a host is lost.',
    )
    .argument(...FILES)
    .option('--json', 'print the race as one JSON document')
    .option('--policies <LIST>', 'only these, as ROUND_ROBIN,PEAK_EWMA (default: all)')
    .option(
      '--replications, --runs <N>',
      'runs of each policy, each with another seed (default: 10, less where they are long)',
      wholeNumber(1, 1000),
    )
    .option(...JOBS)
    .option(...SEED)
    .option(...DURATION)
    .scenarioOptions()
    .pageOptions()
    .option(...FORCE)
    .layoutOptions()
    .barOptions()
    .examples(
      'lbsim race scenarios/least-request-slow-host.yaml',
      'lbsim race canary.yaml --policies LEAST_REQUEST,PEAK_EWMA,mine --policy mine=./my-policy.mjs',
    )
    .does(async () => (await import('../commands/race.js')).raceCommand);
}
