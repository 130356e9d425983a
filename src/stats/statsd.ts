import type { Stat, StatsSnapshot } from './store.js';

/** The prefix of every name where a sink has none of its own. */
export const DEFAULT_PREFIX = 'proxy';

/** Writes lines as one statsd sink would send them. */
export interface StatsdFormat {
  /** Empty or absent: {@link DEFAULT_PREFIX}. Used as it is. */
  readonly prefix: string;
  /** `|#name:value,…` after each line, and names without their tags. */
  readonly tagged: boolean;
}

/**
 * One line without its end: `proxy.cluster.up.upstream_rq_total:9|c`. Nothing in it is escaped, as with the proxy.
 * @param kind of histogram samples `ms`, whatever their unit.
 */
export function statsdLine(format: StatsdFormat, stat: Stat, value: number, kind: 'c' | 'g' | 'ms'): string {
  const prefix = format.prefix === '' ? DEFAULT_PREFIX : format.prefix;
  if (!format.tagged) return `${prefix}.${stat.name}:${value}|${kind}`;
  const { name, tags } = stat.tagged;
  const line = `${prefix}.${name}:${value}|${kind}`;
  return tags.length === 0 ? line : `${line}|#${tags.map((tag) => `${tag.name}:${tag.value}`).join(',')}`;
}

/**
 * The lines of one flush: every counter that was ever incremented with its increment since the flush before, even if 0,
 * then every gauge that was ever set. Histograms are left out: their samples are sent as they occur.
 */
export function flushLines(format: StatsdFormat, snapshot: StatsSnapshot): string[] {
  const lines: string[] = [];
  for (const { stat, delta, used } of snapshot.counters) if (used) lines.push(statsdLine(format, stat, delta, 'c'));
  for (const { stat, value, used } of snapshot.gauges) if (used) lines.push(statsdLine(format, stat, value, 'g'));
  return lines;
}
