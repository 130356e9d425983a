/**
 * The statistics of a cluster in a real proxy 1.40.0, behind `cluster.<name>.`: placeholders stand for what varies.
 * Several names of one stem are written together.
 */
const NAMES = `
assignment_{stale,timeout_received,use_cached} bind_errors <match>.total_match_count
lb_{healthy_panic,local_cluster_not_ok,recalculate_zone_structures}
lb_subsets_{active,created,fallback,fallback_panic,removed,selected,single_host_per_subset_duplicate}
lb_zone_{cluster_too_small,no_capacity_left,routing_all_directly,routing_cross_zone,routing_sampled}
membership_{change,degraded,excluded,healthy,total} max_host_weight original_dst_host_invalid retry_or_shadow_abandoned
update_{attempt,empty,failure,no_rebuild,success,rejected,time,duration} init_fetch_timeout version warming_state
upstream_cx_{active,close_notify,connect_attempts_exceeded,connect_fail,connect_ms,connect_timeout,connect_with_0_rtt}
upstream_cx_{destroy,destroy_local,destroy_remote,destroy_with_active_rq,destroy_local_with_active_rq}
upstream_cx_{destroy_remote_with_active_rq,http1_total,http2_total,http3_total,idle_timeout,length_ms}
upstream_cx_{max_duration_reached,max_requests,none_healthy,overflow,pool_overflow,preconnect_skipped,protocol_error}
upstream_cx_{rx_bytes_buffered,rx_bytes_total,total,tx_bytes_buffered,tx_bytes_total}
upstream_flow_control_{backed_up,drained,paused_reading,resumed_reading}_total upstream_http3_broken
upstream_internal_redirect_{failed,succeeded}_total upstream_queue_overloaded
upstream_rq_{0rtt,active,active_overflow,cancelled,completed,maintenance_mode,max_duration_reached}
upstream_rq_{pending_active,pending_failure_eject,pending_overflow,pending_total,per_cx,per_try_idle_timeout}
upstream_rq_{per_try_timeout,retry,retry_backoff_exponential,retry_backoff_ratelimited,retry_limit_exceeded}
upstream_rq_{retry_overflow,retry_success,rx_reset,rx_reset_no_error,timeout,total,tx_reset,time,<status>,<family>xx}
upstream_rq_{body_size,headers_count,headers_size,timeout_budget_percent_used,timeout_budget_per_try_percent_used}
upstream_rs_{body_size,headers_count,headers_size}
external.upstream_rq_{completed,<status>,<family>xx,time} canary.upstream_rq_{completed,<status>,<family>xx,time}
internal.upstream_rq_{completed,<status>,<family>xx,time}
zone.<from>.<to>.upstream_rq_{completed,<status>,<family>xx,time} retry.upstream_rq_{completed,<status>,<family>xx}
circuit_breakers.<priority>.{cx,cx_pool,rq,rq_pending,rq_retry}_open
circuit_breakers.<priority>.remaining_{cx,cx_pools,pending,retries,rq}
ring_hash_lb.{max_hashes_per_host,min_hashes_per_host,size} maglev_lb.{max_entries_per_host,min_entries_per_host}
health_check.{attempt,degraded,failure,healthy,network_failure,passive_failure,success,verify_cluster}
http1.{dropped_headers_with_underscores,metadata_not_supported_error}
http1.{requests_rejected_with_underscores_in_headers,response_flood}
outlier_detection.ejections_{active,consecutive_5xx,enforced_total,overflow,success_rate,total,detected_degradation}
outlier_detection.ejections_detected_{consecutive_5xx,consecutive_gateway_failure,consecutive_local_origin_failure}
outlier_detection.ejections_enforced_{consecutive_5xx,consecutive_gateway_failure,consecutive_local_origin_failure}
outlier_detection.ejections_detected_{failure_percentage,local_origin_failure_percentage,local_origin_success_rate}
outlier_detection.ejections_enforced_{failure_percentage,local_origin_failure_percentage,local_origin_success_rate}
outlier_detection.ejections_detected_success_rate outlier_detection.ejections_enforced_success_rate
`;

export const CLUSTER_STATS: readonly string[] = NAMES.trim()
  .split(/\s+/)
  .flatMap((name) => {
    const [whole, before = '', choices = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
    return whole === undefined ? [name] : choices.split(',').map((choice) => before + choice + after);
  });

/** A statistic's name behind `cluster.<name>.`, with placeholders for what varies. */
export function generalised(name: string): string {
  return name
    .replace(/^[^.]+\.total_match_count$/, '<match>.total_match_count')
    .replace(/^lb_policy\..+$/, 'lb_policy.<statistic>')
    .replace(/^zone\.[^.]+\.[^.]+\./, 'zone.<from>.<to>.')
    .replace(/^circuit_breakers\.(default|high)\./, 'circuit_breakers.<priority>.')
    .replace(/upstream_rq_\d{3}$/, 'upstream_rq_<status>')
    .replace(/upstream_rq_\dxx$/, 'upstream_rq_<family>xx');
}
