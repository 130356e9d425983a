import type { PlainObstacle } from './generated/plain-obstacles.js';

/** Why there is no exact split, or no chance of success: `words/obstacles.ts` has a sentence for each. */
export type Obstacle =
  | { readonly kind: PlainObstacle }
  /** Requests are open while others are placed, and no model is asked. */
  | { readonly kind: 'under_load'; readonly policy: string }
  | { readonly kind: 'no_formula'; readonly policy: string; readonly goes_by_probes: boolean }
  /** No policy of the proxy that has shares. */
  | { readonly kind: 'no_policy_of_shares'; readonly policy: string }
  | { readonly kind: 'hosts_of_run'; readonly discovery_type: string }
  /** The timeline puts another cluster in its place, or takes it away. */
  | { readonly kind: 'cluster_updated' | 'cluster_removed'; readonly at_s: number }
  /** More requests are open at once than circuit breakers allow. */
  | { readonly kind: 'beyond_limits'; readonly open: number; readonly allowed: number }
  /** A state ends before hosts are as it has them. */
  | { readonly kind: 'unsettled'; readonly settles_s: number };

/** Tells an obstacle from what stands in its place where there is none, which has no `kind`. */
export const isObstacle = (value: unknown): value is Obstacle =>
  typeof value === 'object' && value !== null && 'kind' in value;
