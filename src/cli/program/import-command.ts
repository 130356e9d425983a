import type { LbsimCommand } from './lbsim-command.js';
import { FORCE, gather } from './shared-options.js';

export function addImport(command: LbsimCommand): void {
  command
    .summary('turn a proxy’s configuration into a scenario')
    .description(
      'Writes a scenario of a configuration in any of the forms that `lbsim run` takes, and of pages of /stats: one, or ' +
        'two with the time between them, in any format; their rates become workloads. What balances nothing is left ' +
        'out, with a comment; keys, certificates, tokens and headers never get into it, nor into a message.',
    )
    .argument('<FILE...>', 'what to import; "-" is standard input')
    .option('-o, --output <OUT>', 'where to; "-" is standard output', '-')
    .option('--json', 'print what became of the files, and a scenario that goes nowhere else, as one JSON document')
    .option(...FORCE)
    .option('--stats-interval <TIME>', 'the time between two pages of /stats, as 60s; the older one is named first')
    .option('--uptime <TIME>', 'the age of the counters of one page of /stats (default: its server.uptime)')
    .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
    .hostsOption()
    .apiOption()
    .examples(
      'lbsim import config_dump.json clusters.json -o prod.yaml',
      'lbsim import bootstrap.yaml stats-1.json stats-2.json --stats-interval 60s',
      'lbsim import config_dump.json | lbsim run -',
    )
    .does(async () => (await import('../commands/import.js')).importCommand);
}
