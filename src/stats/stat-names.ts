import type { StatValues } from './stat-values.js';
import { TABLE_POLICIES } from '../policy/registry.js';
import { STAT_NAMES } from './generated/stat-names.js';

/** Without this in its configuration a cluster never has a statistic. */
export type StatNeed =
  | {
      readonly kind:
        'eds' | 'track_remaining' | 'subsets' | 'policy_statistics' | 'health_checks' | 'outlier_detection';
    }
  | { readonly kind: 'policy'; readonly policy: string };

/** A statistic after `cluster.NAME.` */
export interface ClusterStat {
  /** With placeholders. */
  readonly name: string;
  readonly kind: 'number' | 'histogram';
  readonly lazy: boolean;
  readonly needs: StatNeed | undefined;
}

const statsOf = (names: readonly string[], about: Partial<ClusterStat> = {}): readonly ClusterStat[] =>
  expand(names).map((name) => ({ name, kind: 'number', lazy: false, needs: undefined, ...about }));
const statsWith = (kind: Exclude<StatNeed['kind'], 'policy'>): readonly ClusterStat[] =>
  statsOf(STAT_NAMES[kind], { needs: { kind } });

export const CLUSTER_STATS: readonly ClusterStat[] = [
  ...statsOf(STAT_NAMES.always),
  ...statsOf(STAT_NAMES.lazy, { lazy: true }),
  ...(['eds', 'track_remaining', 'subsets', 'policy_statistics'] as const).flatMap(statsWith),
  ...TABLE_POLICIES.flatMap(({ name, statNames }) =>
    statsOf(Object.values(statNames), { needs: { kind: 'policy', policy: name } }),
  ),
  ...(['health_checks', 'outlier_detection'] as const).flatMap(statsWith),
  ...statsOf(STAT_NAMES.histograms, { kind: 'histogram', lazy: true }),
];

export const MANAGER_STATS: readonly string[] = expand(STAT_NAMES.manager);

const PATTERNS = CLUSTER_STATS.map((stat) => ({ stat, pattern: patternOf(stat.name) }));

/** The statistic after `cluster.NAME.`; undefined: there is none of that name. */
export function clusterStat(name: string): ClusterStat | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(name))?.stat;
}

const SET_AT_ONCE = expand(STAT_NAMES.set_at_once);
/** Of gauges the counter that they are set with. */
const SET_WITH = [
  [expand(STAT_NAMES.set_with_connections), 'upstream_cx_total'],
  [expand(STAT_NAMES.set_with_requests), 'upstream_rq_total'],
  [expand(STAT_NAMES.set_with_retries), 'upstream_rq_retry'],
] as const;

/** Whether a gauge of 0 was ever set: the proxy sends only gauges that it ever set. */
export function gaugeIsSet(name: string, values: StatValues): boolean {
  const isOf = (gauge: string): boolean => name.endsWith(`.${gauge}`);
  if (!name.startsWith('cluster.') || SET_AT_ONCE.some(isOf)) return true;
  for (const [gauges, counter] of SET_WITH) {
    const gauge = gauges.find(isOf);
    if (gauge !== undefined) return (values.counters[name.slice(0, -gauge.length) + counter] ?? 0) > 0;
  }
  return false;
}

/** "a_{b,c}_{d,e}" → a_b_d, a_b_e, a_c_d, a_c_e; of all words of some lines. */
function expand(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' ')).flatMap(expandWord);
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
