import { EcmascriptParser } from './ecmascript.js';
import type { ParsedRegex } from './parser.js';
import { Re2Parser } from './re2.js';

/** Whose syntax: std::regex of C++, or RE2. */
export type RegexDialect = 'ecmascript' | 're2';

export const parseRegex = (pattern: string, dialect: RegexDialect): ParsedRegex =>
  (dialect === 're2' ? new Re2Parser(pattern) : new EcmascriptParser(pattern)).parse();
