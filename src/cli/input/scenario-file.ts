import { existsSync, realpathSync } from 'node:fs';
import { type Check, FLAG, oneOf, TEXT, TEXTS } from '../../core/arguments.js';
import { fileProblem, hasErrors, type Problem } from '../../core/problem.js';
import { adviceFor } from '../../report/run/advice.js';
import { hiddenInRuns, shownInRuns } from '../../report/problems.js';
import { isShownInRuns } from '../../scenario/lint/rules.js';
import type { LoadOptions } from '../../scenario/generated/load-options.js';
import { type LoadResult, loadScenario } from '../../scenario/load.js';
import type { Input } from '../../scenario/input/read-inputs.js';
import type { Scenario } from '../../scenario/model.js';
import { obstaclesOf } from '../../analysis/run/unsupported.js';
import { errorCode, InputError, reasonOf, says, type Session, SmallProcess } from '../session.js';
import { PolicyModules, type PolicyOptions } from './policy-modules.js';
import { readInputs, readWholeFile, RefusedFile } from './read-file.js';
import type { RunOptions } from '../program/generated/commands.js';
import { lbPolicyName } from '../../policy/registry.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Options of a call that change what its files say, and how each is checked where another machine sent it. */
export const SOURCE_OPTIONS = {
  proxyVersion: TEXT,
  api: oneOf(['v2', 'v3']),
  seed: TEXT,
  duration: TEXT,
  warmup: TEXT,
  set: TEXTS,
  cluster: TEXTS,
  hosts: TEXTS,
  unhealthy: TEXTS,
  fail: TEXTS,
  istioVersion: TEXT,
  locality: TEXT,
  labels: TEXT,
  allowUnknownStaticFields: FLAG,
} satisfies { readonly [Name in keyof RunOptions]?: Check };

const SOURCE_NAMES = Object.keys(SOURCE_OPTIONS) as (keyof typeof SOURCE_OPTIONS)[];

export type SourceOptions = Pick<RunOptions, keyof typeof SOURCE_OPTIONS>;

/** A file that a scenario names: its path as it is written there. */
export type NamedText = Readonly<{ path: string; writtenIn: string; text: string }>;

/** All that a scenario is made of but code, as plain data: another thread or machine reads the same scenario out of it. */
export interface ScenarioSource {
  readonly inputs: readonly Input[];
  readonly named: readonly NamedText[];
  readonly options: SourceOptions;
}

export function loadOptionsOf(options: SourceOptions): LoadOptions {
  const { duration, warmup, cluster, allowUnknownStaticFields, ...same } = sourceOptionsOf(options);
  return {
    ...same,
    durationText: duration,
    warmupText: warmup,
    clusters: cluster,
    allowUnknownFields: allowUnknownStaticFields,
  };
}

const sourceOptionsOf = (options: SourceOptions): SourceOptions =>
  Object.fromEntries(SOURCE_NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));

/** @param set further changes, as of `--set`, after those of the source. */
export const loadSource = (
  { inputs, named, options }: ScenarioSource,
  set: readonly string[],
  policies: Readonly<Record<string, unknown>>,
): LoadResult =>
  loadScenario(inputs, {
    ...loadOptionsOf({ ...options, set: [...(options.set ?? []), ...set] }),
    policies,
    statistics: false,
    makesUpHosts: true,
    readFile: (path, writtenIn) => {
      const found = named.find((one) => one.path === path && one.writtenIn === writtenIn);
      // A change may name a file that the scenario did not.
      if (found === undefined) throw new Error('only files that the scenario names itself can be read here');
      return found.text;
    },
  });

const MAX_BYTES = 128 * 1024 * 1024;

/**
 * A scenario may come from a stranger: it may read only files below its own folder, links resolved.
 * @param path     as the scenario writes it.
 * @param scenario as it was named on the command line; `-` is standard input, whose folder is the working directory.
 * @param anywhere the user trusts the scenario with every file.
 * @param onFile   gets the file before it is read.
 * @throws Error with a clause that becomes a part of a problem.
 */
function readNamed(path: string, scenario: string, anywhere: boolean, onFile: (file: string) => void): string {
  const file = locate(path, scenario === '-' ? '.' : dirname(scenario), anywhere);
  onFile(file);
  try {
    return new TextDecoder('utf-8').decode(readWholeFile(file, MAX_BYTES));
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw unreadable(error);
    const { message } = error;
    throw new Error(message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, ''), { cause: error });
  }
}

/** Nothing outside of the folder is accessed, not even to see whether a file exists. */
function locate(path: string, folder: string, anywhere: boolean): string {
  const file = resolve(folder, path);
  if (anywhere) return file;
  try {
    const real = isAbsolute(path) || !isBelow(resolve(folder), file) ? undefined : realpathSync(file);
    if (real !== undefined && isBelow(realpathSync(folder), real)) return real;
  } catch (error) {
    throw unreadable(error);
  }
  throw new Error(says('outside_files'));
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const unreadable = (error: unknown): Error =>
  new Error(errorCode(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error), { cause: error });

export interface ScenarioOptions
  extends
    PolicyOptions,
    SourceOptions,
    Pick<RunOptions, 'allowOutsideFiles'>,
    Pick<LoadOptions, 'purpose' | 'lint' | 'advice' | 'isSide' | 'forStart' | 'makesUpHosts'> {
  /** Statistics are sent or served, whatever they cost. */
  readonly statistics?: boolean;
  /** Also check that the files of the proxy's configuration exist. */
  readonly files?: boolean;
  /** Also give what the scenario is made of, see `source` of {@link ReadScenario}. */
  readonly source?: boolean;
}

export type ReadScenario = Awaited<ReturnType<typeof readScenario>>;

/** Reads and checks a scenario; problems of its content are returned, errors of reading are thrown. */
export async function readScenario(files: readonly string[], options: ScenarioOptions, session: Session) {
  const inputs = await readInputs(files, session.io);
  const named: string[] = [];
  const modules = await PolicyModules.of(options);
  const texts = new Map<string, NamedText>();
  const { memory } = session.io;
  const { lint, advice, purpose, isSide, makesUpHosts, forStart } = options;
  const load = (bytes = memory?.ofProcess): LoadResult =>
    loadScenario(inputs, {
      ...loadOptionsOf(options),
      memory: bytes,
      policies: modules.policies,
      statistics: options.statistics === true,
      ...{ lint, advice, purpose, isSide, makesUpHosts, forStart },
      fileExists: options.files === true ? existsSync : undefined,
      readFile: (path, writtenIn) => {
        const text = readNamed(path, writtenIn, options.allowOutsideFiles === true, (file) => named.push(file));
        if (options.source === true) texts.set(`${writtenIn}\0${path}`, { path, writtenIn, text });
        return text;
      },
    });
  const sources = new Map(inputs.map(({ file, text }) => [file, text]));
  let loaded = load();
  if (options.allowCode === true && loaded.policyModules !== undefined) {
    await modules.loadNamed(loaded.policyModules, sources);
    loaded = load();
  }
  if (memory !== undefined && isTooLarge(loaded)) {
    loaded = load(memory.ofMachine);
    if (!isTooLarge(loaded) && memory.restart !== undefined && !files.includes('-')) throw new SmallProcess();
  }
  const { scenario } = loaded;
  const isJudged = scenario !== undefined && isSide !== true;
  const problems = [...loaded.problems, ...(isJudged ? unusedPolicies(options, [scenario]) : [])];
  return {
    /** undefined exactly where `problems` has errors. */
    scenario: hasErrors(problems) ? undefined : scenario,
    problems,
    /** Texts by file name, to show lines. Lines of files that it names are never shown: they may be private. */
    sources,
    named: [...named, ...modules.files.map(({ file }) => file)],
    /** What it is made of; the files that it names only on request, for they may be large. */
    source: { inputs, named: [...texts.values()], options: sourceOptionsOf(options) },
    code: modules.files,
  };
}

const isTooLarge = ({ problems }: LoadResult): boolean => problems.some(({ rule }) => rule === 'too-much');

export function unusedPolicies({ policy = [] }: PolicyOptions, scenarios: readonly Scenario[]): Problem[] {
  const clusters = scenarios.flatMap((scenario) => [
    ...scenario.clusters,
    ...scenario.timeline.flatMap(({ action }) => (action.kind === 'update_cluster' ? [action.cluster] : [])),
  ]);
  const used = new Set(clusters.map((cluster) => lbPolicyName(lbPolicyOf(cluster))));
  return policy.flatMap((option): Problem[] => {
    const name = option.slice(0, option.indexOf('='));
    if (used.has(name)) return [];
    const message = `no cluster has lb_policy: ${name}. Set it, as with --set clusters.NAME.lb_policy=${name}`;
    return [{ ...fileProblem(`--policy ${option}`, 'policy-module', message), severity: 'warning' }];
  });
}

export type Runnable = Awaited<ReturnType<typeof readRunnable>>;

/** Reads a scenario to be run: anything that prevents a run is thrown. */
export async function readRunnable(
  files: readonly string[],
  options: ScenarioOptions,
  session: Session,
  closing?: string,
) {
  const { problems, scenario, ...read } = await readScenario(files, { makesUpHosts: true, ...options }, session);
  const { sources } = read;
  const obstacles = scenario === undefined ? [] : obstaclesOf(scenario, files[0] ?? '-');
  if (scenario === undefined || obstacles.length > 0)
    throw new InputError([...problems, ...obstacles], sources, closing);
  const others = problems.filter(({ rule }) => !isShownInRuns(rule));
  return {
    ...read,
    scenario,
    /** Settings that do not divide the traffic as they seem to. */
    advice: adviceFor(problems),
    /** Prints warnings on standard error after the answer, and the number of further findings of `validate`. */
    printProblems: () => printProblems(others, sources, files, session),
  };
}

export async function printProblems(
  problems: readonly Problem[],
  sources: ReadonlyMap<string, string>,
  files: readonly string[],
  session: Session,
): Promise<void> {
  const shown = shownInRuns(problems);
  if (shown.length > 0) await session.warn(shown, '', sources);
  const hidden = hiddenInRuns(problems, files);
  if (hidden !== undefined) await session.err.write(`${hidden}\n`);
}
