import type { Micros } from '../../core/units.js';
import { PolicyFailure } from '../../policy/foreign/policy-module.js';
import type { LoadResult } from '../../scenario/load.js';
import type { Scenario } from '../../scenario/model.js';
import type { Pause } from '../pause.js';
import { type RunSummary, summaryOfRun } from '../replicate/estimates.js';
import { UnsupportedError } from '../run/unsupported.js';

/** The unit of work: one run of a scenario, changed as by `--set` after its own changes, under a seed. Its result depends on nothing else. */
export type Cell = Readonly<{ changes: readonly string[]; seed: string }>;

export type Answer<Run> =
  | { readonly kind: 'run'; readonly run: Run }
  /** @param isLimit it is not the cell's, but of limits that whoever worked it out had: others may have a result. */
  | { readonly kind: 'problem'; readonly problem: string; readonly isLimit?: true };

export type CellResult = Answer<RunSummary>;

export interface CellOptions {
  /** Length of the intervals of the course, which is left out otherwise. */
  readonly everyUs?: Micros | undefined;
  /** Only numbers of these names are kept; absent: all. */
  readonly keep?: readonly string[];
}

export class CellMachine {
  /** Replications of a cell follow each other: the scenario is read once for them. */
  private last: { readonly changes: string; readonly scenario: Scenario | string } | undefined;

  /** @param read the scenario with changes, or why there is none, in a sentence. */
  constructor(
    private readonly read: (changes: Cell['changes']) => Scenario | string | Promise<Scenario | string>,
    private readonly options: CellOptions,
  ) {}

  run({ changes, seed }: Cell, pause?: Pause): Promise<CellResult> {
    const { everyUs, keep } = this.options;
    return this.answer(changes, async (scenario) => {
      const run = await summaryOfRun({ ...scenario, seed }, { everyUs, pause, pooled: keep === undefined });
      return keep === undefined ? run : withOnly(run, keep);
    });
  }

  async answer<Run>(changes: Cell['changes'], work: (of: Scenario) => Promise<Run>): Promise<Answer<Run>> {
    const text = JSON.stringify(changes);
    if (this.last?.changes !== text) this.last = { changes: text, scenario: await this.read(changes) };
    const { scenario } = this.last;
    if (typeof scenario === 'string') return { kind: 'problem', problem: scenario };
    try {
      return { kind: 'run', run: await work(scenario) };
    } catch (error) {
      if (!(error instanceof PolicyFailure || error instanceof UnsupportedError)) throw error;
      return { kind: 'problem', problem: error.message };
    }
  }
}

export function scenarioOrProblem({ scenario, problems }: LoadResult): Scenario | string {
  if (scenario !== undefined) return scenario.origin.unsent ?? scenario;
  const problem = problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return 'it cannot be read';
  return `${problem.path === '' ? problem.file : problem.path}: ${problem.message}`;
}

function withOnly({ seed, numbers }: RunSummary, names: readonly string[]): RunSummary {
  const kept = new Set(names);
  const left = new Map([...numbers].filter(([name]) => kept.has(name)));
  return { seed, numbers: left, phases: {}, hosts: {}, policies: {}, expect: [], latencies: {} };
}
