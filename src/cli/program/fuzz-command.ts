import type { LbsimCommand } from './lbsim-command.js';
import { ENVOY, wholeNumber } from './shared-options.js';

export function addFuzz(command: LbsimCommand): void {
  command
    .summary('put random mixes of features to a real proxy, and compare')
    .description(
      'Draws clusters of random policies, priorities, weights, zones, localities, subsets, panic thresholds and host health, ' +
        'and has a real proxy on this machine and lbsim decide the same requests. What differs is asked again alone, made ' +
        'as small as it can be, and printed as a scenario. Exit code 1 if anything differs. Nothing leaves loopback.',
    )
    .requiredOption('--against-proxy', 'the judge is a real proxy')
    .option(...ENVOY)
    .option('--timelines', 'let the hosts of each mix change up to three times while the proxy runs, by EDS')
    .option('--runs <N>', 'mixes to try (default: 500)', wholeNumber(1, 1_000_000))
    .option('--seed <N>', 'of the first mixes; each seed draws 50 (default: 1)', wholeNumber(0, 2 ** 31 - 1))
    .option('--requests <N>', 'requests of each stream of a mix (default: 200)', wholeNumber(100, 1_000_000))
    .option(
      '--shrink <SECONDS>',
      'look so long for a smaller mix that differs, for each (default: 60)',
      wholeNumber(0, 3600),
    )
    .option('--save <DIR>', 'write each mix that differs as a scenario into this folder')
    .option('--json', 'print the result as one JSON document')
    .layoutOptions()
    .examples(
      'lbsim fuzz --against-proxy --runs 1000',
      'lbsim fuzz --against-proxy --runs 10000 --seed 201 --save differences',
      'lbsim fuzz --against-proxy --timelines --runs 1000',
      'lbsim fuzz --against-proxy --envoy /usr/local/bin/envoy --json',
    )
    .does(async () => (await import('../commands/fuzz.js')).fuzzCommand);
}
