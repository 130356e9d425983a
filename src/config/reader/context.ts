import type { Struct } from '../../core/values.js';
import type { Problem, ProblemRule, Severity } from '../../core/problem.js';
import type { Messages } from '../../core/generated/message-types.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { AddedPolicy, LbPolicy } from '../../policy/registry.js';
import type { ApiVersion } from '../api/api.js';
import type { MapEntry, MapNode, Path, SourceDocument, SourceNode } from '../source/document.js';
import { formatPath } from '../source/document.js';
import { keySpan, type Span } from './spans.js';

/** The vocabulary of a value: protobuf's lenient JSON mapping as the proxy reads it, or the scenario's own strict one. */
export type Vocabulary = 'proxy' | 'scenario';

/** A policy that `lb_policy` names with what only scenarios say of it. */
export interface NamedPolicy {
  readonly policy: Exclude<LbPolicy, 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN'>;
  readonly settings: Struct;
  readonly slowStartConfig?: Messages['Cluster.SlowStartConfig'] | undefined;
  /** Each proxy uses a part of the hosts: an extension. */
  readonly clientSubset?: ClientSubsetConfig | undefined;
}

export interface AddedTyped extends Pick<NamedPolicy, 'settings'> {
  readonly policy: AddedPolicy;
  readonly kind: 'list' | 'table';
  /** What it shares with the proxy's policies of that kind. */
  readonly parts: MapNode;
}

/** Reads policies that the proxy has not where clusters name them. */
export interface AddedPolicies {
  /** The name of such a policy, by which an entry of a list of policies is found; undefined: it is none. */
  readonly nameOf: (extension: SourceNode | undefined) => string | undefined;
  /** `lb_policy: NAME`, or with settings; undefined: it is the proxy's own. */
  readonly named: (node: SourceNode, walk: Walk) => NamedPolicy | Invalid | undefined;
  readonly typed: (name: string, extension: MapNode, walk: Walk) => AddedTyped;
}

/** What a reader returns after it has reported why there is no value. */
export const INVALID: unique symbol = Symbol('invalid');
export type Invalid = typeof INVALID;

/** Reads one value; reports every problem it finds. */
export type Read<T = unknown> = (node: SourceNode, walk: Walk) => T | Invalid;

/** Far more than anyone reads: further problems are only counted, so that a file full of them does not fill memory. */
const MAX_PROBLEMS = 1000;

/** The remark for a file from a running proxy, which may be of another release or build. */
const NEWER: ReadonlySet<string> = new Set([
  ...['unknown-field', 'extension-name', 'extension-config', 'any-type', 'eds-config'],
]);

/** The remark on a mistake in a field without effect on the simulation. */
export const YET_REFUSED = '; it balances nothing here, yet the proxy refuses it';

/** @param path in the file. */
export function problemIn(
  document: SourceDocument,
  span: Span,
  path: Path,
  severity: Severity,
  rule: ProblemRule,
  message: string,
): Problem {
  const { file, line, column } = document.position(span.start);
  const length = line === 0 ? {} : { length: Math.max(1, span.end - span.start) };
  return { severity, file, path: formatPath(path), line, column, message, rule, ...length };
}

/** What a document is read for. */
export interface WalkOptions {
  /** Whether a file that the document names exists. Absent: such files are not looked for. */
  readonly fileExists?: ((path: string) => boolean) | undefined;
  /** It is read to be simulated: fields needed only to start a proxy may be absent. */
  readonly forRun?: boolean;
  /** What refuses a proxy at its start is an error, also in parts without effect on a simulation. Default: not for a run. */
  readonly forStart?: boolean | undefined;
  /** Absent: the proxy's own policies are all there are. */
  readonly policies?: AddedPolicies | undefined;
}

/** One pass over a document: its position, its vocabulary, its findings. */
export class Walk {
  readonly problems: Problem[] = [];
  readonly path: (string | number)[] = [];
  errors = 0;
  unlisted = 0;
  /** Depth of enclosing fields without effect on the simulation: a mistake in them is a warning, unless `forStart`. */
  idle = 0;
  /** Depth of enclosing fields that do not affect balancing and may be of a newer proxy. */
  lenient = 0;
  /** The value is a typed policy's: the proxy does not check limits in most of them. */
  isUnlimited = false;
  /** The value is in a list of policies, before or behind the one that counts. */
  isPassedOver = false;
  /** The API of the current messages, if set by a parent; else that of their text. */
  api: ApiVersion | undefined;

  constructor(
    readonly document: SourceDocument,
    public vocabulary: Vocabulary,
    readonly options: WalkOptions = {},
    private readonly reported: Set<string> = new Set<string>(),
    private readonly room = MAX_PROBLEMS,
    /** The document is a scenario, whatever part of it is being read. */
    readonly ofScenario = vocabulary === 'scenario',
  ) {}

  /** A walk from the same place whose findings can be dropped. */
  trial(): Walk {
    const { document, vocabulary, options, ofScenario, api, idle, lenient, isUnlimited, isPassedOver } = this;
    const room = this.room - this.problems.length;
    const trial = new Walk(document, vocabulary, options, new Set(this.reported), room, ofScenario);
    trial.path.push(...this.path);
    return Object.assign(trial, { api, idle, lenient, isUnlimited, isPassedOver });
  }

  get forStart(): boolean {
    const { forRun = false, forStart = !forRun } = this.options;
    return forStart;
  }

  apiOf(node: SourceNode): ApiVersion {
    return this.api ?? this.document.textOf(node)?.api ?? 'v2';
  }

  accept(trial: Walk): void {
    for (const problem of trial.problems) this.problems.push(problem);
    this.errors += trial.errors;
    this.unlisted += trial.unlisted;
    for (const key of trial.reported) this.reported.add(key);
  }

  /** Whether further problems are only counted: then no message need be written. */
  get full(): boolean {
    return this.problems.length >= this.room;
  }

  report(found: Severity, rule: ProblemRule, message: string, span: Span, path: Path = this.path): void {
    const ofRunning = found === 'error' && this.vocabulary === 'proxy' && this.document.textOf(span)?.tolerant === true;
    const isKnownThere = ofRunning && NEWER.has(rule);
    // Reported once, also for thousands of equal clusters.
    if ((isKnownThere || found === 'note') && !this.isNew(`${rule}: ${message}`)) return;
    const tolerated = found === 'error' && !isKnownThere && this.idle > 0 && (ofRunning || !this.forStart);
    const severity = tolerated || isKnownThere ? 'warning' : found;
    if (severity === 'error') this.errors += 1;
    if (this.full) {
      this.unlisted += 1;
      return;
    }
    const text = tolerated ? `${message}${YET_REFUSED}` : message;
    this.problems.push(problemIn(this.document, span, this.document.written(path), severity, rule, text));
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

  part<T>(step: string | number, read: Read<T>, node: SourceNode): T | Invalid {
    this.path.push(step);
    const value = read(node, this);
    this.path.pop();
    return value;
  }
}

/** Entries by key, the last of several; reports duplicates as the vocabulary requires. */
export function distinct(node: MapNode, walk: Walk): readonly MapEntry[] {
  const { entries } = node;
  if (entries.length < 2) return entries;
  const byKey = new Map<string, MapEntry>();
  for (const entry of entries) {
    const earlier = byKey.get(entry.key);
    if (earlier !== undefined) reportDuplicate(earlier, entry, entry.key, walk);
    byKey.set(entry.key, entry);
  }
  return byKey.size === entries.length ? entries : [...byKey.values()];
}

/** @param name of the field, where it has two spellings. */
export function reportDuplicate(earlier: MapEntry, later: MapEntry, name: string, walk: Walk): void {
  const { line } = walk.document.position(earlier.keyStart);
  const isProxys = walk.vocabulary === 'proxy';
  const taken = `set twice; the proxy takes the last, this one, and ignores line ${line}`;
  const text = `${later.key} is ${isProxys ? taken : `already set in line ${line}`}`;
  walk.report(isProxys ? 'warning' : 'error', 'duplicate-key', text, keySpan(later), [...walk.path, name]);
}

/** Reads a message of the API that its type belongs to, whatever that of the file is. */
export function readInApi(read: Read, version: ApiVersion, node: SourceNode, walk: Walk): unknown {
  const outer = walk.api;
  walk.api = version;
  const value = read(node, walk);
  walk.api = outer;
  return value;
}
