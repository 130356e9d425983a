/** Messages of policies in `load_balancing_policy`, without {@link POLICY_PACKAGE}. */

/** The package of all of them, as message names begin in the tables. */
export const POLICY_PACKAGE = 'extensions.load_balancing_policies.';

/** Of policies that choose the host, by their `lb_policy`. */
export const POLICY_MESSAGES = {
  ROUND_ROBIN: 'round_robin.v3.RoundRobin',
  LEAST_REQUEST: 'least_request.v3.LeastRequest',
  RANDOM: 'random.v3.Random',
  RING_HASH: 'ring_hash.v3.RingHash',
  MAGLEV: 'maglev.v3.Maglev',
} as const;

/** Of policies around another one. */
export const SUBSET = 'subset.v3.Subset';
export const REPORTED_WEIGHTS = 'client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin';
export const WRR_LOCALITY = 'wrr_locality.v3.WrrLocality';
export const LOAD_AWARE_LOCALITY = 'load_aware_locality.v3.LoadAwareLocality';
export const OVERRIDE_HOST = 'override_host.v3.OverrideHost';

/** The fields of these in which the other one stands. */
export const INNER_POLICY = {
  [SUBSET]: 'subset_lb_policy',
  [WRR_LOCALITY]: 'endpoint_picking_policy',
  [LOAD_AWARE_LOCALITY]: 'endpoint_picking_policy',
  [OVERRIDE_HOST]: 'fallback_policy',
} as const;

/** What `@type` says of a message. */
export function policyTypeUrl(message: string): string {
  return `type.googleapis.com/envoy.${POLICY_PACKAGE}${message}`;
}
