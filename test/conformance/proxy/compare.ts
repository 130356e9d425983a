import { hashInto } from '../../../src/hash/text-hashes.js';
import { toDecimal } from '../../../src/core/u64.js';
import { MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { Check } from '../check.js';
import { show } from '../check.js';
import { compareAnswers } from './answers.js';
import type { Evidence } from './evidence.js';
import { compareHostTable, compareUpstreamSide } from './hosts.js';
import type { Recording } from './recording.js';
import type { RecordedCluster, Replay, Run } from './replay.js';
import { margins, toUs } from './replay.js';
import { compareSequences } from './sequence.js';
import type { ShareRule } from './share-rule.js';
import { compareSplits, compareTimeline, SPLIT_ERRORS, TIMELINE_ERRORS } from './splits.js';
import type { ClusterFacts, Statistics } from './statistics.js';
import { compareStatistics, valueOf } from './statistics.js';

/** Compares everything that a recording of this kind says. */
export function compareReplay(check: Check, recording: Recording, replay: Replay, evidence: Evidence): void {
  const { first } = evidence;
  if (recording.mappings.size > 0) compareMappings(check, recording, first.requests);
  if (recording.split !== undefined) compareSplits(check, recording, recording.split, evidence);
  if (recording.sequence !== undefined) compareSequences(check, recording, recording.sequence, first);
  compareHostTable(check, recording, evidence);
  if (recording.heldOpen !== undefined) {
    check.equal('held_open', first.heldAtStart, recording.heldOpen.held, 'requests open at the start');
  }
  compareAppliedTimes(check, recording, replay);
  compareTimeline(check, recording, replay, evidence);
  compareUpstreamSide(check, recording, evidence);
  if (recording.answers !== undefined) {
    compareAnswers(check, recording.answers, first.requests, replay.eventsUs);
  }
  compareAllStatistics(check, recording, replay, evidence);
}

// --- statistics ------------------------------------------------------------------------------------------------------

/** Compares what was read at the end of each phase, and at the end of all. */
function compareAllStatistics(check: Check, recording: Recording, replay: Replay, evidence: Evidence): void {
  const { narrowing, phases } = recording;
  const isTimeline = phases.length > 0;
  const clusters = factsOf(replay, evidence.first);
  const { durationUs } = replay;
  const toHold = requestsToHold(recording, evidence.first);
  const before = ({ start }: Run, name: string): number =>
    recording.statsAtStart === undefined ? 0 : valueOf(start, name);
  const compare = (where: string, recorded: Statistics, index: number, untilUs: number): void => {
    const sent = evidence.first.requests.filter(({ tUs }) => tUs < untilUs).length;
    const recordedSent = untilUs === Infinity ? recording.n : sent;
    compareStatistics(check, {
      where,
      recorded,
      recordedAtStart: recording.statsAtStart,
      unasked: (name) => valueOf(evidence.first.start, name),
      mean: (name) => {
        const range = evidence.meanReading(index, (run, stats) => valueOf(stats, name) - before(run, name));
        const more = /\.upstream_rq_/.test(name) ? (toHold * sent) / Math.max(1, recordedSent) : 0;
        return { low: range.low, high: range.high + more };
      },
      span: (name) => evidence.span(index, (run, stats) => valueOf(stats, name) - before(run, name)),
      answered: (status) => answeredWith(status, evidence.first, untilUs),
      recordedRequests: recordedSent,
      ourRequests: sent,
      perSecond: isTimeline && durationUs !== undefined ? (evidence.n * MICROS_PER_SECOND) / durationUs : 0,
      rule: ruleOf(recording),
      readBeforeUs: durationUs === undefined ? 0 : margins(recording, durationUs).beforeUs,
      explicit: replay.explicit,
      clusters,
      notCompared: narrowing.notCompared,
      loose: narrowing.loose,
    });
  };
  for (const [index, { stats, toS }] of phases.entries()) {
    if (narrowing.comparePhases?.includes(index) === false) continue;
    compare(`phase ${index}: `, stats, index, toUs(toS));
  }
  compare('', recording.stats, phases.length, Infinity);
}

function ruleOf({ phases, narrowing }: Recording): ShareRule {
  return { errors: phases.length > 0 ? TIMELINE_ERRORS : SPLIT_ERRORS, relative: narrowing.shareTolerance };
}

function factsOf(replay: Replay, { result, burstConnections }: Run): ReadonlyMap<string, ClusterFacts> {
  return new Map(
    Object.entries(result.clusters).map(([name, { hosts, policy, merge_window: window }]) => {
      const { type, statName, intervalUs, mergeWindowUs, nameWeights, isUpdated } =
        replay.clusters.get(name) ?? unknownCluster(name);
      const isTable = policy === 'RING_HASH' || policy === 'MAGLEV';
      const racedUs = isTable ? (window?.deliveries ?? 0) * mergeWindowUs : 0;
      const facts = { type, intervalUs, racedUs, nameWeights, isUpdated, hosts: hosts.length };
      return [statName, { ...facts, burstConnections: burstConnections.get(name) ?? 0 }];
    }),
  );
}

function unknownCluster(name: string): RecordedCluster {
  const type = '';
  return {
    type,
    statName: name,
    intervalUs: Infinity,
    mergeWindowUs: 0,
    nameWeights: new Set(),
    endsEjectionsAtSweeps: false,
    isUpdated: false,
  };
}

function answeredWith(status: string, { requests }: Run, untilUs: number): number {
  const pattern = new RegExp(`^${status.replaceAll('x', '.')}$`);
  return requests.filter((request) => request.tUs < untilUs && pattern.test(String(request.status))).length;
}

// --- the timeline ----------------------------------------------------------------------------------------------------

/** The replay acts when the recording really did; that is when it was to act, or a moment later. */
function compareAppliedTimes(check: Check, { appliedAt }: Recording, { plannedUs }: Replay): void {
  if (appliedAt.length === 0) return;
  const planned = appliedAt.map(([at]) => toUs(at));
  check.equal('applied_at', planned, plannedUs, 'times of the timeline');
  for (const [at, real] of appliedAt) {
    const late = real - at;
    check.that('applied_at', late >= -0.001 && late <= MOST_LATE_S, () => `what was due at ${at} s came at ${real} s`);
  }
}

/** The latest of 424 recorded changes came 55 ms after it was due. */
const MOST_LATE_S = 0.1;

// --- mappings --------------------------------------------------------------------------------------------------------

function compareMappings(check: Check, recording: Recording, requests: readonly RequestRecord[]): void {
  const halves = { hi: 0, lo: 0 };
  for (const [workload, mapping] of recording.mappings) {
    const what = workload === '' ? 'mapping' : `mapping: ${workload}`;
    const ours = hostsByHash(requests.filter((request) => workload === '' || request.workload === workload));
    for (const [key, host] of mapping) {
      hashInto(key, halves);
      const chosen = [...(ours.get(toDecimal(halves.hi, halves.lo)) ?? [])];
      check.equal(what, chosen, [host], `${what}: hosts of key ${show(key)}`);
    }
  }
}

function hostsByHash(requests: readonly RequestRecord[]): ReadonlyMap<string, ReadonlySet<string | null>> {
  const hosts = new Map<string, Set<string | null>>();
  for (const { hash, host } of requests) {
    if (hash === null) continue;
    const known = hosts.get(hash);
    if (known === undefined) hosts.set(hash, new Set([host]));
    else known.add(host);
  }
  return hosts;
}

/** Where requests were held open at certain hosts, it took some to get there, which count and are not told otherwise. */
function requestsToHold({ hostTable, n }: Recording, { heldAtStart }: Run): number {
  if (heldAtStart === 0) return 0;
  const all = [...hostTable.values()].flat().reduce((sum, { rqTotal }) => sum + rqTotal, 0);
  return Math.max(0, all - n);
}
