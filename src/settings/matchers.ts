/** What a text must be: one of these is set, beside `ignoreCase`. */
export interface StringMatcher {
  readonly exact?: string | undefined;
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly contains?: string | undefined;
  /** ECMAScript's. */
  readonly regex?: string | undefined;
  readonly safeRegex?: Re2 | undefined;
  /** Not of expressions. */
  readonly ignoreCase: boolean;
}

/** What a header must be: at most one of these is set, beside `name` and `invertMatch`; none: it is there. */
export interface HeaderMatcher {
  readonly name: string;
  readonly exactMatch?: string | undefined;
  /** ECMAScript's. */
  readonly regexMatch?: string | undefined;
  readonly safeRegexMatch?: Re2 | undefined;
  /** Half-open. */
  readonly rangeMatch?: { readonly start: bigint; readonly end: bigint } | undefined;
  readonly presentMatch?: boolean | undefined;
  readonly prefixMatch?: string | undefined;
  readonly suffixMatch?: string | undefined;
  readonly invertMatch: boolean;
}

/** An expression of RE2. */
interface Re2 {
  readonly regex: string;
}
