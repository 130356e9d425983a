import { printable, versionsText } from './format.js';
import { causesText } from '../words/happenings.js';
import { FAILURE_CAUSES } from '../core/failure-cause.js';
import { hostsOf } from '../result/phase-hosts.js';
import type { ClusterResult, PhaseHostResult, RunResult } from '../result/run-result.js';
import { demand, RESULT } from '../core/arguments.js';
import type { Replications } from '../analysis/generated/experiments.js';

const HEADINGS = ['scenario', 'version', 'number', 'mean', 'low', 'high', 'runs'];

/** A row per number, under one line of headings, in the form of {@link csvReport}; a number of one run alone has no interval. */
export function* replicationsCsv({ scenario, version, numbers, runs }: Replications): Generator<string> {
  yield `${HEADINGS.join(',')}\n`;
  const head = [scenario, version].map(field).join(',');
  for (const [name, { mean, low, high, runs: own = runs }] of Object.entries(numbers))
    yield `${head},${[name, mean, low ?? '', high ?? '', own].map(field).join(',')}\n`;
}

const PHASE_HEADINGS = ['scenario', 'seed', 'version', 'cluster', 'phase', 'from_s', 'to_s', 'cause'];

const HOST_FIELDS: Readonly<Record<string, (host: PhaseHostResult) => Field>> = {
  address: (host) => host.address,
  priority: (host) => host.priority,
  region: (host) => host.locality.region,
  zone: (host) => host.locality.zone,
  sub_zone: (host) => host.locality.sub_zone,
  weight: (host) => host.weight,
  health: (host) => host.health,
  requests: (host) => host.requests,
  share: (host) => host.share,
  predicted_share: (host) => host.predicted_share ?? '',
};
const HOST_CELLS = Object.values(HOST_FIELDS);

const TOTAL_HEADINGS = [
  ...['phase_requests', 'phase_no_host', 'phase_overflow', 'phase_failed'],
  ...FAILURE_CAUSES.map((cause) => `phase_failed_${cause}`),
];

/**
 * A row per phase and host, under one line of headings; a phase with requests but without hosts is one row whose host is
 * empty. Shares are 0–1 and unrounded; a field without a value is empty.
 *
 * Names come from an untrusted file: control characters are replaced, and cells that a spreadsheet would read as a formula
 * start with an apostrophe.
 *
 * Format: RFC 4180, with line feeds, none of them in a cell. Source of the apostrophe: "CSV Injection", OWASP. A line at a
 * time: a large cluster over many phases is a million of them.
 */
export function* csvReport(result: RunResult): Generator<string> {
  demand('csvReport', ['result', result, RESULT]);
  yield `${[...PHASE_HEADINGS, ...Object.keys(HOST_FIELDS), ...TOTAL_HEADINGS].join(',')}\n`;
  for (const [name, cluster] of Object.entries(result.clusters)) yield* clusterRows(result, name, cluster);
}

function* clusterRows(result: RunResult, name: string, cluster: ClusterResult): Generator<string> {
  for (const [index, phase] of cluster.phases.entries()) {
    const { from_s: from, to_s: to, causes, requests, no_host: noHost, overflow, failed, failures } = phase;
    const own = [result.scenario, result.seed, versionsText(result), name, index, from, to, causesText(causes)];
    const head = own.map(field).join(',');
    const totals = [requests, noHost.requests, overflow.requests, failed];
    const tail = [...totals, ...FAILURE_CAUSES.map((cause) => failures[cause])].join(',');
    const row = (fields: readonly Field[]): string => `${head},${fields.map(field).join(',')},${tail}\n`;
    let isEmpty = true;
    for (const host of hostsOf(phase)) {
      isEmpty = false;
      yield row(HOST_CELLS.map((of) => of(host)));
    }
    if (isEmpty && (requests > 0 || failed > 0)) yield row(HOST_CELLS.map(() => ''));
  }
}

type Field = string | number;

const INTERVAL_HEADINGS = [
  ...['scenario', 'seed', 'version', 'cluster', 'from_s', 'to_s', 'requests', 'no_host', 'failed'],
  ...FAILURE_CAUSES.map((cause) => `failed_${cause}`),
  ...['in_flight', 'ejected', 'p50_ms', 'p90_ms', 'p99_ms', 'max_ms'],
  ...['address', 'priority', 'host_requests', 'host_share'],
];

/** A row per interval and host of the course, in the same form; without counts by host a row per interval with none. */
export function* courseCsv(result: RunResult): Generator<string> {
  yield `${INTERVAL_HEADINGS.join(',')}\n`;
  for (const [name, { course }] of Object.entries(result.clusters)) {
    for (const [index, interval] of (course?.intervals ?? []).entries()) {
      const { from_s: from, to_s: to, requests, no_host: noHost, failed, failures, latency_ms: latency } = interval;
      const head: Field[] = [result.scenario, result.seed, versionsText(result), name, from, to, requests, noHost];
      head.push(failed, ...FAILURE_CAUSES.map((cause) => failures[cause] ?? 0), interval.in_flight, interval.ejected);
      head.push(...[latency.p50, latency.p90, latency.p99, latency.max].map((ms) => ms ?? ''));
      const before = head.map(field).join(',');
      const hosts = course?.hosts ?? [];
      if (hosts.length === 0) yield `${before},,,,\n`;
      for (const { address, priority, requests: counts } of hosts) {
        const own = counts[index] ?? 0;
        const fields = [address, priority, own, requests === 0 ? 0 : own / requests];
        yield `${before},${fields.map(field).join(',')}\n`;
      }
    }
  }
}

export function field(value: Field): string {
  const text = typeof value === 'number' ? String(value) : asText(printable(value));
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Some spreadsheets end a cell at a semicolon; in some languages a formula begins with a full-width sign. */
const asText = (text: string): string => text.replace(/(^\s*|;)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'");
