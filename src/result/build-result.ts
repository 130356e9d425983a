import { entryOf, groupBy, sum } from '../core/values.js';
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
import * as results from './run-result.js';

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
  readonly table: results.TableResult | undefined;
  /** Of an aggregate: its clusters, in their order. */
  readonly members?: readonly string[] | undefined;
  /** IP addresses that represent unknown ones. */
  readonly madeUpHosts?: ReadonlySet<string>;
  /** undefined: no update was delayed. */
  readonly mergeWindow: Omit<results.MergeWindowResult, 'requests_to_known_bad'> | undefined;
  readonly detections: readonly results.DetectionResult[];
  /** Counts by proxy, for the traffic by locality; empty: not requested. */
  readonly origins: readonly Origin[];
  /** Exact shares; undefined: not requested, or unknown. */
  readonly expected?: ExpectedCluster | undefined;
  /** Of all proxies; undefined: not requested. */
  readonly course?: CourseRecorder | undefined;
}

type Built = Omit<results.ClusterResult, 'facts'>;

export const buildClusterResult = (facts: ClusterFacts, recorder: ClusterRecorder): Built =>
  new ResultBuilder(facts, recorder).result();

class ResultBuilder {
  private readonly order = reportOrder(this.facts.rows);
  private readonly answers: AnswerCounts = AnswerCounts.sum([...this.recorder.rows, ...this.recorder.members.values()]);
  private readonly requests = this.sumOf('requests');
  /** By row; one object for each locality, so that localities can be compared by identity. */
  private readonly localities = localityResults(this.facts.rows);
  private readonly fleet = fleetOf(this.facts, this.order);
  /** Where circuit breakers rejected a part of the requests nothing is compared: the prediction is about choices alone. */
  private readonly expected = this.sumOf('overflow') === 0 ? this.facts.expected : undefined;

  constructor(
    private readonly facts: ClusterFacts,
    private readonly recorder: ClusterRecorder,
  ) {}

  result(): Built {
    const { facts, recorder, requests, fleet, order } = this;
    const { failures, subsets } = recorder;
    const { course, detections, endUs, members, mergeWindow, policy, rows, table } = facts;
    const split = this.expected?.whole;
    const expectedRow = split?.rows();
    const served = this.couldServe();
    return {
      policy,
      requests,
      hosts: order.map((row) => withExpected(this.host(row, served?.[row]), expectedRow?.(row), requests)),
      no_host: withExpected(results.portion(this.sumOf('noHost'), requests), split?.noHost, requests),
      overflow: results.portion(this.sumOf('overflow'), requests),
      success: recorder.success,
      failed: countFailures(failures),
      failures,
      retry_overflow: recorder.retryOverflow,
      localities: this.groups(({ locality }) => [
        localityKey(locality),
        { locality: results.localityResult(locality) },
      ]),
      priorities: this.groups(({ priority }) => [priority, { priority }]),
      subsets: [...subsets.keys()].sort().map((subset) => ({ subset, ...groupResult(subsets.get(subset), requests) })),
      ...(members && { members: membersOf(members, recorder.members, (counts) => groupResult(counts, requests)) }),
      ...(fleet && { fleet: fleet.result() }),
      phases: this.phases(),
      ...(course && {
        course: course.result(
          endUs,
          order.map((index) => ({ ...(rows[index] as HostRow), index })),
        ),
      }),
      ...(mergeWindow && {
        merge_window: { ...mergeWindow, requests_to_known_bad: results.portion(recorder.knownBad, requests) },
      }),
      ...(detections.length > 0 && { detections: [...detections] }),
      latency_ms: this.answers.latency.summaryMs(),
      load_balancer: table ?? { policy },
    };
  }

  private sumOf(count: 'requests' | 'noHost' | 'overflow'): number {
    return sum(this.recorder.phases.map((phase) => phase[count]));
  }

  private host(index: number, served = Infinity): results.HostResult {
    const { facts, fleet, requests } = this;
    const { address, hostname, priority, weight, health, transportSocket, removedAtUs } = facts.rows[index] as HostRow;
    const counts = this.recorder.rows[index] ?? new AnswerCounts();
    return {
      address,
      hostname,
      priority,
      locality: this.localities[index] as results.LocalityResult,
      weight,
      health,
      ...(isMadeUp(address, facts.madeUpHosts) && { made_up: true }),
      ...results.portion(counts.requests, requests),
      ...loadOf(counts.requests, served),
      ...(fleet && { relative_load: fleet.meanRequests === 0 ? 0 : counts.requests / fleet.meanRequests }),
      answered: counts.answered,
      errors: counts.errors,
      latency_ms: counts.latency.summaryMs(),
      ...(facts.hasSocketMatches && { transport_socket_match: transportSocket }),
      ...(removedAtUs !== undefined && { removed_at_s: microsToSeconds(removedAtUs) }),
    };
  }

  /** By row the requests that it could have served while it was listed; undefined: any number. */
  private couldServe(): Float64Array | undefined {
    const { rows, phases } = this.facts;
    if (phases.every(({ states }) => states.capacities === undefined)) return undefined;
    const served = new Float64Array(rows.length);
    for (const [index, { states }] of phases.entries()) {
      const lastedS = this.phaseSeconds(index);
      states.rows.forEach((row, at) => (served[row] = (served[row] as number) + capacityIn(states, at, lastedS)));
    }
    return served;
  }

  /** How long requests came in a phase, without the warm-up. */
  private phaseSeconds(index: number): number {
    const { phases, warmupUs, endUs, trafficEndUs = Infinity } = this.facts;
    const fromUs = Math.max(phases[index]?.fromUs ?? 0, warmupUs);
    return microsToSeconds(Math.max(0, Math.min(phaseEnd(phases, index, endUs), trafficEndUs) - fromUs));
  }

  /** Sums rows of the same key; the first represents them, by its other fields. */
  private groups<Head extends object>(
    of: (row: HostRow) => readonly [key: string | number, head: Head],
  ): (Head & results.GroupResult)[] {
    const { answers, recorder, requests } = this;
    const partsOf = (index = 0): ReturnType<typeof of> => of(this.facts.rows[index] as HostRow);
    const found = groupBy(this.order, (index) => partsOf(index)[0]);
    return [...found.values()].map((members) => {
      // The sum of all rows is that of an only group.
      const isOnly = found.size === 1;
      const counts = isOnly ? answers : AnswerCounts.sum(members.flatMap((index) => recorder.rows[index] ?? []));
      const group = { ...partsOf(members[0])[1], hosts: members.length, ...groupResult(counts, requests) };
      return withExpected(group, expectedOfGroup(this.expected?.whole, members), requests);
    });
  }

  private phases(): results.PhaseResult[] {
    const { facts, recorder, expected, fleet } = this;
    const hosts = new PhaseHosts(facts.rows.length, facts.phases.length);
    return facts.phases.map((phase, index) => {
      const counts = recorder.phases[index];
      const { requests = 0, noHost = 0, overflow = 0 } = counts ?? {};
      const failures = { ...(counts?.failures ?? noFailures()) };
      const from_s = microsToSeconds(phase.fromUs);
      const to_s = microsToSeconds(phaseEnd(facts.phases, index, facts.endUs));
      const split = expected?.between(from_s, to_s);
      const seconds = this.phaseSeconds(index);
      return hosts.phase(
        {
          from_s,
          to_s,
          causes: causeResults(phase.causes, facts.proxies),
          happened: phase.labels.map(({ fact, atUs }) => ({ ...fact, at_s: microsToSeconds(atUs) })),
          requests,
        },
        () => this.phaseHosts(counts, phase.states, split, seconds),
        {
          no_host: withExpected(results.portion(noHost, requests), split?.noHost, requests),
          overflow: results.portion(overflow, requests),
          failed: countFailures(failures),
          failures,
          ...(facts.members && {
            members: membersOf(facts.members, counts?.members, (sent = 0) => results.portion(sent, requests)),
          }),
          ...(fleet && { cross_zone: fleet.crossZoneOfPhase(index) }),
          facts: [...phase.facts],
          priorities: [...phase.priorities],
        },
      );
    });
  }

  /** Rows that were listed, or that got requests. */
  private *phaseHosts(
    counts: PhaseCounts | undefined,
    states: RowStates,
    split: ExpectedSplit | undefined,
    seconds: number,
  ): Generator<results.PhaseHostResult> {
    const { rows } = this.facts;
    const { rows: listed, weights, healths, truths } = states;
    const requests = counts?.requests ?? 0;
    const expectedRow = split?.rows();
    /** One more than the position of a row among the listed ones. */
    const places = new Uint32Array(rows.length);
    for (let at = 0; at < listed.length; at++) places[listed[at] as number] = at + 1;
    for (const index of this.order) {
      const at = (places[index] as number) - 1;
      const sent = counts?.hosts.of(index) ?? 0;
      if (at < 0 && sent === 0) continue;
      const row = rows[index] as HostRow;
      const truth = at < 0 ? undefined : TRUTHS[truths[at] as number];
      const host: results.PhaseHostResult = {
        address: row.address,
        priority: row.priority,
        locality: this.localities[index] as results.LocalityResult,
        weight: at < 0 ? row.weight : (weights[at] as number),
        health: (at < 0 ? undefined : HEALTHS[healths[at] as number]) ?? row.health,
        ...(truth && { truth }),
        ...results.portion(sent, requests),
        ...(at < 0 ? {} : loadOf(sent, capacityIn(states, at, seconds))),
      };
      yield withExpected(host, expectedRow?.(index), requests);
    }
  }
}

function fleetOf({ rows, origins }: ClusterFacts, order: readonly number[]): Fleet | undefined {
  if (origins.every(({ locality }) => locality === undefined)) return undefined;
  const fleet = new Fleet(rows, order, origins);
  return fleet.hasLocalities ? fleet : undefined;
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

const capacityIn = ({ capacities }: RowStates, at: number, seconds: number): number =>
  seconds === 0 ? 0 : (capacities?.[at] ?? Infinity) * seconds;

/** Nothing where any number can be served, or there was no time. */
const loadOf = (requests: number, served: number): { load?: number } =>
  Number.isFinite(served) && served > 0 ? { load: requests / served } : {};

const isMadeUp = (address: string, madeUp: ReadonlySet<string> = new Set()): boolean =>
  madeUp.size > 0 && madeUp.has(address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1'));

function groupResult(counts: AnswerCounts | undefined, requests: number): Omit<results.GroupResult, 'hosts'> {
  const { requests: sent, answered, errors, latency } = counts ?? new AnswerCounts();
  return { ...results.portion(sent, requests), answered, errors, latency_ms: latency.summaryMs() };
}

export const phaseEnd = (phases: readonly Phase[], index: number, endUs: Micros): Micros =>
  Math.max(phases[index + 1]?.fromUs ?? endUs, phases[index]?.fromUs ?? 0);

function localityResults(rows: readonly HostRow[]): results.LocalityResult[] {
  const places = new Map<string, results.LocalityResult>();
  const known = new Map<Locality, results.LocalityResult>();
  return rows.map(({ locality }) =>
    entryOf(known, locality, () => entryOf(places, localityKey(locality), () => results.localityResult(locality))),
  );
}
