import { didYouMean } from '../config/reader.js';
import { someOf } from '../core/words.js';

/** Clusters by name, as the command line names them: `*` stands for any characters. */

/** Of very many names the first are listed. */
const MAX_LISTED = 12;

export function matcherOf(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const parts = pattern.split('*');
  const first = parts.shift() ?? '';
  const last = parts.pop() ?? '';
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - at >= last.length && name.endsWith(last);
  };
}

/** Whether any of several names and patterns matches a cluster. */
export function anyMatcher(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns);
  const matchers = patterns.filter((pattern) => pattern.includes('*')).map(matcherOf);
  return (name) => names.has(name) || matchers.some((matches) => matches(name));
}

/** A problem: nothing matches; lists the existing names. */
export function noSuchCluster(pattern: string, names: readonly string[]): string {
  if (names.length === 0) return `there is no cluster "${pattern}": there is none at all`;
  const near = didYouMean(pattern.replaceAll('*', ''), names);
  const list = someOf([...new Set(names)], MAX_LISTED);
  return `there is no cluster "${pattern}"${near}; there ${names.length === 1 ? 'is' : 'are'} ${list}`;
}
