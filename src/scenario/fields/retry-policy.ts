import { any } from '../../config/reader/api-schema.js';
import { defaulted, didYouMean, either, list, optional, required, type Schema, rule } from '../../config/reader.js';
import { Durations, Sizes } from './distribution.js';
import { block } from './block.js';
import { KNOWN_NAMES } from '../../config/generated/known-names.js';
import { portionOf } from '../../config/assignment-rules.js';
import { HashPolicy, HeaderMatcher, HedgePolicy, RequestMirrorPolicy } from '../../config/route/route.js';
import { hashSource } from '../../config/lb.js';
import { words, yesNo } from '../../config/reader/combinators.js';
import { DurationText, Headers, integer, LbMetadata, nonEmpty, positiveDuration, scalar, Text } from './fields.js';
import { requestHeader, canonicalName } from '../../core/proxy-names.js';
import type * as worlds from '../../settings/world.js';
import { accept, refuse } from './units.js';
import type { AnyValue, Struct } from '../../core/values.js';

/** The extensions of a retry policy: predicates that reject hosts, and retry priorities. */

const PREDICATES = 'proxy.retry_host_predicates.';
const PREVIOUS_HOSTS = `${PREDICATES}previous_hosts`;
const OMIT_CANARY_HOSTS = `${PREDICATES}omit_canary_hosts`;
const OMIT_HOST_METADATA = `${PREDICATES}omit_host_metadata`;
const PREVIOUS_PRIORITIES = 'proxy.retry_priorities.previous_priorities';

/** One of the names that the proxy registers, with either prefix. */
const nameOf = (what: 'retry-host-predicate' | 'retry-priority', known: readonly string[]): Schema<string> =>
  scalar('name', what, (text) => {
    const name = canonicalName(text);
    if (known.includes(name)) return accept(name);
    return refuse(
      `${text} is no ${what.replaceAll('-', ' ')}${didYouMean(name, known) || `: known is ${known.join(', ')}`}`,
    );
  });

const PredicateName = nameOf('retry-host-predicate', [PREVIOUS_HOSTS, OMIT_CANARY_HOSTS, OMIT_HOST_METADATA]);

const Nothing = block('no options', () => ({}));

const OmitHostMetadata = block('omit_host_metadata', () => ({ metadata_match: optional(LbMetadata) }));

const PreviousPriorities = block('previous_priorities', () => ({
  update_frequency: required(integer('update_frequency', 1, 2147483647)),
}));

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
const typedOptions = (typed: AnyValue | undefined): unknown => (typed?.known === true ? typed.value : undefined);

/** `proxy.retry_host_predicates.previous_hosts`, or `{name: …, config: {…}}` as the proxy's route has it. */
const RetryHostPredicateSchema: Schema<worlds.RetryHostPredicate> = either(
  block('retry host predicate', () => ({
    name: required(PredicateName),
    config: optional(OmitHostMetadata),
    typed_config: optional(any({ types: predicateTypes })),
  })),
  PredicateName,
).transform((value): worlds.RetryHostPredicate => {
  const { name, config, typedConfig } = typeof value === 'string' ? { name: value } : value;
  if (name === PREVIOUS_HOSTS) return { kind: 'previous_hosts' };
  if (name === OMIT_CANARY_HOSTS) return { kind: 'omit_canary_hosts' };
  const options = (config ?? typedOptions(typedConfig)) as { readonly metadataMatch?: Struct } | undefined;
  return { kind: 'omit_host_metadata', metadataMatch: options?.metadataMatch ?? {} };
});

/** `{name: proxy.retry_priorities.previous_priorities, config: {update_frequency: 2}}`. */
const RetryPrioritySchema: Schema<worlds.RetryPriority> = block('retry priority', () => ({
  name: required(nameOf('retry-priority', [PREVIOUS_PRIORITIES])),
  config: optional(PreviousPriorities),
  typed_config: optional(any({ types: priorityTypes })),
})).transform(({ config, typedConfig }): worlds.RetryPriority => {
  const options = (config ?? typedOptions(typedConfig)) as { readonly updateFrequency: number } | undefined;
  return { updateFrequency: options?.updateFrequency ?? 1 };
});

/** `retry_policy`: when a failed request is sent again, and where. */

/** Conditions of one `retry_on`, as `5xx,connect-failure`. */
const conditions = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

const BackOff = block(
  'retry back-off',
  () => ({
    base_interval: required(positiveDuration('base_interval')),
    max_interval: optional(positiveDuration('max_interval')),
  }),
  rule('retry-back-off', ['base_interval', 'max_interval'], ({ baseInterval, maxInterval }, report) => {
    if (maxInterval !== undefined && maxInterval < baseInterval)
      report('max_interval is shorter than base_interval', ['max_interval']);
  }),
);

const ResetHeader = block('reset header', () => ({
  name: required(scalar('text', 'header', accept)),
  format: defaulted(words(['SECONDS']), 'SECONDS'),
}));

const RateLimitedBackOff = block('rate-limited back-off', () => ({
  reset_headers: required(nonEmpty(ResetHeader, 'name at least one header')),
  max_interval: defaulted(positiveDuration('max_interval'), 300_000_000),
}));

const Matcher = HeaderMatcher.transform((matcher) => ({ ...matcher, name: requestHeader(matcher.name) }));

export const RetryPolicyBlock: Schema<worlds.RetryPolicy> = block(
  'retry policy',
  () => ({
    retry_on: defaulted(scalar('text', 'retry-on', accept), ''),
    num_retries: defaulted(integer('num_retries', 0, 4294967295), 1),
    per_try_timeout: defaulted(DurationText, 0),
    retry_priority: optional(RetryPrioritySchema),
    host_selection_retry_max_attempts: defaulted(integer('host_selection_retry_max_attempts', 0), 1),
    retry_host_predicate: defaulted(list(RetryHostPredicateSchema), []),
    retriable_status_codes: defaulted(list(integer('a status', 100, 599)), []),
    retriable_headers: defaulted(list(Matcher), []),
    retriable_request_headers: defaulted(list(Matcher), []),
    retry_back_off: optional(BackOff),
    rate_limited_retry_back_off: optional(RateLimitedBackOff),
  }),
  rule('retry-on', ['retry_on'], ({ retryOn }, report) => {
    const known = conditions(retryOn);
    if (known.length === 0) report('without retry_on nothing is retried', ['retry_on'], 'warning');
    for (const word of known) {
      if (!KNOWN_NAMES.retry_conditions.includes(word))
        report(`the proxy ignores "${word}"${didYouMean(word, KNOWN_NAMES.retry_conditions)}`, ['retry_on'], 'warning');
    }
  }),
).transform(
  ({ retryOn, perTryTimeout, retryBackOff, rateLimitedRetryBackOff: rateLimited, ...fields }): worlds.RetryPolicy => ({
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

export const MirrorPolicySchema: Schema<worlds.MirrorPolicy> = RequestMirrorPolicy.transform(
  ({ cluster, clusterHeader, runtimeFraction: fraction }): worlds.MirrorPolicy => ({
    cluster,
    clusterHeader: clusterHeader === '' ? undefined : requestHeader(clusterHeader),
    portion: fraction?.defaultValue === undefined ? 1 : portionOf(fraction.defaultValue),
    runtimeKey: fraction?.runtimeKey || undefined,
  }),
);

const Tcp = block('tcp', () => ({
  lifetime: required(Durations),
  max_connect_attempts: defaulted(integer('max_connect_attempts', 1, 4294967295), 1),
  max_downstream_connection_duration: defaulted(DurationText, 0),
}));

export const REQUEST_FIELDS = {
  metadata_match: optional(LbMetadata),
  headers: defaulted(Headers, {}),
  priority: defaulted(words(['DEFAULT', 'HIGH']), 'DEFAULT'),
  timeout: defaulted(DurationText, DEFAULT_TIMEOUT_US),
  retry_policy: optional(RetryPolicyBlock),
  hedge_policy: optional(HedgePolicy),
  request_mirror_policies: optional(list(MirrorPolicySchema)),
  hash_policy: optional(list(HashPolicy.transform(hashSource))),
  use_hash_policy: optional(yesNo),
  header_name: optional(Text.transform(requestHeader)),
  runtime_key_prefix: optional(Text),
  size: optional(Sizes),
  tcp: optional(Tcp),
} as const;

export const PLAIN_REQUEST: worlds.RequestSpec = { headers: {}, priority: 'DEFAULT', timeoutUs: DEFAULT_TIMEOUT_US };
