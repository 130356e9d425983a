import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { counted } from '../../core/words.js';
import { CONFIDENCE } from '../../analysis/interval.js';
import { seedOfRun } from '../../analysis/replicate/replications.js';
import type { Design } from '../../analysis/sweep/axis.js';
import * as swept from '../../analysis/sweep/sweep.js';
import { linesOfText } from '../../report/layout.js';
import * as reported from '../../report/sweep-report.js';
import type { Scenario } from '../../scenario/model.js';
import { versionsOf } from '../../settings/world.js';
import { cellContext, contextId } from '../cell.js';
import { type CellRunner, withCells } from '../cell-pool.js';
import { ExitCode, FleetError, layoutFor, says, type Session, UsageError, type Work } from '../session.js';
import { secondsOf, threadsFor } from '../long-work.js';
import { openOutput, type OutputFile } from '../output/output-files.js';
import { formsOf, pageOf, type PageOutput, refuseSeveral } from '../output/page-output.js';
import { ResultsFile } from '../sweep/results-file.js';
import { readRunnable } from '../input/scenario-file.js';
import { axesOf, axesWithoutSecrets, checkAxes, designOf, planMeasures, SweepRun } from '../sweep/sweep-plan.js';
import { packageVersion } from '../package-root.js';
import type { SweepOptions } from '../program/generated/commands.js';
import { answerHead } from '../../scenario/origin.js';

/** Of each point of a search in its first round, where nothing else is asked for: fewer have no spread. */
const FIRST_ROUND = 3;

const MANY = 10_000;

export const sweepCommand: Work<'sweep'> = async (files, options, session) => {
  refuseConflicts(options);
  const { redis } = options;
  const address =
    redis === undefined ? undefined : (await import('../fleet/redis-link.js')).redisAddress(redis, session.io.env);
  const written = axesOf(options);
  const runnable = await readRunnable(files, { ...options, source: true }, session);
  const axes = axesWithoutSecrets(written, runnable.source);
  const { scenario } = runnable;
  const measures = planMeasures(scenario, axes, options);
  const { source, requests } = await checkAxes(axes, runnable, files, options, session);
  const design = designOf(axes, options, scenario.seed);
  const runs = options.replications ?? (measures.goal === undefined ? 1 : FIRST_ROUND);
  const cells = design.size * runs;
  const jobs = options.jobs ?? threadsFor(cells, requests, session.io.threads);
  const size = sizeText(design, runs, requests, address === undefined ? jobs : 1);
  if (cells > MANY && options.yes !== true) throw new UsageError(`${size}: --yes begins it, fewer values make it less`);
  if (options.html !== undefined && design.size > MOST_DRAWN)
    throw new UsageError(says('too_many_drawn', { most: MOST_DRAWN, points: design.size }));
  const context = cellContext({ ...runnable, source }, options, { keep: measures.kept.map(({ number }) => number) });
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
    const { sweep, found } = await withCells(context, asked, session, async (work) => {
      const sweep = new SweepRun(design, scenario.seed, id, results, work);
      const { goal } = measures;
      try {
        const found = await (goal === undefined ? whole(sweep, design, runs) : search(sweep, design, runs, goal));
        return { sweep, found };
      } catch (error) {
        throw error instanceof FleetError ? new FleetError(`${error.message}; ${goesOn(target)}`) : error;
      }
    });
    await print(found, { design, scenario, sweep, measures, page, parquet }, options, session);
    await runnable.printProblems();
    if (found.finished) return ExitCode.ok;
    await session.err.write(`lbsim: interrupted; ${goesOn(target)}.\n`);
    return ExitCode.interrupted;
  } finally {
    results.close();
  }
};

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

interface Found {
  readonly finished: boolean;
  readonly reported: () => Iterable<number>;
  readonly runsOf: (point: number) => number;
  readonly search?: swept.SearchResult;
  /** Runs of a point at most. */
  readonly runs: number;
}

function* upTo(size: number): Generator<number> {
  for (let point = 0; point < size; point++) yield point;
}

async function whole(sweep: SweepRun, { size }: Design, runs: number): Promise<Found> {
  return { finished: await sweep.finish(upTo(size), size, runs), reported: () => upTo(size), runsOf: () => runs, runs };
}

/** Successive halving: all points with few runs, the best third with three times as many, and so on. */
async function search(sweep: SweepRun, { size }: Design, first: number, goal: swept.Goal): Promise<Found> {
  const { measure, maximize, bounds } = goal;
  /** Of each point, the runs of the last round that it was in. */
  const ran = new Map<number, number>();
  const runsOf = (point: number): number => ran.get(point) ?? first;
  let ranked: readonly number[] = [];
  let finished = true;
  for (let round: swept.Round | undefined = { points: [...upTo(size)], runs: first }; round !== undefined;) {
    const { points, runs }: swept.Round = round;
    finished = await sweep.finish(points, points.length, runs);
    if (!finished) break;
    for (const point of points) ran.set(point, runs);
    const scores = new Map(points.map((point) => [point, swept.scoreOf(sweep.runsOf(point, runs), goal)]));
    const none = { miss: Infinity, value: Infinity };
    const order = [...points].sort((a, b) => swept.byScore(scores.get(a) ?? none, scores.get(b) ?? none) || a - b);
    ranked = [...order, ...ranked.slice(points.length)];
    round = swept.nextRound(round, order, first);
  }
  const isIn = (point: number): boolean => swept.scoreOf(sweep.runsOf(point, runsOf(point)), goal).miss === 0;
  const runs = runsOf(ranked[0] ?? -1);
  // More runs may show that those that were ahead miss a bound: then the next one is looked at as closely.
  let best = ranked.find(isIn);
  while (finished && best !== undefined && runsOf(best) < runs) {
    finished = await sweep.finish([best], 1, runs);
    if (finished) ran.set(best, runs);
    best = ranked.find(isIn);
  }
  ranked = [...ranked].sort((a, b) => Number(b === best) - Number(a === best));
  const bestRuns = best === undefined ? [] : sweep.runsOf(best, runs);
  const asGood = ranked.slice(1).filter((point) => {
    if (best === undefined || ran.get(point) !== runs || !isIn(point)) return false;
    const difference = swept.differenceOf(bestRuns, sweep.runsOf(point, runs), measure);
    return difference !== undefined && (difference.low ?? -Infinity) <= 0 && (difference.high ?? Infinity) >= 0;
  });
  return {
    finished,
    reported: () => ranked,
    runsOf,
    runs,
    search: {
      goal: maximize ? 'maximize' : 'minimize',
      measure: measure.name,
      subject_to: bounds.map(({ text }) => text),
      best: best ?? null,
      as_good: asGood,
    },
  };
}

interface ReportInput {
  readonly design: Design;
  readonly scenario: Scenario;
  readonly sweep: SweepRun;
  readonly measures: reported.SweepMeasures;
  readonly page: PageOutput | undefined;
  readonly parquet: OutputFile | undefined;
}

async function print(found: Found, input: ReportInput, options: SweepOptions, session: Session): Promise<void> {
  const { design, scenario, sweep, measures, page, parquet } = input;
  const head: reported.SweepHead = {
    ...answerHead(scenario),
    version: versionsOf(scenario).version,
    design: design.kind,
    paths: design.paths,
    points: design.size,
    seeds: Array.from({ length: found.runs }, (_, run) => seedOfRun(scenario.seed, run)),
    confidence: CONFIDENCE,
    ...(!found.finished && { partial: true as const }),
    ...(found.search !== undefined && { search: found.search }),
  };
  const points = function* (): Generator<swept.SweepPoint> {
    for (const point of found.reported()) {
      const result = sweep.result(point, found.runsOf(point), measures.kept);
      if (result !== undefined) yield result;
    }
  };
  if (found.finished) await page?.write((_, __, { reportOfSweep }) => reportOfSweep(head, measures, [...points()]));
  if (found.finished && parquet !== undefined) {
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
