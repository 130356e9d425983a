import type { Problem, ProblemRule, Severity } from '../../core/problem.js';
import type { ApiVersion } from '../api/api.js';
import type { Path, SourceDocument, SourceNode } from '../source/document.js';
import { formatPath } from '../source/document.js';
import type { Span } from './spans.js';

/**
 * Whose language a value is written in: protobuf's lenient JSON mapping as the proxy reads it, or the scenario's own
 * strict words.
 */
export type Vocabulary = 'proxy' | 'scenario';

/** What a reader returns after it has reported why there is no value. */
export const INVALID: unique symbol = Symbol('invalid');
export type Invalid = typeof INVALID;

/** Reads one value; reports every problem it finds. */
export type Read = (node: SourceNode, walk: Walk) => unknown;

/** Far more than anybody reads: beyond it problems are counted, so that a file of nothing else does not fill memory. */
export const MAX_PROBLEMS = 1000;

/** What a proxy knows that runs with it: here it is newer, of another build, or not all of it is shown. */
const NEWER: ReadonlySet<string> = new Set(['unknown-field', 'extension-name', 'any-type', 'eds-config']);

/** What is said of a mistake in a field that means nothing to the simulation. */
export const YET_REFUSED = '; it balances nothing here, yet the proxy refuses it';

const POLICY = 'load_balancing_policy';

/** One pass over a document: where it is, whose words it reads, what it has found. */
export class Walk {
  readonly problems: Problem[] = [];
  readonly path: (string | number)[] = [];
  errors = 0;
  /** Problems beyond those that are listed. */
  unlisted = 0;
  /** The document is a scenario, whatever part of it is being read. */
  readonly ofScenario: boolean;
  /** How many fields around the value mean nothing to the simulation: a mistake in them is told and stops nothing. */
  idle = 0;
  /** How many fields around the value balance nothing and may have fields that a newer proxy knows. */
  lenient = 0;
  /** It is read to be simulated: what only a proxy's start needs may lack. */
  forRun = false;
  /** The value is a typed policy's, read as an older field: of those policies the proxy checks no limits. */
  isUnlimited = false;
  /** The API of the messages at hand, where something around them says so; else that of their text. */
  api: ApiVersion | undefined;

  constructor(
    readonly document: SourceDocument,
    public vocabulary: Vocabulary,
    /** Whether a file exists; undefined where no file system is at hand. */
    readonly fileExists?: ((path: string) => boolean) | undefined,
    private readonly reported: Set<string> = new Set<string>(),
    private readonly room = MAX_PROBLEMS,
    ofScenario = vocabulary === 'scenario',
  ) {
    this.ofScenario = ofScenario;
  }

  /** A walk from the same place whose findings can be dropped. */
  trial(): Walk {
    const room = this.room - this.problems.length;
    const trial = new Walk(
      this.document,
      this.vocabulary,
      this.fileExists,
      new Set(this.reported),
      room,
      this.ofScenario,
    );
    trial.path.push(...this.path);
    trial.api = this.api;
    trial.idle = this.idle;
    trial.lenient = this.lenient;
    trial.forRun = this.forRun;
    trial.isUnlimited = this.isUnlimited;
    return trial;
  }

  /** The API that a message is written in. */
  apiOf(node: SourceNode): ApiVersion {
    return this.api ?? this.document.textOf(node)?.api ?? 'v2';
  }

  /** Whether the field at hand, read in another's place, is written in a typed policy. */
  get isOfTypedPolicy(): boolean {
    return !this.path.includes(POLICY) && this.document.written(this.path).includes(POLICY);
  }

  /** Takes over what a trial has found. */
  accept(trial: Walk): void {
    for (const problem of trial.problems) this.problems.push(problem);
    this.errors += trial.errors;
    this.unlisted += trial.unlisted;
    for (const key of trial.reported) this.reported.add(key);
  }

  /** Whether further problems are only counted: then nobody needs to find words for them. */
  get full(): boolean {
    return this.problems.length >= this.room;
  }

  report(found: Severity, rule: ProblemRule, message: string, span: Span, path: Path = this.path): void {
    const isKnownThere = found === 'error' && NEWER.has(rule) && this.isTolerant(span);
    // Of thousands of clusters alike, the first says it.
    if ((isKnownThere || found === 'note') && !this.isNew(`${rule}: ${message}`)) return;
    const tolerated = found === 'error' && !isKnownThere && this.idle > 0;
    const severity = tolerated || isKnownThere ? 'warning' : found;
    if (severity === 'error') this.errors += 1;
    if (this.full) {
      this.unlisted += 1;
      return;
    }
    const { file, line, column } = this.document.position(span.start);
    const length = line === 0 ? {} : { length: Math.max(1, span.end - span.start) };
    const text = tolerated ? `${message}${YET_REFUSED}` : message;
    this.problems.push({
      severity,
      file,
      path: formatPath(this.document.written(path)),
      line,
      column,
      message: text,
      rule,
      ...length,
    });
  }

  /** Whether the text is one that a proxy runs with. */
  private isTolerant(span: Span): boolean {
    return this.vocabulary === 'proxy' && this.document.textOf(span)?.tolerant === true;
  }

  private isNew(key: string): boolean {
    if (this.reported.has(key)) return false;
    this.reported.add(key);
    return true;
  }

  error(rule: ProblemRule, message: string, span: Span): Invalid {
    this.report('error', rule, message, span);
    return INVALID;
  }

  /** A remark about a field, made where it is first set and not for each of ten thousand endpoints. */
  once(key: string, severity: Severity, rule: ProblemRule, message: string, span: Span): void {
    if (this.isNew(key)) this.report(severity, rule, message, span);
  }

  /** Reads a part of the value at hand. */
  part(step: string | number, read: Read, node: SourceNode): unknown {
    this.path.push(step);
    const value = read(node, this);
    this.path.pop();
    return value;
  }
}
