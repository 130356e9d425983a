import type { StringMatcher } from './matchers.js';

/** Which statistics a proxy has, and how their names become tags. */
export interface StatsConfig {
  readonly statsTags: readonly TagSpecifier[];
  /** false: only its own tags; otherwise those of the proxy come before them. */
  readonly useAllDefaultTags?: boolean | undefined;
  readonly statsMatcher?: StatsMatcher | undefined;
}

/** With neither of both, `tagName` is one of the proxy's own tags. */
export interface TagSpecifier {
  readonly tagName: string;
  /** ECMAScript's. */
  readonly regex?: string | undefined;
  readonly fixedValue?: string | undefined;
}

/** Which statistics exist, by their full names. At most one of its fields is set; none: all do. */
export interface StatsMatcher {
  readonly rejectAll?: boolean | undefined;
  readonly exclusionList?: NamePatterns | undefined;
  readonly inclusionList?: NamePatterns | undefined;
}

interface NamePatterns {
  readonly patterns: readonly StringMatcher[];
}
