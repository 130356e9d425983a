import type { Output } from './reader.js';
import { RoutingPriority } from './core.js';
import { Percent } from './percent.js';
import { message, optional, plain, repeated } from './reader.js';
import { bool, uint32Value } from './reader/proto.js';

const RetryBudget = message(
  'cluster.CircuitBreakers.Thresholds.RetryBudget',
  () => ({
    budget_percent: optional(Percent, 'Retries as a percentage of active and pending requests. Default 20 %.'),
    min_retry_concurrency: optional(uint32Value(), 'Retries that are always allowed. Default 3.'),
  }),
  { doc: 'Limits retries in proportion to requests; replaces max_retries.' },
);

const Thresholds = message(
  'cluster.CircuitBreakers.Thresholds',
  () => ({
    priority: plain(RoutingPriority, 'The routing priority that these limits are for.'),
    max_connections: optional(uint32Value(), 'Connections to all hosts of the cluster. Default 1024.'),
    max_pending_requests: optional(uint32Value(), 'Requests that wait for a connection. Default 1024.'),
    max_requests: optional(uint32Value(), 'Active requests. Default 1024.'),
    max_retries: optional(uint32Value(), 'Active retries. Default 3.'),
    retry_budget: optional(RetryBudget, 'Limits retries in proportion to requests.'),
    track_remaining: plain(bool(), 'Publish how much of each limit is left.'),
    max_connection_pools: optional(uint32Value(), 'Connection pools. Default unlimited.', {
      noEffect: 'the number of pools is not limited here',
    }),
  }),
  { doc: 'Limits of one routing priority.' },
);
export type Thresholds = Output<typeof Thresholds>;

/** cluster.CircuitBreakers */
export const CircuitBreakers = message(
  'cluster.CircuitBreakers',
  () => ({
    thresholds: repeated(Thresholds, 'One entry a priority; of several for one priority the proxy takes the first.'),
  }),
  {
    doc: 'Limits on what a cluster may have in flight.',
    rules: [
      {
        name: 'circuit-breaker-priority',
        doc: 'One entry a priority: of several the proxy takes the first.',
        reads: ['thresholds'],
        check: ({ thresholds }, report) => {
          for (const [index, { priority }] of thresholds.entries()) {
            if (thresholds.findIndex((other) => other.priority === priority) === index) continue;
            const text = `a second entry for priority ${priority}: the proxy takes the first and ignores this one`;
            report(text, ['thresholds', index], 'warning');
          }
        },
      },
    ],
  },
);
export type CircuitBreakers = Output<typeof CircuitBreakers>;
