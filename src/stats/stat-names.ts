import { TABLE_POLICIES } from '../policy/registry.js';

/**
 * The statistics that an expectation may use: counters and gauges of a result, by the proxy's names (docs/stats.md explains
 * each). Placeholders stand for variable parts; names with a common stem are written together.
 */

/** Without this in its configuration a cluster never has a statistic. */
export type StatNeed =
  | {
      readonly kind:
        'eds' | 'track_remaining' | 'subsets' | 'policy_statistics' | 'health_checks' | 'outlier_detection';
    }
  | { readonly kind: 'policy'; readonly policy: string };

interface Group {
  /** undefined: every cluster has them. */
  readonly needs?: StatNeed;
  /** They appear with their first change; until then they are 0. */
  readonly lazy?: boolean;
  readonly names: string;
}

const GROUPS: readonly Group[] = [
  {
    names: `
      upstream_rq_{total,active,completed,timeout,per_try_timeout,cancelled,tx_reset} upstream_cx_none_healthy
      upstream_rq_{retry,retry_backoff_exponential,retry_backoff_ratelimited,retry_success,retry_limit_exceeded,retry_overflow}
      upstream_cx_{total,http1_total,http2_total,active,connect_fail,connect_timeout,destroy,destroy_local,destroy_remote}
      upstream_cx_{destroy_with_active_rq,destroy_local_with_active_rq,destroy_remote_with_active_rq,max_requests,overflow}
      upstream_rq_{pending_total,pending_active,pending_overflow,active_overflow,pending_failure_eject}
      circuit_breakers.<priority>.{cx_open,rq_pending_open,rq_open,rq_retry_open}
      membership_{change,total,healthy,degraded,excluded} max_host_weight
      update_{attempt,success,failure,empty,no_rebuild} warming_state original_dst_host_invalid <match>.total_match_count
      lb_{healthy_panic,recalculate_zone_structures,local_cluster_not_ok,zone_cluster_too_small,zone_number_differs}
      lb_zone_{routing_all_directly,routing_sampled,routing_cross_zone,no_capacity_left}
      lb_subsets_{active,created,removed,selected,fallback,fallback_panic}`,
  },
  {
    lazy: true,
    names: `
      upstream_rq_{<status>,<family>xx} external.upstream_rq_{completed,<status>,<family>xx}
      canary.upstream_rq_{completed,<status>,<family>xx} zone.<from>.<to>.upstream_rq_{completed,<status>,<family>xx}
      retry.upstream_rq_{completed,<status>,<family>xx}`,
  },
  {
    needs: { kind: 'eds' },
    names: 'update_rejected init_fetch_timeout assignment_stale assignment_timeout_received',
  },
  {
    needs: { kind: 'track_remaining' },
    names: 'circuit_breakers.<priority>.{remaining_cx,remaining_pending,remaining_rq,remaining_retries}',
  },
  {
    needs: { kind: 'subsets' },
    names: 'lb_subsets_single_host_per_subset_duplicate',
  },
  {
    needs: { kind: 'policy_statistics' },
    names: 'lb_policy.<statistic>',
  },
  ...TABLE_POLICIES.map(({ name, statNames }): Group => ({
    needs: { kind: 'policy', policy: name },
    names: Object.values(statNames).join(' '),
  })),
  {
    needs: { kind: 'health_checks' },
    names: `
      health_check.{attempt,success,failure,network_failure,passive_failure,verify_cluster,healthy,degraded}`,
  },
  {
    needs: { kind: 'outlier_detection' },
    names: `
      outlier_detection.ejections_{active,enforced_total,overflow,total,consecutive_5xx,success_rate,detected_degradation}
      outlier_detection.ejections_{detected,enforced}_{consecutive_5xx,consecutive_gateway_failure,success_rate}
      outlier_detection.ejections_{detected,enforced}_{consecutive_local_origin_failure,failure_percentage}
      outlier_detection.ejections_{detected,enforced}_{local_origin_success_rate,local_origin_failure_percentage}`,
  },
];

const MANAGER = `
  cluster_manager.{cluster_added,cluster_modified,cluster_removed,cluster_updated,cluster_updated_via_merge}
  cluster_manager.{update_merge_cancelled,update_out_of_merge_window,active_clusters,warming_clusters}
  cluster_manager.cds.{update_attempt,update_success,update_failure,update_rejected,config_reload}`;

/** Their values are not numbers that can be compared. */
const HISTOGRAMS = `
  upstream_rq_time external.upstream_rq_time canary.upstream_rq_time zone.<from>.<to>.upstream_rq_time
  upstream_rq_{timeout_budget_percent_used,timeout_budget_per_try_percent_used,per_cx} upstream_cx_{connect_ms,length_ms}`;

/** A statistic after `cluster.NAME.` */
export interface ClusterStat {
  /** With placeholders. */
  readonly name: string;
  readonly kind: 'number' | 'histogram';
  readonly lazy: boolean;
  readonly needs: StatNeed | undefined;
}

/** Every statistic of a cluster. */
export const CLUSTER_STATS: readonly ClusterStat[] = [
  ...GROUPS.flatMap(({ names, lazy = false, needs }) =>
    expand(names).map((name): ClusterStat => ({ name, kind: 'number', lazy, needs })),
  ),
  ...expand(HISTOGRAMS).map((name): ClusterStat => ({ name, kind: 'histogram', lazy: true, needs: undefined })),
];

/** Statistics of the proxy's cluster manager, with their whole names. */
export const MANAGER_STATS: readonly string[] = expand(MANAGER);

const PATTERNS = CLUSTER_STATS.map((stat) => ({ stat, pattern: patternOf(stat.name) }));

/** The statistic after `cluster.NAME.`; undefined: there is none of that name. */
export function clusterStat(name: string): ClusterStat | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(name))?.stat;
}

/** "a_{b,c}_{d,e}" → a_b_d, a_b_e, a_c_d, a_c_e; of all words of a text. */
function expand(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap(expandWord);
}

function expandWord(word: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/.exec(word) ?? [];
  if (whole === undefined || choices === undefined) return [word];
  return choices.split(',').flatMap((choice) => expandWord(word.replace(whole, choice)));
}

function patternOf(name: string): RegExp {
  const escaped = name.replaceAll('.', '\\.');
  const filled = escaped
    .replace('<status>', '[1-9]\\d\\d')
    .replace('<family>', '[1-9]')
    .replace('<statistic>', '[a-z][a-z0-9_]*')
    .replace('<priority>', '(?:default|high)')
    .replace(/<(?:from|to|match)>/g, '.+');
  return new RegExp(`^${filled}$`);
}
