import type { StatValues } from './stat-values.js';

/** Set when a cluster is made, to any value. */
const ALWAYS = ['membership_total', 'membership_healthy', 'membership_degraded', 'membership_excluded'];

/** Gauges that are set, if only back to 0, once a counter changed. */
const SET_WITH: Readonly<Record<string, string>> = {
  upstream_cx_active: 'upstream_cx_total',
  upstream_rq_pending_active: 'upstream_cx_total',
  upstream_rq_active: 'upstream_rq_total',
  'circuit_breakers.default.cx_open': 'upstream_cx_total',
  'circuit_breakers.default.rq_pending_open': 'upstream_cx_total',
  'circuit_breakers.default.rq_open': 'upstream_cx_total',
  'circuit_breakers.default.rq_retry_open': 'upstream_rq_retry',
};

/** Whether a gauge of 0 was ever set: the proxy sends only gauges that it ever set. */
export function gaugeIsSet(name: string, values: StatValues): boolean {
  if (!name.startsWith('cluster.')) return true;
  if (ALWAYS.some((gauge) => name.endsWith(`.${gauge}`))) return true;
  for (const [gauge, counter] of Object.entries(SET_WITH)) {
    if (!name.endsWith(`.${gauge}`)) continue;
    return (values.counters[name.slice(0, -gauge.length) + counter] ?? 0) > 0;
  }
  return false;
}
