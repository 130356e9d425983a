import type { LbsimCommand } from './lbsim-command.js';
import { DURATION, FILES, FORCE, gather, JOBS, PATIENCE, REDIS, SEED, WARMUP, wholeNumber } from './shared-options.js';

export function addSweep(command: LbsimCommand): void {
  command
    .summary('run a scenario over many values of its fields')
    .description(
      'Runs a scenario for every combination of values, or for points drawn from them, under the same seeds over all threads, and tells ' +
        'failures and latency of each with 95 % intervals; or looks for the best of them. Results go to an SQLite file as they ' +
        'finish: after Ctrl-C or a crash the same command goes on from there.',
    )
    .argument(...FILES)
    .option(
      '--vary <PATH=VALUES>',
      'values of a field: a,b,c or 1..10, 0..1:0.25, 10ms..1s:lin5, 1..1000:log7; repeatable',
      gather,
    )
    .option('--random <N>', 'N points drawn from the values, instead of every combination', wholeNumber(1, 1_000_000))
    .option('--latin-hypercube <N>', 'N points that cover the values of each field evenly', wholeNumber(1, 1_000_000))
    .option(
      '--replications <N>',
      'runs of each point (default: 1; in the first round of a search 3)',
      wholeNumber(1, 100_000),
    )
    .option(
      '--minimize <MEASURE>',
      'look for the point where this is least, as p99: the best third goes on with three times the runs',
    )
    .option('--maximize <MEASURE>', 'the same, where it is greatest')
    .option('--subject-to <BOUND>', 'only among points that keep within this, as failures<0.1%; repeatable', gather)
    .option('--measure <NAME>', 'also tell this number of lbsim run --json, as totals.retries; repeatable', gather)
    .option(
      '--results <FILE>',
      'the file of results (default: FILE’s name with .sweep.sqlite, in the working directory; :memory: is none)',
    )
    .option(...JOBS)
    .option(...REDIS('have the runs worked out by the `lbsim worker` processes of this Redis'))
    .duration(...PATIENCE)
    .option('--yes', 'begin, however many runs there are')
    .option('--json', 'print the sweep as one JSON document')
    .option('--jsonl', 'print a line of JSON per point')
    .option('--csv', 'print a row per point')
    .option('--parquet <OUT>', 'write the same rows as Apache Parquet; "-": standard output, no report')
    .option(
      '--html <OUT>',
      'write a report in one file for a browser: charts of the points, and their table; "-": standard output, no report',
    )
    .option(...FORCE)
    .option(...SEED)
    .option(...DURATION)
    .option(...WARMUP)
    .scenarioOptions()
    .layoutOptions('show every point, however many')
    .barOptions()
    .examples(
      'lbsim sweep canary.yaml --vary clusters.web.lb_policy=RANDOM,LEAST_REQUEST --vary endpoints.web[0].count=2..10',
      'lbsim sweep canary.yaml --vary workloads[0].arrivals=100/s..900/s:lin9 --replications 5 --csv',
      'lbsim sweep canary.yaml --vary workloads[0].timeout=10ms..1s:log9 --minimize p99 --subject-to failures<0.1%',
    )
    .does(async () => (await import('../commands/sweep.js')).sweepCommand);
}
