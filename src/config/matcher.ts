import { listOf, message, optional, plain, required } from './reader.js';
import type { Output } from './reader.js';
import { regexProblem } from '../core/regex/parse.js';
import { bool, string, uint32Value } from './reader/proto.js';

const GoogleRe2 = message(
  'type.matcher.RegexMatcher.GoogleRE2',
  () => ({
    max_program_size: optional(uint32Value(), 'Largest complexity of the expression.', {
      deprecated: 'use the runtime key re2.max_program_size.error_level',
    }),
  }),
  { doc: 'The RE2 engine.' },
);

/** type.matcher.RegexMatcher. The engine may be left out, as later versions of the proxy allow. */
export const RegexMatcher = message(
  'type.matcher.RegexMatcher',
  () => ({
    google_re2: optional(GoogleRe2, 'The RE2 engine.', { noEffect: 'it is the only engine' }),
    regex: required(string({ minLength: 1 }), 'Must match the whole text.'),
  }),
  {
    doc: 'A regular expression that is safe to run on untrusted text.',
    rules: [
      {
        name: 'regex',
        doc: 'The regular expression must be one that RE2 can read.',
        reads: ['regex'],
        check: ({ regex }, report) => {
          const problem = regexProblem(regex, 're2');
          if (problem !== undefined) report(problem, ['regex']);
        },
      },
    ],
  },
);

/** type.matcher.StringMatcher */
export const StringMatcher = message(
  'type.matcher.StringMatcher',
  () => ({
    exact: optional(string(), 'The text itself.'),
    prefix: optional(string({ minLength: 1 }), 'How the text begins.'),
    suffix: optional(string({ minLength: 1 }), 'How the text ends.'),
    contains: optional(string({ minLength: 1 }), 'What the text contains.', { extension: 'since 1.17' }),
    regex: optional(string({ maxBytes: 1024 }), 'An ECMAScript expression that matches the whole text.', {
      deprecated: 'use safe_regex',
    }),
    safe_regex: optional(RegexMatcher, 'An expression that matches the whole text.'),
    ignore_case: plain(bool(), 'Ignore case; not for expressions.'),
  }),
  {
    doc: 'Matches a text.',
    oneOfs: [
      {
        name: 'match_pattern',
        fields: ['exact', 'prefix', 'suffix', 'contains', 'regex', 'safe_regex'],
        required: true,
      },
    ],
    rules: [
      {
        name: 'ignore-case',
        doc: 'ignore_case cannot stand beside safe_regex.',
        reads: ['safe_regex', 'ignore_case'],
        check: ({ safeRegex, ignoreCase }, report) => {
          if (ignoreCase && safeRegex !== undefined)
            report('ignore_case has no effect for safe_regex.', ['ignore_case']);
        },
      },
      {
        name: 'regex',
        doc: 'The regular expression must be ECMAScript’s.',
        reads: ['regex'],
        check: ({ regex }, report) => {
          const problem = regex === undefined ? undefined : regexProblem(regex, 'ecmascript');
          if (problem !== undefined) report(problem, ['regex']);
        },
      },
    ],
  },
);
export type StringMatcher = Output<typeof StringMatcher>;

/** type.matcher.ListStringMatcher */
export const ListStringMatcher = message(
  'type.matcher.ListStringMatcher',
  () => ({
    patterns: required(listOf(StringMatcher, { min: 1, words: 'needs at least one pattern' }), 'Any of them matches.'),
  }),
  { doc: 'Matches a text in one of several ways.' },
);
