import { EcmascriptParser } from './ecmascript.js';
import { Re2Parser } from './re2.js';
import { type ParsedRegex, type RegexDialect, RegexError, UnsupportedRegexError } from './tree.js';

/**
 * Reads an expression.
 *
 * @throws RegexError where it is none; UnsupportedRegexError where it is one that cannot be run here: look-ahead and
 *         back-references need an engine that tries everything, and a hostile expression would keep it busy for ever.
 */
export function parseRegex(pattern: string, dialect: RegexDialect): ParsedRegex {
  return (dialect === 're2' ? new Re2Parser(pattern) : new EcmascriptParser(pattern)).parse();
}

/** Why the proxy would refuse an expression; undefined if it would not. */
export function regexProblem(pattern: string, dialect: RegexDialect): string | undefined {
  try {
    parseRegex(pattern, dialect);
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedRegexError) return undefined;
    if (error instanceof RegexError) return `Invalid regex '${pattern}': ${error.message}`;
    throw error;
  }
}
