import { own } from '../core/own.js';
import type { HeaderMatcher } from '../settings/matchers.js';
import type { Quirks } from '../core/quirks.js';
import type { RegexDialect } from '../core/regex/tree.js';
import { LinearRegex } from '../core/regex/linear-regex.js';

/** Headers by name, in lower case. */
export type HeaderMap = Readonly<Record<string, string>>;

/**
 * route.HeaderMatcher as a function.
 *
 * As in the proxy, a header that is not there matches nothing, and not by inversion either, except by `present_match`.
 */
export function headerMatcher(
  matcher: HeaderMatcher,
  { presentMatchMayBeFalse }: Pick<Quirks, 'presentMatchMayBeFalse'>,
): (headers: HeaderMap) => boolean {
  const { name, invertMatch } = matcher;
  const matches = valueMatcher(matcher);
  if (matches === undefined) {
    const wanted = (matcher.presentMatch ?? true) || !presentMatchMayBeFalse;
    return (headers) => (own(headers, name) !== undefined) === (wanted !== invertMatch);
  }
  return (headers) => {
    const value = own(headers, name);
    return value !== undefined && matches(value) !== invertMatch;
  };
}

/** undefined: the header need only be present. */
function valueMatcher(matcher: HeaderMatcher): ((value: string) => boolean) | undefined {
  const { exactMatch, regexMatch, safeRegexMatch, rangeMatch, prefixMatch, suffixMatch } = matcher;
  // An empty text matches any value.
  if (exactMatch !== undefined) return (value) => exactMatch === '' || value === exactMatch;
  if (safeRegexMatch !== undefined) return expression(safeRegexMatch.regex, 're2');
  if (regexMatch !== undefined) return expression(regexMatch, 'ecmascript');
  if (rangeMatch !== undefined) {
    const { start, end } = rangeMatch;
    return (value) => /^\s*[-+]?\d+\s*$/.test(value) && BigInt(value.trim()) >= start && BigInt(value.trim()) < end;
  }
  if (prefixMatch !== undefined) return (value) => value.startsWith(prefixMatch);
  if (suffixMatch !== undefined) return (value) => value.endsWith(suffixMatch);
  return undefined;
}

function expression(pattern: string, dialect: RegexDialect): (value: string) => boolean {
  const regex = new LinearRegex(pattern, dialect);
  return (value) => regex.matches(value);
}
