import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { sum } from '../../core/values.js';
import { counted } from '../../core/words.js';
import { type Axis, axesOf, axisWithoutSecrets, changesToRead, type Design } from '../../analysis/sweep/axis.js';
import { planSweep, runSweep, type SweepPlan } from '../../analysis/sweep/run-sweep.js';
import { linesOfText } from '../../report/layout.js';
import * as reported from '../../report/sweep-report.js';
import { cellContext, contextId } from '../cell.js';
import { type CellRunner, runCells, withCells } from '../cell-pool.js';
import { ExitCode, FleetError, InputError, layoutFor, says, type Session, UsageError, type Work } from '../session.js';
import { requestsOf, secondsOf, threadsFor } from '../long-work.js';
import { openOutput, type OutputFile } from '../output/output-files.js';
import { formsOf, pageOf, type PageOutput, refuseSeveral } from '../output/page-output.js';
import { ResultsFile } from '../sweep/results-file.js';
import { readRunnable, readScenario, type Runnable } from '../input/scenario-file.js';
import { packageVersion } from '../package-root.js';
import type { SweepOptions } from '../program/generated/commands.js';

const MANY = 10_000;

export const sweepCommand: Work<'sweep'> = async (files, options, session) => {
  refuseConflicts(options);
  const { redis } = options;
  const address =
    redis === undefined ? undefined : (await import('../fleet/redis-link.js')).redisAddress(redis, session.io.env);
  const written = axesOf(options.vary ?? []);
  const runnable = await readRunnable(files, { ...options, source: true }, session);
  const { inputs, options: read } = runnable.source;
  const axes = written.map((axis) => axisWithoutSecrets(axis, inputs, read));
  const { scenario } = runnable;
  const plan = planSweep(scenario, axes, options);
  const { source, requests } = await checkAxes(axes, runnable, files, options, session);
  const { design, runs } = plan;
  const cells = design.size * runs;
  const jobs = options.jobs ?? threadsFor(cells, requests, session.io.threads);
  const size = sizeText(design, runs, requests, address === undefined ? jobs : 1);
  if (cells > MANY && options.yes !== true) throw new UsageError(`${size}: --yes begins it, fewer values make it less`);
  if (options.html !== undefined && design.size > MOST_DRAWN)
    throw new UsageError(says('too_many_drawn', { most: MOST_DRAWN, points: design.size }));
  const keep = plan.measures.kept.map(({ number }) => number);
  const context = cellContext({ ...runnable, source }, options, { keep });
  const id = contextId(context);
  const target = options.results ?? defaultFile(files);
  const results = await ResultsFile.open(target, { scenario: scenario.name, version: packageVersion(), context: id });
  try {
    const named = [...runnable.named, target];
    const page = await pageOf(goingOn(options, 'html'), { inputs: files, named, carried: [] }, session);
    const { force } = goingOn(options, 'parquet');
    const parquet = await openOutput('--parquet', options.parquet, { inputs: files, named, force }, session);
    const elsewhere = options.results === undefined ? ' of this folder (--results FILE: elsewhere)' : '';
    await session.err.write(`${size}; results in ${target}${elsewhere}\n`);
    const fleet =
      address &&
      (async (): Promise<CellRunner> => {
        const { FleetRunner } = await import('../fleet/fleet-runner.js');
        // Workers have no files of the user's: they are sent the bytes, and check them against what they may run.
        const modules = runnable.code.map(({ name, file }) => ({ name, text: readFileSync(file, 'utf8') }));
        const task = { scenario: scenario.name, patienceMs: options.patience };
        return FleetRunner.open(address, { ...context, policy: {}, modules }, task, session);
      });
    const asked = { jobs, cells, doing: 'sweeping', limits: options, fleet };
    const found = await withCells(context, asked, session, ({ runner, show, isInterrupted }) =>
      runSweep(plan, results, {
        ...{ show, isInterrupted },
        run: (cells, onDone) => runCells(cells, runner, onDone, isInterrupted),
      }).catch((error: unknown) => {
        throw error instanceof FleetError ? new FleetError(`${error.message}; ${goesOn(target)}`) : error;
      }),
    );
    await print(found, plan, { page, parquet }, options, session);
    await runnable.printProblems();
    if (found.head.partial !== true) return ExitCode.ok;
    await session.err.write(`lbsim: interrupted; ${goesOn(target)}.\n`);
    return ExitCode.interrupted;
  } finally {
    results.close();
  }
};

async function print(
  { head, points }: Awaited<ReturnType<typeof runSweep>>,
  { design, measures }: SweepPlan,
  { page, parquet }: { readonly page: PageOutput | undefined; readonly parquet: OutputFile | undefined },
  options: SweepOptions,
  session: Session,
): Promise<void> {
  const finished = head.partial !== true;
  if (finished) await page?.write((_, __, { reportOfSweep }) => reportOfSweep(head, measures, [...points()]));
  if (finished && parquet !== undefined) {
    const { writeParquet } = await import('../sweep/parquet-file.js');
    const isNumber = (path: string): boolean => design.areNumbers[design.paths.indexOf(path)] === true;
    await writeParquet(reported.sweepTable(head, measures.kept, points(), isNumber), (bytes) => parquet.write(bytes));
    await parquet.close();
  }
  if (page?.isAnswer === true || options.parquet === '-') return;
  if (options.json === true) return session.out.writeAll(reported.sweepJson(head, points()));
  if (options.jsonl === true) return session.out.writeAll(reported.sweepLines(points()));
  if (options.csv === true)
    return session.out.writeAll(reported.sweepCsv(reported.sweepTable(head, measures.kept, points())));
  return session.out.writeAll(linesOfText(reported.sweepReport(head, measures, points(), layoutFor(options, session))));
}

function refuseConflicts(options: SweepOptions): void {
  const { html, parquet } = options;
  if (parquet !== undefined && parquet !== '-' && parquet === html)
    throw new UsageError(`--html and --parquet both write ${html}`);
  refuseSeveral([
    ...formsOf(options),
    ...(parquet === '-' ? ['--parquet -'] : []),
    ...(html === '-' ? ['--html -'] : []),
  ]);
}

/** Such a file that the same command left empty when it was ended is written. */
function goingOn(options: SweepOptions, name: 'html' | 'parquet'): SweepOptions {
  const file = options[name];
  const isEmpty = file !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 1) === 0;
  return { ...options, force: options.force === true || isEmpty };
}

const goesOn = (target: string): string => `what is finished is in ${target}, and the same command goes on from there`;

function defaultFile([file = '-']: readonly string[]): string {
  if (file === '-') throw new UsageError('a sweep of standard input needs a file for its results: --results FILE');
  return `${basename(file).replace(/\.(ya?ml|json)$/i, '')}.sweep.sqlite`;
}

const MOST_DRAWN = 2000;

/** "500 points × 4 runs of some 10,000 requests each: about 40 s with 2 threads" */
function sizeText(design: Design, runs: number, requests: number | undefined, jobs: number): string {
  const of = `${counted(design.size, 'point')} × ${counted(runs, 'run')}`;
  if (requests === undefined) return of;
  const seconds = secondsOf(design.size * runs, requests, jobs);
  return `${of} of some ${counted(requests, 'request')}: about ${spanText(seconds)} with ${counted(jobs, 'thread')}`;
}

function spanText(seconds: number): string {
  const spans = Object.entries({ year: 365 * 86_400, day: 86_400, hour: 3600, minute: 60 });
  const [noun, length] = spans.find(([, least]) => seconds >= 2 * least) ?? ['second', 1];
  return counted(Math.max(1, Math.round(seconds / length)), noun);
}

/**
 * Reads the scenario with each value of each axis, one at a time, so that a mistake is reported before anything is run.
 * @throws InputError where none of the values of an axis can be, or the field is not known.
 */
async function checkAxes(
  axes: readonly Axis[],
  { source, scenario }: Runnable,
  files: readonly string[],
  options: SweepOptions,
  session: Session,
) {
  const named = new Map(source.named.map((one) => [`${one.writtenIn}\0${one.path}`, one]));
  // NaN: that depends on the run.
  const base = requestsOf(scenario) ?? NaN;
  let requests = base;
  for (const axis of axes) {
    const found: number[] = [];
    for (const change of changesToRead(axis)) {
      const set = [...(options.set ?? []), change];
      const read = await readScenario(files, { ...options, set, source: true, makesUpHosts: true }, session);
      for (const one of read.source.named) named.set(`${one.writtenIn}\0${one.path}`, one);
      if (read.scenario !== undefined) found.push(requestsOf(read.scenario) ?? NaN);
      const errors = read.problems.filter(({ severity }) => severity === 'error');
      if (errors.length === 0) continue;
      const label = `--set ${change}`;
      const located = errors.map((problem) =>
        problem.file === label ? { ...problem, file: `--vary ${change}` } : problem,
      );
      throw new InputError(located, read.sources);
    }
    // As if fields did not depend on each other.
    requests *= base === 0 ? 1 : sum(found) / found.length / base;
  }
  return {
    /** With the files that any of the values names. */
    source: { ...source, named: [...named.values()] },
    /** Of a run on average; undefined: that depends on the run. */
    requests: Number.isNaN(requests) ? undefined : Math.round(requests),
  };
}
