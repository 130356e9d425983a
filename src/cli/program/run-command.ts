import type { RunOptions } from '../commands/run.js';
import { parseEvery } from '../every-option.js';
import { parsePace } from '../pace.js';
import type { LbsimCommand } from './lbsim-command.js';
import { SEED, DURATION, ALL } from './shared-options.js';

export function addRun(program: LbsimCommand): void {
  program
    .command('run')
    .summary('run a scenario and report the split')
    .description(
      'Runs a scenario and reports where the requests went and why. ' +
        'FILE is a scenario, or what a proxy is configured with: a bootstrap, clusters, assignments, routes, a config_dump, a page of /clusters; ' +
        'in v2 or v3, YAML or JSON; several files are one configuration; "-" is standard input.',
    )
    .argument('<FILE...>', 'what to run')
    .option('--json', 'print the result as one JSON document')
    .option('--csv', 'print a row per phase and host; with --every, per interval and host')
    .option(
      '--every <TIME>',
      'tell the course over time in intervals of this length, as 1s or 500ms (default: what suits the run, drawn only)',
      parseEvery,
    )
    .option('--decisions <OUT>', 'write each decision as a line of JSON to this file; "-": standard output, no report')
    .option('--sinks', 'send statistics to the stats_sinks of the scenario; without it nothing leaves this machine')
    .option(
      '--stats-file <OUT>',
      'write the lines of the sinks to this file: virtual time, proxy, sink, line; "-": standard output, no report',
    )
    .option(
      '--prometheus <OUT>',
      'write the statistics at the end in Prometheus’ text format; "-": standard output, no report',
    )
    .option('--force', 'overwrite files that exist; never one that is read')
    .option('--pace <PACE>', 'virtual time per wall time: 1x, 0.5x, 10x … or max (default: max)', parsePace)
    .option(...SEED)
    .option(...DURATION)
    .scenarioOptions()
    .option('--watch', 'run again whenever a file is saved, and mark what differs; Ctrl-C ends')
    .option('--all', ALL)
    .option('--events', 'tell what happened event by event, instead of phase by phase')
    .option('--predicted', 'show the exact shares beside what was counted, even where they agree')
    .widthOption()
    .barOptions()
    .examples(
      'lbsim run canary.yaml',
      'lbsim run canary.yaml --unhealthy zone=a --json',
      'lbsim run canary.yaml --set clusters.backend.lb_policy=MAGLEV --seed 7',
      'lbsim run canary.yaml --every 1s',
      'lbsim run canary.yaml --watch',
      'lbsim run canary.yaml --decisions decisions.jsonl',
      'lbsim run config_dump.json clusters.json',
      'lbsim run canary.yaml --sinks --pace 1x',
    )
    .does(async (command) => {
      const { watch } = command.opts<RunOptions>();
      return watch === true
        ? (await import('../commands/watch.js')).watchRun
        : (await import('../commands/run.js')).run;
    });
}
