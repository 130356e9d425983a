import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { printable } from '../../core/printable.js';
import { sum } from '../../core/values.js';
import { count } from '../../core/words.js';
import { settingsApart } from '../../analysis/run/settings-apart.js';
import { differenceAt } from '../../predict/other-version.js';
import type { Advice } from '../../report/run/advice.js';
import { courseCsv, csvReport } from '../../report/csv.js';
import { decisionLine } from '../../report/documents.js';
import { linesOfText } from '../../report/layout.js';
import { headlineOf } from '../../report/run/headline.js';
import { runJson } from '../../report/run/run-json.js';
import { textLines } from '../../report/run/text-report.js';
import type { DecisionRecord } from '../../result/run-result.js';
import type { RunResult } from '../../words/results.js';
import type { Scenario } from '../../scenario/model.js';
import type { Shared } from '../../site/link.js';
import type { Carried } from '../output/page-files.js';
import { createSimulation, type Simulation } from '../../words/library.js';
import { PendingLines, refuseDeadSinks, RunStats } from '../runs/run-stats.js';
import { ExitCode, layoutFor, says, type Session, UsageError, type Work } from '../session.js';
import { drive, refuseTooMany } from '../runs/run-slices.js';
import { Interrupt, longWork, Progress } from '../long-work.js';
import { openOutputs } from '../output/output-files.js';
import { formsOf, refuseSeveral } from '../output/page-output.js';
import { unplacedEffects } from '../../analysis/felt-quirks.js';
import { unplacedText, untriedText } from '../../words/versions.js';
import { readRunnable } from '../input/scenario-file.js';
import type { RunOptions } from '../program/generated/commands.js';
import { givenOf } from '../program/option-values.js';

import type { Rerun } from '../runs/watch.js';

/** `lbsim run FILE…`: once, under many seeds, or whenever a file is saved. */
export const runCommand: Work<'run'> = async (files, options, session) => {
  const { replications, untilPrecision, batches } = options;
  if ((replications ?? untilPrecision ?? batches) !== undefined)
    return (await import('../runs/replicate.js')).replicate(files, options, session);
  refuseConflicts(options);
  if (options.watch !== true) return run(files, options, session);
  const { watchRun } = await import('../runs/watch.js');
  return watchRun(files, session, (rerun) => run(files, options, session, rerun));
};

async function run(inputs: readonly string[], options: RunOptions, session: Session, rerun?: Rerun): Promise<ExitCode> {
  if (options.link !== undefined) return (await import('../output/page-files.js')).printLink(inputs, options, session);
  const statistics = options.sinks === true || options.statsFile !== undefined || options.prometheus !== undefined;
  const asked = { ...options, statistics, advice: true };
  const { scenario, named, advice, sources, code, printProblems } = await readRunnable(inputs, asked, session);
  rerun?.onNamed(named);
  const [file = '-'] = inputs;
  refuseTooMany(options.every, scenario);
  refuseDeadSinks(options, scenario, file);
  const shared = await playableOf({ sources, options, code }, options);
  const files = await openOutputs(targetsOf(options), { inputs, named, force: options.force }, session);
  const decisionFile = files.get('--decisions');
  const decisions = decisionFile && new PendingLines(decisionFile);
  const stats = new RunStats(options, scenario, files, session);
  try {
    const onDecision = decisions && ((record: DecisionRecord) => decisions.add(decisionLine(record)));
    const hooks = { predict: true, onDecision, stats: stats.output, everyUs: options.every };
    const simulation = await createSimulation(scenario, hooks);
    await stats.start(simulation);
    const progress = new Progress(session.io);
    const { watch, pace = Infinity } = options;
    // Somebody looks on. Its modules are loaded only then.
    const isWatched = watch === true || pace !== Infinity;
    const live = isWatched ? (await import('../runs/live-view.js')).LiveView.on(session.io, scenario.name) : undefined;
    const interrupt = new Interrupt(session.io);
    const onSlice = async (): Promise<void> => {
      await decisions?.flush();
      await stats.flush();
      if (live === undefined) await progress.update(simulation.progress);
      else live.update(simulation);
    };
    // If the reader of the only output has left, the run may stop.
    const targets = [...targetsOf(options).values()];
    const isAlone = options.sinks !== true && targets.length > 0 && targets.every((target) => target === '-');
    const isUnwanted = (): boolean => rerun?.isOutdated() === true || (isAlone && session.out.isUnread);
    let finished: boolean;
    try {
      finished = await drive(simulation, { monotonicMs: session.io.monotonicMs, pace, interrupt, onSlice, isUnwanted });
    } finally {
      live?.stop();
      progress.stop();
      interrupt.release();
    }
    if (!finished) simulation.abandon();
    if (!finished && !interrupt.happened && rerun !== undefined) return ExitCode.ok;
    const result = simulation.result();
    await decisions?.close();
    await stats.finish();
    const context = { scenario, simulation, advice, before: rerun?.before, elapsedS: progress.elapsedS };
    await report(result, context, options, session);
    const page = files.get('--html');
    if (page !== undefined) {
      const { reportOfRun } = await import('../output/report-page.js');
      await page.write(await reportOfRun(result, scenario, { advice, simulation, shared }));
      await page.close();
    }
    rerun?.onResult(result);
    await printProblems();
    await stats.report();
    return !finished && !interrupt.happened ? ExitCode.ok : await codeOf(result, finished, session);
  } finally {
    await stats.closeSenders();
  }
}

/** What a page carries to be played; what cannot be is refused before the run. */
async function playableOf(carried: Carried, options: RunOptions): Promise<Shared | undefined> {
  if (options.html === undefined) return undefined;
  const { readSitePage, sharedOf } = await import('../output/page-files.js');
  readSitePage('report.html');
  return options.playable === true ? sharedOf(carried, '--playable') : undefined;
}

function targetsOf(options: RunOptions): ReadonlyMap<string, string> {
  const targets = (['decisions', 'statsFile', 'prometheus', 'html'] as const).flatMap((name) => {
    const target = options[name];
    return target === undefined ? [] : givenOf(options, [name]).map((option) => [option, target] as const);
  });
  return new Map(targets);
}

const takersOfStdout = (options: RunOptions): readonly string[] => [
  ...formsOf(options),
  ...[...targetsOf(options)].flatMap(([option, target]) => (target === '-' ? [`${option} -`] : [])),
];

function refuseConflicts(options: RunOptions): void {
  const takers = takersOfStdout(options);
  refuseSeveral(takers);
  if (options.watch !== true) return;
  const [taker] = [...takers, ...targetsOf(options).keys(), ...(options.sinks === true ? ['--sinks'] : [])];
  if (taker !== undefined) throw new UsageError(says('watch_is_for_people', { taker }));
}

/** What nobody knows of the version of the proxies. */
async function unplacedNotes(scenario: Scenario, result: RunResult, session: Session): Promise<readonly string[]> {
  // Of a part of a run every other one would differ.
  if (result.partial === true) return [];
  const felt = await longWork('trying versions', session, (pause) => unplacedEffects(scenario, result, pause));
  return felt?.map((quirk) => unplacedText(result.version, quirk)) ?? [untriedText(result.version)];
}

export async function codeOf({ expect }: RunResult, finished: boolean, session: Session): Promise<ExitCode> {
  if (finished) return expect.every(({ passed }) => passed) ? ExitCode.ok : ExitCode.failed;
  await session.err.write('lbsim: interrupted; what was printed is what was known so far.\n');
  return ExitCode.interrupted;
}

interface ReportContext {
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  readonly advice: readonly Advice[];
  /** The result to mark differences from. */
  readonly before?: RunResult | undefined;
  readonly elapsedS: number;
}

/** Hosts times proxies in a document of JSON: each is a kilobyte and more. */
const MOST_ROWS = 20_000;

export async function report(run: RunResult, of: ReportContext, options: RunOptions, session: Session): Promise<void> {
  if (options.brief === true) return session.out.write(`${printable(run.scenario)}: ${headlineOf(run).text}\n`);
  if (options.csv === true) return session.out.writeAll(options.every === undefined ? csvReport(run) : courseCsv(run));
  if (options.json !== true && takersOfStdout(options).length > 0) return;
  const { scenario, simulation, advice, before, elapsedS } = of;
  const result = { ...run, notes: [...run.notes, ...(await unplacedNotes(scenario, run, session))] };
  const otherVersion = await differenceAt(scenario, simulation, MODERN_PROXY_VERSION);
  if (options.json === true) {
    const proxies = Object.keys(run.proxies).length;
    const rows = proxies * sum(Object.values(run.clusters).map(({ hosts }) => hosts.length));
    const note = `what each of ${count(proxies)} proxies did, ${count(rows)} rows of hosts, is left out here: --all has it`;
    const isWhole = options.all === true || rows <= MOST_ROWS;
    const document = isWhole ? result : { ...result, proxies: {}, notes: [...result.notes, note] };
    return session.out.writeAll(runJson(document, { otherVersion, advice }));
  }
  const lines = textLines(result, {
    full: options.full === true,
    ...layoutFor(options, session),
    // The duration differs with every run: only a terminal gets it, so that stored output stays the same byte for byte.
    ...(session.io.stdout.isTTY === true && { elapsedS }),
    otherVersion,
    advice,
    settingsApart: settingsApart(scenario),
    before,
    expectations: scenario.expect,
  });
  return session.out.writeAll(linesOfText(lines));
}
