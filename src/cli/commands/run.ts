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
import { Progress } from '../progress.js';
import type { LayoutOptions } from '../report-options.js';
import { layoutFor } from '../report-options.js';
import type { ScenarioOptions } from '../scenario-file.js';
import { readRunnable } from '../scenario-file.js';
import type { Session } from '../session.js';

export interface RunOptions extends ScenarioOptions, LayoutOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly decisions?: string;
}

/** Between two slices the event loop gets its turn: Ctrl-C is heard, the bar moves, decisions are written. */
const EVENTS_PER_SLICE = 20_000;

/** `lbsim run FILE` */
export async function run(file: string, options: RunOptions, session: Session): Promise<ExitCode> {
  refuseConflicts(options);
  const scenario = await readRunnable(file, options, session);
  const decisions =
    options.decisions === undefined ? undefined : await DecisionSink.open(options.decisions, file, session);
  const progress = new Progress(session.io);
  const simulation = await createSimulation(scenario, { predict: true, onDecision: decisions?.add });
  const interrupted = await drive(simulation, { session, progress, decisions });
  const result = simulation.result();
  await decisions?.close();
  await report(result, scenario, options, session, progress.elapsedS);
  if (interrupted) {
    await session.err.write('lbsim: interrupted; what was printed is what was known so far.\n');
    return ExitCode.interrupted;
  }
  return result.expect.every((expectation) => expectation.passed) ? ExitCode.ok : ExitCode.failed;
}

function refuseConflicts(options: RunOptions): void {
  const wanted = [
    ...(options.json === true ? ['--json'] : []),
    ...(options.csv === true ? ['--csv'] : []),
    ...(options.decisions === '-' ? ['--decisions -'] : []),
  ];
  if (wanted.length > 1) throw new UsageError(`${wanted.join(' and ')} both want standard output: choose one`);
}

/** @returns true where the user interrupted before the end. */
async function drive(
  simulation: Simulation,
  around: { readonly session: Session; readonly progress: Progress; readonly decisions: DecisionSink | undefined },
): Promise<boolean> {
  const { session, progress, decisions } = around;
  let interrupted = false;
  const release = session.io.onInterrupt(() => {
    interrupted = true;
  });
  try {
    let finished = false;
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set from outside while awaiting
    while (!finished && !interrupted) {
      finished = simulation.advance(EVENTS_PER_SLICE);
      await decisions?.flush();
      await progress.update(simulation.progress);
      await new Promise((resolve) => setImmediate(resolve));
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
  if (options.decisions === '-') return;
  if (options.json === true) return session.out.write(jsonDocument(result));
  if (options.csv === true) return session.out.write(csvReport(result));
  // A time differs with every run: only for who watches, so that what is kept stays the same byte for byte.
  const watched = session.io.stdout.isTTY === true ? { elapsedS } : {};
  const text = textReport(result, { ...layoutFor(options, session), ...watched, expectations: scenario.expect });
  return session.out.write(text);
}
