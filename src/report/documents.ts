import type { Bounds, Race, Replications, Sweep } from '../analysis/generated/experiments.js';
import type { PaperComparison } from '../analysis/paper/comparison.js';
import type { MovedKeysResult } from '../analysis/key-map.js';
import type { FuzzResult } from '../analysis/fuzz/fuzz-result.js';
import { FORMAT, type ScenarioAnswer, type Versioned } from '../core/document-format.js';
import type { Problem } from '../core/problem.js';
import type { VersionDifference } from '../predict/other-version.js';
import type { Observation } from '../analysis/observe/observe.js';
import type * as told from '../words/results.js';
import type { Advice } from './run/advice.js';
import type { Headline } from './run/headline.js';
import type { AdvisedTable } from './ring-report.js';
import type { TestedFile } from './test-report.js';
import { printableJson } from '../core/printable.js';
import type { Example } from '../scenario/example.js';
import type { DecisionRecord } from '../result/run-result.js';
import { microsToSeconds } from '../core/units.js';

/** One decision, as `run --decisions` writes it. */
interface DecisionLine extends Omit<DecisionRecord, 'tUs' | 'member'> {
  /** Seconds of virtual time. */
  readonly t: number;
}

/** One decision as a line of JSON, with its newline; the order of the fields is the documented one. */
export function decisionLine({ request, attempt, tUs, member: _, ...rest }: DecisionRecord): string {
  const line: DecisionLine = { request, attempt, t: microsToSeconds(tUs), ...rest };
  return `${printableJson(JSON.stringify(line))}\n`;
}

/** What each command prints with `--json`: the types of which the JSON Schemas in schema/output/ are made. */

/** A problem of an input, or of the call itself. */
export interface ProblemDocument extends Omit<Problem, 'length' | 'rule'> {
  /** Stable, as `unknown-field`: docs/errors.md explains each. */
  readonly rule: string;
}

/** What stands in place of a document where there is none: exit code 2, or 3 for a defect. */
export interface ProblemsDocument extends Versioned {
  readonly problems: readonly ProblemDocument[];
}

/** The result of a run, and what happened to users. */
export interface RunDocument extends Versioned, told.RunResult {
  readonly headline: Headline;
  /** Where another version of the proxy would split the scenario otherwise. */
  readonly other_version?: VersionDifference;
  /** Settings that do not divide the traffic as they seem to. */
  readonly advice?: readonly Advice[];
}

export interface PredictDocument extends Versioned, told.Prediction {
  /** What the prediction says of the scenario's expectations. */
  readonly expect: readonly told.PredictedExpectation[];
}

/** What every answer about the tables of a cluster begins with. */
export type RingHead = Omit<ScenarioAnswer, 'scenario'>;

/** The hash tables of a cluster, and with `--keys` or `--where` who serves a key. */
export interface RingDocument extends RingHead, told.RingView {
  readonly keys?: readonly KeyOwner[];
}

export interface KeyOwner {
  readonly key: string;
  /** null: none. */
  readonly address: string | null;
}

/** `ring --against FILE`: which part of all keys changes hands, 0–1. */
export interface RingAgainstDocument extends RingHead, MovedKeysResult {
  readonly cluster: string;
  readonly against: string;
}

/** The same with `--where`: who serves a key here, and there. */
export interface RingOwnersDocument extends RingHead {
  readonly cluster: string;
  readonly keys: readonly (KeyOwner & { readonly there: string | null })[];
}

/** `ring --advise`: what other tables would be like. */
export interface RingAdviceDocument extends RingHead {
  readonly cluster: string;
  /** How much more than its fair part the busiest host may get, 0–1. */
  readonly target: number;
  readonly tables: readonly AdvisedTable[];
}

export interface ValidateDocument extends Versioned {
  readonly valid: boolean;
  /** Only where it is not as `valid` says: a right file does not run as it stands, or run answers what a proxy refuses at its start. */
  readonly runs?: boolean;
  readonly problems: readonly ProblemDocument[];
}

/** Without times: the same call gives the same document. */
export interface TestDocument extends Versioned {
  readonly passed: boolean;
  readonly files: readonly TestedFileDocument[];
}

export interface TestedFileDocument extends Pick<TestedFile, 'file' | 'status' | 'input' | 'expectations'> {
  readonly problems: readonly ProblemDocument[];
}

export interface ImportDocument extends Versioned {
  /** The file that was written; null: none, the scenario stands in `scenario`. */
  readonly output: string | null;
  /** The scenario in YAML; only where it was not written to a file. */
  readonly scenario?: string;
  /** What became of the files, a sentence each. */
  readonly says: readonly string[];
}

export interface ExamplesDocument extends Versioned {
  readonly examples: readonly ExampleDocument[];
}

export interface ExampleDocument extends Example {
  readonly file: string;
}

/** A balancer of another language, held to the laws. */
export interface LawsDocument extends Versioned {
  readonly balancer: string;
  readonly laws: readonly TriedLaw[];
}

export interface TriedLaw {
  readonly law: string;
  readonly holds: boolean;
  /** Where it does not: what was seen, the seed that finds it again, and a scenario of the same hosts and requests. */
  readonly says?: string;
  readonly seed?: number;
  readonly scenario?: string;
}

/** Tables of consistent hashing beside each other. */
export interface BenchDocument extends Versioned {
  readonly hosts: number;
  readonly keys: number;
  readonly rings: readonly MeasuredRing[];
}

export interface MeasuredRing {
  readonly name: string;
  /** `mine`: of the module that was named; `lbsim`: a policy of clusters; `npm`: a package; `published`: by a paper. */
  readonly of: 'mine' | 'lbsim' | 'npm' | 'published';
  /** CPU time of one build, and of a look-up of a key's text: medians of turns. */
  readonly build_ms: number;
  readonly look_up_ns: number;
  /** Memory that the table keeps. */
  readonly bytes: number;
  /** Keys of the busiest host over the mean. */
  readonly busiest: number;
  /** When one host is lost, parts of all keys: those that move, and those of them whose host is still there. */
  readonly moved: number;
  readonly needless: number;
}

export interface PoliciesDocument extends Versioned {
  readonly policies: readonly PolicyDocument[];
}

export interface PolicyDocument {
  /** As `lb_policy` names it. */
  readonly name: string;
  /** `extension`: the proxy has it not. */
  readonly of: 'proxy' | 'extension';
  /** `table`: the hash of a request decides. */
  readonly kind: 'list' | 'table';
  readonly uses_weights: boolean;
  readonly looks_at_load: boolean;
  /** What it is told of besides requests for a host. */
  readonly hears: readonly string[];
  /** Of extensions: where it comes from, and the names of its settings. */
  readonly source?: string;
  readonly settings?: readonly string[];
}

/** A scenario that was put to a real proxy. */
export interface VerifyDocument extends Versioned, told.Verification {}

/** Random mixes that were put to a real proxy. */
export interface FuzzDocument extends Versioned, FuzzResult {}

/** By command; `decisions` is a line of `run --decisions`, which has no `format` of its own. */
export interface Documents {
  readonly run: RunDocument | Replications;
  readonly serve: RunDocument;
  readonly predict: PredictDocument;
  readonly ring: RingDocument | RingAgainstDocument | RingOwnersDocument | RingAdviceDocument;
  readonly compare: told.Comparison;
  readonly race: Race;
  readonly sweep: Sweep;
  readonly paper: PaperComparison;
  readonly explain: told.Explanation | told.ExplainedRequest | told.WhyNot;
  readonly prove: told.Findings | told.Survival | told.Curve;
  readonly find: told.Findings;
  readonly curve: told.Curve;
  readonly observe: Observation;
  readonly bounds: Bounds;
  readonly verify: VerifyDocument;
  readonly fuzz: FuzzDocument;
  readonly test: TestDocument;
  readonly validate: ValidateDocument;
  readonly import: ImportDocument;
  readonly examples: ExamplesDocument;
  readonly policies: PoliciesDocument;
  readonly laws: LawsDocument;
  readonly bench: BenchDocument;
  readonly decisions: DecisionLine;
}

export function problemsDocument(problems: readonly Problem[]): ProblemsDocument {
  return { format: FORMAT, problems: problems.map(problemDocument) };
}

/** A problem with the documented fields, in their order. */
export function problemDocument({ severity, file, path, line, column, message, rule }: Problem): ProblemDocument {
  return { severity, file, path, line, column, message, rule };
}

export const INDENT = 2;

/** A document for machines: two spaces of indentation, the fields in the order of the contract, a newline at the end. */
export const jsonDocument = (value: unknown): string => `${jsonText(value)}\n`;

export const jsonText = (value: unknown): string => printableJson(JSON.stringify(value, null, INDENT));
