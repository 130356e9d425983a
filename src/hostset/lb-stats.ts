import { LbCounts } from '../core/generated/counts.js';
import type { TableGauges } from '../policy/policy-kinds.js';

/**
 * What a balancer counts; one object per cluster and proxy, shared by its balancers (each worker's and the main
 * thread's). The names are the proxy's, in camelCase.
 */
export class LbStats extends LbCounts {
  /** Gauges of the table that was built last, by its policy. */
  readonly tables: Record<string, TableGauges> = {};
  /** What a policy that the proxy has not counts, by its own names. */
  readonly policy: Record<string, number> = {};
}
