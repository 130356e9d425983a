import { inFileOrder, problemAt, locate, type Path } from '../config/reader.js';
import { fileProblem, hasErrors, type Problem, type ProblemRule } from '../core/problem.js';
import { addAll, present } from '../core/values.js';
import { assemble } from './assemble/assemble.js';
import { excessOf } from './check/cost.js';
import { LoadOptions } from './generated/load-options.js';
import { GivenPolicies, type NamedModule } from './modules/added-policies.js';
import { anyMatcher, matcherOf, noSuchCluster } from './input/gather.js';
import { describeAction } from './assemble/describe.js';
import { parsePositiveDuration } from './fields/fields.js';
import { type AppliedHosts, applyHostsOptions } from './options/apply-hosts-option.js';
import { withoutPages } from './input/rates.js';
import { type Input, readInputs, type ReadInputs, readRoot } from './input/read-inputs.js';
import { lackingSentences } from './origin.js';
import { isShownInRuns, lint } from './lint/rules.js';
import type { Action, Scenario, TimelineEntry } from './model.js';
import { nodeOf, type Plain } from '../config/source/trees.js';
import { namedHosts, type Overrides, readParts, type ScenarioParts } from './read-parts.js';
import { problemsWithoutSecrets } from './secrets.js';
import { describeSelector, parseSelectorText } from './selector.js';
import { applySets } from './options/set-path.js';
import { failing } from './fields/timeline.js';
import { readTrace, relativeTo } from './fields/trace.js';
import { type Parsed, parseDuration, parseSeed, parseVersion } from './fields/units.js';
import type { WrittenWorkload } from './fields/workload.js';
import * as args from '../core/arguments.js';
import { optionsIn } from '../core/options.js';
import { checkExpectations } from './check/check-expectations.js';
import { checkParts, References, type ReportAt } from './check/references.js';
import { linearRegexProblem } from '../core/regex/linear-regex.js';

const LOAD_OPTIONS = optionsIn(LoadOptions);

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
  args.demand('loadScenario', ['input', input, args.INPUTS], ['options', options, LOAD_OPTIONS]);
  const inputs = 'file' in input ? [input] : input;
  const { problems, ...loaded } = loadRead(readWithRates(inputs, options), options);
  return { ...loaded, problems: problems.length === 0 ? [] : problemsWithoutSecrets(problems, inputs, options.set) };
}

/** Pages of /stats tell the rates of what the other files configure; alone they are refused by name. */
function readWithRates(inputs: readonly Input[], options: LoadOptions): ReadInputs {
  // Most calls have one file: looking for a page in it would read it twice.
  if (inputs.length < 2) return readInputs(inputs, options);
  const { configs, pages, rates, problems: unread } = withoutPages(inputs);
  if (pages.length === 0 || configs.length === 0) return readInputs(inputs, options);
  const read = readInputs(configs, options);
  const spare = pages.map(({ file }) =>
    fileProblem(file, 'stats', 'a scenario says itself what is sent: leave the page out'),
  );
  const problems = [...unread, ...(read.bare ? [] : spare), ...read.problems];
  return { ...read, ...(rates && { rates }), problems };
}

/**
 * The same for a parsed value, as from JSON: problems have paths and no line numbers.
 *
 * @param name the name of the file in problems, and of the scenario by default.
 */
export function loadScenarioValue(value: unknown, name: string, options: LoadOptions = {}): LoadResult {
  args.demand('loadScenarioValue', ['name', name, args.TEXT], ['options', options, LOAD_OPTIONS]);
  const read = readRoot(nodeOf(value as Plain), name, options);
  const { problems, ...rest } = loadRead(read, options);
  const unlocated = problems.map((problem) => (problem.file === name ? { ...problem, line: 0, column: 0 } : problem));
  return { ...rest, problems: unlocated };
}

/** The same for texts that have been read already. */
export function loadRead(input: ReadInputs, options: LoadOptions): LoadResult {
  const { document: written } = input;
  if (written === undefined) return { problems: input.problems };
  const found: Problem[] = [...input.problems];
  const policies = new GivenPolicies(options.policies);
  const set =
    options.set === undefined ? { document: written, problems: [] } : applySets(written, options.set, policies);
  const scenario = scenarioOf(set, policies, input, options, found);
  const problems = inOrder(withoutEchoes(input.made ? found.filter(isOfWriter) : found), written.file);
  const modules = [...policies.modules.values()];
  return {
    ...(scenario !== undefined && !hasErrors(problems) && { scenario }),
    problems,
    ...(modules.length > 0 && { policyModules: modules }),
  };
}

/** Not about what a control plane writes itself into all that it makes. */
const isOfWriter = ({ severity, rule }: Problem): boolean =>
  severity === 'error' || (severity === 'warning' && rule !== 'locality-weights-ignored');

function scenarioOf(
  set: ReturnType<typeof applySets>,
  policies: GivenPolicies,
  input: ReadInputs,
  options: LoadOptions,
  found: Problem[],
): Scenario | undefined {
  const { file } = set.document;
  const overrides = { ...overridesOf(options, found), policies };
  const selected = [
    ...selectedBy('--unhealthy', options.unhealthy, found),
    ...selectedBy('--fail', options.fail, found),
  ];
  addAll(found, set.problems);
  const reading = readParts(set.document, overrides);
  if (reading.parts === undefined) {
    addAll(found, reading.problems);
    return undefined;
  }
  const { document } = reading;
  const reportAt: ReportAt = (severity, path, rule, message) => {
    found.push(problemAt(document, path, severity, rule, message));
  };
  const asWritten: AppliedHosts = { parts: reading.parts, problems: [], madeUp: new Set(), given: new Map() };
  const applied = options.hosts === undefined ? asWritten : applyHostsOptions(reading.parts, options.hosts);
  const { given, madeUp } = applied;
  addAll(
    found,
    reading.problems.filter(({ rule, path }) => rule !== 'load-assignment-required' || !given.has(path)),
  );
  const parts = options.statistics === false ? withoutCostlyTags(applied.parts, reportAt) : applied.parts;
  addAll(found, applied.problems);
  const refs = new References(parts, (severity, path, rule, message) => {
    // Hosts of a cluster that no file of the proxy has are ignored.
    const isSpare = input.bare && rule === 'unknown-cluster' && path[0] === 'assignments';
    reportAt(isSpare ? 'warning' : severity, path, rule, message);
  });
  checkParts(refs);
  checkExpectations(refs);
  const known = selected.length === 0 ? undefined : namedHosts(parts);
  for (const { option, selector } of selected) {
    if (known === undefined || known.mayMatch(selector)) continue;
    const text = `no host is ever ${describeSelector(selector)}: ${known.alternatives(selector)}`;
    const severity = options.isSide === true ? 'warning' : 'error';
    found.push({ ...fileProblem(option, 'no-such-host', text), severity });
  }
  const atStart = selected.map(({ entry }) => entry);
  // What is supposed to be so from the start is told to the rules; after the file's own entries, whose places they report.
  const supposed = {
    ...parts,
    timeline: [...parts.timeline, ...atStart.map((entry) => ({ ...entry, word: entry.action.kind }))],
  };
  if (options.lint === true) addAll(found, lint(supposed, document));
  else if (options.advice === true) addAll(found, lint(supposed, document, isShownInRuns));
  const reported = picked(parts.clusterNames, options, found);
  const traced = parts.workloads.map((workload, index) => {
    const report = (severity: Problem['severity'], message: string): void =>
      reportAt(severity, tracePath(index), 'trace', message);
    const written = document.textOf(locate(document.root, tracePath(index)));
    const writtenIn = written === undefined || written.option === true ? file : written.file;
    return workload && withTrace(workload, writtenIn, overrides, options, report, found);
  });
  if (hasErrors(found)) return undefined;
  const { api, supposesHosts = false, makesUpHosts = false } = options;
  const around = { file, atStart, input, api, madeUp, given: new Set(given.values()), reported, supposesHosts };
  const lacking = lackingSentences(found);
  const makesUp = makesUpHosts && input.bare;
  const scenario = assemble(parts, present(traced), { ...around, lacking, makesUp });
  const places = { cluster: parts.clusterPath, proxy: parts.proxyPath, options: atStart.length };
  for (const { path, message } of excessOf(scenario, options.purpose ?? 'run', places, options.memory)) {
    // A file of the proxy is valid, whatever its simulation would cost.
    reportAt(options.lint === true && input.bare ? 'warning' : 'error', path, 'too-much', message);
  }
  return scenario;
}

const tracePath = (workload: number): Path => ['workloads', workload, 'arrivals', 'trace'];

const overridesOf = (options: LoadOptions, found: Problem[]): Overrides => ({
  version: valueOf('--proxy-version', 'version', options.proxyVersion, parseVersion, found),
  seed: valueOf('--seed', 'seed', options.seed, parseSeed, found),
  durationUs: valueOf('--duration', 'duration', options.durationText, parsePositiveDuration, found),
  warmupUs: valueOf('--warmup', 'duration', options.warmupText, parseDuration, found),
  fileExists: options.fileExists,
  forStart: options.forStart,
  isMeant: options.clusters === undefined ? () => true : anyMatcher(options.clusters),
});

function valueOf<T>(
  name: string,
  rule: ProblemRule,
  text: string | undefined,
  parse: (text: string) => Parsed<T>,
  found: Problem[],
): T | undefined {
  const parsed = text === undefined ? undefined : parse(text);
  if (parsed?.ok === false) found.push(fileProblem(name, rule, parsed.message));
  return parsed?.ok === true ? parsed.value : undefined;
}

/** What an option selects, and what is so of that from time 0 on, before the entries of the file. */
const selectedBy = (name: '--unhealthy' | '--fail', texts: readonly string[] = [], found: Problem[]) =>
  texts.flatMap((text) => {
    const option = `${name} ${text}`;
    const selector = valueOf(option, 'selector', text, parseSelectorText, found);
    if (selector === undefined) return [];
    const unhealthy: Action = { kind: 'set_health', hosts: selector, status: 'UNHEALTHY' };
    const { action, label } =
      name === '--fail' ? failing(selector) : { action: unhealthy, label: describeAction(unhealthy) };
    const entry: TimelineEntry = { atUs: 0, everyUs: undefined, untilUs: undefined, action, label };
    return [{ option, selector, entry }];
  });

function picked(
  names: readonly string[],
  { clusters: patterns = [] }: LoadOptions,
  found: Problem[],
): ReadonlySet<string> | undefined {
  if (patterns.length === 0) return undefined;
  for (const pattern of patterns) {
    if (names.some(matcherOf(pattern))) continue;
    found.push(fileProblem(`--cluster ${pattern}`, 'unknown-cluster', noSuchCluster(pattern, names)));
  }
  return new Set(names.filter(anyMatcher(patterns)));
}

/** A trace is another file, with its own problems. Arrivals outside of the workload's window are not sent. */
function withTrace(
  workload: WrittenWorkload,
  writtenIn: string,
  { durationUs }: Overrides,
  { readFile }: LoadOptions,
  report: (severity: Problem['severity'], message: string) => void,
  found: Problem[],
): WrittenWorkload {
  const { arrivals, startUs, stopUs = durationUs ?? Infinity } = workload;
  if (arrivals.kind !== 'trace') return workload;
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
  addAll(found, trace.problems);
  const isSent = trace.timesUs.map((time) => time >= startUs && time < stopUs);
  const timesUs = trace.timesUs.filter((_, index) => isSent[index]);
  const left = isSent.length - timesUs.length;
  if (left > 0)
    report('warning', `${left} of ${isSent.length} arrivals lie outside of start and stop: they are not sent`);
  const sent = { ...workload, arrivals: { ...arrivals, timesUs } };
  if (trace.sizes.length === 0) return sent;
  if (workload.size !== undefined) report('error', `${arrivals.file} has the sizes of its requests: leave size out`);
  return { ...sent, size: { kind: 'in_order', values: trace.sizes.filter((_, index) => isSent[index]) } };
}

/** Without statistics their tags are not needed: those whose expressions cannot be run in linear time are left out. */
function withoutCostlyTags(parts: ScenarioParts, report: ReportAt): ScenarioParts {
  const proxies = parts.proxies.map((proxy, index) => {
    const { statsConfig } = proxy ?? {};
    if (proxy === undefined || statsConfig === undefined) return proxy;
    const statsTags = statsConfig.statsTags.filter(({ tagName, regex }, at) => {
      const problem = regex === undefined ? undefined : linearRegexProblem(regex, 'ecmascript');
      if (problem === undefined) return true;
      const owner = parts.kind === 'bootstrap' ? [] : parts.proxyPath(index);
      const text = `the tag ${tagName} is left out: ${problem}. It matters to statistics that are sent only`;
      report('warning', [...owner, 'stats_config', 'stats_tags', at, 'regex'], 'costly-tag', text);
      return false;
    });
    return { ...proxy, statsConfig: { ...statsConfig, statsTags } };
  });
  return { ...parts, proxies };
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
