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

/** Those without numbers. */
export type PlainObstacle =
  // Requests, and what they are sent to.
  | 'nothing_sent'
  | 'no_prediction'
  | 'no_balancer'
  | 'closed_workload'
  | 'scripted_draws'
  | 'empty_key'
  | 'hashes_more'
  | 'requests_open'
  | 'several_phases'
  // What clusters are.
  | 'aggregate'
  | 'member_of_aggregate'
  | 'cluster_type'
  | 'client_subsets'
  | 'reported_weights'
  | 'reported_localities'
  | 'named_hosts'
  | 'drop_overloads'
  | 'slow_start'
  // What changes hosts.
  | 'retried_elsewhere'
  | 'health_checked'
  | 'new_hosts_checked'
  | 'outliers_ejected'
  | 'circuit_breakers'
  | 'bounded_load'
  | 'dns_retry_drawn'
  | 'dns_moves'
  | 'rejected_by_some'
  // Models of busy hosts.
  | 'other_lists'
  | 'host_in_several_lists'
  | 'hosts_shared'
  | 'other_subsets_busy'
  | 'several_timeouts'
  | 'listed_twice'
  | 'unsteady_load'
  | 'full_scan_busy'
  | 'overload'
  | 'queues_of_schedule'
  | 'too_many_classes'
  | 'too_many_open'
  | 'open_for_ever'
  | 'new_connections'
  | 'heavy_tail'
  | 'late_answers'
  | 'queue_not_exponential'
  | 'queue_refuses'
  // How attempts end.
  | 'never_ends'
  | 'fails_new_connections'
  | 'slow_connections'
  | 'waits_in_queue'
  | 'single_host'
  | 'several_subsets'
  | 'too_many_kinds'
  | 'one_draw_for_both'
  | 'localities_take_turns'
  | 'lists_take_turns'
  | 'schedule_not_drawn'
  | 'hashed_priorities'
  | 'hash_drawn_again'
  | 'answers_set_waits'
  | 'too_many_retries'
  | 'time_runs_out'
  | 'long_rotation'
  | 'unsteady_rotation'
  | 'empty_rotation'
  | 'too_many_ways'
  | 'unsteady_retries';

/** Tells an obstacle from what stands in its place where there is none, which has no `kind`. */
export function isObstacle(value: unknown): value is Obstacle {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
