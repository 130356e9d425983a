import { block, defaulted, didYouMean, list, optional, required, type Schema } from '../config/reader.js';
import { HeaderMatcher } from '../config/route-match.js';
import { words } from '../config/reader/plain-choices.js';
import { DurationText, Headers, integer, nonEmpty, positiveDuration, scalar } from './fields.js';
import { requestHeader } from '../core/proxy-names.js';
import type { RequestSpec, RetryPolicy } from '../settings/world.js';
import { RetryHostPredicateSchema, RetryPrioritySchema } from './retry-extensions.js';
import { accept } from './units.js';
import { LbMetadata } from './metadata.js';

/** `retry_policy`: when a failed request is sent again, and where. */

const RETRY_CONDITIONS = [
  '5xx',
  'gateway-error',
  'reset',
  'connect-failure',
  'retriable-4xx',
  'refused-stream',
  'retriable-status-codes',
  'retriable-headers',
  'envoy-ratelimited',
  'proxy-ratelimited',
  'cancelled',
  'deadline-exceeded',
  'internal',
  'resource-exhausted',
  'unavailable',
];

/** Conditions of one `retry_on`, as `5xx,connect-failure`. */
function conditions(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

const BackOff = block(
  'retry back-off',
  () => ({
    base_interval: required(positiveDuration('base_interval'), 'Base of the exponential back-off.'),
    max_interval: optional(positiveDuration('max_interval'), 'Longest back-off. Default: 10 times base_interval.'),
  }),
  {
    doc: 'How long to wait before a retry.',
    rules: [
      {
        name: 'retry-back-off',
        reads: ['base_interval', 'max_interval'],
        check: ({ baseInterval, maxInterval }, report) => {
          if (maxInterval !== undefined && maxInterval < baseInterval) {
            report('max_interval is shorter than base_interval', ['max_interval']);
          }
        },
      },
    ],
  },
);

const ResetHeader = block(
  'reset header',
  () => ({
    name: required(scalar('text', 'header', accept), 'Its name, as retry-after.'),
    format: defaulted(words(['SECONDS']), 'SECONDS', 'What it holds. A simulation has no calendar: no UNIX_TIMESTAMP.'),
  }),
  { doc: 'A header of answers that says when to come back.' },
);

const RateLimitedBackOff = block(
  'rate-limited back-off',
  () => ({
    reset_headers: required(nonEmpty(ResetHeader, 'name at least one header'), 'Which headers; the first that counts.'),
    max_interval: defaulted(
      positiveDuration('max_interval'),
      300_000_000,
      'A header that says more does not count. Default 300s.',
    ),
  }),
  { doc: 'How long to wait where an answer says it itself.' },
);

const Matcher = HeaderMatcher.transform((matcher) => ({ ...matcher, name: requestHeader(matcher.name) }));

export const RetryPolicyBlock: Schema<RetryPolicy> = block(
  'retry policy',
  () => ({
    retry_on: defaulted(
      scalar('text', 'retry-on', accept),
      '',
      'Conditions, separated by commas: 5xx,connect-failure.',
    ),
    num_retries: defaulted(integer('num_retries', 0, 4294967295), 1, 'Retries after the first attempt.'),
    per_try_timeout: defaulted(DurationText, 0, 'Time for one attempt; 0s is none.'),
    retry_priority: optional(RetryPrioritySchema, 'Which priorities a retry turns to: previous_priorities.'),
    host_selection_retry_max_attempts: defaulted(
      integer('host_selection_retry_max_attempts', 0),
      1,
      'How often another host is drawn within one attempt when a predicate rejects the host.',
    ),
    retry_host_predicate: defaulted(
      list(RetryHostPredicateSchema),
      [],
      'Which hosts a retry avoids: previous_hosts, omit_canary_hosts, omit_host_metadata.',
    ),
    retriable_status_codes: defaulted(
      list(integer('a status', 100, 599)),
      [],
      'Statuses that retriable-status-codes retries.',
    ),
    retriable_headers: defaulted(
      list(Matcher),
      [],
      'Headers of error answers that retriable-headers retries: any of them; see error_headers of behavior.',
    ),
    retriable_request_headers: defaulted(
      list(Matcher),
      [],
      'Only requests with any of these headers are retried. Default: all.',
    ),
    retry_back_off: optional(BackOff, 'Back-off between attempts. Default: base 25ms, at most 250ms.'),
    rate_limited_retry_back_off: optional(
      RateLimitedBackOff,
      'Back-off where a header of the answer says how long: error_headers of behavior.',
    ),
  }),
  {
    doc: "When a failed request is sent again. The fields are those of the proxy's route.RetryPolicy.",
    hints: {
      retry_options_predicates:
        'a proxy knows none unless its build adds one, and refuses the route; it would change the socket of a retry, not its host: leave it out',
      per_try_idle_timeout: 'answers come whole here: per_try_timeout says it all',
    },
    rules: [
      {
        name: 'retry-on',
        reads: ['retry_on'],
        check: ({ retryOn }, report) => {
          const known = conditions(retryOn);
          if (known.length === 0) report('without retry_on nothing is retried', ['retry_on'], 'warning');
          for (const word of known) {
            if (!RETRY_CONDITIONS.includes(word)) {
              report(`the proxy ignores "${word}"${didYouMean(word, RETRY_CONDITIONS)}`, ['retry_on'], 'warning');
            }
          }
        },
      },
    ],
  },
).transform(
  ({ retryOn, perTryTimeout, retryBackOff, rateLimitedRetryBackOff: rateLimited, ...fields }): RetryPolicy => ({
    ...fields,
    retryOn: conditions(retryOn),
    perTryTimeoutUs: perTryTimeout,
    retryBackOff: retryBackOff && {
      baseIntervalUs: retryBackOff.baseInterval,
      maxIntervalUs: retryBackOff.maxInterval ?? 10 * retryBackOff.baseInterval,
    },
    rateLimitedBackOff: rateLimited && {
      headers: rateLimited.resetHeaders.map(({ name }) => requestHeader(name)),
      maxIntervalUs: rateLimited.maxInterval,
    },
  }),
);

/** What workloads and explicit requests have in common: the route's part in a decision. */

const DEFAULT_TIMEOUT_US = 15_000_000;

export const REQUEST_FIELDS = {
  metadata_match: optional(
    LbMetadata,
    'What the route asks of subsets: entries under proxy.lb, or a whole core.Metadata {filter_metadata: …}.',
  ),
  headers: defaulted(Headers, {}, 'Request headers, as {x-proxy-original-dst-host: "10.0.0.9:80"}.'),
  priority: defaulted(words(['DEFAULT', 'HIGH']), 'DEFAULT', 'Routing priority: which circuit breakers and pool.'),
  timeout: defaulted(DurationText, DEFAULT_TIMEOUT_US, 'Time until the caller gives up; 0s is none. Default 15s.'),
  retry_policy: optional(RetryPolicyBlock, 'When a failed request is sent again. Default: never.'),
} as const;

export const PLAIN_REQUEST: RequestSpec = { headers: {}, priority: 'DEFAULT', timeoutUs: DEFAULT_TIMEOUT_US };
