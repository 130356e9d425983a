import { block, defaulted, didYouMean, either, list, optional, required, type Schema } from '../../config/reader.js';
import { HeaderMatcher } from '../../config/route/route-match.js';
import { words } from '../../config/reader/plain-choices.js';
import { DurationText, Headers, integer, LbMetadata, nonEmpty, positiveDuration, scalar } from './fields.js';
import { requestHeader } from '../../core/proxy-names.js';
import type { RequestSpec, RetryHostPredicate, RetryPolicy, RetryPriority } from '../../settings/world.js';
import { accept, refuse } from './units.js';
import { any, type AnyValue, canonicalName } from '../../config/any.js';
import type { Struct } from '../../core/json-value.js';

/** The extensions of a retry policy: predicates that reject hosts, and retry priorities. */

const PREDICATES = 'proxy.retry_host_predicates.';
const PREVIOUS_HOSTS = `${PREDICATES}previous_hosts`;
const OMIT_CANARY_HOSTS = `${PREDICATES}omit_canary_hosts`;
const OMIT_HOST_METADATA = `${PREDICATES}omit_host_metadata`;
const PREVIOUS_PRIORITIES = 'proxy.retry_priorities.previous_priorities';

/** One of the names that the proxy registers, with either prefix. */
function nameOf(what: 'retry-host-predicate' | 'retry-priority', known: readonly string[]): Schema<string> {
  return scalar('name', what, (text) => {
    const name = canonicalName(text);
    if (known.includes(name)) return accept(name);
    return refuse(
      `${text} is no ${what.replaceAll('-', ' ')}${didYouMean(name, known) || `: known is ${known.join(', ')}`}`,
    );
  });
}

const PredicateName = nameOf('retry-host-predicate', [PREVIOUS_HOSTS, OMIT_CANARY_HOSTS, OMIT_HOST_METADATA]);

const Nothing = block('no options', () => ({}), { doc: 'Takes no options.' });

const OmitHostMetadata = block(
  'omit_host_metadata',
  () => ({ metadata_match: optional(LbMetadata, 'Hosts with all of these entries under proxy.lb are rejected.') }),
  { doc: 'Which hosts a retry avoids, by their metadata.' },
);

const PreviousPriorities = block(
  'previous_priorities',
  () => ({
    update_frequency: required(
      integer('update_frequency', 1, 2147483647),
      'After how many attempts priorities change.',
    ),
  }),
  { doc: 'Retries turn to priorities that no attempt has met yet.' },
);

const predicateTypes = {
  'config.retry.previous_hosts.v2.PreviousHostsPredicate': Nothing,
  'extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate': Nothing,
  'config.retry.omit_canary_hosts.v2.OmitCanaryHostsPredicate': Nothing,
  'extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate': Nothing,
  'config.retry.omit_host_metadata.v2.OmitHostMetadataConfig': OmitHostMetadata,
  'extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig': OmitHostMetadata,
};

const priorityTypes = {
  'config.retry.previous_priorities.PreviousPrioritiesConfig': PreviousPriorities,
  'extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig': PreviousPriorities,
};

/** The options of an extension, where its `typed_config` is of a type that is known here. */
function typedOptions(typed: AnyValue | undefined): unknown {
  return typed?.known === true ? typed.value : undefined;
}

/** `proxy.retry_host_predicates.previous_hosts`, or `{name: …, config: {…}}` as the proxy's route has it. */
const RetryHostPredicateSchema: Schema<RetryHostPredicate> = either(
  block(
    'retry host predicate',
    () => ({
      name: required(PredicateName, 'Name of the predicate.'),
      config: optional(OmitHostMetadata, 'Options of omit_host_metadata.'),
      typed_config: optional(any({ types: predicateTypes }), 'The same with its type.'),
    }),
    {
      doc: 'Hosts that a retry avoids.',
      oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }],
    },
  ),
  PredicateName,
).transform((value): RetryHostPredicate => {
  const { name, config, typedConfig } = typeof value === 'string' ? { name: value } : value;
  switch (name) {
    case OMIT_CANARY_HOSTS:
      return { kind: 'omit_canary_hosts' };
    case OMIT_HOST_METADATA: {
      const options = (config ?? typedOptions(typedConfig)) as { readonly metadataMatch?: Struct } | undefined;
      return { kind: 'omit_host_metadata', metadataMatch: options?.metadataMatch ?? {} };
    }
    default:
      return { kind: 'previous_hosts' };
  }
});

/** `{name: proxy.retry_priorities.previous_priorities, config: {update_frequency: 2}}`. */
const RetryPrioritySchema: Schema<RetryPriority> = block(
  'retry priority',
  () => ({
    name: required(nameOf('retry-priority', [PREVIOUS_PRIORITIES]), 'Name of the extension.'),
    config: optional(PreviousPriorities, 'Its options.'),
    typed_config: optional(any({ types: priorityTypes }), 'The same with their type.'),
  }),
  {
    doc: 'Chooses the priorities of a retry.',
    oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'], required: true }],
  },
).transform(({ config, typedConfig }): RetryPriority => {
  const options = (config ?? typedOptions(typedConfig)) as { readonly updateFrequency: number } | undefined;
  return { updateFrequency: options?.updateFrequency ?? 1 };
});

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
