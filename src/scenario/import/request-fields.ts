import type { Plain } from '../../config/source/trees.js';
import { formatDuration } from '../../core/words.js';
import type { MirrorPolicy, RequestSpec, RetryPolicy } from '../../settings/world.js';
import { PLAIN_REQUEST } from '../fields/retry-policy.js';

const { timeoutUs: USUAL_TIMEOUT_US, priority: USUAL_PRIORITY } = PLAIN_REQUEST;

/** What a route says of requests, without the default, as the proxy's RouteAction and workloads alike have it. */
export function requestFields(request: RequestSpec): Readonly<Record<string, Plain | undefined>> {
  const { timeoutUs, priority, retryPolicy, useHashPolicy, runtimeKeyPrefix, tcp } = request;
  return {
    use_hash_policy: useHashPolicy,
    runtime_key_prefix: runtimeKeyPrefix,
    timeout: tcp !== undefined || timeoutUs === USUAL_TIMEOUT_US ? undefined : formatDuration(timeoutUs),
    priority: priority === USUAL_PRIORITY ? undefined : priority,
    retry_policy: retryPolicy && writtenPolicy(retryPolicy),
    hedge_policy: request.hedgePolicy && { hedge_on_per_try_timeout: request.hedgePolicy.hedgeOnPerTryTimeout },
    request_mirror_policies: request.requestMirrorPolicies?.map(writtenMirror),
    tcp: tcp && {
      lifetime: formatDuration(tcp.lifetime.kind === 'constant' ? tcp.lifetime.value : 0),
      max_connect_attempts: tcp.maxConnectAttempts === 1 ? undefined : tcp.maxConnectAttempts,
      max_downstream_connection_duration: timeoutUs === 0 ? undefined : formatDuration(timeoutUs),
    },
  };
}

function writtenMirror({ cluster, clusterHeader, portion, runtimeKey }: MirrorPolicy): Plain {
  const default_value = { numerator: Math.round(portion * 1_000_000), denominator: 'MILLION' };
  const isAll = portion === 1 && runtimeKey === undefined;
  const runtime_fraction = isAll ? undefined : { default_value, runtime_key: runtimeKey };
  return { ...(clusterHeader === undefined ? { cluster } : { cluster_header: clusterHeader }), runtime_fraction };
}

function writtenPolicy(policy: RetryPolicy): Plain {
  const { perTryTimeoutUs, hostSelectionRetryMaxAttempts: attempts, retryHostPredicate, retryPriority } = policy;
  const { retryBackOff, rateLimitedBackOff, retriableStatusCodes } = policy;
  return {
    retry_on: policy.retryOn.length === 0 ? undefined : policy.retryOn.join(','),
    num_retries: policy.numRetries,
    per_try_timeout: perTryTimeoutUs === 0 ? undefined : formatDuration(perTryTimeoutUs),
    retry_host_predicate: retryHostPredicate.length === 0 ? undefined : retryHostPredicate.map(writtenPredicate),
    host_selection_retry_max_attempts: attempts === 1 ? undefined : attempts,
    retry_priority: retryPriority && {
      name: 'proxy.retry_priorities.previous_priorities',
      config: { update_frequency: retryPriority.updateFrequency },
    },
    retriable_status_codes: retriableStatusCodes.length === 0 ? undefined : retriableStatusCodes,
    retry_back_off: retryBackOff && {
      base_interval: formatDuration(retryBackOff.baseIntervalUs),
      max_interval: formatDuration(retryBackOff.maxIntervalUs),
    },
    rate_limited_retry_back_off: rateLimitedBackOff && {
      reset_headers: rateLimitedBackOff.headers.map((name) => ({ name })),
      max_interval: formatDuration(rateLimitedBackOff.maxIntervalUs),
    },
  };
}

function writtenPredicate(predicate: RetryPolicy['retryHostPredicate'][number]): Plain {
  const name = `proxy.retry_host_predicates.${predicate.kind}`;
  return predicate.kind === 'omit_host_metadata' ? { name, config: { metadata_match: predicate.metadataMatch } } : name;
}
