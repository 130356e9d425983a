import { words } from '../config/reader/plain-choices.js';
import { defaulted, optional } from '../config/reader.js';
import { DurationText, Headers } from './fields.js';
import { LbMetadata } from './metadata.js';
import type { RequestSpec } from './model.js';
import { RetryPolicyBlock } from './retry-policy.js';

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
