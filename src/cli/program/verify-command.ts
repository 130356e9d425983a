import type { LbsimCommand } from './lbsim-command.js';
import { ENVOY, FILES, SEED, wholeNumber } from './shared-options.js';

export function addVerify(command: LbsimCommand): void {
  command
    .summary('put a scenario to a real proxy, and compare')
    .description(
      'Gives a real proxy on this machine each state that the hosts of a scenario get into: the same clusters, the same ' +
        'hosts with the same health, weights and places, the same keys. Compares shares, the host of every key, the order of ' +
        'picks and what balancers count. Exit code 1 if they differ. Nothing leaves loopback.',
    )
    .argument(...FILES)
    .option(...ENVOY)
    .option('--requests <N>', 'requests of each workload in each state (default: 1000)', wholeNumber(100, 1_000_000))
    .option('--live', 'let one proxy go through all states: hosts change by EDS while it runs')
    .option('--json', 'print all that was compared as one JSON document')
    .option(...SEED)
    .scenarioOptions()
    .layoutOptions('list every host and every statistic, those that agree too')
    .examples(
      'lbsim verify scenarios/zone-dying.yaml',
      'lbsim verify scenarios/rolling-deploy.yaml --live',
      'lbsim verify envoy.yaml --hosts backend=10.0.0.1:80,10.0.0.2:80',
      'lbsim verify scenarios/tiny-ring.yaml --envoy /usr/local/bin/envoy --requests 10000',
    )
    .does(async () => (await import('../commands/verify.js')).verifyCommand);
}
