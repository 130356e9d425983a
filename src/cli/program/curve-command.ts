import type { LbsimCommand } from './lbsim-command.js';
import { FILES } from './shared-options.js';

export function addCurve(command: LbsimCommand): void {
  command
    .summary('lose hosts one by one, and see when things change')
    .description(
      'Loses the hosts of a selector one by one, in their order, and predicts the split, the failures and panic after ' +
        'each: where does panic begin, when do requests fail?',
    )
    .argument(...FILES)
    .option('--lose <SELECTOR>', 'which hosts go, as zone=a, priority=0, 10.0.0.0/24')
    .option('--json', 'print the points as one JSON document')
    .scenarioOptions()
    .layoutOptions()
    .examples('lbsim curve prod.yaml --lose zone=a', 'lbsim curve prod.yaml --lose priority=0 --json')
    .does(async () => (await import('../commands/curve.js')).curveCommand);
}
