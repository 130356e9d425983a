import { csvReport } from '../../report/csv.js';
import { jsonDocument } from '../../report/json.js';
import { textReport } from '../../report/text-report.js';
import type { RunResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../../simulation/simulation.js';
import { DecisionSink } from '../decision-sink.js';
import { drive } from '../drive.js';
import { UsageError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import { Interrupt } from '../interrupt.js';
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

/** `lbsim run FILE` */
export async function run(file: string, options: RunOptions, session: Session): Promise<ExitCode> {
  refuseConflicts(options);
  const scenario = await readRunnable(file, options, session);
  const files = new OutputFiles(file, session);
  const decisions =
    options.decisions === undefined ? undefined : new DecisionSink(await files.open('--decisions', options.decisions));
  const stats = await RunStats.open(options, scenario, file, files, session);
  try {
    const hooks = { predict: true, onDecision: decisions?.add, stats: stats.output };
    const simulation = await createSimulation(scenario, hooks);
    await stats.start(simulation);
    const progress = new Progress(session.io);
    const pacer = new Pacer(options.pace ?? Infinity, session.io.monotonicMs);
    const interrupt = new Interrupt(session.io);
    const onSlice = async (): Promise<void> => {
      await decisions?.flush();
      await stats.flush();
      await progress.update(simulation.progress);
    };
    let finished: boolean;
    try {
      finished = await drive(simulation, { pacer, interrupt, onSlice });
    } finally {
      progress.stop();
      interrupt.release();
    }
    if (!finished) simulation.abandon();
    const result = simulation.result();
    await decisions?.close();
    await stats.finish();
    await report(result, scenario, options, session, progress.elapsedS);
    await stats.report();
    if (!finished) {
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

/** The report in the form that was asked for. */
export async function report(
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
