import { createHash } from 'node:crypto';
import { type RunSummary, summaryOfRun } from '../analysis/replicate/estimates.js';
import { runSide, type SideRun } from '../analysis/compare/cluster-runs.js';
import { NO_PAUSE, type Pause } from '../analysis/pause.js';
import type { Micros } from '../core/units.js';
import { PolicyFailure } from '../policy/foreign/policy-module.js';
import type { Scenario } from '../scenario/model.js';
import { UnsupportedError } from '../analysis/run/unsupported.js';
import { InputError } from './session.js';
import { PolicyModules, type PolicyOptions, type SentModule } from './input/policy-modules.js';
import { loadSource, type Runnable, type ScenarioSource } from './input/scenario-file.js';
import { readFileSync } from 'node:fs';
import { setsWithoutSecrets, withoutSecrets } from '../scenario/secrets.js';
import { packageVersion } from './package-root.js';

export function cellContext(
  { source, code }: Pick<Runnable, 'source' | 'code'>,
  { policy, allowCode }: PolicyOptions,
  { everyUs, keep }: { readonly everyUs?: Micros | undefined; readonly keep?: readonly string[] },
): CellContext {
  const { inputs, options } = source;
  const set = options.set && setsWithoutSecrets(options.set, inputs, options.api);
  return {
    version: packageVersion(),
    source: {
      ...source,
      inputs: withoutSecrets(inputs, options.api),
      options: { ...options, ...(set !== undefined && { set }) },
    },
    policy: { ...(policy !== undefined && { policy }), ...(allowCode === true && { allowCode }) },
    code: code.map(({ file }) => sha256(readFileSync(file))),
    ...(everyUs !== undefined && { everyUs }),
    ...(keep !== undefined && { keep }),
  };
}

/** What all cells of an experiment have in common: plain data, which any thread can be given, and without `policy` any machine. */
export interface CellContext {
  /** Of lbsim: another one may count otherwise. */
  readonly version: string;
  readonly source: ScenarioSource;
  /** Code of the user's, which is loaded from its files. */
  readonly policy: PolicyOptions;
  /** SHA-256 of each of these files. */
  readonly code: readonly string[];
  /** Instead of `policy`, where its files are not: whoever makes the machine has allowed them. */
  readonly modules?: readonly SentModule[];
  /** Length of the intervals of the course, which is left out otherwise. */
  readonly everyUs?: Micros;
  /** Only numbers of these names are kept; absent: all. */
  readonly keep?: readonly string[];
}

/** The unit of work: one run of a scenario, changed as by `--set` after those of the source, under a seed. Its result depends on nothing else. */
export type Cell = Readonly<{ changes: readonly string[]; seed: string }>;

export type Answer<Run> =
  | { readonly kind: 'run'; readonly run: Run }
  /** @param isLimit it is not the cell's, but of limits that whoever worked it out had: others may have a result. */
  | { readonly kind: 'problem'; readonly problem: string; readonly isLimit?: true };

export type CellResult = Answer<RunSummary>;

export type SideTask = Readonly<{ side: number; seed: string }>;

/** What a cell depends on besides itself, as 64 hexadecimal digits. */
export const contextId = (context: CellContext): string => sha256(JSON.stringify(context));

/** Two cells with one id have the same result, whoever works them out. @param context of {@link contextId}. */
export const cellId = (context: string, { changes, seed }: Cell): string =>
  sha256(JSON.stringify([context, changes, seed]));

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

export class CellMachine {
  private modules: PolicyModules | undefined;
  /** Replications of a cell follow each other: the scenario is read once for them. */
  private last: { readonly changes: string; readonly scenario: Scenario | string } | undefined;

  constructor(private readonly context: CellContext) {}

  run({ changes, seed }: Cell, pause?: Pause): Promise<CellResult> {
    const { everyUs, keep } = this.context;
    return this.answer(changes, async (scenario) => {
      const run = await summaryOfRun({ ...scenario, seed }, { everyUs, pause, pooled: keep === undefined });
      return keep === undefined ? run : withOnly(run, keep);
    });
  }

  runSide(seed: string): Promise<Answer<SideRun>> {
    return this.answer([], (scenario) => runSide(scenario, seed, NO_PAUSE));
  }

  private async answer<Run>(changes: Cell['changes'], work: (of: Scenario) => Promise<Run>): Promise<Answer<Run>> {
    const scenario = await this.scenarioOf(changes);
    if (typeof scenario === 'string') return { kind: 'problem', problem: scenario };
    try {
      return { kind: 'run', run: await work(scenario) };
    } catch (error) {
      if (!(error instanceof PolicyFailure || error instanceof UnsupportedError)) throw error;
      return { kind: 'problem', problem: error.message };
    }
  }

  /** @returns why there is none otherwise, in a sentence. */
  private async scenarioOf(changes: readonly string[]): Promise<Scenario | string> {
    const text = JSON.stringify(changes);
    if (this.last?.changes !== text) this.last = { changes: text, scenario: await this.read(changes) };
    return this.last.scenario;
  }

  private async read(changes: readonly string[]): Promise<Scenario | string> {
    const { source, policy, modules: sent } = this.context;
    try {
      this.modules ??= await (sent === undefined ? PolicyModules.of(policy) : PolicyModules.ofTexts(sent));
      const load = (modules: PolicyModules): ReturnType<typeof loadSource> =>
        loadSource(source, changes, modules.policies);
      let loaded = load(this.modules);
      if (policy.allowCode === true && loaded.policyModules !== undefined) {
        await this.modules.loadNamed(loaded.policyModules);
        loaded = load(this.modules);
      }
      const { scenario, problems } = loaded;
      if (scenario !== undefined) return scenario.origin.unsent ?? scenario;
      const problem = problems.find(({ severity }) => severity === 'error');
      if (problem === undefined) return 'it cannot be read';
      return `${problem.path === '' ? problem.file : problem.path}: ${problem.message}`;
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  }
}

function withOnly(run: RunSummary, keep: readonly string[]): RunSummary {
  const numbers = new Map(
    keep.flatMap((name): [string, number][] => {
      const value = run.numbers.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { seed: run.seed, numbers, phases: {}, hosts: {}, policies: {}, expect: [], latencies: {} };
}
