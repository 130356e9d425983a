import { csvReport } from '../../report/csv.js';
import { jsonDocument } from '../../report/json.js';
import { textReport } from '../../report/text-report.js';
import type { RunResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import type { Simulation } from '../../simulation/simulation.js';
import { createSimulation } from '../../simulation/simulation.js';
import { DecisionSink } from '../decision-sink.js';
import { UsageError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import type { Pace } from '../pace.js';
import { Pacer } from '../pace.js';
import { OutputFiles } from '../output-files.js';
import { Progress } from '../progress.js';
import type { LayoutOptions } from '../report-options.js';
import { layoutFor } from '../report-options.js';
import type { StatsOptions } from '../run-stats.js';
import { RunStats } from '../run-stats.js';
import type { ScenarioOptions } from '../scenario-file.js';
import { readRunnable } from '../scenario-file.js';
import type { Session } from '../session.js';

export interface RunOptions extends ScenarioOptions, LayoutOptions, StatsOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly decisions?: string;
  readonly pace?: Pace;
}

/** Between two slices the event loop gets its turn: Ctrl-C is heard, the bar moves, decisions are written. */
const EVENTS_PER_SLICE = 20_000;

/** `lbsim run FILE` */
export async function run(file: string, options: RunOptions, session: Session): Promise<ExitCode> {
  refuseConflicts(options);
  const scenario = await readRunnable(file, options, session);
  const files = new OutputFiles(file, session);
  const decisions =
    options.decisions === undefined ? undefined : new DecisionSink(await files.open('--decisions', options.decisions));
  const stats = await RunStats.open(options, scenario, file, files, session);
  try {
    const simulation = await createSimulation(scenario, {
      predict: true,
      onDecision: decisions?.add,
      stats: stats.output,
    });
    await stats.start(simulation);
    const progress = new Progress(session.io);
    const pacer = new Pacer(options.pace ?? Infinity, session.io.monotonicMs);
    const interrupted = await drive(simulation, { session, progress, decisions, stats, pacer });
    if (interrupted) simulation.abandon();
    const result = simulation.result();
    await decisions?.close();
    await stats.finish();
    await report(result, scenario, options, session, progress.elapsedS);
    await stats.report();
    if (interrupted) {
      await session.err.write('lbsim: interrupted; what was printed is what was known so far.\n');
      return ExitCode.interrupted;
    }
    return result.expect.every((expectation) => expectation.passed) ? ExitCode.ok : ExitCode.failed;
  } finally {
    await stats.closeSenders();
  }
}

/** The options of a call that want standard output for themselves. */
function takersOfStdout(options: RunOptions): readonly string[] {
  return [
    ...(options.json === true ? ['--json'] : []),
    ...(options.csv === true ? ['--csv'] : []),
    ...(options.decisions === '-' ? ['--decisions -'] : []),
    ...(options.statsFile === '-' ? ['--stats-file -'] : []),
    ...(options.prometheus === '-' ? ['--prometheus -'] : []),
  ];
}

function refuseConflicts(options: RunOptions): void {
  const takers = takersOfStdout(options);
  if (takers.length > 1) throw new UsageError(`${takers.join(' and ')} both want standard output: choose one`);
}

/** @returns true where the user interrupted before the end. */
async function drive(
  simulation: Simulation,
  around: {
    readonly session: Session;
    readonly progress: Progress;
    readonly decisions: DecisionSink | undefined;
    readonly stats: RunStats;
    readonly pacer: Pacer;
  },
): Promise<boolean> {
  const { session, progress, decisions, stats, pacer } = around;
  let interrupted = false;
  const release = session.io.onInterrupt(() => {
    interrupted = true;
  });
  try {
    let finished = false;
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set from outside while awaiting
    while (!finished && !interrupted) {
      finished = simulation.advance(EVENTS_PER_SLICE, pacer.untilUs);
      await decisions?.flush();
      await stats.flush();
      await progress.update(simulation.progress);
      await pacer.rest(simulation);
    }
    return !finished;
  } finally {
    progress.stop();
    release();
  }
}

async function report(
  result: RunResult,
  scenario: Scenario,
  options: RunOptions,
  session: Session,
  elapsedS: number,
): Promise<void> {
  if (options.json === true) return session.out.write(jsonDocument(result));
  if (options.csv === true) return session.out.write(csvReport(result));
  if (takersOfStdout(options).length > 0) return;
  // A time differs with every run: only for who watches, so that what is kept stays the same byte for byte.
  const watched = session.io.stdout.isTTY === true ? { elapsedS } : {};
  const text = textReport(result, { ...layoutFor(options, session), ...watched, expectations: scenario.expect });
  return session.out.write(text);
}
