import { statName } from '../../../src/config/cluster.js';
import { createKeyHasher } from '../../../src/hash/request-key.js';
import type { KeyHasher } from '../../../src/hash/request-key.js';
import type { StatsResult } from '../../../src/result/run-result.js';
import { MICROS_PER_SECOND } from '../../../src/core/units.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { Simulation } from '../../../src/simulation/simulation.js';
import { createSimulation, runScenario } from '../../../src/simulation/simulation.js';
import { unsupportedFeatures } from '../../../src/simulation/support.js';
import { Check } from '../check.js';
import { Fields } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';
import { problemOf } from '../problem.js';
import { compareReplay } from './compare.js';
import type { Recording } from './recording.js';
import { readRecording } from './recording.js';
import { RequestLog } from './request-log.js';

/** Replays one case of `proxy/`: runs its scenario and compares what a real proxy did with it. */
export async function runProxyFile(content: unknown): Promise<readonly CaseOutcome[]> {
  const recording = readRecording(Fields.of(content, ''));
  try {
    return [await runRecording(recording)];
  } catch (error) {
    return [{ name: recording.name, version: '', result: 'failed', compared: [], problem: problemOf(error) }];
  }
}

async function runRecording(recording: Recording): Promise<CaseOutcome> {
  const { name } = recording;
  const check = new Check();
  const { scenario, problems } = loadScenarioValue(recording.scenario, name);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const firstError = errors.map((problem) => `${problem.path}: ${problem.message}`)[0];
  if (recording.kind === 'reject') {
    const { accepted } = recording;
    check.that('accepted', accepted === (scenario !== undefined), () => {
      return accepted === true ? `refused: ${firstError ?? ''}` : 'accepted, but the proxy refuses it';
    });
    return check.outcome(name, scenario?.proxies[0]?.version ?? '');
  }
  if (scenario === undefined) {
    return { name, version: '', result: 'failed', compared: [], problem: `refused: ${firstError ?? ''}` };
  }
  const version = scenario.proxies[0]?.version ?? '';
  const missing = new Set(unsupportedFeatures(scenario).map(({ feature }) => feature));
  if (missing.size > 0) {
    return { name, version, result: 'skipped', compared: [], problem: `needs ${[...missing].join(', ')}` };
  }

  let outcome: CaseOutcome | undefined;
  for (const timing of timings(scenario)) {
    const compared = await replay(recording, scenario, timing);
    if (compared.result === 'passed') return compared;
    outcome ??= compared;
  }
  return outcome ?? check.outcome(name, version);
}

/** What a recording does not tell of its clock. */
interface Timing {
  /** The proxy's timers count from its start, some time before time 0. */
  readonly timerPhase: number;
  /** The last statistics were read a moment after the end. */
  readonly readAfterUs: number;
}

/** The timings that a recording may have had. Only those with health checks or outlier detection depend on it. */
function timings(scenario: Scenario): readonly Timing[] {
  const timed = scenario.clusters.some(
    (cluster) => cluster.outlierDetection !== undefined || cluster.healthChecks.length > 0,
  );
  if (!timed) {
    return [{ timerPhase: 1, readAfterUs: 0 }];
  }
  return [0, 300_000, 600_000].flatMap((readAfterUs) =>
    [1, 0.2, 0.4, 0.6, 0.8, 0.1, 0.3, 0.5, 0.7, 0.9].map((timerPhase) => ({ timerPhase, readAfterUs })),
  );
}

async function replay(recording: Recording, scenario: Scenario, timing: Timing): Promise<CaseOutcome> {
  const check = new Check();
  const log = new RequestLog();
  const hooks = { onRequest: log.record, timerPhase: timing.timerPhase };
  const simulation = await createSimulation(prolonged(scenario), hooks);
  const burstConnections = advanceToReading(simulation, scenario, timing.readAfterUs);
  const result = simulation.result();
  // Whoever recorded waited for the last answer.
  while (!simulation.advance(Infinity));
  const comparison = {
    result,
    requests: log.requests,
    statsAtStart: recording.statsAtStart === undefined ? undefined : await statsAtStart(scenario),
    clusters: new Map(
      scenario.clusters.map((cluster) => [cluster.name, { type: cluster.type, statName: statName(cluster) }]),
    ),
    explicit: scenario.workloads.length === 0,
    eventsUs: eventsOf(scenario),
    burstConnections,
  };
  compareReplay(check, recording, comparison, await sharedHasher());
  return check.outcome(recording.name, scenario.proxies[0]?.version ?? '');
}

/**
 * Runs to where the recording's statistics were read.
 *
 * @returns connections that were opened at instants at which several requests arrived, by cluster.
 */
function advanceToReading(
  simulation: Simulation,
  scenario: Scenario,
  readAfterUs: number,
): ReadonlyMap<string, number> {
  const opened = new Map<string, number>();
  const count = (sign: 1 | -1): void => {
    for (const { name, connections } of simulation.proxies.flatMap(({ clusters }) => clusters)) {
      opened.set(name, (opened.get(name) ?? 0) + sign * connections.upstreamCxTotal);
    }
  };
  const times = scenario.requests.map(({ atUs }) => atUs).sort((a, b) => a - b);
  const bursts = new Set(times.filter((atUs, index) => times[index - 1] === atUs));
  for (const atUs of bursts) {
    simulation.advance(Infinity, atUs - 1);
    count(-1);
    simulation.advance(Infinity, atUs);
    count(1);
  }
  simulation.advance(Infinity, scenario.durationUs === undefined ? Infinity : scenario.durationUs + readAfterUs);
  return opened;
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

function eventsOf({ timeline, durationUs }: Scenario): readonly number[] {
  return timeline.flatMap(({ atUs, everyUs, untilUs }) => {
    const times = [atUs];
    const endUs = Math.min(untilUs ?? Infinity, durationUs ?? atUs);
    if (everyUs !== undefined) for (let t = atUs + everyUs; t < endUs; t += everyUs) times.push(t);
    return times;
  });
}

/** What the proxies have counted by time 0: the same scenario before anything is sent or changed. */
async function statsAtStart(scenario: Scenario): Promise<StatsResult> {
  const timeline = scenario.timeline.filter(({ atUs }) => atUs > 0);
  const { stats } = await runScenario({ ...scenario, durationUs: 0, workloads: [], requests: [], timeline });
  return stats;
}

let hasher: Promise<KeyHasher> | undefined;

function sharedHasher(): Promise<KeyHasher> {
  hasher ??= createKeyHasher();
  return hasher;
}
