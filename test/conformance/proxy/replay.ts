import { statName } from '../../../src/config/cluster/cluster.js';
import { outlierSettings } from '../../../src/config/to-settings.js';
import type { Cluster } from '../../../src/config/cluster/cluster-shape.js';
import { type Micros, MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { RunResult, StatsResult } from '../../../src/result/run-result.js';
import type { BehaviorRule } from '../../../src/settings/behavior.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { Workload } from '../../../src/settings/world.js';
import type { Proxy } from '../../../src/simulation/proxy.js';
import { createSimulation, runScenario } from '../../../src/analysis/run/run-scenario.js';
import type { Simulation } from '../../../src/simulation/simulation.js';
import { totalStats } from '../../../src/simulation/cluster-results.js';
import { clustersJson } from '../../../src/web/pages/clusters.js';
import { RuntimeValues } from '../../../src/core/runtime-values.js';
import { OutlierSettings } from '../../../src/upstream/outlier-settings.js';
import type { Recording } from './recording.js';
import { RequestLog } from './request-log.js';

/** So close to an event, real time decides: a reading, a request or a timer may come before it or after it. */
export const NEAR_US = 50_000;

/** What a recording does not tell, and a replay therefore has to assume. */
export interface Assumptions {
  /** How long before time 0 the timers of the proxy began. */
  readonly timersAheadUs: Micros;
  /** What a message takes on the wire of the recorder's machine. */
  readonly wireUs: Micros;
  /** Added to the scenario's own seed; 0: none but that. */
  readonly seed: number;
  /** Requests come, and messages travel, as unevenly as on a real machine. */
  readonly uneven?: boolean;
}

/** Statistics around the moment at which they were read: {@link NEAR_US} before it, at it and as long after it. */
export type Reading = readonly StatsResult[];

/** One run of a recorded scenario. */
export interface Run {
  readonly assumptions: Assumptions;
  readonly requests: readonly RequestRecord[];
  readonly result: RunResult;
  /** Statistics at time 0: of the same scenario before anything is sent or changed. */
  readonly start: StatsResult;
  /** At the end of each phase, and of all. */
  readonly readings: readonly Reading[];
  /** When what balancers look at changed. */
  readonly changesUs: readonly Micros[];
  /** The proxy's page of its clusters, around the last reading. */
  readonly pages: readonly unknown[];
  /** Requests that are open at time 0. */
  readonly heldAtStart: number;
  /** Connections opened at instants at which several requests arrived, by cluster. */
  readonly burstConnections: ReadonlyMap<string, number>;
}

export interface RecordedCluster {
  /** How its hosts are discovered. */
  readonly type: string;
  /** What its statistics are named after. */
  readonly statName: string;
  /** How often its hosts are checked, or its names resolved; Infinity: never. */
  readonly intervalUs: Micros;
  /** The timeline gives it another configuration. */
  readonly isUpdated: boolean;
  /** `update_merge_window`. */
  readonly mergeWindowUs: Micros;
  /** The weight of the hosts of each name that DNS resolves. */
  readonly nameWeights: ReadonlySet<number>;
  /**
   * Sweeps of outlier detection eject hosts for whole intervals, so that the sweep at the end of such a time is a little
   * early or a little late for it: in a real proxy every second to third such host stays out for one more interval.
   */
  readonly endsEjectionsAtSweeps: boolean;
}

function endsEjectionsAtSweeps({ outlierDetection }: Cluster): boolean {
  if (outlierDetection === undefined) return false;
  const settings = new OutlierSettings(outlierSettings(outlierDetection), new RuntimeValues({}));
  return settings.timeUs('base_ejection_time') % settings.intervalUs === 0;
}

function nameWeights({ type, loadAssignment }: Cluster): ReadonlySet<number> {
  if (type !== 'STRICT_DNS') return new Set();
  const names = (loadAssignment?.endpoints ?? []).flatMap(({ lbEndpoints }) => lbEndpoints);
  return new Set(names.map(({ loadBalancingWeight = 1 }) => loadBalancingWeight));
}

function intervalOf({ healthChecks, type, dnsRefreshRate }: Cluster): Micros {
  const intervals = healthChecks.map(({ interval }) => interval);
  return Math.min(...intervals, type === 'STRICT_DNS' || type === 'LOGICAL_DNS' ? dnsRefreshRate : Infinity);
}

/** A recorded scenario and the runs of it; a run is made once. */
export class Replay {
  readonly clusters: ReadonlyMap<string, RecordedCluster>;
  /** Requests come one by one, not from workloads. */
  readonly explicit: boolean;
  /** When the scenario's timeline acts, as it is written and as it was. */
  readonly plannedUs: readonly Micros[];
  readonly eventsUs: readonly Micros[];
  private readonly scenario: Scenario;
  private readonly runs = new Map<string, Promise<Run>>();
  private start: Promise<StatsResult> | undefined;

  constructor(
    private readonly recording: Recording,
    scenario: Scenario,
  ) {
    this.scenario = atRealTimes(scenario, recording.appliedAt);
    this.clusters = new Map(
      scenario.clusters.map((cluster) => [
        cluster.name,
        {
          type: cluster.type,
          statName: statName(cluster),
          intervalUs: intervalOf(cluster),
          isUpdated: scenario.timeline.some(
            ({ action }) => action.kind === 'update_cluster' && action.cluster.name === cluster.name,
          ),
          mergeWindowUs: cluster.commonLbConfig?.updateMergeWindow ?? MICROS_PER_SECOND,
          nameWeights: nameWeights(cluster),
          endsEjectionsAtSweeps: endsEjectionsAtSweeps(cluster),
        },
      ]),
    );
    this.explicit = scenario.workloads.length === 0;
    this.plannedUs = [...new Set(eventsOf(scenario))].sort((a, b) => a - b);
    this.eventsUs = eventsOf(this.scenario);
  }

  get durationUs(): Micros | undefined {
    return this.scenario.durationUs;
  }

  run(assumptions: Assumptions): Promise<Run> {
    const key = JSON.stringify(assumptions);
    const known = this.runs.get(key);
    if (known !== undefined) return known;
    this.start ??= statsAtStart(this.scenario);
    const run = replay(this.recording, this.scenario, assumptions, this.start);
    this.runs.set(key, run);
    return run;
  }
}

async function statsAtStart(scenario: Scenario): Promise<StatsResult> {
  const timeline = scenario.timeline.filter(({ atUs }) => atUs > 0);
  const { stats } = await runScenario({ ...scenario, durationUs: 0, workloads: [], requests: [], timeline });
  return stats;
}

async function replay(
  recording: Recording,
  scenario: Scenario,
  assumptions: Assumptions,
  start: Promise<StatsResult>,
): Promise<Run> {
  const log = new RequestLog();
  const assumed = assume(scenario, assumptions);
  const { timersAheadUs } = assumptions;
  const simulation = await createSimulation(prolonged(assumed), { onRequest: log.record, timersAheadUs });
  const heldAtStart = openAtHosts(simulation);
  const readings = [...recording.phases.map(({ toS }) => toUs(toS)), endUs(recording, scenario)];
  const { burstConnections, read, pages } = advanceToReadings(simulation, assumed, readings);
  const result = simulation.result();
  // Whoever recorded waited for the last answer.
  while (!simulation.advance(Infinity));
  return {
    assumptions,
    requests: log.requests,
    result,
    start: await start,
    readings: read,
    changesUs: Object.values(result.clusters).flatMap(({ phases }) =>
      phases.slice(1).map(({ from_s }) => from_s * MICROS_PER_SECOND),
    ),
    pages,
    heldAtStart,
    burstConnections,
  };
}

/** The last statistics were read when the scenario was over, and every answer had come. */
function endUs(recording: Recording, { durationUs }: Scenario): Micros {
  if (durationUs === undefined) return Infinity;
  return Math.max(durationUs, lastAnswerUs(recording)) + margins(recording, durationUs).afterUs;
}

/** When the last explicit request was answered; 0: none is recorded. */
export function lastAnswerUs({ answers = [] }: Recording): Micros {
  return Math.max(0, ...answers.map(({ tUs, latencyUs }) => tUs + latencyUs));
}

/**
 * When statistics were read besides at the ends of phases. One recorder ended with its last phase and began at time 0; the
 * other took a moment before, and another after the traffic that followed its last phase.
 */
export function margins(
  { phases }: Recording,
  durationUs: Micros,
): { readonly beforeUs: Micros; readonly afterUs: Micros } {
  const lastUs = toUs(phases.at(-1)?.toS ?? Infinity);
  return lastUs < durationUs ? { beforeUs: 250_000, afterUs: 600_000 } : { beforeUs: 30_000, afterUs: 0 };
}

function assume(scenario: Scenario, { wireUs, seed, uneven = false }: Assumptions): Scenario {
  const networkLatency = uneven
    ? ({ kind: 'exponential', mean: wireUs } as const)
    : ({ kind: 'constant', value: wireUs } as const);
  const wire: BehaviorRule = { hosts: {}, behavior: { networkLatency } };
  return {
    ...scenario,
    workloads: uneven ? scenario.workloads.map(unevenly) : scenario.workloads,
    // What the scenario says of the wire comes later and rules.
    behavior: wireUs === 0 ? scenario.behavior : [wire, ...scenario.behavior],
    seed: seed === 0 ? scenario.seed : `${scenario.seed}/${seed}`,
  };
}

function unevenly(workload: Workload): Workload {
  const { arrivals } = workload;
  return arrivals.kind === 'constant' ? { ...workload, arrivals: { ...arrivals, kind: 'poisson' } } : workload;
}

/** The timeline when it really acted. */
function atRealTimes(scenario: Scenario, appliedAt: Recording['appliedAt']): Scenario {
  const real = new Map(appliedAt.map(([planned, at]) => [toUs(planned), toUs(at)]));
  return { ...scenario, timeline: scenario.timeline.map((one) => ({ ...one, atUs: real.get(one.atUs) ?? one.atUs })) };
}

/** Times of a recording are decimals. */
export function toUs(seconds: number): Micros {
  return Math.round(seconds * MICROS_PER_SECOND);
}

/**
 * Runs to the last reading.
 *
 * @returns what was read at each of `readingsUs`, and the connections that were opened at instants at which several
 *   requests arrived, by cluster.
 */
function advanceToReadings(
  simulation: Simulation,
  scenario: Scenario,
  readingsUs: readonly Micros[],
): Pick<Run, 'burstConnections' | 'pages'> & { readonly read: readonly Reading[] } {
  const opened = new Map<string, number>();
  const count = (sign: 1 | -1): void => {
    for (const { name, connections } of simulation.proxies.flatMap(({ clusters }) => clusters)) {
      opened.set(name, (opened.get(name) ?? 0) + sign * connections.upstreamCxTotal);
    }
  };
  const times = scenario.requests.map(({ atUs }) => atUs).sort((a, b) => a - b);
  const bursts = new Set(times.filter((atUs, index) => times[index - 1] === atUs));
  const read: StatsResult[][] = readingsUs.map(() => []);
  const pages: unknown[] = [];
  const stops: { readonly atUs: Micros; readonly act: () => void }[] = [...bursts].flatMap((atUs) => [
    { atUs: atUs - 1, act: () => count(-1) },
    { atUs, act: () => count(1) },
  ]);
  for (const [index, readingUs] of readingsUs.entries()) {
    const times = readingUs === Infinity ? [Infinity] : [readingUs - NEAR_US, readingUs, readingUs + NEAR_US];
    for (const atUs of times) stops.push({ atUs, act: () => read[index]?.push({ ...totalStats(simulation.proxies) }) });
    if (index < readingsUs.length - 1) continue;
    for (const atUs of times)
      stops.push({ atUs, act: () => pages.push(...simulation.proxies.slice(0, 1).map(pageOf)) });
  }
  for (const { atUs, act } of stops.sort((a, b) => a.atUs - b.atUs || 0)) {
    simulation.advance(Infinity, atUs);
    act();
  }
  return { burstConnections: opened, read, pages };
}

function pageOf(proxy: Proxy): unknown {
  return clustersJson(proxy, () => true);
}

/** The same traffic, and time after it for the longest request to end. */
function prolonged(scenario: Scenario): Scenario {
  const { durationUs } = scenario;
  if (durationUs === undefined) return scenario;
  const workloads = scenario.workloads.map((workload) => ({ ...workload, stopUs: workload.stopUs ?? durationUs }));
  const requests = scenario.requests.filter(({ atUs }) => atUs < durationUs);
  const patienceUs = [...workloads, ...requests].reduce(
    (max, { timeoutUs }) => Math.max(max, timeoutUs),
    MICROS_PER_SECOND,
  );
  return { ...scenario, durationUs: durationUs + patienceUs, workloads, requests };
}

function eventsOf({ timeline, durationUs }: Scenario): readonly Micros[] {
  return timeline.flatMap(({ atUs, everyUs, untilUs }) => {
    const times = [atUs];
    const endUs = Math.min(untilUs ?? Infinity, durationUs ?? atUs);
    if (everyUs !== undefined) for (let t = atUs + everyUs; t < endUs; t += everyUs) times.push(t);
    return times;
  });
}

function openAtHosts(simulation: Simulation): number {
  const hosts = simulation.proxies.flatMap(({ clusters }) =>
    clusters.flatMap(({ upstream }) => upstream.priorities.hostSets.flatMap((hostSet) => hostSet?.hosts ?? [])),
  );
  return [...new Set(hosts)].reduce((sum, { activeRequests }) => sum + activeRequests, 0);
}
