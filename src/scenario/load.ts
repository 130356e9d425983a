import { inFileOrder, type Path, problemAt, type SourceDocument } from '../config/reader.js';
import { locate } from '../config/reader/spans.js';
import type { ApiVersion } from '../config/api/api.js';
import { fileProblem, hasErrors, type Problem, type ProblemRule } from '../core/problem.js';
import { addAll } from '../core/lists.js';
import { assemble } from './assemble/assemble.js';
import { excessOf, type Purpose } from './check/cost.js';
import { modulesIn, type NamedModule, takeOutAdded, withAdded } from './modules/added-policies.js';
import { anyMatcher, matcherOf, noSuchCluster } from './input/gather.js';
import { describeAction } from './assemble/describe.js';
import { parsePositiveDuration } from './fields/fields.js';
import { type AppliedHosts, applyHostsOptions } from './options/apply-hosts-option.js';
import { type Input, readInputs, type ReadInputs, readRoot } from './input/read-inputs.js';
import { lackingSentences } from './origin.js';
import { isShownInRuns, lint } from './lint/rules.js';
import type { Action, Scenario, TimelineEntry } from './model.js';
import type { Selector } from '../settings/selector.js';
import { nodeOf, type Plain } from '../config/source/trees.js';
import { type Overrides, readParts } from './read-parts.js';
import { problemsWithoutSecrets } from './secrets.js';
import { namedHosts, readable, type ScenarioParts } from './scenario-parts.js';
import { describeSelector, parseSelectorText } from './selector.js';
import { applySets } from './options/set-path.js';
import { failing } from './fields/timeline.js';
import { readTrace, relativeTo } from './fields/trace.js';
import { formatDuration, type Parsed, parseDuration, parseSeed, parseVersion } from './fields/units.js';
import type { WrittenWorkload } from './fields/workload.js';
import { ANY_TABLE, demand, FLAG, FUNCTION, INPUTS, oneOf, optionsOf, TEXT, TEXTS } from '../core/arguments.js';
import { checkExpectations } from './check/check-expectations.js';
import { checkHosts } from './check/check-hosts.js';
import { checkTimeline, checkTraffic } from './check/check-timeline.js';
import { References, type ReportAt } from './check/lookup.js';
import { linearRegexProblem } from '../core/regex/linear-regex.js';

/**
 * The same without tags of statistics whose expressions cannot be run in linear time: without statistics they are not
 * needed.
 */
function withoutCostlyTags(
  parts: ScenarioParts,
  report: (path: Path, rule: ProblemRule, message: string) => void,
): ScenarioParts {
  const proxies = parts.proxies.map((proxy, index) => {
    const { statsConfig } = proxy ?? {};
    if (proxy === undefined || statsConfig === undefined) return proxy;
    const statsTags = statsConfig.statsTags.filter(({ tagName, regex }, at) => {
      const problem = regex === undefined ? undefined : linearRegexProblem(regex, 'ecmascript');
      if (problem === undefined) return true;
      const owner = parts.kind === 'bootstrap' ? [] : parts.proxyPath(index);
      const path = [...owner, 'stats_config', 'stats_tags', at, 'regex'];
      report(
        path,
        'costly-tag',
        `the tag ${tagName} is left out: ${problem}. It matters to statistics that are sent only`,
      );
      return false;
    });
    return { ...proxy, statsConfig: { ...statsConfig, statsTags } };
  });
  return { ...parts, proxies };
}

/** All checks that involve several parts of a scenario. */
function checkReferences(parts: ScenarioParts, report: ReportAt): void {
  const refs = new References(parts, report);
  checkHosts(refs);
  checkTraffic(refs);
  checkTimeline(refs);
  checkExpectations(refs);
  for (const { cluster, path } of parts.unreadReferences) refs.clusterKnown(cluster, path);
  const { durationUs, warmupUs } = parts;
  if (durationUs !== undefined && warmupUs >= durationUs) {
    const text = `warmup is not shorter than the run (${formatDuration(durationUs)}): nothing is counted`;
    report('warning', ['warmup'], 'warmup', text);
  }
}

/** Options that override or extend the file. */
export interface LoadOptions {
  readonly proxyVersion?: string | undefined;
  readonly seed?: string | undefined;
  /** The API of the configuration. Default: detected. */
  readonly api?: ApiVersion | undefined;
  /** As in the file: `30s`. */
  readonly durationText?: string | undefined;
  /** As in the file: `10s`. */
  readonly warmupText?: string | undefined;
  /** `path=value`, as `clusters.backend.lb_policy=MAGLEV`; entries of lists go by name or index, values are YAML. */
  readonly set?: readonly string[] | undefined;
  /** Selectors whose hosts are UNHEALTHY in discovery from time 0. */
  readonly unhealthy?: readonly string[] | undefined;
  /** Selectors whose hosts refuse connections from time 0. */
  readonly fail?: readonly string[] | undefined;
  /** `backend=10.0.0.1:80,10.0.0.2:80@zone=b` or `backend=3`: hosts that no file tells; `*=3` means all such clusters. */
  readonly hosts?: readonly string[] | undefined;
  /** Routes are traffic also where the hosts of their clusters are not known: somebody will give them. Default false. */
  readonly supposesHosts?: boolean | undefined;
  /** It is compared with others: what `unhealthy` and `fail` select may be in those only. Default false. */
  readonly isSide?: boolean | undefined;
  /** Names and patterns with `*`: only these clusters get default traffic and are reported. */
  readonly clusters?: readonly string[] | undefined;
  /** false: statistics are not needed, and costly tags are left out. Default true. */
  readonly statistics?: boolean | undefined;
  /** Unknown fields of the proxy's messages are warnings, as the proxy's own option has it. */
  readonly allowUnknownFields?: boolean | undefined;
  /** Also report what is legal and does not do what it seems to. */
  readonly lint?: boolean | undefined;
  /** Of these, only the rules about how traffic is divided. */
  readonly advice?: boolean | undefined;
  /** The purpose of the scenario, which decides the limits of its cost. Default: a run. */
  readonly purpose?: Purpose | undefined;
  /** Whether a file that the configuration names exists (certificates). Absent: not checked. */
  readonly fileExists?: ((path: string) => boolean) | undefined;
  /** What refuses a proxy at its start is an error, also where it balances nothing. Default false: a warning. */
  readonly forStart?: boolean | undefined;
  /** Policies of your own, as modules export them, by the names that clusters give. */
  readonly policies?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Reads a file that the scenario names, by the path as written there and the file that it stands in. Absent: such a
   * file is a problem.
   */
  readonly readFile?: ((path: string, writtenIn: string) => string) | undefined;
}

const LOAD_OPTIONS = optionsOf<LoadOptions>({
  proxyVersion: TEXT,
  seed: TEXT,
  api: oneOf(['v2', 'v3']),
  durationText: TEXT,
  warmupText: TEXT,
  set: TEXTS,
  unhealthy: TEXTS,
  fail: TEXTS,
  hosts: TEXTS,
  supposesHosts: FLAG,
  isSide: FLAG,
  clusters: TEXTS,
  statistics: FLAG,
  allowUnknownFields: FLAG,
  lint: FLAG,
  forStart: FLAG,
  advice: FLAG,
  purpose: oneOf(['run', 'predict', 'tables']),
  fileExists: FUNCTION,
  policies: ANY_TABLE,
  readFile: FUNCTION,
});

export interface LoadResult {
  /** undefined exactly where `problems` has an error. */
  readonly scenario?: Scenario;
  /** In the order of the file; those of options first. */
  readonly problems: readonly Problem[];
  /** Modules that clusters name as their policies, whether or not they are loaded; absent: none. */
  readonly policyModules?: readonly NamedModule[];
}

/**
 * Reads a scenario, or a proxy's configuration in any of its forms: a bootstrap, clusters, assignments, answers of a
 * management server, pages of the admin interface. Several texts are one configuration, with a scenario or without.
 *
 * Every problem of the file is reported, each with its place; only errors keep it from running. No text makes it throw.
 *
 * @param input `file` is its name in problems (`-`: standard input); the scenario's name is its base name by default.
 */
export function loadScenario(input: Input | readonly Input[], options: LoadOptions = {}): LoadResult {
  demand('loadScenario', ['input', input, INPUTS], ['options', options, LOAD_OPTIONS]);
  const inputs = 'file' in input ? [input] : input;
  const { problems, ...loaded } = loadRead(readInputs(inputs, options), options);
  return { ...loaded, problems: problemsWithoutSecrets(problems, inputs, options.set) };
}

/**
 * The same for a parsed value, as from JSON: problems have paths and no line numbers.
 *
 * @param name the name of the file in problems, and of the scenario by default.
 */
export function loadScenarioValue(value: unknown, name: string, options: LoadOptions = {}): LoadResult {
  demand('loadScenarioValue', ['name', name, TEXT], ['options', options, LOAD_OPTIONS]);
  const read = readRoot(nodeOf(value as Plain, { start: 0, end: 0 }), name, options);
  const { problems, ...rest } = loadRead(read, options);
  const unlocated = problems.map((problem) => (problem.file === name ? { ...problem, line: 0, column: 0 } : problem));
  return { ...rest, problems: unlocated };
}

/** The same for texts that have been read already. */
export function loadRead(read: ReadInputs, options: LoadOptions): LoadResult {
  const { document, problems } = read;
  return document === undefined ? { problems } : new Loader(document.file, options, read).load(document);
}

class Loader {
  private problems: Problem[] = [];
  private readonly overrides: Overrides;
  private readonly atStart: readonly TimelineEntry[];
  private readonly selectors: readonly { readonly option: string; readonly selector: Selector }[];

  constructor(
    private readonly file: string,
    private readonly options: LoadOptions,
    private readonly input: ReadInputs,
  ) {
    addAll(this.problems, input.problems);
    this.overrides = {
      version: this.option('--proxy-version', 'version', options.proxyVersion, parseVersion),
      seed: this.option('--seed', 'seed', options.seed, parseSeed),
      durationUs: this.option('--duration', 'duration', options.durationText, parsePositiveDuration),
      warmupUs: this.option('--warmup', 'duration', options.warmupText, parseDuration),
      fileExists: options.fileExists,
      forStart: options.forStart,
      isMeant: options.clusters === undefined ? () => true : anyMatcher(options.clusters),
    };
    const unhealthy = this.selected('--unhealthy', options.unhealthy);
    const failed = this.selected('--fail', options.fail);
    this.selectors = [...unhealthy, ...failed];
    this.atStart = [
      ...unhealthy.map(({ selector }) =>
        entryAtStart({ action: { kind: 'set_health', hosts: selector, status: 'UNHEALTHY' } }),
      ),
      ...failed.map(({ selector }) => entryAtStart(failing(selector))),
    ];
  }

  load(written: SourceDocument): LoadResult {
    const set = applySets(written, this.options.set ?? [], this.options.policies);
    addAll(this.problems, set.problems);
    const scenario = this.read(set.document);
    const problems = inOrder(withoutEchoes(this.problems), this.file);
    const modules = modulesIn(set.document);
    const named = modules.length === 0 ? {} : { policyModules: modules };
    return scenario === undefined || hasErrors(problems) ? { problems, ...named } : { scenario, problems, ...named };
  }

  private read(written: SourceDocument): Scenario | undefined {
    const added = takeOutAdded(written, this.options.policies ?? {});
    const reading = readParts(added.document, this.overrides);
    addAll(this.problems, added.problems);
    addAll(this.problems, reading.problems);
    if (reading.parts === undefined) return undefined;
    const { document } = reading;
    const parts = withAdded(reading.parts, added);
    const lean =
      this.options.statistics === false
        ? withoutCostlyTags(parts, (path, rule, message) => {
            this.problems.push(problemAt(document, path, 'warning', rule, message));
          })
        : parts;
    const given = applyHostsOptions(lean, this.options.hosts ?? []);
    addAll(this.problems, given.problems);
    this.problems = this.problems.filter(
      (one) => one.rule !== 'load-assignment-required' || !given.given.has(one.path),
    );
    return this.check(given, document);
  }

  private check({ parts, madeUp, given }: AppliedHosts, document: SourceDocument): Scenario | undefined {
    checkReferences(parts, (found, path, rule, message) => {
      // Hosts of a cluster that no file of the proxy has are ignored.
      const isSpare = this.input.bare && rule === 'unknown-cluster' && path[0] === 'assignments';
      const severity = isSpare ? 'warning' : found;
      this.problems.push(problemAt(document, path, severity, rule, message));
    });
    const known = this.selectors.length === 0 ? undefined : namedHosts(parts);
    for (const { option, selector } of this.selectors) {
      if (known === undefined || known.mayMatch(selector)) continue;
      const text = `no host is ever ${describeSelector(selector)}: ${known.alternatives(selector)}`;
      const severity = this.options.isSide === true ? 'warning' : 'error';
      this.problems.push({ ...fileProblem(option, 'no-such-host', text), severity });
    }
    // What is supposed to be so from the start is told to the rules; after the file's own entries, whose places they report.
    const supposed = {
      ...parts,
      timeline: [...parts.timeline, ...this.atStart.map((entry) => ({ ...entry, word: entry.action.kind }))],
    };
    if (this.options.lint === true) addAll(this.problems, lint(supposed, document));
    else if (this.options.advice === true) addAll(this.problems, lint(supposed, document, isShownInRuns));
    const reported = this.picked(parts.clusterNames);
    const traced = parts.workloads.map((workload, index) => workload && this.withTrace(workload, index, document));
    if (hasErrors(this.problems)) return undefined;
    const { file, atStart, input } = this;
    const { api, lint: linted, supposesHosts = false } = this.options;
    const around = { file, atStart, input, api, madeUp, given: new Set(given.values()), reported, supposesHosts };
    const scenario = assemble(parts, readable(traced), { ...around, lacking: lackingSentences(this.problems) });
    const places = { cluster: parts.clusterPath, proxy: parts.proxyPath, options: atStart.length };
    for (const { path, message } of excessOf(scenario, this.options.purpose ?? 'run', places)) {
      // A file of the proxy is valid, whatever its simulation would cost.
      const severity = linted === true && input.bare ? 'warning' : 'error';
      this.problems.push(problemAt(document, path, severity, 'too-much', message));
    }
    return scenario;
  }

  /** The selected clusters; undefined: all. */
  private picked(names: readonly string[]): ReadonlySet<string> | undefined {
    const patterns = this.options.clusters ?? [];
    if (patterns.length === 0) return undefined;
    for (const pattern of patterns) {
      if (names.some(matcherOf(pattern))) continue;
      this.problems.push(fileProblem(`--cluster ${pattern}`, 'unknown-cluster', noSuchCluster(pattern, names)));
    }
    return new Set(names.filter(anyMatcher(patterns)));
  }

  /** A trace is another file, with its own problems. Arrivals outside of the workload's window are not sent. */
  private withTrace(workload: WrittenWorkload, index: number, document: SourceDocument): WrittenWorkload {
    const { arrivals, startUs, stopUs = this.overrides.durationUs } = workload;
    if (arrivals.kind !== 'trace') return workload;
    const path = ['workloads', index, 'arrivals', 'trace'];
    const report = (severity: Problem['severity'], message: string): void => {
      this.problems.push(problemAt(document, path, severity, 'trace', message));
    };
    const written = document.textOf(locate(document.root, path));
    const writtenIn = written === undefined || written.option === true ? this.file : written.file;
    const { readFile } = this.options;
    if (readFile === undefined) {
      report('error', `${arrivals.file} cannot be read here: no files are at hand`);
      return workload;
    }
    let text: string;
    try {
      text = readFile(arrivals.file, writtenIn);
    } catch (error) {
      report('error', `${arrivals.file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return workload;
    }
    const trace = readTrace(relativeTo(writtenIn, arrivals.file), text);
    addAll(this.problems, trace.problems);
    const timesUs = trace.timesUs.filter((time) => time >= startUs && time < (stopUs ?? Infinity));
    const left = trace.timesUs.length - timesUs.length;
    if (left > 0)
      report('warning', `${left} of ${trace.timesUs.length} arrivals lie outside of start and stop: they are not sent`);
    return { ...workload, arrivals: { ...arrivals, timesUs } };
  }

  private option<T>(
    name: string,
    rule: ProblemRule,
    text: string | undefined,
    parse: (text: string) => Parsed<T>,
  ): T | undefined {
    if (text === undefined) return undefined;
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    this.problems.push(fileProblem(name, rule, parsed.message));
    return undefined;
  }

  private selected(
    name: string,
    texts: readonly string[] = [],
  ): { readonly option: string; readonly selector: Selector }[] {
    return texts.flatMap((text) => {
      const option = `${name} ${text}`;
      const selector = this.option(option, 'selector', text, parseSelectorText);
      return selector === undefined ? [] : [{ option, selector }];
    });
  }
}

/** An entry of the command line: at time 0, before those of the file. */
function entryAtStart({ action, label = describeAction(action) }: { action: Action; label?: string }): TimelineEntry {
  return { atUs: 0, everyUs: undefined, untilUs: undefined, action, label };
}

/**
 * A map with a misspelt field also lacks the intended one: both problems have one place, and the second is dropped. A
 * second cluster of one name has no hosts, since `endpoints` belong to the first: that is not reported.
 */
function withoutEchoes(problems: readonly Problem[]): readonly Problem[] {
  const place = ({ file, line, column }: Problem): string => `${file}:${line}:${column}`;
  const isError = ({ rule, severity }: Problem): boolean => rule === 'unknown-field' && severity === 'error';
  const unknown = new Set(problems.filter(isError).map(place));
  const echo = ({ rule }: Problem): boolean => rule === 'required' || rule === 'one-of-none';
  const taken = new Set(problems.flatMap(({ rule, path }) => (rule === 'duplicate-name' ? [path] : [])));
  const isAboutMissingHosts = ({ rule, path }: Problem): boolean =>
    rule === 'load-assignment-required' && taken.has(`${path}.name`);
  return problems.filter(
    (problem) => !isAboutMissingHosts(problem) && (!echo(problem) || !unknown.has(place(problem))),
  );
}

/** Order: problems of options, then of the file from top to bottom, then of files that it names. */
function inOrder(problems: readonly Problem[], file: string): readonly Problem[] {
  const own = problems.filter((problem) => problem.file === file);
  const options = problems.filter((problem) => problem.line === 0 && problem.file !== file);
  const others = problems.filter((problem) => problem.line !== 0 && problem.file !== file);
  return [...options, ...inFileOrder(own), ...others];
}
