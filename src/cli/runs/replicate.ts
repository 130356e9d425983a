import { batchMeans, Estimates, MOST_RUNS } from '../../analysis/replicate/estimates.js';
import type { Replications } from '../../analysis/generated/experiments.js';
import { PolicyFailure } from '../../policy/foreign/policy-module.js';
import { replicationsCsv } from '../../report/csv.js';
import { replicationsReport } from '../../report/replications-report.js';
import { type DoneCell, type NumberedCell, numberedCells, runInOrder, withCells } from '../cell-pool.js';
import { cellContext } from '../cell.js';
import { ExitCode, InterruptedError, type Session, writeAnswer } from '../session.js';
import { refuseTooMany } from './run-slices.js';
import { longWork, requestsOf, threadsFor } from '../long-work.js';
import { readRunnable, type Runnable } from '../input/scenario-file.js';
import { formsOf, refuseSeveral } from '../output/page-output.js';
import type { RunOptions } from '../program/generated/commands.js';

/** `lbsim run FILE… --replications N`, `--until-precision P` and `--batches N`. */
export async function replicate(files: readonly string[], options: RunOptions, session: Session): Promise<ExitCode> {
  refuseSeveral(formsOf(options));
  const runnable = await readRunnable(files, { ...options, source: true }, session);
  refuseTooMany(options.every, runnable.scenario);
  const found =
    options.batches === undefined
      ? await replications(runnable, options, session)
      : await longWork('simulating', session, (pause) => batchMeans(runnable.scenario, options.batches ?? 0, pause));
  await (options.csv === true
    ? session.out.writeAll(replicationsCsv(found))
    : writeAnswer(found, replicationsReport, options, session));
  await runnable.printProblems();
  if (found.partial === true) {
    await session.err.write('lbsim: interrupted; what was printed is of the runs that had ended.\n');
    return ExitCode.interrupted;
  }
  return found.expect.every(({ passed, runs }) => passed === runs) ? ExitCode.ok : ExitCode.failed;
}

async function replications(runnable: Runnable, options: RunOptions, session: Session): Promise<Replications> {
  const { scenario } = runnable;
  const { untilPrecision: wanted } = options;
  const most = options.replications ?? MOST_RUNS;
  const context = cellContext(runnable, options, { everyUs: options.every });
  const estimates = new Estimates();
  const isEnough = (): boolean => estimates.isEnough(most, wanted);
  const jobs = options.jobs ?? threadsFor(most, requestsOf(scenario), session.io.threads);
  const add = ({ result }: DoneCell<NumberedCell>): void => {
    if (result.kind === 'problem') throw new PolicyFailure({ kind: 'told', text: result.problem });
    estimates.add(result.run);
  };
  await withCells(context, { jobs, cells: most, doing: 'simulating' }, session, (work) =>
    runInOrder(numberedCells([[]], scenario.seed, most), most, work, add, isEnough),
  );
  if (estimates.runs === 0) throw new InterruptedError();
  return estimates.document(scenario, { partial: !isEnough(), wanted });
}
