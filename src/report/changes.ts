import { printable } from '../core/printable.js';
import type { ClusterResult, HostResult, RunResult } from '../result/run-result.js';
import { count, counted, millis, percent } from './format.js';
import { hostKey } from './host-table.js';
import { type ReportLayout, wrap } from './layout.js';

/** The changes since the run before: failures, latency, shares. Figures that print equally count as equal. */
export function changeLines(result: RunResult, before: RunResult, { width, paint }: ReportLayout): string[] {
  const several = Object.keys(result.clusters).length > 1;
  const changes = [
    ...differing('requests', count(before.totals.requests), count(result.totals.requests)),
    ...differing('failed', failedText(before), failedText(result)),
    ...Object.entries(result.clusters).flatMap(([name, cluster]) => {
      const own = clusterChanges(before.clusters[name], cluster);
      return several ? own.map((text) => `${printable(name)} ${text}`) : own;
    }),
    ...Object.keys(before.clusters).flatMap((name) =>
      Object.hasOwn(result.clusters, name) ? [] : [`${printable(name)} is gone`],
    ),
  ];
  if (changes.length === 0) return [paint.faint('No difference to the run before.')];
  return wrap(`Since the run before: ${changes.join('; ')}.`, width, '', '  ').map(paint.odd);
}

function failedText({ totals: { failed, success } }: RunResult): string {
  return failed === 0 ? 'none' : `${count(failed)} (${percent(failed / (failed + success))})`;
}

function clusterChanges(before: ClusterResult | undefined, now: ClusterResult): string[] {
  if (before === undefined) return ['is new'];
  return [
    ...differing('policy', printable(before.policy), printable(now.policy)),
    ...(['p50', 'p99'] as const).flatMap((name) =>
      differing(name, millis(before.latency_ms[name]), millis(now.latency_ms[name])),
    ),
    ...hostChanges(before.hosts, now.hosts),
  ];
}

/** The number of hosts with a changed share, the largest change, and the hosts that came and left. */
function hostChanges(before: readonly HostResult[], now: readonly HostResult[]): string[] {
  const known = new Map(before.map((host) => [hostKey(host), host]));
  const kept = now.flatMap((host) => {
    const old = known.get(hostKey(host));
    return old === undefined ? [] : [{ host, old }];
  });
  const changed = kept.filter(({ host, old }) => percent(old.share) !== percent(host.share));
  const gap = ({ host, old }: (typeof kept)[number]): number => Math.abs(host.share - old.share);
  const [most] = [...changed].sort((a, b) => gap(b) - gap(a));
  const come = now.length - kept.length;
  const left = before.length - kept.length;
  return [
    ...(come > 0 ? [counted(come, 'new host')] : []),
    ...(left > 0 ? [`${counted(left, 'host')} gone`] : []),
    ...(most === undefined
      ? []
      : [`${counted(changed.length, 'host')} with another share, most of all ${shareText(most)}`]),
  ];
}

function shareText({ host, old }: { readonly host: HostResult; readonly old: HostResult }): string {
  return `${printable(host.address)} ${percent(old.share)} → ${percent(host.share)}`;
}

/** "p99 12 ms → 30 ms" */
function differing(what: string, before: string, now: string): string[] {
  return before === now ? [] : [`${what} ${before} → ${now}`];
}
