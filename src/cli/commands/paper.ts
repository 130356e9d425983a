import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import { compare } from '../../analysis/compare/compare.js';
import { type Interval, MeanEstimate, meanInterval } from '../../analysis/interval.js';
import { type PaperComparison, paperRow, type PaperValue } from '../../analysis/paper/comparison.js';
import { seedOfRun } from '../../analysis/replicate/replications.js';
import { FORMAT } from '../../core/document-format.js';
import { predict } from '../../predict/predict.js';
import { linesOfText, widest } from '../../report/layout.js';
import { paperChapter, paperReport } from '../../report/paper-report.js';
import { type CellContext, cellContext } from '../cell.js';
import { CellWork, type NumberedCell } from '../cell-pool.js';
import { ExitCode, InputError, InterruptedError, UsageError } from '../errors.js';
import { requestsOf, threadsFor } from '../long-work.js';
import { packageRoot } from '../package-root.js';
import {
  type Disruption,
  type Exact,
  isDisruption,
  isSimulated,
  type Paper,
  PAPERS,
  type Row,
  type Value,
} from '../papers/paper.js';
import { type Session, writeAnswer } from '../session.js';
import { loadSource, readRunnable, type Runnable } from '../input/scenario-file.js';
import type { PaperOptions } from '../program/generated/commands.js';

/** `lbsim paper [NAME…]` */
export async function paperCommand(
  names: readonly string[],
  options: PaperOptions,
  session: Session,
): Promise<ExitCode> {
  if (names.length === 0) {
    await session.out.write(listing());
    return ExitCode.ok;
  }
  const papers = names.includes('all') ? PAPERS : names.map(named);
  if (options.json === true && papers.length > 1) throw new UsageError('--json prints one paper: name it');
  let failed = false;
  for (const [index, paper] of papers.entries()) {
    const found = await reproduce(paper, options, session);
    if (index > 0) await session.out.write('\n');
    if (options.markdown === true && options.json !== true) {
      await session.out.writeAll(linesOfText(paperChapter(found)));
    } else await writeAnswer(found, paperReport, options, session);
    if (found.partial === true) return ExitCode.interrupted;
    failed ||= found.rows.some(({ verdict }) => verdict === 'differs');
  }
  return failed ? ExitCode.failed : ExitCode.ok;
}

function named(name: string): Paper {
  const found = PAPERS.find((paper) => paper.name === name);
  if (found !== undefined) return found;
  const names = PAPERS.map((paper) => paper.name);
  throw new UsageError(
    `there is no paper "${name}"\n(Did you mean ${closest(name, names)}? "all" is every one of them.)`,
  );
}

function listing(): string {
  const width = widest(PAPERS.map(({ name }) => name));
  const lines = PAPERS.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}\n`);
  return `Published tables, each with its scenario in docs/papers/:\n\n${lines.join('')}\nlbsim paper NAME puts ours beside one; all: beside all.\n`;
}

async function reproduce(paper: Paper, options: PaperOptions, session: Session): Promise<PaperComparison> {
  const file = fileURLToPath(new URL(`docs/papers/${paper.scenario}`, packageRoot));
  const runnable = await readRunnable([file], { source: true, allowCode: true }, session);
  const runs = options.replications ?? paper.runs;
  const found = new Map<Value, Interval>();
  const finished = await simulate(paper, runnable, runs, found, options, session);
  for (const { changes, values } of paper.rows) {
    for (const value of values) {
      if (isSimulated(value)) continue;
      const text = readFileSync(file, 'utf8');
      const own = isDisruption(value)
        ? await disruptionOf(value, changes, runnable)
        : await workOut(value, changes, runnable, text);
      found.set(value, own);
    }
  }
  return {
    format: FORMAT,
    paper: paper.name,
    title: paper.title,
    citation: paper.citation,
    scenario: paper.scenario,
    quantity: paper.quantity,
    runs,
    ...(!finished && { partial: true as const }),
    rows: paper.rows.flatMap(({ row, values, why }) => {
      const comparable = values.flatMap((value): PaperValue[] => {
        const ours = found.get(value);
        return ours === undefined ? [] : [{ published: value.published, within: value.within, ours }];
      });
      return comparable.length === values.length ? [paperRow(row, comparable, why)] : [];
    }),
    notes: paper.notes ?? [],
  };
}

/** The rows of one set of changes share their runs. @returns false where the user interrupted. */
async function simulate(
  { rows }: Paper,
  runnable: Runnable,
  runs: number,
  found: Map<Value, Interval>,
  { jobs }: PaperOptions,
  session: Session,
): Promise<boolean> {
  const simulated = rows.flatMap(({ changes, values }) =>
    values.flatMap((value) => (isSimulated(value) ? [{ changes, value, mean: new MeanEstimate() }] : [])),
  );
  if (simulated.length === 0) return true;
  const points = [...new Map(simulated.map(({ changes }) => [changes.join('\n'), changes])).values()];
  const keep = [...new Set(simulated.map(({ value }) => value.number))];
  const context: CellContext = cellContext(runnable, { allowCode: true }, { keep });
  const total = points.length * runs;
  const threads = jobs ?? threadsFor(total, requestsOf(runnable.scenario), session.io.threads);
  const work = await CellWork.begin(context, { jobs: threads, cells: total, doing: 'simulating' }, session);
  await work.inOrder(cellsOf(points, runnable.scenario.seed, runs), ({ cell, result }) => {
    if (result.kind === 'problem') throw new Error(result.problem);
    for (const { changes, value, mean } of simulated) {
      const number = result.run.numbers.get(value.number);
      if (number !== undefined && changes.join('\n') === cell.changes.join('\n')) mean.add(number * value.scale);
    }
  });
  for (const { value, mean } of simulated) {
    const interval = mean.interval();
    if (interval !== undefined) found.set(value, interval);
  }
  if (work.isInterrupted && found.size === 0) throw new InterruptedError();
  return !work.isInterrupted;
}

function* cellsOf(points: readonly (readonly string[])[], seed: string, runs: number): Generator<NumberedCell> {
  let number = 0;
  for (const changes of points) {
    for (let run = 0; run < runs; run++) yield { changes, seed: seedOfRun(seed, run), number: number++ };
  }
}

async function workOut(
  { cluster, of, sets = [[]] }: Exact,
  changes: Row['changes'],
  { source }: Runnable,
  text: string,
): Promise<Interval> {
  const values: number[] = [];
  for (const set of sets) {
    const { scenario, problems } = loadSource(source, [...changes, ...set], {});
    const prediction = scenario === undefined ? undefined : (await predict(scenario)).clusters[cluster];
    if (prediction === undefined) throw new InputError(problems, new Map([[source.inputs[0]?.file ?? '', text]]));
    values.push(of(prediction));
  }
  return meanInterval(values) ?? { mean: NaN, low: null, high: null };
}

/** Loses each host by itself. */
async function disruptionOf(
  { disrupted }: Disruption,
  changes: Row['changes'],
  { source }: Runnable,
): Promise<Interval> {
  const { scenario, problems } = loadSource(source, [...changes, 'duration=1ms'], {});
  if (scenario === undefined) throw new InputError(problems);
  // The same twice, since what is asked is asked of each side.
  const sides = ['a', 'b'].map((name) => ({ name, scenario }));
  const { clusters } = await compare(sides, { runs: 1, singleHostFailures: true });
  const { moved, minimum } = clusters[disrupted]?.keys?.single_host_failures?.[0] ?? { moved: NaN, minimum: NaN };
  return { mean: moved / minimum, low: null, high: null };
}
