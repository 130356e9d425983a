import * as compared from '../../analysis/compare/cluster-runs.js';
import { isListedPolicy } from '../../config/lb.js';
import type { Problem } from '../../core/problem.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import { NAMED_POLICIES } from '../../policy/registry.js';
import { isPartOnly } from '../../scenario/input/read-inputs.js';
import { isModuleName } from '../../scenario/modules/module-shape.js';
import type { Answer } from '../../analysis/sweep/cell.js';
import { cellContext, type CellContext, type SideTask } from '../cell.js';
import { InputError, says, type Session, UsageError } from '../session.js';
import type { CompareOptions } from '../program/generated/commands.js';
import { obstaclesOf } from '../../analysis/run/unsupported.js';
import type { PolicyModules, PolicyOptions } from './policy-modules.js';
import { readInput } from './read-file.js';
import { readScenario, type ScenarioOptions, unusedPolicies } from './scenario-file.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';
import { PolicyFailure } from '../../policy/foreign/policy-module.js';
import { threadPool, WAITING } from '../cell-pool.js';
import { type LongWork, requestsOf, threadsFor } from '../long-work.js';

/** A side, and what a thread or a page makes it of. */
export interface ReadSide extends compared.ComparedSide {
  readonly context: CellContext;
  readonly sources: ReadonlyMap<string, string>;
  readonly options: ScenarioOptions;
  readonly code: PolicyModules['files'];
}

interface SideChanges {
  readonly files: readonly string[];
  /** Absent: the files and what changes them. */
  readonly name?: string;
  readonly set: readonly string[];
  /** Of this side alone. */
  readonly version?: ScenarioOptions['proxyVersion'] | undefined;
}

/** Reads the sides; problems that several have are reported once. */
export class SideReader {
  readonly problems: Problem[] = [];
  readonly sources = new Map<string, string>();
  readonly named: string[] = [];
  private readonly reported = new Set<string>();
  /** By side: `--fail` and `--unhealthy` that select no host of it. */
  private readonly selectsNone: (readonly string[])[] = [];

  constructor(
    private readonly options: CompareOptions,
    private readonly session: Session,
  ) {}

  /** A and B; or, of one configuration, A, and B with the changes of the options. */
  async readBoth(files: readonly string[]): Promise<readonly ReadSide[]> {
    const { set = [], setA = [], versionA, versionB } = this.options;
    const [filesA, filesB] = await this.divided(files);
    const isChanged = set.length > 0 || setA.length > 0 || versionA !== undefined || versionB !== undefined;
    if (filesA === filesB && !isChanged) throw new UsageError(says('nothing_to_compare', { files }));
    const first = await this.readSide({ files: filesA, set: setA, version: versionA });
    return this.judged([first, await this.readSide({ files: filesB, set, version: versionB })]);
  }

  /** The files of each side: those that have no clusters of their own are part of a configuration, and no side. */
  private async divided(files: readonly string[]): Promise<readonly [readonly string[], readonly string[]]> {
    if (files.length === 1) return [files, files];
    const sides: string[] = [];
    for (const file of files) if (!isPartOnly({ file, text: await readInput(file, this.session.io) })) sides.push(file);
    if (sides.length <= 1) return [files, files];
    const [a = '', b = ''] = sides;
    if (files.length === 2) return [[a], [b]];
    throw new UsageError(says('several_configurations', { sides }));
  }

  /** A policy that one side uses is used, and hosts that one side has are there. */
  private judged(sides: readonly ReadSide[]): readonly ReadSide[] {
    const [first = [], ...others] = this.selectsNone;
    const nowhere = new Set(first.filter((option) => others.every((none) => none.includes(option))));
    if (nowhere.size > 0) {
      const problems = this.problems.map((one): Problem =>
        isAboutWhatIf(one) && nowhere.has(one.file) ? { ...one, severity: 'error' } : one,
      );
      throw new InputError(problems, this.sources, NOTHING_COMPARED);
    }
    const scenarios = sides.map(({ scenario }) => scenario);
    this.problems.push(...unusedPolicies(this.options, scenarios));
    return sides;
  }

  /** One configuration under several policies: a side each. */
  async readPolicies(files: readonly string[], wanted: string): Promise<readonly ReadSide[]> {
    const { options } = this;
    const policies = policiesOf(wanted, options);
    const base = { files, set: options.set ?? [] };
    const { scenario } = await this.readSide(base);
    const names = scenario.clusters
      .filter((one) => isListedPolicy(lbPolicyOf(one)) && scenario.origin.reported?.has(one.name) !== false)
      .map(({ name }) => name);
    if (names.length === 0) throw new UsageError('--policies: no cluster could have another policy');
    const sides: ReadSide[] = [];
    for (const policy of policies) {
      const set = names.map((name) => `clusters[${JSON.stringify(name)}].lb_policy=${policy}`);
      sides.push(await this.readSide({ ...base, name: policy, set: [...base.set, ...set] }));
    }
    return this.judged(sides);
  }

  private async readSide({ files, name, set, version }: SideChanges): Promise<ReadSide> {
    const own = {
      ...this.options,
      isSide: true,
      makesUpHosts: true,
      source: true,
      set,
      ...(version !== undefined && { proxyVersion: version }),
    };
    const read = await readScenario(files, own, this.session);
    // Expectations are ignored: they are about the unchanged file.
    const problems = read.problems.filter(({ severity, path }) => severity === 'error' || !path.startsWith('expect'));
    const obstacles = read.scenario === undefined ? [] : obstaclesOf(read.scenario, files[0] ?? '-');
    if (read.scenario === undefined || obstacles.length > 0)
      throw new InputError([...problems, ...obstacles], read.sources, NOTHING_COMPARED);
    this.selectsNone.push(problems.filter(isAboutWhatIf).map((problem) => problem.file));
    this.problems.push(...problems.filter((problem) => this.isNew(problem)));
    for (const [name, text] of read.sources) this.sources.set(name, text);
    this.named.push(...read.named);
    const { scenario, sources, code } = read;
    const context = cellContext(read, own, {});
    // It is printed: the changes without what is secret in them.
    const changes = (context.source.options.set ?? []).map((one) => `--set ${one}`);
    const called = [...files, ...changes, ...(version === undefined ? [] : [`proxy ${version}`])].join(' ');
    return { name: name ?? called, scenario, context, sources, options: own, code };
  }

  private isNew({ file, path, message, line }: Problem): boolean {
    // One problem of an option is enough, although it applies to each policy.
    const where = file.startsWith('--set') ? '--set' : `${file}:${line}:${path}`;
    const text = `${where} ${message}`;
    if (this.reported.has(text)) return false;
    this.reported.add(text);
    return true;
  }
}

const NOTHING_COMPARED = 'Nothing was compared.';

/** An option, not a file, selects no host. */
const isAboutWhatIf = ({ rule, line }: Problem): boolean => rule === 'no-such-host' && line === 0;

/** The proxy's, extensions, and those that the command line names. */
export function everyPolicy({ policy = [] }: PolicyOptions): readonly string[] {
  const own = policy.map((option) => option.slice(0, option.indexOf('=')));
  return [...NAMED_POLICIES, ...Object.keys(EXTENSIONS), ...own];
}

function policiesOf(wanted: string, { policy = [] }: PolicyOptions): readonly string[] {
  const known = everyPolicy({ policy });
  if (wanted === 'all') return NAMED_POLICIES;
  const isKnown = (name: string): boolean => known.includes(name) || isModuleName(name);
  const names = wanted.split(',').map((text) => text.trim());
  const policies = [...new Set(names.map((name) => (isKnown(name) ? name : name.toUpperCase())))];
  const unknown = policies.find((name) => !isKnown(name));
  if (unknown !== undefined)
    throw new UsageError(`--policies: there is no ${unknown}; there are all and ${known.join(', ')}`);
  if (policies.length < 2) throw new UsageError('--policies compares two policies or more, as ROUND_ROBIN,MAGLEV');
  return policies;
}

/** Runs all sides under the same seeds: over threads, or here where that is over sooner. */
export async function runAllSides(
  sides: readonly ReadSide[],
  { runs, jobs }: Pick<CompareOptions, 'runs' | 'jobs'>,
  { pause, interrupt }: LongWork,
  session: Session,
): Promise<compared.RanSides> {
  const [first] = sides;
  const most = (runs ?? compared.MOST_RUNS) * sides.length;
  const many = jobs ?? (first === undefined ? 1 : threadsFor(most, requestsOf(first.scenario), session.io.threads));
  const threads = Math.min(many, most);
  if (threads === 1) return compared.runSides(sides, { runs, pause });
  const contexts = sides.map(({ context }) => context);
  const pool = await threadPool<SideTask, Answer<compared.SideRun>>(threads, contexts);
  // Threads are in the middle of a run, and would be for long.
  void interrupt.promise.then(() => pool.destroy());
  const run: compared.SideRunner['run'] = async (side, seed, pause) => {
    const answer = await pool.run({ side, seed }).catch(async (error: unknown) => {
      // It was ended, which this says.
      await pause(1);
      throw error;
    });
    if (answer.kind === 'problem') throw new PolicyFailure({ kind: 'told', text: answer.problem });
    return answer.run;
  };
  try {
    return await compared.runSides(sides, { runs, pause }, { wants: threads * WAITING, run });
  } finally {
    await pool.destroy();
  }
}
