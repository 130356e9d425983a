import { describe, expect, it } from 'vitest';
import { csvReport } from '../../src/report/csv.js';
import { PLAIN } from '../../src/report/layout.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { Failures } from '../../src/result/failures.js';
import { FAILURE_CAUSES } from '../../src/core/failure-cause.js';
import { countFailures } from '../../src/result/failures.js';
import type { RunResult } from '../../src/result/run-result.js';
import { requestsByHost, run } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';

/** The report as one line, however wide. */
function textOf(result: RunResult): string {
  const text = textReport(result, { width: 200, bars: false, paint: PLAIN, all: false, full: true });
  return text.replace(/\s+/g, ' ');
}

/** The failures of all phases, as a reader of the CSV adds them up, by cause. */
function failuresInCsv(result: RunResult): Record<string, number> {
  const [headings = [], ...rows] = [...csvReport(result)]
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const cell = (row: readonly string[], heading: string): string => row[headings.indexOf(heading)] ?? '';
  const phases = new Map(rows.map((row) => [`${cell(row, 'cluster')} ${cell(row, 'phase')}`, row]));
  const sum = (heading: string): number =>
    [...phases.values()].reduce((all, row) => all + Number(cell(row, heading)), 0);
  const names = ['phase_failed', ...FAILURE_CAUSES.map((cause) => `phase_failed_${cause}`)];
  return Object.fromEntries(names.map((name) => [name, sum(name)]));
}

function asInCsv(failures: Failures): Record<string, number> {
  const causes = FAILURE_CAUSES.map((cause) => [`phase_failed_${cause}`, failures[cause]] as const);
  return { phase_failed: countFailures(failures), ...Object.fromEntries(causes) };
}

describe('a share counts decisions', () => {
  const slow = {
    duration: '5s',
    clusters: [{ name: 'c', connect_timeout: '20s' }],
    endpoints: { c: [A, B] },
    behavior: [{ hosts: A, connect_time: '10s' }],
    workloads: [{ cluster: 'c', arrivals: { constant: '100/s' } }],
  };

  it('also those that still wait for a connection as the run ends', async () => {
    const expectation = { share: { cluster: 'c', hosts: A }, equals: '50%' };
    const result = await run({ ...slow, expect: [expectation] }, { predict: true });
    expect(requestsByHost(result)).toEqual({ [A]: 250, [B]: 250 });
    const { requests, hosts, phases } = result.clusters['c'] ?? {};
    expect(requests).toBe(500);
    expect(hosts?.map(({ share, answered, predicted_z }) => [share, answered, predicted_z])).toEqual([
      [0.5, 0, 0],
      [0.5, 250, 0],
    ]);
    expect(phases?.map((phase) => phase.requests)).toEqual([500]);
    expect(result.totals).toMatchObject({ requests: 500, success: 250, failed: 0, in_flight: 250 });
    expect(result.expect.map(({ passed }) => passed)).toEqual([true]);
    expect(textOf(result)).not.toContain('never chosen');
  });

  it('but not those that a circuit breaker turns away when their turn comes', async () => {
    const circuit_breakers = { thresholds: [{ max_requests: 1 }] };
    const result = await run({
      duration: '5s',
      clusters: [{ name: 'c', circuit_breakers }],
      endpoints: { c: [A] },
      behavior: [{ hosts: {}, connect_time: '10ms', service_time: '1s' }],
      requests: [1, 2, 3].map(() => ({ at: '0s', cluster: 'c' })),
    });
    const { requests, overflow } = result.clusters['c'] ?? {};
    expect([requests, requestsByHost(result), overflow?.requests]).toEqual([3, { [A]: 1 }, 2]);
  });
});

describe('failures add up, by cause', () => {
  const circuit_breakers = { thresholds: [{ max_requests: 20, max_retries: 1 }] };
  const scenario = {
    clusters: [
      { name: 'c', circuit_breakers },
      { name: 'empty', type: 'EDS' },
    ],
    endpoints: { c: [A, B] },
    behavior: [
      { hosts: A, service_time: '300ms' },
      { hosts: B, service_time: '1ms', error_rate: '50%' },
    ],
    workloads: [
      {
        cluster: 'c',
        arrivals: { constant: '200/s' },
        stop: '5s',
        timeout: '200ms',
        retry_policy: { num_retries: 2, retry_on: '5xx' },
      },
      { cluster: 'empty', arrivals: { constant: '10/s' }, stop: '1s' },
    ],
    timeline: [
      { at: '2s', fail: A },
      { at: '3s', recover: A },
      { at: '4s', remove_cluster: 'c' },
    ],
  };
  const edsConfig = { eds_cluster_config: { eds_config: { ads: {} } } };
  scenario.clusters.forEach((cluster) => Object.assign(cluster, cluster.name === 'empty' ? edsConfig : {}));

  it('in JSON: of the run, of each cluster, of each phase', async () => {
    const { totals, failures, clusters } = await run(scenario);
    for (const cause of ['no_host', 'overflow', 'timeout', 'error_status', 'no_cluster'] as const) {
      expect([cause, failures[cause] > 0]).toEqual([cause, true]);
    }
    expect(countFailures(failures)).toBe(totals.failed);
    expect([failures.no_host, failures.overflow]).toEqual([totals.no_healthy_upstream, totals.overflow]);
    for (const cause of FAILURE_CAUSES) {
      const each = Object.values(clusters);
      expect(each.reduce((sum, cluster) => sum + cluster.failures[cause], 0)).toBe(failures[cause]);
      for (const cluster of each) {
        expect(cluster.phases.reduce((sum, phase) => sum + phase.failures[cause], 0)).toBe(cluster.failures[cause]);
      }
    }
  });

  it('agrees with the statistics on retries that were not allowed', async () => {
    // The statistics of a cluster end with it.
    const { clusters, stats } = await run({ ...scenario, timeline: [] });
    const refused = clusters['c']?.retry_overflow;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBe(stats.counters['cluster.c.upstream_rq_retry_overflow']);
  });

  it('in the text, all of them', async () => {
    const result = await run(scenario);
    const { failures, totals, clusters } = result;
    const text = textOf(result);
    const [, list = ''] = /[Rr]equests?(?: to \S+)? failed[^(:]*\(([^);]*)/.exec(text.replace(/\s+/g, ' ')) ?? [];
    const numbers = list.split(', ').map((cause) => parseInt(cause.replace(',', ''), 10));
    expect(numbers).toEqual(FAILURE_CAUSES.map((cause) => failures[cause]).filter((count) => count > 0));
    expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(totals.failed);
    expect(text).toContain(`max_retries (1) refused ${String(clusters['c']?.retry_overflow)} retries.`);
    // Several clusters: each says why its own failed.
    expect(text).toContain('failed 10 found no host');
  });

  it('in the CSV, also of a cluster that never had a host', async () => {
    const result = await run(scenario);
    expect(failuresInCsv(result)).toEqual(asInCsv(result.failures));
  });
});
