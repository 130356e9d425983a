import type { ScalarNode, SourceNode } from '../source/document.js';
import { closest, distance } from 'fastest-levenshtein';

const NULL = new Set(['', '~', 'null', 'Null', 'NULL']);

/** An absent or null value. */
export const isNull = (node: SourceNode): boolean => node.kind === 'scalar' && !node.quoted && NULL.has(node.text);

/** YAML 1.2 core schema; integers past 2⁵³ are rounded, read `text` where that matters. */
export function yamlValue(node: ScalarNode): string | number | boolean | null {
  const { text } = node;
  if (node.quoted) return text;
  if (NULL.has(text)) return null;
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  if (/^0o[0-7]+$/.test(text) || /^0x[\da-fA-F]+$/.test(text)) return Number(text);
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^\.(nan|NaN|NAN)$/.test(text)) return NaN;
  return text;
}

/** For a message: `"abc"`, `50`, `a list`. @param isName it may be a misspelt name in capitals, which is no placeholder. */
export function describe(node: SourceNode, isName = false): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (isNull(node)) return node.text === '' ? 'nothing' : node.text;
  const text = node.text.length > 60 ? `${node.text.slice(0, 57)}…` : node.text;
  const found = node.quoted ? JSON.stringify(text) : text;
  return isName && CAPITALS.test(text) ? found : withPlaceholder(text, found);
}

export const withPlaceholder = (text: string, found: string): string =>
  TEMPLATE.test(text) || CAPITALS.test(text) ? `the placeholder ${found}: render the template first` : found;

/** As envsubst, the shell and template languages have it, alone: in a text it may be meant. */
const TEMPLATE = /^(?:\$\{\w+\}|\$\w+|\{\{.*\}\}|<%.*%>)$/;

/** As scripts replace it: `HOST_PORT`. */
const CAPITALS = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;

/** ` (did you mean X?)`, or '' without a similar one. */
export function didYouMean(found: string, options: readonly string[]): string {
  const near = nearest(found, options);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** As {@link didYouMean} for many names: who has more than a hundred wrong ones needs none for each, and each takes its time. */
export function suggestionsFrom(options: readonly string[]): (found: string) => string {
  let left = 100;
  return (found) => {
    left -= 1;
    return left < 0 ? '' : didYouMean(found, options);
  };
}

/** The most similar option: at most a third of the letters are wrong. */
export function nearest(found: string, options: readonly string[]): string | undefined {
  if (options.length === 0 || found === '' || found.length > 100) return undefined;
  const wanted = found.toLowerCase();
  const lower = options.map((option) => option.toLowerCase());
  const near = closest(wanted, lower);
  const length = Math.max(found.length, near.length);
  const limit = length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
  return distance(wanted, near) <= limit ? options[lower.indexOf(near)] : undefined;
}

export const oneOfThese = (options: readonly string[]): string =>
  options.length === 1 ? String(options[0]) : `one of ${options.join(', ')}`;

/** That a name is none of those there are: with a similar one, or all of them. */
export function noSuch(what: string, name: string, names: readonly string[], listed = names): string {
  const near = didYouMean(name, names);
  const list =
    listed.length === 0 ? 'there is none' : `there ${listed.length === 1 ? 'is' : 'are'} ${listed.join(', ')}`;
  return `there is no ${what} "${name}"${near === '' ? `: ${list}` : near}`;
}
