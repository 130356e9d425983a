import type { KeyHasher } from '../../../src/hash/request-key.js';
import { toDecimal } from '../../../src/core/u64.js';
import { MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { RunResult, StatsResult } from '../../../src/result/run-result.js';
import type { Check } from '../check.js';
import { show } from '../check.js';
import { compareAnswers } from './answers.js';
import type { RecordedSplit, Recording } from './recording.js';
import type { Split } from './request-log.js';
import { splitOf } from './request-log.js';
import { rotationStart, scheduleStart } from './sequence.js';
import type { ShareRule } from './shares.js';
import { sameShare } from './shares.js';
import { compareStatistics } from './statistics.js';

/** Real time in a recording: a phase's edges are off by this part of its requests. */
const JITTER = 0.03;

/** What the simulation made of a recorded scenario. */
export interface Replay {
  readonly result: RunResult;
  readonly requests: readonly RequestRecord[];
  /** Statistics at time 0; undefined where the recording counts from the very beginning. */
  readonly statsAtStart: StatsResult | undefined;
  /** Discovery type by cluster. */
  /** By cluster name: how its hosts are discovered, and what its statistics are named after. */
  readonly clusters: ReadonlyMap<string, { readonly type: string; readonly statName: string }>;
  /** Connections opened at instants at which several requests arrived, by cluster. */
  readonly burstConnections: ReadonlyMap<string, number>;
  /** When the scenario's timeline acts. */
  readonly eventsUs: readonly number[];
  /** Requests come one by one, not from workloads. */
  readonly explicit: boolean;
}

/** Compares everything that a recording of this kind says. */
export function compareReplay(check: Check, recording: Recording, replay: Replay, hasher: KeyHasher): void {
  if (recording.mappings.size > 0) compareMappings(check, recording, replay.requests, hasher);
  if (recording.split !== undefined) compareSplits(check, recording, recording.split, replay);
  comparePhases(check, recording, replay.requests);
  if (recording.answers !== undefined) {
    compareAnswers(check, recording.answers, replay.requests, replay.eventsUs);
  }
  compareStatistics(check, {
    recorded: recording.stats,
    recordedAtStart: recording.statsAtStart,
    ours: replay.result.stats,
    oursAtStart: replay.statsAtStart,
    recordedRequests: recording.n,
    ourRequests: replay.requests.length,
    explicit: replay.explicit,
    clusters: new Map(
      Object.entries(replay.result.clusters).map(([name, { hosts }]) => {
        const { type, statName } = replay.clusters.get(name) ?? { type: '', statName: name };
        return [statName, { type, hosts: hosts.length, burstConnections: replay.burstConnections.get(name) ?? 0 }];
      }),
    ),
    notCompared: recording.narrowing.notCompared,
    loose: recording.narrowing.loose,
  });
}

// --- mappings --------------------------------------------------------------------------------------------------------

function compareMappings(
  check: Check,
  recording: Recording,
  requests: readonly RequestRecord[],
  hasher: KeyHasher,
): void {
  const halves = { hi: 0, lo: 0 };
  for (const [workload, mapping] of recording.mappings) {
    const what = workload === '' ? 'mapping' : `mapping: ${workload}`;
    const ours = hostsByHash(requests.filter((request) => workload === '' || request.workload === workload));
    for (const [key, host] of mapping) {
      hasher.hash(key, halves);
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

// --- splits ----------------------------------------------------------------------------------------------------------

function compareSplits(check: Check, recording: Recording, recorded: RecordedSplit, replay: Replay): void {
  const rule: ShareRule = { relative: recording.narrowing.shareTolerance };
  compareSplit(check, '', recorded, splitOf(replay.requests), rule);
  for (const [workload, split] of recording.workloads) {
    const ours = replay.requests.filter((request) => request.workload === workload);
    compareSplit(check, `${workload}: `, split, splitOf(ours), rule);
  }
  if (recording.sequence !== undefined) compareSequences(check, recording, recording.sequence, replay);
}

function compareSplit(check: Check, where: string, recorded: RecordedSplit, ours: Split, rule: ShareRule): void {
  const compare = (what: string, name: string, k: number, k2: number): void => {
    check.that(`${where}${what}`, sameShare(k, recorded.n, k2, ours.n, rule), () => {
      return `${where}${name}: recorded ${k} of ${recorded.n}, simulated ${k2} of ${ours.n}`;
    });
  };
  compareCounts(recorded.hosts, ours.hosts, (host, k, k2) => compare('hosts', host, k, k2));
  compare('no_host', 'no host', recorded.noHost, ours.noHost);
  compareCounts(recorded.other, ours.other, (fate, k, k2) => compare('other', fate, k, k2));
  if (recorded.attempts !== undefined) {
    compareCounts(recorded.attempts, ours.attempts, (n, k, k2) => compare('attempts', `${n} attempts`, k, k2));
  }
}

/** Hands over every name of either side, 0 where a side has none. */
function compareCounts(
  recorded: ReadonlyMap<string, number>,
  ours: ReadonlyMap<string, number>,
  compare: (name: string, k: number, k2: number) => void,
): void {
  for (const name of new Set([...recorded.keys(), ...ours.keys()])) {
    compare(name, recorded.get(name) ?? 0, ours.get(name) ?? 0);
  }
}

// --- sequences -------------------------------------------------------------------------------------------------------

/**
 * Compares pick orders, each priority's by itself: which priority a request goes to is a random draw, the rotation
 * inside it is not.
 */
function compareSequences(check: Check, recording: Recording, sequence: readonly number[], replay: Replay): void {
  const hosts = recording.sequenceHosts;
  const levels = levelsOf(hosts, replay.result);
  for (const [level, rows] of levels) {
    if (!hasOrder(rows)) continue;
    const inLevel = (index: number): boolean => levels.size === 1 || rows.some((row) => row.address === hosts[index]);
    const recorded = sequence.filter(inLevel);
    const ours = replay.requests
      .map((request) => hosts.indexOf(request.host ?? ''))
      .filter((i) => i >= 0 && inLevel(i));
    const weighted = rows.some((row) => row.weight !== rows[0]?.weight);
    const start = weighted ? scheduleStart(recorded, ours, hosts.length) : rotationStart(recorded, ours);
    check.that('sequence', start >= 0, () => {
      return `priority ${level}: the recorded ${weighted ? 'schedule' : 'rotation'} is no part of ours`;
    });
  }
}

interface SequenceRow {
  readonly address: string;
  readonly weight: number;
  readonly policy: string;
}

/** The hosts of a sequence by priority; one group where an address is in several. */
function levelsOf(hosts: readonly string[], result: RunResult): ReadonlyMap<number, readonly SequenceRow[]> {
  const levels = new Map<number, SequenceRow[]>();
  const seen = new Map<string, number>();
  let mixed = false;
  for (const cluster of Object.values(result.clusters)) {
    for (const { address, weight, priority } of cluster.hosts) {
      if (!hosts.includes(address)) continue;
      mixed ||= (seen.get(address) ?? priority) !== priority;
      seen.set(address, priority);
      const row = { address, weight, policy: cluster.policy };
      const level = levels.get(priority);
      if (level === undefined) levels.set(priority, [row]);
      else level.push(row);
    }
  }
  return mixed ? new Map([[0, [...levels.values()].flat()]]) : levels;
}

/** Round robin has an order, and least request where its weights differ; the other policies draw each pick. */
function hasOrder(rows: readonly SequenceRow[]): boolean {
  const policy = rows[0]?.policy;
  if (policy === 'ROUND_ROBIN') return true;
  return policy === 'LEAST_REQUEST' && rows.some((row) => row.weight !== rows[0]?.weight);
}

// --- timelines -------------------------------------------------------------------------------------------------------

function comparePhases(check: Check, recording: Recording, requests: readonly RequestRecord[]): void {
  const { comparePhases: compared, interchangeableHosts, shareTolerance } = recording.narrowing;
  const rule: ShareRule = { jitter: JITTER, relative: shareTolerance };
  const compare = (where: string, recorded: RecordedSplit, ours: Split): void => {
    const recordedHosts = interchanged(recorded.hosts, interchangeableHosts);
    const ourHosts = interchanged(ours.hosts, interchangeableHosts);
    compareSplit(check, where, { ...recorded, hosts: recordedHosts }, { ...ours, hosts: ourHosts }, rule);
  };
  recording.phases.forEach((phase, index) => {
    if (compared?.includes(index) === false) return;
    const fromUs = phase.fromS * MICROS_PER_SECOND;
    const toUs = phase.toS * MICROS_PER_SECOND;
    compare(`phase ${index}: `, phase, splitOf(requests.filter(({ tUs }) => tUs >= fromUs && tUs < toUs)));
  });
  if (recording.totals !== undefined && compared === undefined) {
    compare('totals: ', recording.totals, splitOf(requests));
  }
}

/** Gives the counts of hosts whose roles chance deals out to names by rank. */
function interchanged(counts: ReadonlyMap<string, number>, hosts: readonly string[]): ReadonlyMap<string, number> {
  if (hosts.length === 0) return counts;
  const ranked = hosts.map((host) => counts.get(host) ?? 0).sort((a, b) => b - a);
  const others = [...counts].filter(([host]) => !hosts.includes(host));
  return new Map([...others, ...ranked.map((n, rank): [string, number] => [`interchangeable host ${rank + 1}`, n])]);
}
