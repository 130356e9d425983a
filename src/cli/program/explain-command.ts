import type { LbsimCommand } from './lbsim-command.js';
import { FILES, SEED, DURATION, gather } from './shared-options.js';

export function addExplain(command: LbsimCommand): void {
  command
    .summary('explain one decision step by step, or why a host gets little')
    .description(
      'Runs until a moment and asks the balancer for one request more: every number that it compares, every draw, ' +
        'every fallback, in its order. With --why-not HOST: why this host gets nothing, or less than its weight ' +
        'says, over the whole run. With --request N: everything that happens to one request of the run: route, attempts, hosts, ' +
        'connections, limits, time-outs, retries, its end. --cluster NAME says which cluster is asked; --all adds the rule to each step.',
    )
    .argument(...FILES)
    .option('--json', 'print the steps as one JSON document')
    .option('--at <TIME>', 'when, as 12.3s (default: at the start)')
    .option('--key <KEY>', 'the request has this key')
    .option('--hash-key <KEY>', 'the same')
    .option('--hash <NUMBER>', 'the request has this hash, whatever its key')
    .option('--metadata <NAME=VALUE>', 'what the route asks of subsets; or JSON; repeatable', gather)
    .option('--header <NAME=VALUE>', 'a header of the request; repeatable', gather)
    .option('--proxy <NAME>', 'which proxy decides (default: the first)')
    .option('--worker <NUMBER>', 'which of its workers (default: 0)')
    .option('--random <N,N…>', 'values that are drawn, then 0 (default: those that the worker draws next)')
    .option('--request <N>', 'the whole way of request number N of the run, from 0 as --decisions counts them')
    .option('--why-not <HOST>', 'why does this host get nothing, or little?')
    .option(...SEED)
    .option(...DURATION)
    .scenarioOptions()
    .layoutOptions()
    .examples(
      'lbsim explain canary.yaml',
      'lbsim explain canary.yaml --at 12.3s --metadata version=2',
      'lbsim explain sticky.yaml --cluster backend --key user-7',
      'lbsim explain canary.yaml --request 17',
      'lbsim explain canary.yaml --why-not 10.0.0.3:80',
    )
    .does(async () => (await import('../commands/explain.js')).explainCommand);
}
