import { message, valid } from '../reader.js';
import { regexProblem } from '../../core/regex/linear-regex.js';

/** The engine may be left out, as later versions of the proxy allow. */
message(
  'type.matcher.RegexMatcher',
  valid('regex', 'regex', 'The regular expression must be one that RE2 can read.', (regex: string) =>
    regexProblem(regex, 're2'),
  ),
);

message(
  'type.matcher.StringMatcher',
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
