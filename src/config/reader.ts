/**
 * Reading files: text → a tree with places → values of a schema → all problems at once.
 *
 * Both vocabularies are read here. `reader/schema.ts` defines schemas:
 *
 * ```ts
 * const Closed = block('closed', () => ({
 *   users: required(integer('users', 1), 'How many users there are.'),
 *   think_time: defaulted(Duration, ZERO, 'How long a user waits before the next request.'),
 * }), { doc: 'Users who wait for an answer before they send again.' });
 *
 * const Scenario = block('scenario', () => ({
 *   warmup: defaulted(Duration, ZERO, 'Left out of the results.'),
 *   clusters: required(nonEmpty(Cluster, '…'), 'The clusters.'),              // a message: proxy vocabulary from here down
 * }), {
 *   oneOfs: [{ name: 'proxies', fields: ['proxy', 'proxies'] }],
 *   rules: [rule('warmup-before-end', ['warmup', 'duration'], (scenario, report) => { // runs whenever these fields are sound
 *     if (…) report('warmup is longer than the run', ['warmup']);
 *   })],
 * });
 *
 * const { document, problems } = parseDocument(text, 'a.yaml');             // never throws
 * const { value, problems: more } = check(Scenario, document, { vocabulary: 'scenario' });
 * // value: {seed, clusters, thinkTime…}: camelCase, typed; undefined if any problem is an error
 * ```
 *
 * - `message` is proxy vocabulary (both name cases, last duplicate wins, enum numbers …), `block` the scenario's own
 *   (strict). Both yield camelCase names, and make their fields when a file has the first of them: of two hundred messages
 *   it uses a few.
 * - Inside: scalars, `list`, `mapping`, `pair`, `either` of two (chosen by shape), `.transform()`, `.checked()`.
 * - `reading('type name', (node, walk) => …)` reads a node by hand: `node.text` is the source text, `return
 *   walk.error('rule', 'message', node)` reports.
 * - After the check, problems with a place: `problemAt(document, ['clusters', 0, 'name'], 'error', 'rule', 'message')`.
 */
import type { Problem, ProblemRule, Severity } from '../core/problem.js';
import type { ApiVersion } from './api/api.js';
import { type Path, type SourceNode, SourceDocument } from './source/document.js';
import { INVALID, problemIn, type Vocabulary, Walk, type WalkOptions } from './reader/context.js';
import type { Output, Schema } from './reader/schema.js';
import { locate } from './reader/spans.js';
import { readerOf } from './reader/walk.js';

export * from './source/parse.js';
export * from './source/document.js';
export * from './reader/schema.js';
export * from './reader/context.js';
export * from './reader/combinators.js';
export * from './reader/message.js';
export * from './reader/any-value.js';
export * from './reader/api-schema.js';
export * from './reader/letter-case.js';
export * from './reader/spans.js';
export * from './reader/walk.js';
export { describe as describeNode } from './reader/error-words.js';
export { didYouMean, nearest, noSuch, suggestionsFrom, withPlaceholder, yamlValue } from './reader/error-words.js';

export interface CheckOptions extends WalkOptions {
  /** The vocabulary of the root; messages and blocks switch to their own. */
  readonly vocabulary: Vocabulary;
  /** Check this part of the document instead of its root. */
  readonly node?: SourceNode;
  /** Where that part is, for the paths of problems. */
  readonly path?: Path;
}

export interface CheckResult<T> {
  /** undefined if there is an error among the problems. */
  readonly value?: T;
  /** In the order of the file. */
  readonly problems: readonly Problem[];
}

/** Reads a document by a schema. Reports every problem, and never throws because of the document. */
export function check<S extends Schema<unknown>>(
  schema: S,
  document: SourceDocument,
  { vocabulary, node = document.root, path = [], ...options }: CheckOptions,
): CheckResult<Output<S>> {
  const walk = new Walk(document, vocabulary, options);
  walk.path.push(...path);
  const value = readerOf(schema)(node, walk);
  const problems = withUnlisted(inFileOrder(walk.problems), walk);
  if (value === INVALID || walk.errors > 0) return { problems };
  return { value: value, problems };
}

/** Reads a value that stands in no file. */
export const checkValue = <S extends Schema<unknown>>(
  schema: S,
  node: SourceNode,
  vocabulary: Vocabulary,
  api?: ApiVersion,
): CheckResult<Output<S>> =>
  check(schema, new SourceDocument([{ file: '', text: '', json: true, ...(api && { api }) }], node), { vocabulary });

function withUnlisted(problems: readonly Problem[], { unlisted, errors }: Walk): readonly Problem[] {
  const last = problems.at(-1);
  if (unlisted === 0 || last === undefined) return problems;
  const message = `there are ${unlisted} further problems, which are not listed: mend the first ${problems.length}`;
  const severity = errors > 0 ? 'error' : 'warning';
  return [...problems, { ...last, severity, path: '', message, rule: 'too-many-problems' }];
}

export const inFileOrder = (problems: readonly Problem[]): readonly Problem[] =>
  [...problems].sort((a, b) => a.line - b.line || a.column - b.column);

/** A problem found after reading, at the place of a path (or of its nearest parent that the file has). */
export function problemAt(
  document: SourceDocument,
  path: Path,
  severity: Severity,
  rule: ProblemRule,
  message: string,
): Problem {
  const written = document.written(path);
  return problemIn(document, locate(document.root, written), written, severity, rule, message);
}
