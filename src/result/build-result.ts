import { entryOf } from '../core/lists.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import { type Locality, localityKey } from '../host/host.js';
import { reportOrder } from '../host/report-order.js';
import { AnswerCounts, type ClusterRecorder, type PhaseCounts } from './cluster-recorder.js';
import type { CourseRecorder } from './course.js';
import { type ExpectedCluster, expectedOfGroup, type ExpectedSplit, withExpected } from './expected.js';
import { countFailures, noFailures } from './failures.js';
import { Fleet, type Origin } from './fleet.js';
import { type HostRow, PhaseHosts } from './phase-hosts.js';
import { causeResults } from './happenings.js';
import { HEALTHS, type Phase, type RowStates, TRUTHS } from './phases.js';
import {
  type ClusterResult,
  type DetectionResult,
  type GroupResult,
  type HostResult,
  type LocalityResult,
  localityResult,
  type MergeWindowResult,
  type PhaseHostResult,
  type PhaseResult,
  portion,
  type TableResult,
} from './run-result.js';

export interface ClusterFacts {
  readonly policy: string;
  readonly rows: readonly HostRow[];
  readonly phases: readonly Phase[];
  readonly warmupUs: Micros;
  readonly endUs: Micros;
  /** From then on hosts serve what has come before: loads count until then; absent: until the end. */
  readonly trafficEndUs?: Micros;
  readonly proxies: number;
  readonly hasSocketMatches?: boolean;
  readonly table: TableResult | undefined;
  /** Of an aggregate: its clusters, in their order. */
  readonly members?: readonly string[] | undefined;
  /** IP addresses that represent unknown ones. */
  readonly madeUpHosts?: ReadonlySet<string>;
  /** undefined: no update was delayed. */
  readonly mergeWindow: Omit<MergeWindowResult, 'requests_to_known_bad'> | undefined;
  readonly detections: readonly DetectionResult[];
  /** Counts by proxy, for the traffic by locality; empty: not requested. */
  readonly origins: readonly Origin[];
  /** Exact shares; undefined: not requested, or unknown. */
  readonly expected?: ExpectedCluster | undefined;
  /** Of all proxies; undefined: not requested. */
  readonly course?: CourseRecorder | undefined;
}

export function buildClusterResult(facts: ClusterFacts, recorder: ClusterRecorder): Omit<ClusterResult, 'facts'> {
  const requests = recorder.phases.reduce((sum, phase) => sum + phase.requests, 0);
  const noHost = recorder.phases.reduce((sum, phase) => sum + phase.noHost, 0);
  const overflow = recorder.phases.reduce((sum, phase) => sum + phase.overflow, 0);
  const { failures } = recorder;
  const served = couldServe(facts);
  const order = reportOrder(facts.rows);
  const localities = localityResults(facts.rows);
  const answers = AnswerCounts.sum([...recorder.rows, ...recorder.members.values()]);
  const hasLocality = facts.origins.some(({ locality }) => locality !== undefined);
  const candidate = hasLocality ? new Fleet(facts.rows, order, facts.origins) : undefined;
  const fleet = candidate?.hasLocalities === true ? candidate : undefined;
  // Where circuit breakers rejected a part of the requests nothing is compared: the prediction is about choices alone.
  const expected = overflow === 0 ? facts.expected : undefined;
  const split = expected?.whole;
  const expectedRow = split?.rows();

  return {
    policy: facts.policy,
    requests,
    hosts: order.map((row) => {
      const host = hostResult(facts, recorder, row, localities, requests, fleet, served?.[row]);
      return withExpected(host, expectedRow?.(row), requests);
    }),
    no_host: withExpected(portion(noHost, requests), split?.noHost, requests),
    overflow: portion(overflow, requests),
    success: recorder.success,
    failed: countFailures(failures),
    failures,
    retry_overflow: recorder.retryOverflow,
    localities: groups(facts, recorder, order, answers, requests, (row) => localityKey(row.locality)).map(
      ([row, group, members]) =>
        withExpected({ locality: localityResult(row.locality), ...group }, expectedOfGroup(split, members), requests),
    ),
    priorities: groups(facts, recorder, order, answers, requests, (row) => String(row.priority)).map(
      ([row, group, members]) =>
        withExpected({ priority: row.priority, ...group }, expectedOfGroup(split, members), requests),
    ),
    subsets: [...recorder.subsets.keys()]
      .sort()
      .map((subset) => ({ subset, ...groupResult(recorder.subsets.get(subset), requests) })),
    ...(facts.members && {
      members: membersOf(facts.members, recorder.members, (counts) => groupResult(counts, requests)),
    }),
    ...(fleet && { fleet: fleet.result() }),
    phases: phaseResults(facts, recorder, order, localities, fleet, expected),
    ...(facts.course && {
      course: facts.course.result(
        facts.endUs,
        order.map((index) => ({ ...(facts.rows[index] as HostRow), index })),
      ),
    }),
    ...(facts.mergeWindow && {
      merge_window: { ...facts.mergeWindow, requests_to_known_bad: portion(recorder.knownBad, requests) },
    }),
    ...(facts.detections.length > 0 && { detections: [...facts.detections] }),
    latency_ms: answers.latency.summaryMs(),
    load_balancer: facts.table ?? { policy: facts.policy },
  };
}

/** Current members in their order, then former ones. */
function membersOf<Count, Result>(
  now: readonly string[],
  counts: ReadonlyMap<string, Count> | undefined,
  resultOf: (count: Count | undefined) => Result,
): (Result & { cluster: string })[] {
  const names = new Set([...now, ...(counts?.keys() ?? [])]);
  return [...names].map((cluster) => ({ cluster, ...resultOf(counts?.get(cluster)) }));
}

function hostResult(
  facts: ClusterFacts,
  recorder: ClusterRecorder,
  index: number,
  localities: readonly LocalityResult[],
  requests: number,
  fleet: Fleet | undefined,
  served = Infinity,
): HostResult {
  const row = facts.rows[index] as HostRow;
  const counts = recorder.rows[index] ?? new AnswerCounts();
  return {
    address: row.address,
    hostname: row.hostname,
    priority: row.priority,
    locality: localities[index] ?? localityResult(row.locality),
    weight: row.weight,
    health: row.health,
    ...(isMadeUp(row.address, facts.madeUpHosts) && { made_up: true }),
    ...portion(counts.requests, requests),
    ...loadOf(counts.requests, served),
    ...(fleet && { relative_load: fleet.meanRequests === 0 ? 0 : counts.requests / fleet.meanRequests }),
    answered: counts.answered,
    errors: counts.errors,
    latency_ms: counts.latency.summaryMs(),
    ...(facts.hasSocketMatches && { transport_socket_match: row.transportSocket }),
    ...(row.removedAtUs === undefined ? {} : { removed_at_s: microsToSeconds(row.removedAtUs) }),
  };
}

/** By row the requests that it could have served while it was listed; undefined: any number. */
function couldServe({ rows, phases, ...facts }: ClusterFacts): Float64Array | undefined {
  if (phases.every(({ states }) => states.capacities === undefined)) return undefined;
  const served = new Float64Array(rows.length);
  for (const [index, { states }] of phases.entries()) {
    const lastedS = phaseSeconds({ phases, ...facts }, index);
    states.rows.forEach((row, at) => (served[row] = (served[row] as number) + capacityIn(states, at, lastedS)));
  }
  return served;
}

function capacityIn({ capacities }: RowStates, at: number, seconds: number): number {
  return seconds === 0 ? 0 : (capacities?.[at] ?? Infinity) * seconds;
}

/** How long requests came in a phase, without the warm-up. */
function phaseSeconds(
  {
    phases,
    warmupUs,
    endUs,
    trafficEndUs = Infinity,
  }: Pick<ClusterFacts, 'phases' | 'warmupUs' | 'endUs' | 'trafficEndUs'>,
  index: number,
): number {
  const fromUs = Math.max(phases[index]?.fromUs ?? 0, warmupUs);
  return microsToSeconds(Math.max(0, Math.min(phaseEnd(phases, index, endUs), trafficEndUs) - fromUs));
}

/** Nothing where any number can be served, or there was no time. */
function loadOf(requests: number, served: number): { load?: number } {
  return Number.isFinite(served) && served > 0 ? { load: requests / served } : {};
}

function isMadeUp(address: string, madeUp: ReadonlySet<string> = new Set()): boolean {
  return madeUp.size > 0 && madeUp.has(address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1'));
}

/** Sums rows of the same key; the first represents them. @param answers the sum of all rows: that of an only group. */
function groups(
  facts: ClusterFacts,
  recorder: ClusterRecorder,
  order: readonly number[],
  answers: AnswerCounts,
  requests: number,
  keyOf: (row: HostRow) => string,
): [HostRow, GroupResult, readonly number[]][] {
  const found = new Map<string, { readonly first: HostRow; readonly members: number[] }>();
  for (const index of order) {
    const row = facts.rows[index] as HostRow;
    entryOf(found, keyOf(row), () => ({ first: row, members: [] as number[] })).members.push(index);
  }
  return [...found.values()].map(({ first, members }) => {
    const counts =
      found.size === 1 ? answers : AnswerCounts.sum(members.flatMap((index) => recorder.rows[index] ?? []));
    return [first, { hosts: members.length, ...groupResult(counts, requests) }, members];
  });
}

function groupResult(counts: AnswerCounts | undefined, requests: number): Omit<GroupResult, 'hosts'> {
  const { requests: sent, answered, errors, latency } = counts ?? new AnswerCounts();
  return { ...portion(sent, requests), answered, errors, latency_ms: latency.summaryMs() };
}

function phaseResults(
  facts: ClusterFacts,
  recorder: ClusterRecorder,
  order: readonly number[],
  localities: readonly LocalityResult[],
  fleet: Fleet | undefined,
  expected: ExpectedCluster | undefined,
): PhaseResult[] {
  const hosts = new PhaseHosts(facts.rows.length, facts.phases.length);
  return facts.phases.map((phase, index) => {
    const counts = recorder.phases[index];
    const requests = counts?.requests ?? 0;
    const failures = { ...(counts?.failures ?? noFailures()) };
    const from_s = microsToSeconds(phase.fromUs);
    const to_s = microsToSeconds(phaseEnd(facts.phases, index, facts.endUs));
    const split = expected?.between(from_s, to_s);
    const seconds = phaseSeconds(facts, index);
    return hosts.phase(
      {
        from_s,
        to_s,
        causes: causeResults(phase.causes, facts.proxies),
        happened: phase.labels.map(({ fact, atUs }) => ({ ...fact, at_s: microsToSeconds(atUs) })),
        requests,
      },
      () => phaseHosts(facts.rows, counts, order, localities, phase.states, split, seconds),
      {
        no_host: withExpected(portion(counts?.noHost ?? 0, requests), split?.noHost, requests),
        overflow: portion(counts?.overflow ?? 0, requests),
        failed: countFailures(failures),
        failures,
        ...(facts.members && {
          members: membersOf(facts.members, counts?.members, (sent = 0) => portion(sent, requests)),
        }),
        ...(fleet && { cross_zone: fleet.crossZoneOfPhase(index) }),
        facts: [...phase.facts],
        priorities: [...phase.priorities],
      },
    );
  });
}

export function phaseEnd(phases: readonly Phase[], index: number, endUs: Micros): Micros {
  return Math.max(phases[index + 1]?.fromUs ?? endUs, phases[index]?.fromUs ?? 0);
}

/** By row; one object for each locality, so that localities can be compared by identity. */
function localityResults(rows: readonly HostRow[]): LocalityResult[] {
  const results = new Map<string, LocalityResult>();
  const known = new Map<Locality, LocalityResult>();
  return rows.map(({ locality }) =>
    entryOf(known, locality, () => entryOf(results, localityKey(locality), () => localityResult(locality))),
  );
}

/** Rows that were listed, or that got requests. */
function* phaseHosts(
  rows: readonly HostRow[],
  counts: PhaseCounts | undefined,
  order: readonly number[],
  localities: readonly LocalityResult[],
  states: RowStates,
  split: ExpectedSplit | undefined,
  seconds: number,
): Generator<PhaseHostResult> {
  const { rows: listed, weights, healths, truths } = states;
  const requests = counts?.requests ?? 0;
  const expectedRow = split?.rows();
  /** One more than the position of a row among the listed ones. */
  const places = new Uint32Array(rows.length);
  for (let at = 0; at < listed.length; at++) places[listed[at] as number] = at + 1;
  for (const index of order) {
    const at = (places[index] as number) - 1;
    const sent = counts?.hosts.of(index) ?? 0;
    if (at < 0 && sent === 0) continue;
    const row = rows[index] as HostRow;
    const truth = at < 0 ? undefined : TRUTHS[truths[at] as number];
    const host: PhaseHostResult = {
      address: row.address,
      priority: row.priority,
      locality: localities[index] as LocalityResult,
      weight: at < 0 ? row.weight : (weights[at] as number),
      health: (at < 0 ? undefined : HEALTHS[healths[at] as number]) ?? row.health,
      ...(truth && { truth }),
      requests: sent,
      share: requests === 0 ? 0 : sent / requests,
      ...(at < 0 ? {} : loadOf(sent, capacityIn(states, at, seconds))),
    };
    yield withExpected(host, expectedRow?.(index), requests);
  }
}
