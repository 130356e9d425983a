import type { Command } from 'commander';
import type { PoliciesOptions } from '../commands/policies.js';
import type { Call } from './shared-options.js';
import { examples } from './shared-options.js';

export function addPolicies(program: Command, call: Call): void {
  program
    .command('policies')
    .summary('list the policies: those of the proxy, and others')
    .description(
      'Lists the load-balancing policies that clusters may name: those of the proxy, and extensions that it has not, with their ' +
        'sources and settings.',
    )
    .option('--json', 'print the list as one JSON document')
    .addHelpText(
      'after',
      examples('lbsim policies', 'lbsim run canary.yaml --set clusters.backend.lb_policy=PEAK_EWMA'),
    )
    .action((options: PoliciesOptions) =>
      call(async (session) => (await import('../commands/policies.js')).policies(options, session)),
    );
}
