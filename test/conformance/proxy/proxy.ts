import { statName } from '../../../src/config/cluster.js';
import { createKeyHasher } from '../../../src/hash/request-key.js';
import type { KeyHasher } from '../../../src/hash/request-key.js';
import type { StatsResult } from '../../../src/result/run-result.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { runScenario } from '../../../src/simulation/simulation.js';
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
  const missing = missingFeatures(recording, scenario);
  if (missing.length > 0) {
    return { name, version, result: 'skipped', compared: [], problem: `needs ${missing.join(', ')}` };
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
  const result = await runScenario(prolonged(scenario, timing.readAfterUs), {
    onDecision: log.record,
    timerPhase: timing.timerPhase,
  });
  const comparison = {
    result,
    requests: log.requests,
    statsAtStart: recording.statsAtStart === undefined ? undefined : await statsAtStart(scenario),
    clusters: new Map(
      scenario.clusters.map((cluster) => [cluster.name, { type: cluster.type, statName: statName(cluster) }]),
    ),
    explicit: scenario.workloads.length === 0,
  };
  compareReplay(check, recording, comparison, await sharedHasher());
  return check.outcome(recording.name, scenario.proxies[0]?.version ?? '');
}

/** The same traffic, and some time after it. */
function prolonged(scenario: Scenario, byUs: number): Scenario {
  const { durationUs } = scenario;
  if (byUs === 0 || durationUs === undefined) return scenario;
  const workloads = scenario.workloads.map((workload) => ({ ...workload, stopUs: workload.stopUs ?? durationUs }));
  return { ...scenario, durationUs: durationUs + byUs, workloads };
}

/** Each feature once, as the simulation names it; where the recording tells of single answers, those are one too. */
function missingFeatures(recording: Recording, scenario: Scenario): readonly string[] {
  const missing = new Set(unsupportedFeatures(scenario).map(({ feature }) => feature));
  const fates = recording.answers || recording.phases.some((phase) => phase.other.size > 0);
  if (fates || (recording.split?.other.size ?? 0) > 0) missing.add('the fate of single requests (overflow, time-out)');
  return [...missing];
}

/** What the proxies have counted by time 0: the same scenario before anything is sent or changed. */
async function statsAtStart(scenario: Scenario): Promise<StatsResult> {
  const { stats } = await runScenario({ ...scenario, durationUs: 0, workloads: [], requests: [], timeline: [] });
  return stats;
}

let hasher: Promise<KeyHasher> | undefined;

function sharedHasher(): Promise<KeyHasher> {
  hasher ??= createKeyHasher();
  return hasher;
}
