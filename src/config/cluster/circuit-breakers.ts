import { message } from '../reader.js';

message(
  'cluster.CircuitBreakers',
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
