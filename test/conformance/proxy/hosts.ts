import { isDeepStrictEqual } from 'node:util';
import { addressText } from '../../../src/config/address.js';
import type { Check } from '../check.js';
import { Fields } from '../fields.js';
import type { Evidence } from './evidence.js';
import type { HostLine, Recording } from './recording.js';
import type { Run } from './replay.js';
import { hasVanished } from '../../../src/analysis/verify/judge.js';
import { nearest, type Range, sameShare, type ShareRule } from './share-rule.js';
import { jitterOf, SPLIT_ERRORS, TIMELINE_ERRORS } from './splits.js';

/**
 * Compares the lines of the proxy's page of its clusters: which hosts there are, with which weight, priority, locality and
 * health, and how many attempts each got.
 */
export function compareHostTable(check: Check, recording: Recording, evidence: Evidence): void {
  for (const [cluster, lines] of recording.hostTable) {
    const lists = evidence.runs.flatMap((run) => pagesOf(run, cluster).map((page) => page.map(describe).sort()));
    const recorded = lines.map(describe).sort();
    const ours = lists.find((list) => isDeepStrictEqual(list, recorded)) ?? lists[0];
    check.equal('host_table: hosts', ours, recorded, `hosts of ${cluster}`);
    const rule: ShareRule = { errors: SPLIT_ERRORS, relative: recording.narrowing.shareTolerance };
    const counts: readonly (readonly [string, (line: HostLine) => number])[] = [
      ['rq_total', ({ rqTotal }) => rqTotal],
      ['rq_error', ({ rqError }) => rqError],
      ['rq_timeout', ({ rqTimeout }) => rqTimeout],
      ['cx_connect_fail', ({ cxConnectFail }) => cxConnectFail],
    ];
    const { interchangeableHosts } = recording.narrowing;
    for (const address of new Set(lines.map((line) => line.address))) {
      if (interchangeableHosts.includes(address)) continue;
      for (const [what, countOf] of counts) {
        // How many it took to hold some open at certain hosts, before the first that counts, is not told.
        if (what === 'rq_total' && evidence.first.heldAtStart > 0) {
          check.loose('requests that were held open, and those sent to get there, count', 'host_table: rq_total');
          continue;
        }
        const k = sumOf(lines, address, countOf);
        const range = evidence.mean((run) => sumOf(lastPageOf(run, cluster), address, countOf));
        const n2 = evidence.n;
        const k2 = nearest(range, (k / recording.n) * n2);
        const same = sameShare(k, recording.n, k2, n2, rule) && !hasVanished(k, recording.n, k2, n2, 0);
        check.that(`host_table: ${what}`, same, () => {
          return `${what} of ${address}: recorded ${k} of ${recording.n}, simulated ${k2} of ${n2}`;
        });
      }
    }
    check.loose(CONNECTIONS, 'host_table: cx_total');
  }
}

const CONNECTIONS = 'how many connections are open depends on which requests overlap by microseconds';

/** What of a line is certain. */
function describe({ address, hostname, priority, locality, weight, health }: HostLine): string {
  const sorted = Object.entries(health as Readonly<Record<string, unknown>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ address, hostname, priority, locality, weight, health: sorted });
}

function sumOf(lines: readonly HostLine[], address: string, countOf: (line: HostLine) => number): number {
  return lines.reduce((sum, line) => (line.address === address ? sum + countOf(line) : sum), 0);
}

function lastPageOf(run: Run, cluster: string): readonly HostLine[] {
  return pagesOf(run, cluster).at(-1) ?? [];
}

function pagesOf(run: Run, cluster: string): readonly (readonly HostLine[])[] {
  return run.pages.map((page) => linesOf(page, cluster));
}

/** The lines of our own page, as recordings write theirs. */
function linesOf(page: unknown, cluster: string): readonly HostLine[] {
  const statuses = Fields.of(page, 'page').objects('cluster_statuses');
  const status = statuses.find((one) => one.unknown('name') === cluster);
  return (status?.optionalObjects('host_statuses') ?? []).map((line) => {
    const socket = line.object('address').object('socket_address');
    const stats = new Map(
      line.objects('stats').map((stat) => [stat.string('name'), Number(stat.unknown('value') ?? 0)]),
    );
    return {
      address: addressText({
        socketAddress: { address: socket.string('address'), portValue: socket.number('port_value'), resolverName: '' },
      }),
      hostname: line.optionalString('hostname') ?? '',
      priority: line.optionalNumber('priority') ?? 0,
      locality: line.unknown('locality'),
      weight: line.number('weight'),
      health: line.unknown('health_status'),
      rqTotal: stats.get('rq_total') ?? 0,
      rqError: stats.get('rq_error') ?? 0,
      rqTimeout: stats.get('rq_timeout') ?? 0,
      cxTotal: stats.get('cx_total') ?? 0,
      cxConnectFail: stats.get('cx_connect_fail') ?? 0,
    };
  });
}

/** Compares what the hosts of a timeline saw: the attempts that reached each of them. */
export function compareUpstreamSide(check: Check, recording: Recording, evidence: Evidence): void {
  const rule: ShareRule = {
    errors: TIMELINE_ERRORS,
    jitter: jitterOf(evidence),
    relative: recording.narrowing.shareTolerance,
  };
  const { interchangeableHosts } = recording.narrowing;
  for (const [address, side] of recording.upstreamSide) {
    if (interchangeableHosts.includes(address)) continue;
    const low = evidence.mean((run) => reached(run, address).low);
    const high = evidence.mean((run) => reached(run, address).high);
    const k2 = nearest({ low: low.low, high: high.high }, side.requests);
    check.that('upstream_side: requests', sameShare(side.requests, recording.n, k2, evidence.n, rule), () => {
      return `${address} saw ${side.requests} of ${recording.n} requests, simulated ${k2} of ${evidence.n}`;
    });
  }
}

/**
 * Attempts that got as far as to the host. Where connections failed, what the proxy's page says of it: its attempts since
 * it was added last.
 */
function reached(run: Run, address: string): Range {
  const clusters = Object.keys(run.result.clusters);
  const sent = Object.values(run.result.clusters)
    .flatMap(({ hosts }) => hosts)
    .reduce((sum, host) => (host.address === address ? sum + host.requests : sum), 0);
  const { counters } = run.result.stats;
  const isRefused = Object.keys(counters).some(
    (name) => name.endsWith('.upstream_cx_connect_fail') && counters[name] !== 0,
  );
  const lines = clusters.flatMap((cluster) => lastPageOf(run, cluster)).filter((line) => line.address === address);
  const listed = lines.reduce((sum, { rqTotal }) => sum + rqTotal, 0);
  return { low: isRefused && lines.length > 0 ? Math.min(sent, listed) : sent, high: sent };
}
