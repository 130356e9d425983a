import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import { compare, imbalanceOf } from '../../analysis/compare/compare.js';
import { type Interval, MeanEstimate, meanInterval } from '../../analysis/interval.js';
import { type PaperComparison, paperRow, type PaperValue } from '../../analysis/paper/comparison.js';
import { FORMAT } from '../../core/document-format.js';
import { predict } from '../../predict/predict.js';
import { linesOfText, widest } from '../../report/layout.js';
import { paperChapter, paperReport } from '../../report/paper-report.js';
import { type CellContext, cellContext } from '../cell.js';
import { numberedCells, runInOrder, withCells } from '../cell-pool.js';
import * as sessions from '../session.js';
import { requestsOf, threadsFor } from '../long-work.js';
import { packageRoot } from '../package-root.js';
import { loadSource, readRunnable, type Runnable } from '../input/scenario-file.js';
import type { PaperOptions } from '../program/generated/commands.js';
import type { ClusterPrediction } from '../../predict/generated/prediction.js';
import { PAPERS as WRITTEN } from '../papers/generated/papers.js';

export const paperCommand: sessions.Work<'paper'> = async (names, options, session) => {
  if (names.length === 0) {
    await session.out.write(listing());
    return sessions.ExitCode.ok;
  }
  const papers = names.includes('all') ? PAPERS : names.map(named);
  if (options.json === true && papers.length > 1) throw new sessions.UsageError('--json prints one paper: name it');
  let failed = false;
  for (const [index, paper] of papers.entries()) {
    const found = await reproduce(paper, options, session);
    if (index > 0) await session.out.write('\n');
    if (options.markdown === true) await session.out.writeAll(linesOfText(paperChapter(found)));
    else await sessions.writeAnswer(found, paperReport, options, session);
    if (found.partial === true) return sessions.ExitCode.interrupted;
    failed ||= found.rows.some(({ verdict }) => verdict === 'differs');
  }
  return failed ? sessions.ExitCode.failed : sessions.ExitCode.ok;
};

function named(name: string): Paper {
  const found = PAPERS.find((paper) => paper.name === name);
  if (found !== undefined) return found;
  const names = PAPERS.map((paper) => paper.name);
  throw new sessions.UsageError(sessions.says('no_paper', { name, near: closest(name, names) }));
}

function listing(): string {
  const width = widest(PAPERS.map(({ name }) => name));
  const lines = PAPERS.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}\n`);
  return `Published tables, each with its scenario in docs/papers/:\n\n${lines.join('')}\nlbsim paper NAME puts ours beside one; all: beside all.\n`;
}

async function reproduce(paper: Paper, options: PaperOptions, session: sessions.Session): Promise<PaperComparison> {
  const file = fileURLToPath(new URL(`docs/papers/${paper.scenario}`, packageRoot));
  const runnable = await readRunnable([file], { source: true, allowCode: true }, session);
  const { name, rows, notes = [], runs: usual, ...words } = paper;
  const runs = options.replications ?? usual;
  const found = new Map<Value, Interval>();
  const finished = await simulate(paper, runnable, runs, found, options, session);
  for (const { changes, values } of rows) {
    for (const value of values) {
      if (value.kind === 'simulated') continue;
      const { kind, cluster } = value;
      const own = kind === 'disruption' ? disruptionOf(cluster, changes, runnable) : workOut(value, changes, runnable);
      found.set(value, await own);
    }
  }
  return {
    format: FORMAT,
    paper: name,
    ...words,
    runs,
    ...(!finished && { partial: true as const }),
    rows: rows.flatMap(({ row, basis, values, why }) => {
      const comparable = values.flatMap((value): PaperValue[] => {
        const ours = found.get(value);
        return ours === undefined ? [] : [{ published: value.published, within: value.within, ours }];
      });
      return comparable.length === values.length
        ? [paperRow({ row, basis, ...(why !== undefined && { why }) }, comparable)]
        : [];
    }),
    notes,
  };
}

/** The rows of one set of changes share their runs. @returns false where the user interrupted. */
async function simulate(
  { rows }: Paper,
  runnable: Runnable,
  runs: number,
  found: Map<Value, Interval>,
  { jobs }: PaperOptions,
  session: sessions.Session,
): Promise<boolean> {
  const simulated = rows.flatMap(({ changes, values }) =>
    values.flatMap((value) => (value.kind === 'simulated' ? [{ changes, value, mean: new MeanEstimate() }] : [])),
  );
  if (simulated.length === 0) return true;
  const points = [...new Map(simulated.map(({ changes }) => [changes.join('\n'), changes])).values()];
  const keep = [...new Set(simulated.map(({ value }) => value.number))];
  const context: CellContext = cellContext(runnable, { allowCode: true }, { keep });
  const total = points.length * runs;
  const threads = jobs ?? threadsFor(total, requestsOf(runnable.scenario), session.io.threads);
  const cells = numberedCells(points, runnable.scenario.seed, runs);
  return withCells(context, { jobs: threads, cells: total, doing: 'simulating' }, session, async (work) => {
    await runInOrder(cells, total, work, ({ cell, result }) => {
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
    if (work.isInterrupted() && found.size === 0) throw new sessions.InterruptedError();
    return !work.isInterrupted();
  });
}

async function workOut(
  { cluster, of, sets }: Extract<ReturnType<typeof sourceOf>, { readonly kind: 'exact' }>,
  changes: Row['changes'],
  { source, sources }: Runnable,
): Promise<Interval> {
  const values: number[] = [];
  for (const set of sets) {
    const { scenario, problems } = loadSource(source, [...changes, ...set], {});
    const prediction = scenario === undefined ? undefined : (await predict(scenario)).clusters[cluster];
    if (prediction === undefined) throw new sessions.InputError(problems, sources);
    values.push(of(prediction));
  }
  return meanInterval(values) ?? { mean: NaN, low: null, high: null };
}

/** Loses each host by itself. */
async function disruptionOf(cluster: string, changes: Row['changes'], { source }: Runnable): Promise<Interval> {
  const { scenario, problems } = loadSource(source, [...changes, 'duration=1ms'], {});
  if (scenario === undefined) throw new sessions.InputError(problems);
  // The same twice, since what is asked is asked of each side.
  const sides = ['a', 'b'].map((name) => ({ name, scenario }));
  const { clusters } = await compare(sides, { runs: 1, singleHostFailures: true });
  const { moved, minimum } = clusters[cluster]?.keys?.single_host_failures?.[0] ?? { moved: NaN, minimum: NaN };
  return { mean: moved / minimum, low: null, high: null };
}

interface PaperWords extends Pick<PaperComparison, 'title' | 'citation' | 'scenario' | 'quantity' | 'runs'> {
  readonly notes?: readonly string[];
  readonly tables: readonly (Shared & { readonly rows: readonly (Shared & { readonly row: string })[] })[];
}

/** What a row has, or all rows of its table. */
interface Shared {
  /** Of the values of the row: one of all, or one of each. */
  readonly cluster?: string | readonly string[];
  readonly published?: number | readonly number[];
  /** What is published is the formula, or what the figure follows from. */
  readonly formula?: true;
  readonly within?: number;
  /** Of what is published, instead of `within`. */
  readonly part?: number;
  /** Why the published figure cannot be ours. */
  readonly why?: string;
  readonly changes?: readonly string[];
  readonly number?: string;
  readonly scale?: number;
  readonly of?: keyof typeof QUANTITIES | 'disruption';
  /** Of a hundred hosts of each level how many are healthy, or healthy and degraded. */
  readonly levels?: readonly (number | readonly number[])[];
  /** Of a hundred hosts of weight 1 how many are healthy; there are a hundred others of weight 2, all healthy. */
  readonly west?: number;
  /** So many hosts, in several sets: the mean over these. */
  readonly hosts?: number;
}

/** A published table, and how its numbers come out of a scenario of `docs/papers/`. */
type Paper = (typeof PAPERS)[number];
type Row = ReturnType<typeof rowOf>;
type Value = Row['values'][number];

const sharesOf = ({ hosts }: ClusterPrediction): readonly number[] => hosts.map(({ share }) => share);

/** Quantities of a prediction, of the n-th value of a row. */
const QUANTITIES = {
  /** Percent of the requests that go to the n-th level. */
  level: ({ priorities }, level) => 100 * (priorities.find(({ priority }) => priority === level)?.share ?? 0),
  /** To the healthy hosts of level 0, and to the degraded ones. */
  health: ({ hosts }, part) =>
    100 * hosts.reduce((sum, { address, share }) => sum + (address.startsWith(`10.0.${part}.`) ? share : 0), 0),
  /** To each of the zones of {@link zonesOf}. */
  zone: ({ localities }, index) =>
    100 * (localities.find(({ locality }) => locality.zone === ['west', 'east'][index])?.share ?? 0),
  /** The coefficient of variation of the hosts' shares. */
  deviation: (prediction) => imbalanceOf(sharesOf(prediction)).cov ?? NaN,
  /** The largest share, in even ones. */
  peak: (prediction) => imbalanceOf(sharesOf(prediction)).peak_to_mean ?? NaN,
  /** The difference between the largest and the smallest share, in percent of an even one. */
  spread: (prediction) => {
    const shares = sharesOf(prediction);
    return 100 * (Math.max(...shares) - Math.min(...shares)) * shares.length;
  },
  /** Of the n-th host, in the usual Maglev table. */
  entries: (prediction, host) => (sharesOf(prediction)[host] ?? 0) * 65_537,
} satisfies Readonly<Record<string, (prediction: ClusterPrediction, index: number) => number>>;

const HEALTH = ['HEALTHY', 'DEGRADED', 'UNHEALTHY'];

/** The published tables that we have, in the order of docs/papers.md. */
const PAPERS = Object.entries<PaperWords>(WRITTEN).map(([name, { tables, ...words }]) => ({
  name,
  ...words,
  rows: tables.flatMap(({ rows, ...all }) => rows.map((own) => rowOf({ ...all, ...own }))),
}));

function rowOf({ row, why, changes = [], levels, west, ...of }: Shared & { readonly row: string }) {
  const { cluster = '', published = 0, formula, part = 0, within } = of;
  return {
    row,
    basis: formula === true ? ('formula' as const) : ('published' as const),
    changes: [
      ...changes,
      ...(levels === undefined ? [] : [`endpoints.levels=${levelsOf(levels)}`]),
      ...(west === undefined ? [] : [`clusters.localities.load_assignment.endpoints=${zonesOf(west)}`]),
    ],
    values: [published].flat().map((value: number, index) => ({
      published: value,
      within: within ?? value * part,
      ...sourceOf([cluster].flat()[index] ?? String(cluster), of, index),
    })),
    ...(why !== undefined && { why }),
  };
}

function sourceOf(cluster: string, { number = '', scale = 1, of, hosts }: Shared, index: number) {
  // The mean of a number of `lbsim run --json`, times `scale`.
  if (of === undefined) return { kind: 'simulated', number: `clusters.${cluster}.${number}`, scale } as const;
  // Keys that move where a host is lost, in those that have to move then: the mean over all hosts of a cluster.
  if (of === 'disruption') return { kind: 'disruption', cluster } as const;
  const quantity: (prediction: ClusterPrediction, index: number) => number = QUANTITIES[of];
  // A prediction needs no run: the mean over sets of hosts, each of another network, where there are several.
  const sets = [1, 2, 3, 4, 5].map((set) => [
    `endpoints.${cluster}=[{address: 10.${set}.0.1:80, count: ${hosts ?? 0}}]`,
  ]);
  const exactly = (prediction: ClusterPrediction): number => quantity(prediction, index);
  return { kind: 'exact', cluster, of: exactly, sets: hosts === undefined ? [[]] : sets } as const;
}

/** The endpoints of a cluster with these levels, as `--set` takes them. */
function levelsOf(levels: NonNullable<Shared['levels']>): string {
  const groups = levels.flatMap((hosts, level) => {
    const [healthy = 0, degraded = 0] = [hosts].flat();
    return [healthy, degraded, 100 - healthy - degraded].flatMap((count, part) =>
      count === 0
        ? []
        : [`{address: 10.${level}.${part}.1:80, count: ${count}, health: ${HEALTH[part] ?? ''}, priority: ${level}}`],
    );
  });
  return `[${groups.join(', ')}]`;
}

function zonesOf(west: number): string {
  const entries = Object.entries({ west, east: 100 }).map(([zone, healthy], index) => {
    const hosts = Array.from({ length: 100 }, (_, host) => {
      const address = `{socket_address: {address: 10.${index + 1}.0.${host + 1}, port_value: 80}}`;
      return `{endpoint: {address: ${address}}, health_status: ${host < healthy ? 'HEALTHY' : 'UNHEALTHY'}}`;
    });
    return `{locality: {zone: ${zone}}, load_balancing_weight: ${index + 1}, lb_endpoints: [${hosts.join(', ')}]}`;
  });
  return `[${entries.join(', ')}]`;
}
