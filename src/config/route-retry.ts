import { any } from './any.js';
import { backoffOrder } from './core.js';
import { extensionByName } from './extension.js';
import { FractionalPercent } from './percent.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { bool, duration, int64, string, struct, uint32, uint32Value } from './reader/proto.js';
import { HeaderMatcher } from './route-match.js';
import { name } from './route-parts.js';

const RetryBackOff = message(
  'route.RetryPolicy.RetryBackOff',
  () => ({
    base_interval: required(duration({ aboveNanos: 0 }), 'First interval.'),
    max_interval: optional(duration({ aboveNanos: 0 }), 'Longest interval. Default 10 times base_interval.'),
  }),
  {
    doc: 'Exponential back-off between retries.',
    rules: [backoffOrder('retry_policy.max_interval must greater than or equal to the base_interval')],
  },
);

const extensionShape = () => ({
  name: required(name(), 'Name of the extension.'),
  config: optional(struct(), 'Its configuration.', { deprecated: 'use typed_config' }),
  typed_config: optional(any({ types: {} }), 'Its configuration.'),
});
const extensionOneOf = [{ name: 'config_type', fields: ['config', 'typed_config'] }];

const RetryPriority = message('route.RetryPolicy.RetryPriority', extensionShape, {
  doc: 'Chooses the priority of a retry.',
  oneOfs: extensionOneOf,
  rules: [
    extensionByName(
      'retry priority',
      new Map([['proxy.retry_priorities.previous_priorities', 'needs a configuration']]),
    ),
  ],
});

const RetryHostPredicate = message('route.RetryPolicy.RetryHostPredicate', extensionShape, {
  doc: 'Rejects hosts for a retry.',
  oneOfs: extensionOneOf,
  rules: [
    extensionByName(
      'retry host predicate',
      new Map([
        ['proxy.retry_host_predicates.previous_hosts', 'may be empty'],
        ['proxy.retry_host_predicates.omit_canary_hosts', 'may be empty'],
        ['proxy.retry_host_predicates.omit_host_metadata', 'may be empty'],
      ]),
    ),
  ],
});

/** route.RetryPolicy */
export const RouteRetryPolicy = message(
  'route.RetryPolicy',
  () => ({
    retry_on: plain(string(), 'Conditions, separated by commas.'),
    num_retries: optional(uint32Value(), 'Default 1.'),
    per_try_timeout: optional(duration(), 'Timeout of each attempt.'),
    retry_priority: optional(RetryPriority, 'Chooses the priority of a retry.'),
    retry_host_predicate: repeated(RetryHostPredicate, 'Reject hosts for a retry.'),
    host_selection_retry_max_attempts: plain(int64(), 'How often a host is chosen anew when predicates reject it.'),
    retriable_status_codes: repeated(uint32(), 'Statuses of retriable-status-codes.'),
    retry_back_off: optional(RetryBackOff, 'Waiting before a retry. Default 25 ms, at most 250 ms.'),
    retriable_headers: repeated(HeaderMatcher, 'Response headers of retriable-headers.'),
    retriable_request_headers: repeated(HeaderMatcher, 'Request headers that a retry needs.'),
  }),
  { doc: 'When and how a request is retried.' },
);

export const HedgePolicy = message(
  'route.HedgePolicy',
  () => ({
    initial_requests: optional(uint32Value({ min: 1 }), 'Requests sent at first.'),
    additional_request_chance: optional(FractionalPercent, 'Chance of one more.'),
    hedge_on_per_try_timeout: plain(bool(), 'Send another at the per-try timeout.'),
  }),
  { doc: 'Sends a request more than once.' },
);
