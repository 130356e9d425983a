import type { Axis, Design } from '../../analysis/sweep/axis.js';
import * as designs from '../../analysis/sweep/axis.js';
import * as swept from '../../analysis/sweep/sweep.js';
import { present, sum } from '../../core/values.js';
import type { SweepMeasures } from '../../report/sweep-report.js';
import type { Scenario } from '../../scenario/model.js';
import { maskedText } from '../../scenario/secret-words.js';
import { setsWithoutSecrets } from '../../scenario/secrets.js';
import { clustersAsked } from '../../settings/world.js';
import { InputError, type Session, UsageError } from '../session.js';
import { requestsOf } from '../long-work.js';
import { readScenario, type Runnable, type ScenarioSource } from '../input/scenario-file.js';
import type { SweepOptions } from '../program/generated/commands.js';
import { type Estimate, seedOfRun } from '../../analysis/replicate/replications.js';
import { MeanEstimate } from '../../analysis/interval.js';
import { type Cell, cellId } from '../cell.js';
import { type CellWork, runCells } from '../cell-pool.js';
import type { ResultsFile, StoredCell } from './results-file.js';

export function axesOf({ vary = [] }: SweepOptions): readonly Axis[] {
  const axes = vary.map((text) => {
    const axis = designs.parseAxis(text);
    if (typeof axis === 'string') throw new UsageError(maskedText(`--vary ${text}: ${axis}`));
    return axis;
  });
  const paths = axes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined)
    throw new UsageError(maskedText(`--vary ${twice} stands twice: write all of its values together`));
  return axes;
}

/** The same without what is secret where it is put: it changes no result, and results are told, stored and sent. */
export const axesWithoutSecrets = (axes: readonly Axis[], { inputs, options: { set = [], api } }: ScenarioSource) =>
  axes.map((axis) =>
    designs.reworded(axis, (changes) => setsWithoutSecrets([...set, ...changes], inputs, api).slice(set.length)),
  );

export function designOf(axes: readonly Axis[], { random, latinHypercube: cube }: SweepOptions, seed: string): Design {
  if (random !== undefined) return designs.randomDesign(axes, random, seed);
  return cube === undefined ? designs.grid(axes) : designs.latinHypercube(axes, cube, seed);
}

/** Values of an axis that are read before anything is run: the others differ from these in their numbers alone. */
const READ_FIRST = 20;

/**
 * Reads the scenario with each value of each axis, one at a time, so that a mistake is reported before anything is run.
 * @throws InputError where none of the values of an axis can be, or the field is not known.
 */
export async function checkAxes(
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
  for (const { path, size, at } of axes) {
    const found: number[] = [];
    const shown = Math.min(size, READ_FIRST);
    const indices = new Set(
      Array.from({ length: shown }, (_, n) => Math.round((n * (size - 1)) / Math.max(1, shown - 1))),
    );
    for (const index of indices) {
      const change = `${path}=${at(index)}`;
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

/** A varied field of plain numbers may be looked for, and bounded, like a number of a run. */
export function planMeasures(scenario: Scenario, axes: readonly Axis[], options: SweepOptions): SweepMeasures {
  const busy = clustersAsked(scenario);
  const ran = swept.measuresOf(scenario.clusters.flatMap(({ name }) => (busy.has(name) ? [name] : [])));
  const fields = axes.flatMap(({ path, isNumber }): swept.SweepMeasure[] =>
    isNumber ? [{ name: path, number: path, unit: '' }] : [],
  );
  const known = [...ran, ...fields];
  const named = (option: string, name: string): swept.SweepMeasure => {
    const measure = swept.measureNamed(name, known);
    if (typeof measure === 'string') throw new UsageError(`${option} ${name}: ${measure}`);
    return measure;
  };
  const { minimize, subjectTo = [] } = options;
  const wanted = minimize ?? options.maximize;
  const asked = (options.measure ?? []).map((name) => named('--measure', name));
  const bounds = subjectTo.map((text): swept.Bound => {
    const bound = swept.parseBound(text, known);
    if (typeof bound === 'string') throw new UsageError(`--subject-to ${text}: ${bound}`);
    return bound;
  });
  const maximize = minimize === undefined;
  const measure = wanted === undefined ? undefined : named(maximize ? '--maximize' : '--minimize', wanted);
  const goal = measure && { measure, maximize, bounds };
  const every = [...ran, ...asked, ...bounds.map((bound) => bound.measure), ...present([measure])];
  const all = every.filter((one) => !fields.includes(one));
  return { kept: [...new Map(all.map((one) => [one.number, one])).values()], asked, goal };
}

/** The cells of a sweep, and where their results are: memory holds those under way alone. */
export class SweepRun {
  /** Cells that are over, of those asked for so far. */
  private done = 0;
  /** Cells that were beyond the limits of this call: another one may have others, so that no file keeps them. */
  private readonly beyond = new Map<string, StoredCell>();

  constructor(
    private readonly design: Design,
    private readonly seed: string,
    /** Of `contextId`. */
    private readonly context: string,
    private readonly results: ResultsFile,
    private readonly work: CellWork,
  ) {}

  /** Works out what is missing of the first runs of these points. @returns false where the user interrupted. */
  async finish(points: Iterable<number>, size: number, runs: number): Promise<boolean> {
    const { work, results } = this;
    this.done = 0;
    const total = size * runs;
    await runCells(
      this.missing(points, runs),
      work.runner,
      async ({ cell: { changes, seed, id }, result }) => {
        const ran = result.kind === 'run';
        const numbers = ran ? Object.fromEntries(result.run.numbers) : {};
        const stored = { id, changes, seed, numbers, problem: ran ? undefined : result.problem };
        if (!ran && result.isLimit === true) this.beyond.set(id, stored);
        else results.add(stored);
        await work.show(++this.done / total);
      },
      work.isInterrupted,
    );
    return !work.isInterrupted();
  }

  /** The runs of a point, as far as they are over, with its fields; a point that cannot be run has none. */
  runsOf(point: number, runs: number): swept.PointRuns {
    const { paths, areNumbers, at } = this.design;
    const values = at(point).map((value, axis) => [paths[axis] ?? '', Number(value)] as const);
    const fields = Object.fromEntries(values.filter((_, axis) => areNumbers[axis]));
    return this.cellsOf(point, runs).map(({ numbers, problem }) =>
      problem === undefined ? { ...fields, ...numbers } : numbers,
    );
  }

  /** undefined: not all of its runs are over. */
  result(point: number, runs: number, measures: readonly swept.SweepMeasure[]): swept.SweepPoint | undefined {
    const cells = this.cellsOf(point, runs);
    if (cells.length < runs) return undefined;
    const values = this.design.at(point);
    const problem = cells.find((cell) => cell.problem !== undefined)?.problem;
    return {
      point,
      values: Object.fromEntries(this.design.paths.map((path, axis) => [path, values[axis] ?? ''])),
      runs,
      ...(problem !== undefined && { problem }),
      measures: Object.fromEntries(measures.flatMap((measure) => estimateOf(measure, cells))),
    };
  }

  private cellsOf(point: number, runs: number): readonly StoredCell[] {
    return Array.from({ length: runs }, (_, run) => this.get(this.cell(point, run).id)).filter(
      (cell) => cell !== undefined,
    );
  }

  private *missing(points: Iterable<number>, runs: number): Generator<Cell & { readonly id: string }> {
    for (const point of points) {
      for (let run = 0; run < runs; run++) {
        const cell = this.cell(point, run);
        if (this.get(cell.id) === undefined) yield cell;
        else this.done++;
      }
    }
  }

  private get(id: string): StoredCell | undefined {
    return this.beyond.get(id) ?? this.results.get(id);
  }

  private cell(point: number, run: number): Cell & { readonly id: string } {
    const values = this.design.at(point);
    const changes = this.design.paths.map((path, axis) => `${path}=${values[axis] ?? ''}`);
    const seed = seedOfRun(this.seed, run);
    return { changes, seed, id: cellId(this.context, { changes, seed }) };
  }
}

function estimateOf(
  { name, number }: swept.SweepMeasure,
  cells: readonly StoredCell[],
): (readonly [string, Estimate])[] {
  const mean = new MeanEstimate();
  for (const { numbers } of cells) {
    const value = numbers[number];
    if (value !== undefined) mean.add(value);
  }
  const interval = mean.interval();
  if (interval === undefined) return [];
  return [[name, mean.count === cells.length ? interval : { ...interval, runs: mean.count }]];
}
