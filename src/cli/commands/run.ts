import { InvalidArgumentError } from 'commander';
import { parsePercent } from '../../scenario/fields/units.js';
import { run, type RunOptions } from '../runs/run-once.js';
import type { Session } from '../session.js';
import { UsageError } from '../errors.js';
import { parseEvery, parsePace } from '../pace.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import { ALL, DURATION, JOBS, SEED, WARMUP, wholeNumber } from '../program/shared-options.js';

export function addRun(command: LbsimCommand): void {
  command
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
    .pageOptions()
    .option('--force', 'overwrite files that exist; never one that is read')
    .option('--pace <PACE>', 'virtual time per wall time: 1x, 0.5x, 10x … or max (default: max)', parsePace)
    .option(...SEED)
    .option(...DURATION)
    .option(...WARMUP)
    .scenarioOptions()
    .option(
      '--replications <N>',
      'run under N seeds, and tell means with their 95 % confidence intervals',
      wholeNumber(2, 100_000),
    )
    .option(
      '--until-precision <PART>',
      'runs until shares and latencies are known to this, as 1%: 10 or more, and at most as many as --replications',
      parsePrecision,
    )
    .option('--batches <N>', 'the same intervals of one long run, cut into N stretches', wholeNumber(2, 10_000))
    .option(...JOBS)
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
      'lbsim run canary.yaml --replications 20 --warmup 10s',
      'lbsim run canary.yaml --decisions decisions.jsonl',
      'lbsim run config_dump.json clusters.json',
      'lbsim run canary.yaml --sinks --pace 1x',
      'lbsim run canary.yaml --html report.html',
    )
    .does(async (files: readonly string[], options: RunOptions, session: Session) => {
      if (isReplicated(options)) return (await import('../runs/replicate.js')).replicate(files, options, session);
      if (options.jobs !== undefined) {
        throw new UsageError('--jobs: one run has one thread; there are more with --replications');
      }
      if (options.watch === true) return (await import('../runs/watch.js')).watchRun(files, options, session);
      return run(files, options, session);
    });
}

function isReplicated({ replications, untilPrecision, batches }: RunOptions): boolean {
  return replications !== undefined || untilPrecision !== undefined || batches !== undefined;
}

/** `1%` or `0.01`. */
function parsePrecision(text: string): number {
  const parsed = parsePercent(text);
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.message}.`);
  if (parsed.value <= 0 || parsed.value >= 1) throw new InvalidArgumentError('It lies between 0% and 100%: write 1%.');
  return parsed.value;
}
