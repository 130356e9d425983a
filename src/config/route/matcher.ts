import { list, message, optional, plain, required, valid, type Output } from '../reader.js';
import { regexProblem } from '../../core/regex/linear-regex.js';
import { bool, string } from '../reader/proto.js';

/** type.matcher.RegexMatcher. The engine may be left out, as later versions of the proxy allow. */
export const RegexMatcher = message(
  'type.matcher.RegexMatcher',
  () => ({ regex: required(string()) }),
  valid('regex', 'regex', 'The regular expression must be one that RE2 can read.', (regex: string) =>
    regexProblem(regex, 're2'),
  ),
);

export const StringMatcher = message(
  'type.matcher.StringMatcher',
  () => ({
    exact: optional(string()),
    prefix: optional(string()),
    suffix: optional(string()),
    contains: optional(string()),
    regex: optional(string()),
    safe_regex: optional(RegexMatcher),
    ignore_case: plain(bool()),
  }),
  {
    name: 'ignore-case',
    reads: ['safe_regex', 'ignore_case'],
    check: ({ safeRegex, ignoreCase }, report) => {
      if (ignoreCase && safeRegex !== undefined) report('ignore_case has no effect for safe_regex.', ['ignore_case']);
    },
  },
  valid('regex', 'regex', 'The regular expression must be ECMAScript’s.', (regex: string) =>
    regexProblem(regex, 'ecmascript'),
  ),
);
export type StringMatcher = Output<typeof StringMatcher>;

export const ListStringMatcher = message('type.matcher.ListStringMatcher', () => ({
  patterns: required(list(StringMatcher)),
}));

export const RegexMatchAndSubstitute = message('type.matcher.RegexMatchAndSubstitute', () => ({
  pattern: required(RegexMatcher),
  substitution: plain(string()),
}));
