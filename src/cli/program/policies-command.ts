import type { LbsimCommand } from './lbsim-command.js';

export function addPolicies(command: LbsimCommand): void {
  command
    .summary('list the policies: those of the proxy, and others')
    .description(
      'Lists the load-balancing policies that clusters may name: those of the proxy, and extensions that it has not, with their ' +
        'sources and settings.',
    )
    .option('--json', 'print the list as one JSON document')
    .examples('lbsim policies', 'lbsim run canary.yaml --set clusters.backend.lb_policy=PEAK_EWMA')
    .does(async () => (await import('../commands/policies.js')).policies);
}
