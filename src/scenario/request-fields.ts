import { z } from 'zod';
import { canonicalName } from '../config/any.js';
import { block, defaulted, didYouMean, optional, required, type Schema } from '../config/reader.js';
import type { Struct } from '../core/json.js';
import type { Micros } from '../core/units.js';
import { DurationText, integer, positiveDuration, scalar } from './fields.js';
import { LbMetadata } from './metadata.js';
import type { RequestSpec, RetryPolicy } from './model.js';
import { accept, refuse } from './units.js';

/** What workloads and explicit requests have in common: the route's part in a decision. */

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

const PREVIOUS_HOSTS = 'proxy.retry_host_predicates.previous_hosts';

const PredicateName: Schema<string> = scalar('name', 'retry-host-predicate', (text) => {
  const name = canonicalName(text);
  if (name === PREVIOUS_HOSTS) return accept(name);
  return refuse(`${text} is not supported yet: known is ${PREVIOUS_HOSTS}${didYouMean(name, [PREVIOUS_HOSTS])}`);
});

/** `proxy.retry_host_predicates.previous_hosts`, or `{name: …}` as the proxy's route has it. */
const Predicate: Schema<string> = z
  .union([
    block(
      'retry host predicate',
      { name: required(PredicateName, 'Name of the predicate.') },
      { doc: 'A predicate by name.' },
    ),
    PredicateName,
  ])
  .transform((value) => (typeof value === 'string' ? value : value.name));

const BackOff = block(
  'retry back-off',
  {
    base_interval: required(positiveDuration('base_interval'), 'Base of the exponential back-off.'),
    max_interval: optional(positiveDuration('max_interval'), 'Longest back-off. Default: 10 times base_interval.'),
  },
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

const NOT_SUPPORTED = 'not supported yet';

const RetryPolicyBlock: Schema<RetryPolicy> = block(
  'retry policy',
  {
    retry_on: defaulted(
      scalar('text', 'retry-on', accept),
      '',
      'Conditions, separated by commas: 5xx,connect-failure.',
    ),
    num_retries: defaulted(integer('num_retries', 0, 4294967295), 1, 'Retries after the first attempt.'),
    per_try_timeout: defaulted(DurationText, 0, 'Time for one attempt; 0s is none.'),
    host_selection_retry_max_attempts: defaulted(
      integer('host_selection_retry_max_attempts', 0),
      1,
      'How often another host is drawn within one attempt when a predicate rejects the host.',
    ),
    retry_host_predicate: defaulted(z.array(Predicate), [], `Which hosts a retry avoids: ${PREVIOUS_HOSTS}.`),
    retriable_status_codes: defaulted(
      z.array(integer('a status', 100, 599)),
      [],
      'Statuses that retriable-status-codes retries.',
    ),
    retry_back_off: optional(BackOff, 'Back-off between attempts. Default: base 25ms, at most 250ms.'),
  },
  {
    doc: "When a failed request is sent again. The fields are those of the proxy's route.RetryPolicy.",
    hints: {
      retry_priority: NOT_SUPPORTED,
      retriable_headers: NOT_SUPPORTED,
      retriable_request_headers: NOT_SUPPORTED,
      retry_options_predicates: NOT_SUPPORTED,
      rate_limited_retry_back_off: NOT_SUPPORTED,
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
).transform((value): RetryPolicy => ({
  numRetries: value.numRetries,
  retryOn: conditions(value.retryOn),
  perTryTimeoutUs: value.perTryTimeout,
  hostSelectionRetryMaxAttempts: value.hostSelectionRetryMaxAttempts,
  retryHostPredicate: value.retryHostPredicate,
  retriableStatusCodes: value.retriableStatusCodes,
  retryBackOff: value.retryBackOff && {
    baseIntervalUs: value.retryBackOff.baseInterval,
    maxIntervalUs: value.retryBackOff.maxInterval ?? 10 * value.retryBackOff.baseInterval,
  },
}));

const Headers: Schema<Readonly<Record<string, string>>> = z
  .record(z.string().regex(/^[!#$%&'*+.^_`|~\w:-]+$/, { error: 'not a header name' }), scalar('text', 'header', accept))
  .transform((headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase().replace(/^x-envoy-/, 'x-proxy-'), value]),
    ),
  );

const DEFAULT_TIMEOUT_US = 15_000_000;

export const REQUEST_FIELDS = {
  metadata_match: optional(
    LbMetadata,
    'What the route asks of subsets: entries under proxy.lb, or a whole core.Metadata {filter_metadata: …}.',
  ),
  headers: defaulted(Headers, {}, 'Request headers, as {x-proxy-original-dst-host: "10.0.0.9:80"}.'),
  priority: defaulted(z.enum(['DEFAULT', 'HIGH']), 'DEFAULT', 'Routing priority: which circuit breakers and pool.'),
  timeout: defaulted(DurationText, DEFAULT_TIMEOUT_US, 'Time until the caller gives up; 0s is none. Default 15s.'),
  retry_policy: optional(RetryPolicyBlock, 'When a failed request is sent again. Default: never.'),
} as const;

interface RequestFields {
  readonly metadataMatch?: Struct | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: 'DEFAULT' | 'HIGH';
  readonly timeout: Micros;
  readonly retryPolicy?: RetryPolicy | undefined;
}

export function requestSpec(fields: RequestFields): RequestSpec {
  return {
    metadataMatch: fields.metadataMatch,
    headers: fields.headers,
    priority: fields.priority,
    timeoutUs: fields.timeout,
    retryPolicy: fields.retryPolicy,
  };
}

/** The request of somebody who said nothing about it. */
export const PLAIN_REQUEST: RequestSpec = {
  metadataMatch: undefined,
  headers: {},
  priority: 'DEFAULT',
  timeoutUs: DEFAULT_TIMEOUT_US,
  retryPolicy: undefined,
};
