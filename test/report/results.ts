import type { Failures } from '../../src/result/failures.js';
import { noFailures } from '../../src/result/failures.js';
import type {
  ClusterResult,
  GroupResult,
  HostResult,
  LatencyOrNone,
  LocalityResult,
  PhaseHostResult,
  PhaseResult,
  RunResult,
} from '../../src/result/run-result.js';

/** Hand-made results, small enough to check by eye. */

export const NO_LATENCY: LatencyOrNone = { p50: null, p90: null, p99: null, max: null, mean: null };

export function place(zone: string, region = '', subZone = ''): LocalityResult {
  return { region, zone, sub_zone: subZone };
}

/** A host of a whole run, and of its phases: what it is in truth goes into these. */
type Row = HostResult & Pick<PhaseHostResult, 'truth'>;

export function host(address: string, requests: number, more: Partial<Row> = {}): Row {
  return {
    address,
    hostname: '',
    priority: 0,
    locality: place(''),
    weight: 1,
    health: 'healthy',
    requests,
    share: 0,
    answered: requests,
    errors: 0,
    latency_ms: NO_LATENCY,
    ...more,
  };
}

function foundNoHost(requests: number): Failures {
  return { ...noFailures(), no_host: requests };
}

export function phase(fromS: number, toS: number, hosts: readonly Row[], more: Partial<PhaseResult> = {}): PhaseResult {
  const noHost = more.no_host?.requests ?? 0;
  const requests = hosts.reduce((sum, row) => sum + row.requests, noHost);
  return {
    from_s: fromS,
    to_s: toS,
    causes: [{ kind: 'start' }],
    happened: [],
    requests,
    hosts: shared(hosts, requests).map(
      ({ address, priority, locality, weight, health, truth, load, requests: own, share }) => ({
        address,
        priority,
        locality,
        weight,
        health,
        ...(truth && { truth }),
        ...(load !== undefined && { load }),
        requests: own,
        share,
      }),
    ),
    overflow: { requests: 0, share: 0 },
    failed: noHost,
    failures: foundNoHost(noHost),
    facts: [],
    priorities: [],
    ...more,
    no_host: { requests: noHost, share: requests === 0 ? 0 : noHost / requests },
  };
}

function shared<Row extends HostResult>(hosts: readonly Row[], requests: number): Row[] {
  return hosts.map((row) => ({ ...row, share: requests === 0 ? 0 : row.requests / requests }));
}

function sum(hosts: readonly HostResult[]): GroupResult {
  return {
    hosts: hosts.length,
    requests: hosts.reduce((total, row) => total + row.requests, 0),
    share: hosts.reduce((total, row) => total + row.share, 0),
    answered: hosts.reduce((total, row) => total + row.answered, 0),
    errors: hosts.reduce((total, row) => total + row.errors, 0),
    latency_ms: NO_LATENCY,
  };
}

/** A cluster of `hosts`; one phase of 10 s unless `more` has others. */
export function cluster(hosts: readonly HostResult[], more: Partial<ClusterResult> = {}): ClusterResult {
  const noHost = more.no_host?.requests ?? 0;
  const requests = hosts.reduce((total, row) => total + row.requests, noHost);
  const rows = shared(hosts, requests);
  const zones = [...new Map(rows.map((row) => [JSON.stringify(row.locality), row.locality])).values()];
  const priorities = [...new Set(rows.map((row) => row.priority))];
  return {
    policy: 'ROUND_ROBIN',
    requests,
    hosts: rows,
    overflow: { requests: 0, share: 0 },
    success: requests - noHost,
    failed: noHost,
    failures: foundNoHost(noHost),
    retry_overflow: 0,
    facts: [],
    localities: zones.map((locality) => ({
      locality,
      ...sum(rows.filter((row) => JSON.stringify(row.locality) === JSON.stringify(locality))),
    })),
    priorities: priorities.map((priority) => ({ priority, ...sum(rows.filter((row) => row.priority === priority)) })),
    subsets: [],
    phases: [phase(0, 10, hosts, { no_host: { requests: noHost, share: 0 } })],
    latency_ms: NO_LATENCY,
    ...more,
    no_host: { requests: noHost, share: requests === 0 ? 0 : noHost / requests },
  };
}

export function run(clusters: Record<string, ClusterResult>, more: Partial<RunResult> = {}): RunResult {
  const requests = Object.values(clusters).reduce((total, one) => total + one.requests, 0);
  const lost = Object.values(clusters).reduce((total, one) => total + one.no_host.requests, 0);
  return {
    scenario: 'example',
    seed: '1',
    version: '1.17',
    duration_s: 10,
    totals: {
      requests,
      success: requests - lost,
      failed: lost,
      in_flight: 0,
      no_healthy_upstream: lost,
      overflow: 0,
      retries: 0,
    },
    failures: foundNoHost(lost),
    clusters,
    proxies: {},
    stats: { counters: {}, gauges: {}, histograms: {} },
    events: [],
    expect: [],
    notes: [],
    ...more,
  };
}

/** Four hosts in three zones; the one of zone c is unhealthy. */
export function zoneDown(): RunResult {
  return run({
    backend: cluster([
      host('10.0.0.1:80', 1000, { locality: place('a') }),
      host('10.0.0.2:80', 1000, { locality: place('a') }),
      host('10.0.0.3:80', 1000, { locality: place('b') }),
      host('10.0.0.4:80', 0, { locality: place('c'), health: 'unhealthy' }),
    ]),
  });
}

/** Three phases: all well, zone a fails unseen, zone a unhealthy. */
export function zoneOutage(): RunResult {
  const latency: LatencyOrNone = { p50: 10.1, p90: 23.4, p99: 46, max: 88.2, mean: 12 };
  const hosts = (requests: readonly number[], health: HostResult['health'], errors = 0): HostResult[] =>
    requests.map((number, index) => {
      const zone = 'aabbcc'.charAt(index);
      const down = zone === 'a';
      return host(`10.0.0.${index + 1}:80`, number, {
        locality: place(zone),
        health: down ? health : 'healthy',
        errors: down ? errors : 0,
        latency_ms: latency,
      });
    });
  return run(
    {
      backend: cluster(hosts([1784, 1784, 6608, 6608, 6608, 6608], 'unhealthy', 23), {
        latency_ms: latency,
        phases: [
          phase(0, 20, hosts([1667, 1667, 1667, 1667, 1666, 1666], 'healthy')),
          phase(20, 21.4, hosts([117, 117, 117, 117, 116, 116], 'healthy'), {
            causes: [{ kind: 'timeline', entry: 'weight of 10.0.0.5:80 set to 1' }],
            happened: [{ kind: 'timeline', entry: 'zone a stops answering', at_s: 20.4 }],
          }),
          phase(21.4, 60, hosts([0, 0, 4825, 4825, 4825, 4825], 'unhealthy'), {
            causes: [{ kind: 'timeline', entry: '10.0.0.1:80, 10.0.0.2:80 unhealthy' }],
            facts: [{ kind: 'no_panic', available: 4, counted: 6, available_percent: 200 / 3, threshold: 50 }],
          }),
        ],
      }),
    },
    {
      scenario: 'zone-outage',
      seed: '7',
      duration_s: 60,
      expect: [{ expectation: 'share of zone b between 32 % and 52 %', passed: true, actual: 0.444 }],
      notes: ['no workloads given: 1000/s for 10 s to each cluster'],
    },
  );
}

/** Many hosts in three zones and two priorities, with everything a table can show. */
export function large(hosts = 100): RunResult {
  const rows = Array.from({ length: hosts }, (_, index) =>
    host(`10.0.${Math.floor(index / 250)}.${(index % 250) + 1}:8080`, 1_000 + ((index * 7919) % 97), {
      locality: place('abc'.charAt(index % 3), index % 2 === 0 ? 'eu-central-1' : 'us-east-1'),
      priority: index % 10 === 0 ? 1 : 0,
      weight: 1 + (index % 4),
      errors: index % 5,
      health: index % 17 === 0 ? 'unhealthy' : 'healthy',
      predicted_share: 1 / hosts,
      latency_ms: { p50: 1.25, p90: 8, p99: 14.25 + index, max: 88.5, mean: 2 },
    }),
  );
  return run({ backend: cluster(rows, { policy: 'LEAST_REQUEST' }) });
}
