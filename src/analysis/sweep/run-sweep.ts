import * as args from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { Problem } from '../../core/problem.js';
import { present } from '../../core/values.js';
import { answerHead } from '../../scenario/origin.js';
import type { Input } from '../../scenario/input/read-inputs.js';
import { type LoadResult, loadScenario } from '../../scenario/load.js';
import type { Scenario } from '../../scenario/model.js';
import { versionsOf } from '../../settings/world.js';
import { CONFIDENCE, meanInterval } from '../interval.js';
import { SweepOptions } from '../generated/options.js';
import { NO_PAUSE, seedOfRun } from '../pause.js';
import { obstaclesOf } from '../run/unsupported.js';
import * as designs from './axis.js';
import { type Cell, CellMachine, type CellResult, scenarioOrProblem } from './cell.js';
import * as swept from './sweep.js';
import type { SweepChoices } from './sweep.js';
import type { Estimate, SearchResult, Sweep, SweepHead, SweepPoint } from '../generated/experiments.js';

/** What is known of a cell that is over. */
export interface CellNumbers {
  readonly numbers: Readonly<Record<string, number>>;
  /** Why there are no numbers; absent: there are. */
  readonly problem?: string | undefined;
  /** The problem is of limits that another call need not have. */
  readonly isLimit?: boolean | undefined;
}

/** Keeps what is over: in memory, or in a file that a later call goes on from. */
export interface CellStore {
  readonly get: (cell: Cell) => CellNumbers | undefined;
  readonly add: (cell: Cell, numbers: CellNumbers) => void;
}

export interface SweepWork {
  /** Hands results on as they come, in any order; takes no more cells once it is interrupted. */
  readonly run: (
    cells: Iterator<Cell>,
    onDone: (done: { readonly cell: Cell; readonly result: CellResult }) => Promise<void>,
  ) => Promise<void>;
  /** @param done 0–1. */
  readonly show: (done: number) => Promise<void>;
  readonly isInterrupted: () => boolean;
}

export type SweepPlan = ReturnType<typeof planSweep>;

/** Of each point of a search in its first round, where nothing else is asked for: fewer have no spread. */
const FIRST_ROUND = 3;

/** @throws NoSweep where a measure is not known. */
export function planSweep(scenario: Scenario, varied: readonly designs.Axis[], options: SweepChoices) {
  const measures = swept.measuresFor(scenario, varied, options);
  const { random, latinHypercube: cube, replications } = options;
  let design: designs.Design;
  if (random !== undefined) design = designs.randomDesign(varied, random, scenario.seed);
  else design = cube === undefined ? designs.grid(varied) : designs.latinHypercube(varied, cube, scenario.seed);
  /** Of each point; of a search in its first round. */
  const runs = replications ?? (measures.goal === undefined ? 1 : FIRST_ROUND);
  return { scenario, measures, design, runs };
}

/** @returns its head, and its points one by one, which are not kept: there may be very many. */
export async function runSweep(plan: SweepPlan, store: CellStore, work: SweepWork) {
  const { scenario, design, measures, runs } = plan;
  const cells = new SweepCells(plan, store, work);
  const all = (): Iterable<number> => upTo(design.size);
  const found =
    measures.goal === undefined
      ? { finished: await cells.finish(all(), design.size, runs), reported: all, runsOf: () => runs, runs }
      : await search(cells, plan, measures.goal);
  const head: SweepHead = {
    ...answerHead(scenario),
    version: versionsOf(scenario).version,
    design: design.kind,
    paths: design.paths,
    points: design.size,
    seeds: Array.from({ length: found.runs }, (_, run) => seedOfRun(scenario.seed, run)),
    confidence: CONFIDENCE,
    ...(!found.finished && { partial: true as const }),
    ...('search' in found && { search: found.search }),
  };
  const points = function* (): Generator<SweepPoint> {
    for (const point of found.reported()) {
      const result = cells.result(point, found.runsOf(point));
      if (result !== undefined) yield result;
    }
  };
  return { head, points };
}

function* upTo(size: number): Generator<number> {
  for (let point = 0; point < size; point++) yield point;
}

/** Successive halving: all points with few runs, the best third with three times as many, and so on. */
async function search(cells: SweepCells, plan: SweepPlan, goal: swept.Goal) {
  const { design, runs: first } = plan;
  const { measure, maximize, bounds } = goal;
  /** Of each point, the runs of the last round that it was in. */
  const ran = new Map<number, number>();
  const runsOf = (point: number): number => ran.get(point) ?? first;
  let ranked: readonly number[] = [];
  let finished = true;
  for (let round: swept.Round | undefined = { points: [...upTo(design.size)], runs: first }; round !== undefined;) {
    const { points, runs }: swept.Round = round;
    finished = await cells.finish(points, points.length, runs);
    if (!finished) break;
    for (const point of points) ran.set(point, runs);
    const scored = points.map((point) => ({ point, score: swept.scoreOf(cells.runsOf(point, runs), goal) }));
    const order = scored.sort((a, b) => swept.byScore(a.score, b.score) || a.point - b.point).map(({ point }) => point);
    ranked = [...order, ...ranked.slice(points.length)];
    round = swept.nextRound(round, order, first);
  }
  const isIn = (point: number): boolean => swept.scoreOf(cells.runsOf(point, runsOf(point)), goal).miss === 0;
  const runs = runsOf(ranked[0] ?? -1);
  // More runs may show that those that were ahead miss a bound: then the next one is looked at as closely.
  let best = ranked.find(isIn);
  while (finished && best !== undefined && runsOf(best) < runs) {
    finished = await cells.finish([best], 1, runs);
    if (finished) ran.set(best, runs);
    best = ranked.find(isIn);
  }
  ranked = [...ranked].sort((a, b) => Number(b === best) - Number(a === best));
  const bestRuns = best === undefined ? [] : cells.runsOf(best, runs);
  const asGood = ranked.slice(1).filter((point) => {
    if (best === undefined || ran.get(point) !== runs || !isIn(point)) return false;
    const difference = swept.differenceOf(bestRuns, cells.runsOf(point, runs), measure);
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
    } satisfies SearchResult,
  };
}

/** The cells of a sweep: memory holds those under way alone. */
class SweepCells {
  constructor(
    private readonly plan: SweepPlan,
    private readonly store: CellStore,
    private readonly work: SweepWork,
  ) {}

  /** Works out what is missing of the first runs of these points. @returns false where the user interrupted. */
  async finish(points: Iterable<number>, size: number, runs: number): Promise<boolean> {
    const { work, store } = this;
    /** Cells that are over, of those asked for. */
    let done = 0;
    const missing = function* (cells: Iterable<Cell>): Generator<Cell> {
      for (const cell of cells)
        if (store.get(cell) === undefined) yield cell;
        else done++;
    };
    await work.run(missing(this.cellsOf(points, runs)), async ({ cell, result }) => {
      if (result.kind === 'run') store.add(cell, { numbers: Object.fromEntries(result.run.numbers) });
      else store.add(cell, { numbers: {}, problem: result.problem, isLimit: result.isLimit });
      await work.show(++done / (size * runs));
    });
    return !work.isInterrupted();
  }

  /** Of the runs of a point, as far as they are over, with its fields; a point that cannot be run has none. */
  runsOf(point: number, runs: number): swept.PointRuns {
    const { areNumbers } = this.plan.design;
    const varied = this.valuesOf(point).filter((_, axis) => areNumbers[axis]);
    const fields = Object.fromEntries(varied.map(([path, value]) => [path, Number(value)]));
    return this.known(point, runs).map(({ numbers, problem }) =>
      problem === undefined ? { ...fields, ...numbers } : numbers,
    );
  }

  /** undefined: not all of its runs are over. */
  result(point: number, runs: number): SweepPoint | undefined {
    const known = this.known(point, runs);
    if (known.length < runs) return undefined;
    const problem = known.find((cell) => cell.problem !== undefined)?.problem;
    return {
      point,
      values: Object.fromEntries(this.valuesOf(point)),
      runs,
      ...(problem !== undefined && { problem }),
      measures: Object.fromEntries(this.plan.measures.kept.flatMap((measure) => estimateOf(measure, known))),
    };
  }

  private known(point: number, runs: number): readonly CellNumbers[] {
    return present([...this.cellsOf([point], runs)].map((cell) => this.store.get(cell)));
  }

  private *cellsOf(points: Iterable<number>, runs: number): Generator<Cell> {
    for (const point of points) {
      const changes = this.valuesOf(point).map(([path, value]) => `${path}=${value}`);
      for (let run = 0; run < runs; run++) yield { changes, seed: seedOfRun(this.plan.scenario.seed, run) };
    }
  }

  private valuesOf(point: number): readonly (readonly [path: string, value: string])[] {
    const { paths, at } = this.plan.design;
    return at(point).map((value, axis) => [paths[axis] ?? '', value]);
  }
}

function estimateOf({ name, number }: swept.SweepMeasure, cells: readonly CellNumbers[]): [string, Estimate][] {
  const values = cells.flatMap(({ numbers }) => numbers[number] ?? []);
  const interval = meanInterval(values);
  if (interval === undefined) return [];
  return [[name, values.length === cells.length ? interval : { ...interval, runs: values.length }]];
}

/** Of each of these at most one. */
const EITHER = [
  ['random', 'latinHypercube'],
  ['minimize', 'maximize'],
] as const;

/**
 * Runs a scenario with every combination of values of its fields, or with points drawn from them, under the same seeds;
 * or looks for the best of them. It is the document of `lbsim sweep --json`.
 *
 * @throws NoSweep where an option is wrong, or the scenario cannot be read with any of the values.
 */
export async function sweep(input: Input | readonly Input[], options: SweepOptions): Promise<Sweep> {
  args.demand('sweep', ['input', input, args.INPUTS], ['options', options, optionsIn(SweepOptions, 'vary')]);
  for (const [one, other] of EITHER)
    if (options[one] !== undefined && options[other] !== undefined)
      throw new designs.NoSweep(`${one} and ${other}: take one of them`);
  if (options.subjectTo !== undefined && (options.minimize ?? options.maximize) === undefined)
    throw new designs.NoSweep('subjectTo bounds a search: give minimize or maximize');
  const { load = {}, pause = NO_PAUSE } = options;
  const inputs = 'file' in input ? [input] : input;
  const read = (changes: readonly string[]): LoadResult =>
    loadScenario(inputs, { statistics: false, ...load, set: [...(load.set ?? []), ...changes] });
  const refuse = (problems: readonly Problem[]): never => {
    throw new designs.NoSweep(problems.map(({ message }) => message).join('\n'), problems);
  };
  const readable = (changes: readonly string[]): Scenario => {
    const { scenario, problems } = read(changes);
    return scenario ?? refuse(problems);
  };
  const varied = designs.axesOf(options.vary).map((axis) => designs.axisWithoutSecrets(axis, inputs, load));
  const base = readable([]);
  const obstacles = obstaclesOf(base, inputs[0]?.file ?? '');
  if (obstacles.length > 0) refuse(obstacles);
  const plan = planSweep(base, varied, options);
  for (const change of varied.flatMap(designs.changesToRead)) readable([change]);
  const machine = new CellMachine((changes) => scenarioOrProblem(read(changes)), {
    keep: plan.measures.kept.map(({ number }) => number),
  });
  const known = new Map<string, CellNumbers>();
  const store: CellStore = {
    get: (cell) => known.get(JSON.stringify(cell)),
    add: (cell, numbers) => void known.set(JSON.stringify(cell), numbers),
  };
  let done = 0;
  const { head, points } = await runSweep(plan, store, {
    async run(cells, onDone) {
      for (let next = cells.next(); next.done !== true; next = cells.next())
        await onDone({ cell: next.value, result: await machine.run(next.value, () => pause(done)) });
    },
    show: (part) => pause((done = part)),
    isInterrupted: () => false,
  });
  return { ...head, results: [...points()] };
}
