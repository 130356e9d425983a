/**
 * What must not leave with a text: keys, certificates, tokens, passwords, headers. Of a cluster an import says which texts
 * balance ({@link Pruner}); in all that a proxy is configured with every other text is hidden, but for names.
 */
import type { ApiVersion } from '../config/api/api.js';
import { REDACTED } from '../config/core.js';
import type { ScalarNode, Schema, Span } from '../config/reader.js';
import { LineIndex } from '../config/source/document.js';
import { nodeOf, plainOf } from '../config/source/trees.js';
import { firstNotBelow, type JsonValue } from '../core/values.js';
import type { Problem, ProblemRule } from '../core/problem.js';
import { subsetLabels } from './import/prune.js';
import { type Input, type ParsedInput, parsedInputs, readInputs } from './input/read-inputs.js';
import { isLintRule } from './lint/rules.js';
import { applySets, labelOfSet } from './options/set-path.js';
import { type Secret, SecretFinder } from './secret-values.js';
import { maskedText, stars } from './secret-words.js';

/** The same texts without what is secret; lines keep their numbers. */
export const withoutSecrets = <T extends Input>(inputs: readonly T[], api?: ApiVersion): T[] =>
  hiddenParts(inputs, api).map(({ input, parts }) => {
    // A block of lines leaves its lines.
    const by = ({ start, end, word }: Secret): string => {
      const text = input.text.slice(start, end);
      return word === undefined ? stars(text) : word + text.replace(/[^\n]/g, '');
    };
    return { ...input, text: edited(input.text, parts, by) };
  });

/** Changes, as `--set` takes them, without what is secret where they put it in these texts. */
export const setsWithoutSecrets = (
  sets: readonly string[],
  inputs: readonly Input[],
  api?: ApiVersion,
): readonly string[] => hiddenInSets(sets, inputs, api).map(({ safe }) => safe);

/** The text with stars in the place of what is secret in these lines of it, character by character. @param lines from 1, in any order. */
export function shownText(input: Input, lines: readonly number[]): string {
  const { text } = input;
  const [sorted, index] = [[...lines].sort((a, b) => a - b), new LineIndex(text)];
  const isShown = ({ start, end }: Span): boolean => {
    const next = sorted[firstNotBelow(sorted, index.position(start).line)];
    return next !== undefined && next <= index.position(end).line;
  };
  // What an anchor names is used elsewhere, too, and may be secret there.
  const [found] = hiddenParts([input], undefined, /&\w/.test(text) ? undefined : isShown);
  return found === undefined ? '' : edited(text, found.parts, ({ start, end }) => stars(text.slice(start, end)));
}

/** A message, as JSON, without what is secret in it. @param cluster of an assignment: its labels are those of the cluster's subsets. */
export function messageWithoutSecrets(
  message: JsonValue,
  schema: Schema<unknown>,
  version: ApiVersion,
  cluster = message,
): JsonValue {
  const root = nodeOf(message);
  const finder = new SecretFinder(version, subsetLabels(nodeOf(cluster, root)));
  return plainOf(finder.withoutHidden(root, schema)) as JsonValue;
}

/** Remarks on a field that is there, whatever its value: files are full of them, and they quote nothing; lint quotes labels of subsets. */
const IN_OUR_WORDS: ReadonlySet<ProblemRule> = new Set(['deprecated', 'extension', 'no-effect', 'not-simulated']);

/** Messages quote what was found: not where it is secret. @param sets of the call, whose problems have their words in the place of a file. */
export function problemsWithoutSecrets(
  problems: readonly Problem[],
  inputs: readonly Input[],
  sets: readonly string[] = [],
): readonly Problem[] {
  const labels = new Set(sets.map(labelOfSet));
  const isOfSet = problems.some(({ file }) => labels.has(file));
  const hidden = isOfSet ? hiddenInSets(sets, inputs) : [];
  const changes = new Map(hidden.map((change) => [labelOfSet(change.option), change]));
  return ofFilesWithoutSecrets(problems, inputs).map((problem) => {
    const change = changes.get(problem.file);
    if (change === undefined || change.safe === change.option) return problem;
    return { ...withoutQuotes(problem, change.parts, change.parts), file: labelOfSet(change.safe) };
  });
}

function ofFilesWithoutSecrets(problems: readonly Problem[], inputs: readonly Input[]): readonly Problem[] {
  const isQuoting = ({ line, rule, path }: Problem): boolean =>
    line > 0 && ((!IN_OUR_WORDS.has(rule) && !isLintRule(rule)) || looksSecret(path));
  if (!problems.some(isQuoting)) return problems;
  const files = new Map(hiddenParts(inputs).map(({ input, parts }) => [input.file, { text: input.text, parts }]));
  return problems.map((problem) => {
    const file = isQuoting(problem) ? files.get(problem.file) : undefined;
    if (file === undefined || file.parts.length === 0) return problem;
    const from = offsetOf(file.text, problem);
    const to = from + (problem.length ?? 1);
    const near = file.parts.filter(({ start, end }) => start < to && end > from);
    return withoutQuotes(problem, near, file.parts);
  });
}

/** A step of it may be a name that is a secret. */
function looksSecret(path: string): boolean {
  const steps = path.replaceAll(/[.[\]"]+/g, ' ');
  return maskedText(steps) !== steps;
}

function offsetOf(text: string, { line, column }: Problem): number {
  const above = text.split('\n', line - 1);
  return above.join('\n').length + (above.length > 0 ? 1 : 0) + column - 1;
}

/** @param near what its message may quote. @param all names of these its path may have. */
function withoutQuotes(problem: Problem, near: readonly Secret[], all: readonly Secret[]): Problem {
  const names = all.filter(({ isName }) => isName);
  const message = [...near, ...names].reduce(unquoted, problem.message);
  return { ...problem, message, path: names.reduce(unquoted, problem.path) };
}

/** A quotation may be cut, or in quotes. */
function unquoted(message: string, { text: secret }: Secret): string {
  const forms = [secret, secret.slice(0, 57)].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  return forms.filter((form) => form.length > 1).reduce((text, form) => text.replaceAll(form, REDACTED), message);
}

/** What a value is depends on its place: each is put there, as a call does. One that has none is masked by its words. */
function hiddenInSets(sets: readonly string[], inputs: readonly Input[], api?: ApiVersion) {
  if (sets.length === 0) return [];
  let { document } = readInputs(inputs, { api });
  const [{ version } = { version: 'v2' as const }] = parsedInputs(inputs, api);
  return sets.map((option) => {
    const start = document?.nextStart ?? 0;
    const next = document && applySets(document, [option]).document;
    if (next === undefined || next === document) {
      const masked = maskedParts(option, 0);
      return { option, safe: edited(option, masked, () => REDACTED), parts: masked };
    }
    document = next;
    const finder = new SecretFinder(version, subsetLabels(next.root));
    finder.document(next.root);
    const parts = finder.secrets
      .filter((one) => one.start >= start)
      .map((one) => inPath(option, { ...one, start: one.start - start, end: one.end - start }));
    parts.sort((a, b) => a.start - b.start);
    return { option, safe: edited(option, parts, ({ word = '' }) => word), parts };
  });
}

/** A name that a change makes is a step of its path, and its place is the whole of that. */
function inPath(option: string, secret: Secret): Secret {
  const { start, end, text } = secret;
  const at = start === 0 ? option.lastIndexOf(text, end) : -1;
  return at < 0 ? secret : { start: at, end: at + text.length, text, word: 'redacted' };
}

function hiddenParts<T extends Input>(inputs: readonly T[], api?: ApiVersion, isShown?: (part: Span) => boolean) {
  const parsed = parsedInputs(inputs, api);
  const labels = new Set(parsed.flatMap(({ roots }) => roots.flatMap((root) => [...subsetLabels(root)])));
  return parsed.map(({ input, ...read }) => ({ input, parts: partsOf(input.text, read, labels, isShown) }));
}

function partsOf(
  text: string,
  { roots, version, json }: Omit<ParsedInput<Input>, 'input'>,
  labels: ReadonlySet<string>,
  isShown?: (part: Span) => boolean,
): readonly Secret[] {
  if (roots.length === 0) return maskedParts(text, 0);
  const finder = new SecretFinder(version, labels, isShown);
  for (const root of roots) finder.document(root);
  return json ? finder.secrets : withComments(text, finder.secrets, finder.scalars);
}

function maskedParts(text: string, start: number): Secret[] {
  const masked = maskedText(text);
  const parts: Secret[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === masked[at]) continue;
    const from = at;
    while (at < text.length && text[at] !== masked[at]) at++;
    parts.push({ start: start + from, end: start + at, text: text.slice(from, at), word: undefined });
  }
  return parts;
}

/** Comments are read by nobody, and carried with the rest. */
function withComments(text: string, parts: readonly Secret[], scalars: readonly ScalarNode[]): readonly Secret[] {
  const values = [...scalars].sort((a, b) => a.start - b.start);
  const comments: Secret[] = [];
  let next = 0;
  for (const { index, 0: comment } of text.matchAll(/(?<=^|\s)#[^\n]*(?:\n[ \t]*#[^\n]*)*/g)) {
    while (next < values.length && (values[next]?.end ?? 0) <= index) next++;
    const value = values[next];
    if (value === undefined || value.start > index) comments.push(...maskedParts(comment, index));
  }
  return [...parts, ...comments].sort((a, b) => a.start - b.start);
}

function edited(text: string, parts: readonly Secret[], by: (part: Secret) => string): string {
  let result = '';
  let at = 0;
  for (const part of parts) {
    if (part.start < at) continue;
    result += text.slice(at, part.start) + by(part);
    at = part.end;
  }
  return result + text.slice(at);
}
