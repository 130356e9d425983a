import type { ClusterResult, PhaseResult, RunResult } from '../result/run-result.js';

const HEADINGS = [
  'scenario',
  'seed',
  'version',
  'cluster',
  'phase',
  'from_s',
  'to_s',
  'cause',
  'address',
  'priority',
  'region',
  'zone',
  'sub_zone',
  'weight',
  'health',
  'requests',
  'share',
  'predicted_share',
  'phase_requests',
  'phase_no_host',
  'phase_overflow',
];

/**
 * A row per phase and host, under one line of headings. Shares are 0–1 and unrounded; a field without a value is empty.
 *
 * Format: RFC 4180, with line feeds.
 */
export function csvReport(result: RunResult): string {
  const rows = [HEADINGS.join(',')];
  for (const [name, cluster] of Object.entries(result.clusters)) {
    rows.push(...clusterRows(result, name, cluster));
  }
  return `${rows.join('\n')}\n`;
}

function clusterRows(result: RunResult, name: string, cluster: ClusterResult): string[] {
  return cluster.phases.flatMap((phase, index) =>
    phase.hosts.map((host) =>
      [
        result.scenario,
        result.seed,
        result.version,
        name,
        index,
        phase.from_s,
        phase.to_s,
        phase.cause,
        host.address,
        host.priority,
        host.locality.region,
        host.locality.zone,
        host.locality.sub_zone,
        host.weight,
        host.health,
        host.requests,
        host.share,
        host.predicted_share ?? '',
        ...phaseTotals(phase),
      ]
        .map(field)
        .join(','),
    ),
  );
}

function phaseTotals(phase: PhaseResult): number[] {
  return [phase.requests, phase.no_host.requests, phase.overflow.requests];
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
