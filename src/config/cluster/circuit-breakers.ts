import { RoutingPriority } from '../core.js';
import { Percent } from '../percent.js';
import { CIRCUIT_BREAKER_LIMITS } from '../../settings/cluster-settings.js';
import { each, message, optional, plain, repeated, type Output } from '../reader.js';
import { bool, uint32Value } from '../reader/proto.js';

const RetryBudget = message('cluster.CircuitBreakers.Thresholds.RetryBudget', () => ({
  budget_percent: optional(Percent),
  min_retry_concurrency: optional(uint32Value()),
}));

const Thresholds = message('cluster.CircuitBreakers.Thresholds', () => ({
  priority: plain(RoutingPriority),
  ...each(CIRCUIT_BREAKER_LIMITS, optional(uint32Value())),
  retry_budget: optional(RetryBudget),
  track_remaining: plain(bool()),
}));

export const CircuitBreakers = message(
  'cluster.CircuitBreakers',
  () => ({ thresholds: repeated(Thresholds), per_host_thresholds: repeated(Thresholds) }),

  {
    name: 'circuit-breaker-priority',
    reads: ['thresholds'],
    check: ({ thresholds }, report) => {
      for (const [index, { priority }] of thresholds.entries()) {
        if (thresholds.findIndex((other) => other.priority === priority) === index) continue;
        const text = `a second entry for priority ${priority}: the proxy takes the first and ignores this one`;
        report(text, ['thresholds', index], 'warning');
      }
    },
  },
  {
    name: 'per-host-thresholds',
    reads: ['per_host_thresholds'],
    check: ({ perHostThresholds }, report) => {
      for (const [index, limits] of perHostThresholds.entries()) {
        const { maxPendingRequests, maxRequests, maxRetries, retryBudget } = limits;
        const others = [maxPendingRequests, maxRequests, maxRetries, retryBudget];
        if (others.every((value) => value === undefined)) continue;
        report('Unsupported field in per_host_thresholds', ['per_host_thresholds', index]);
      }
    },
  },
);
export type CircuitBreakers = Output<typeof CircuitBreakers>;
