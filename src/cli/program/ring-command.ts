import type { LbsimCommand } from './lbsim-command.js';
import { gather, positive } from './shared-options.js';

export function addRing(command: LbsimCommand): void {
  command
    .summary('show the table of a RING_HASH or MAGLEV cluster')
    .description(
      'Shows the hash tables of a cluster: their size, who owns how much, how even that is, who serves a key. ' +
        'Without CLUSTER, or --cluster NAME, it takes the first cluster whose policy is RING_HASH or MAGLEV.',
    )
    .argument('<FILE...>', 'as of `lbsim run`; "-" is standard input; after them a name of no file is the CLUSTER')
    .option('--json', 'print the tables as one JSON document')
    .option('--keys <KEYS.txt>', 'print key, tab, address for each line of this file; "-" is standard input')
    .option('--where <KEY>', 'print key, tab, address of this key; repeatable', gather)
    .option('--against <FILE>', 'which part of all keys has another host there; with --where: who serves the key there')
    .option(
      '--advise [PERCENT]',
      'which size of ring or Maglev table keeps the busiest host at most so much above its fair part (default: 5)',
      positive,
    )
    .option('--dump', 'print every entry in table order: hash (ring) or slot (Maglev), tab, address')
    .scenarioOptions()
    .layoutOptions('show every host, however many')
    .barOptions()
    .examples(
      'lbsim ring sticky.yaml',
      'lbsim ring sticky.yaml backend --keys users.txt',
      'lbsim ring sticky.yaml --set clusters.backend.lb_policy=MAGLEV --json',
      'lbsim ring sticky.yaml --dump | head',
    )
    .does(async () => (await import('../commands/ring.js')).ring);
}
