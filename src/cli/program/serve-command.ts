import { parsePace } from '../pace.js';
import { AT_END, gatherNames, parseHost, parsePort } from '../serve-options.js';
import type { LbsimCommand } from './lbsim-command.js';
import { SEED, DURATION } from './shared-options.js';

export function addServe(command: LbsimCommand): void {
  command
    .summary('run a scenario live and serve the admin interface')
    .description(
      'Runs a scenario at the pace of the clock and serves what an operator knows of a proxy: /clusters, /stats, ' +
        '/config_dump, /server_info, /ready, and /dashboard_event_stream for a circuit-breaker dashboard; and the playground with the scenario at ' +
        '/playground/. All of it only reads. With several proxies these are about the first; /proxies/<name>/… is about another.',
    )
    .argument('[FILE]', 'what to run (default: the showcase)')
    .option('--pace <PACE>', 'virtual time per wall time: 1x, 10x … or max', parsePace, 1)
    .option('--port <PORT>', 'where to listen; 0: any port that is free', parsePort, 9901)
    .option('--host <ADDRESS>', 'address to listen on; by default this machine alone gets in', parseHost, '127.0.0.1')
    .option('--allow-host <NAME>', 'a name under which clients may come, beside addresses; repeatable', gatherNames)
    .choice('--at-end <WHAT>', 'when the run is over: serve its final state, exit, or run it again', AT_END, 'hold')
    .option('--json', 'print the result at the end as one JSON document')
    .option('--sinks', 'send statistics to the stats_sinks of the scenario too')
    .option(...SEED)
    .option(...DURATION)
    .scenarioOptions()
    .examples(
      'lbsim serve canary.yaml',
      'lbsim serve canary.yaml --pace 10x --port 8080 --at-end repeat',
      'curl http://127.0.0.1:9901/clusters',
    )
    .does(async () => (await import('../commands/serve.js')).serve);
}
