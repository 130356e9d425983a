import { LinearRegex } from './linear-regex.js';
import { EcmascriptParser } from './ecmascript.js';
import { Re2 } from './re2.js';
import { RegexError, UnsupportedRegexError } from './tree.js';

/** Whose syntax: std::regex of C++, or RE2. */
export type RegexDialect = 'ecmascript' | 're2';

/** What tells whether a whole text matches. @throws RegexError */
export function regexOf(pattern: string, dialect: RegexDialect): Pick<Re2, 'matches'> {
  return dialect === 're2' ? new Re2(pattern) : new LinearRegex(pattern);
}

/** Why the proxy would refuse an expression; undefined if it would not. */
export function regexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  const error = refusal(() => (dialect === 're2' ? new Re2(pattern) : new EcmascriptParser(pattern).parse()));
  if (error === undefined || error instanceof UnsupportedRegexError) return undefined;
  return `Invalid regex '${pattern}': ${error.message}`;
}

/** Why an expression cannot be run in linear time; undefined if it can. */
export function linearRegexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  return refusal(() => regexOf(pattern, dialect))?.message;
}

function refusal(work: () => unknown): RegexError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
}
