import type { LbsimCommand } from './lbsim-command.js';
import { FILES, FORCE } from './shared-options.js';

export function addPredict(command: LbsimCommand): void {
  command
    .summary('compute the exact split without running anything')
    .description(
      'Works out the split from the rules: exact shares per phase, host, locality, priority and subset. ' +
        'Beside them stand the gates that act (panic, spill, zones, subsets), in the words of `run`. ' +
        'Least request among busy hosts comes from a model, with an estimate of its error. Where nothing is known it says so.\n\n' +
        '--json: clusters.NAME.phases[] with method (exact; numeric and approximate with their error; none with why_not), reasons, ' +
        'requests, hosts[].share and how far a sample strays from it, localities, priorities, subsets, no_host.',
    )
    .argument(...FILES)
    .option('--json', 'print the prediction as one JSON document')
    .option('--duration <TIME>', 'virtual time to predict, as 30s or 5m')
    .scenarioOptions()
    .pageOptions()
    .option(...FORCE)
    .layoutOptions()
    .barOptions()
    .examples(
      'lbsim predict canary.yaml',
      'lbsim predict canary.yaml --unhealthy zone=a',
      'lbsim predict canary.yaml --json',
    )
    .does(async () => (await import('../commands/predict.js')).predictCommand);
}
