import type { Messages } from '../core/generated/message-types.js';
import { LinearRegex } from '../core/regex/linear-regex.js';

type Predicate = (name: string) => boolean;

/** Which statistics exist, by full name; without a matcher all. Call once per name, not per request. */
export function statsFilter(matcher: Messages['config.metrics.v2.StatsMatcher'] | undefined): Predicate {
  if (matcher?.inclusionList !== undefined) return anyOf(matcher.inclusionList.patterns);
  if (matcher?.exclusionList !== undefined) {
    const excluded = anyOf(matcher.exclusionList.patterns);
    return (name) => !excluded(name);
  }
  const exists = matcher?.rejectAll !== true;
  return () => exists;
}

function anyOf(patterns: readonly StringMatcher[]): Predicate {
  const predicates = patterns.map(stringMatcher);
  return (name) => predicates.some((matches) => matches(name));
}

/** One of its texts and expressions is set. */
type StringMatcher = Messages['type.matcher.StringMatcher'];

/** type.matcher.StringMatcher as a function. Expressions must match the whole text and never ignore case. */
export function stringMatcher(matcher: StringMatcher): Predicate {
  const { safeRegex } = matcher;
  if (safeRegex !== undefined || matcher.regex !== undefined) {
    const regex = new LinearRegex(safeRegex?.regex ?? matcher.regex ?? '', safeRegex ? 're2' : 'ecmascript');
    return (text) => regex.matches(text);
  }
  const fold = matcher.ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text;
  const folded = (part: string, isIn: (text: string, part: string) => boolean): Predicate => {
    const wanted = fold(part);
    return (text) => isIn(fold(text), wanted);
  };
  const { exact, prefix, suffix, contains = '' } = matcher;
  if (exact !== undefined) return folded(exact, (text, part) => text === part);
  if (prefix !== undefined) return folded(prefix, (text, part) => text.startsWith(part));
  if (suffix !== undefined) return folded(suffix, (text, part) => text.endsWith(part));
  return folded(contains, (text, part) => text.includes(part));
}
