import { entryOf } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type { RetryBudgetLimits } from '../settings/cluster-settings.js';
import { addFailures, causeOf, countFailures, Counts, type Failures, noFailures } from './failures.js';
import type { CourseRecorder } from './course.js';
import { DurationRecorder } from './latency.js';
import type { RequestOutcome } from './request-record.js';

export class PhaseCounts {
  requests = 0;
  noHost = 0;
  overflow = 0;
  /** Requests, not attempts, that failed in the end and whose last attempt was decided in the phase. */
  readonly failures = noFailures();
  /** Attempts chosen for each row. */
  readonly hosts = new Counts();
  /** Of an aggregate: attempts passed on to each member, by name. */
  readonly members = new Map<string, number>();

  passOn(member: string, count: number): void {
    this.members.set(member, (this.members.get(member) ?? 0) + count);
  }

  add(other: PhaseCounts): void {
    this.requests += other.requests;
    this.noHost += other.noHost;
    this.overflow += other.overflow;
    addFailures(this.failures, other.failures);
    this.hosts.addAll(other.hosts);
    for (const [name, count] of other.members) this.passOn(name, count);
  }
}

export class AnswerCounts {
  requests = 0;
  errors = 0;
  readonly latency = new DurationRecorder();

  get answered(): number {
    return this.latency.count;
  }

  static sum(all: Iterable<AnswerCounts>): AnswerCounts {
    const sum = new AnswerCounts();
    for (const counts of all) sum.add(counts);
    return sum;
  }

  add(other: AnswerCounts): void {
    this.requests += other.requests;
    this.errors += other.errors;
    this.latency.add(other.latency);
  }
}

/** What one proxy does with one cluster. Its size grows with hosts and phases, never with requests. */
export class ClusterRecorder {
  /** Of the decisions that are made now. */
  phase = new PhaseCounts();
  readonly phases: PhaseCounts[] = [this.phase];
  readonly rows: AnswerCounts[] = [];
  /** Requests that are over, with a status below 500. */
  success = 0;
  /** Attempts sent to hosts that the proxy knew to be unhealthy, while its balancers did not. */
  knownBad = 0;
  retryOverflow = 0;
  /** At once, whenever one was refused, if any was; a plain limit has no budget. */
  retriesAllowed: Readonly<{ least: number; most: number; budget: RetryBudgetLimits | undefined }> | undefined;
  readonly subsets = new Map<string, AnswerCounts>();
  /** Of an aggregate: by the name of the member. */
  readonly members = new Map<string, AnswerCounts>();

  /** @param course of the cluster in all proxies, which gets every event too; undefined: not requested. */
  constructor(private readonly course?: CourseRecorder) {}

  beginPhase(): void {
    this.phase = new PhaseCounts();
    this.phases.push(this.phase);
  }

  /** An attempt was decided in `phase`, or failed without a decision. */
  isBusyIn(phase: number): boolean {
    const counts = this.phases[phase];
    return counts !== undefined && (counts.requests > 0 || countFailures(counts.failures) > 0);
  }

  /** An attempt decided in `phase` was chosen for a host: it goes there now, or waits for a connection. */
  chosen(phase: PhaseCounts, row: number, subset: string | undefined): void {
    phase.requests++;
    phase.hosts.add(row, 1);
    this.row(row).requests++;
    if (subset !== undefined) this.subset(subset).requests++;
    this.course?.chosen(row);
  }

  /** An attempt that waited leads to another row than the one it was {@link chosen} for: a logical host's address moved. */
  moved(phase: PhaseCounts, from: number, to: number): void {
    phase.hosts.add(from, -1);
    phase.hosts.add(to, 1);
    this.row(from).requests--;
    this.row(to).requests++;
  }

  /** An aggregate's attempt decided in `phase` was chosen for a host of a member, which counts it too. */
  passedOn(phase: PhaseCounts, member: string): void {
    phase.requests++;
    phase.passOn(member, 1);
    this.member(member).requests++;
    this.course?.withoutHost(false);
  }

  /** A circuit breaker rejected an attempt that was {@link passedOn} and waited. */
  passedOnInVain(phase: PhaseCounts, member: string): void {
    phase.overflow++;
    phase.passOn(member, -1);
    this.member(member).requests--;
  }

  retryRefused(allowed: number, budget: RetryBudgetLimits | undefined): void {
    this.retryOverflow++;
    const { least, most } = this.retriesAllowed ?? { least: allowed, most: allowed };
    this.retriesAllowed = { least: Math.min(least, allowed), most: Math.max(most, allowed), budget };
  }

  noHost(): void {
    this.phase.requests++;
    this.phase.noHost++;
    this.course?.withoutHost(true);
  }

  /** A circuit breaker rejected an attempt decided in `phase`, at once. */
  overflow(phase: PhaseCounts): void {
    phase.requests++;
    phase.overflow++;
    this.course?.withoutHost(false);
  }

  /** A circuit breaker rejected an attempt that was {@link chosen} for a host and waited. */
  overflowWaiting(phase: PhaseCounts, row: number, subset: string | undefined): void {
    phase.overflow++;
    phase.hosts.add(row, -1);
    this.row(row).requests--;
    if (subset !== undefined) this.subset(subset).requests--;
    this.course?.attemptEnded();
  }

  /** A host gave the final answer, `latencyUs` after the request had arrived. */
  answered(row: number, subset: string | undefined, latencyUs: Micros, error: boolean): void {
    const counts = this.row(row);
    counts.latency.record(latencyUs);
    if (error) counts.errors++;
    this.course?.attemptEnded(error ? row : undefined);
    if (subset === undefined) return;
    const inSubset = this.subset(subset);
    inSubset.latency.record(latencyUs);
    if (error) inSubset.errors++;
  }

  /** An attempt failed, and its host gave no final answer: a time-out, a broken connection, an error retried elsewhere. */
  failed(row: number, subset: string | undefined): void {
    this.row(row).errors++;
    if (subset !== undefined) this.subset(subset).errors++;
    this.course?.attemptEnded(row);
  }

  /** A request is over whose last attempt was decided in `phase`. @param latencyUs as `latencyOf` has it. */
  ended(phase: PhaseCounts, latencyUs: Micros | undefined, success: boolean, outcome: RequestOutcome): void {
    if (success) this.success++;
    else phase.failures[causeOf(outcome)]++;
    this.course?.ended(latencyUs, success ? undefined : causeOf(outcome));
  }

  get failures(): Failures {
    const all = noFailures();
    for (const { failures } of this.phases) addFailures(all, failures);
    return all;
  }

  /** The sum of several proxies' recorders, to be read only; they all have the same phases. */
  static sum(recorders: readonly ClusterRecorder[]): ClusterRecorder {
    const [only, ...more] = recorders;
    if (only !== undefined && more.length === 0) return only;
    const sum = new ClusterRecorder();
    for (const recorder of recorders) {
      sum.knownBad += recorder.knownBad;
      sum.retryOverflow += recorder.retryOverflow;
      sum.success += recorder.success;
      for (const [index, phase] of recorder.phases.entries()) {
        if (index === sum.phases.length) sum.beginPhase();
        (sum.phases[index] as PhaseCounts).add(phase);
      }
      for (const [row, counts] of recorder.rows.entries()) sum.row(row).add(counts);
      for (const [name, counts] of recorder.subsets) sum.subset(name).add(counts);
      for (const [name, counts] of recorder.members) sum.member(name).add(counts);
    }
    return sum;
  }

  private row(row: number): AnswerCounts {
    while (this.rows.length <= row) this.rows.push(new AnswerCounts());
    return this.rows[row] as AnswerCounts;
  }

  member(name: string): AnswerCounts {
    return entryOf(this.members, name, newCounts);
  }

  private subset(name: string): AnswerCounts {
    return entryOf(this.subsets, name, newCounts);
  }
}

const newCounts = (): AnswerCounts => new AnswerCounts();
