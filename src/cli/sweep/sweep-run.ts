import { type Estimate, seedOfRun } from '../../analysis/replicate/replications.js';
import type { Design } from '../../analysis/sweep/axis.js';
import type { Measure, PointRuns, SweepPoint } from '../../analysis/sweep/sweep.js';
import { MeanEstimate } from '../../analysis/interval.js';
import { type Cell, cellId } from '../cell.js';
import { type CellWork, runCells } from '../cell-pool.js';
import type { ResultsFile, StoredCell } from './results-file.js';

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
        await work.progress.update(++this.done / total);
      },
      () => work.isInterrupted,
    );
    return !work.isInterrupted;
  }

  /** The runs of a point, as far as they are over; a point that cannot be run has none. */
  runsOf(point: number, runs: number): PointRuns {
    return this.cellsOf(point, runs).map(({ numbers }) => numbers);
  }

  /** undefined: not all of its runs are over. */
  result(point: number, runs: number, measures: readonly Measure[]): SweepPoint | undefined {
    const cells = this.cellsOf(point, runs);
    if (cells.length < runs) return undefined;
    const { paths } = this.design;
    const values = this.design.at(point);
    const problem = cells.find((cell) => cell.problem !== undefined)?.problem;
    return {
      point,
      values: Object.fromEntries(paths.map((path, axis) => [path, values[axis] ?? ''])),
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

function estimateOf({ name, number }: Measure, cells: readonly StoredCell[]): (readonly [string, Estimate])[] {
  const mean = new MeanEstimate();
  for (const { numbers } of cells) {
    const value = numbers[number];
    if (value !== undefined) mean.add(value);
  }
  const interval = mean.interval();
  if (interval === undefined) return [];
  return [[name, mean.count === cells.length ? interval : { ...interval, runs: mean.count }]];
}
