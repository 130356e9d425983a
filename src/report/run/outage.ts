import { FAILURE_CAUSES, type FailureCause } from '../../core/failure-cause.js';
import { shortSeconds } from '../../core/words.js';
import { clusterOverviews, panicsUnderLoad } from '../../result/cluster-overview.js';
import type { Failures } from '../../result/failures.js';
import type { ClusterResult, DetectionResult, EventResult, PhaseResult, RunResult } from '../../result/run-result.js';
import type { CauseResult } from '../../result/happenings.js';
import { firstCauseText, happeningText } from '../../words/happenings.js';
import { failureText } from '../../words/reasons.js';
import { type Stretch, type Timing, timingOf } from '../../result/timing.js';

/** Requests of one cluster that failed: how many, when, and why, as far as the result shows. */
export interface Outage {
  cluster: string;
  /** Requests that failed, and their part of those that are over. */
  failed: number;
  share: number;
  failures: Failures;
  timing: Timing;
  /** What made them fail, the root first; empty where the result does not show it. */
  because: string[];
}

/** A cause is reported if it explains at least this part of all failures. */
const HALF = 0.5;

/** Every cluster of which requests failed, the worst first. */
export function outagesOf(result: RunResult): Outage[] {
  return failingClusters(result)
    .map(([name, cluster]) => outageOf(name, cluster, result))
    .sort((a, b) => b.failed - a.failed);
}

/** Members also count what an aggregate passes on: then only the aggregate, which users called, is reported. */
function failingClusters({ clusters, totals }: RunResult): [string, ClusterResult][] {
  const failing = clusterOverviews(clusters).flatMap(([name, { failed }]): [string, ClusterResult][] =>
    failed > 0 ? [[name, clusters[name] as ClusterResult]] : [],
  );
  const sum = failing.reduce((all, [, { failed }]) => all + failed, 0);
  if (sum <= totals.failed) return failing;
  const members = new Set(
    Object.values(clusters).flatMap((cluster) => (cluster.members ?? []).map((one) => one.cluster)),
  );
  return failing.filter(([name]) => !members.has(name));
}

function outageOf(name: string, cluster: ClusterResult, result: RunResult): Outage {
  const { failed, failures, success } = cluster;
  const timing = timingOf(failedOver(cluster), cluster, result.duration_s);
  const because = becauseOf(name, cluster, timing, result);
  return { cluster: name, failed, share: failed / (failed + success), failures: { ...failures }, timing, because };
}

/** By interval if known, else by phase. */
function failedOver({ course, phases }: ClusterResult): readonly Stretch[] {
  return (course?.intervals ?? phases).map(({ from_s, to_s, failed }) => ({ from_s, to_s, amount: failed }));
}

function becauseOf(name: string, cluster: ClusterResult, timing: Timing, result: RunResult): string[] {
  const main = mainCause(cluster.failures);
  const phases = failingPhases(cluster, timing);
  switch (main) {
    case 'no_cluster':
      return ['the proxy does not know the cluster'];
    case 'drop_overload':
      return ['drop_overloads of its assignment'];
    case 'no_host':
      return whyNoHost(phases);
    case 'overflow':
      return [...limitsReached(name, result.events), ...texts(triggerOf(cluster, timing))];
    case 'connect_failure':
    case 'reset':
    case 'timeout':
    case 'error_status':
      return cluster.members === undefined
        ? whyHostsFail(cluster, phases, timing)
        : whyMemberFails(cluster, timing, result);
  }
}

/** An aggregate's requests fail at the hosts of a member. */
function whyMemberFails({ members = [] }: ClusterResult, timing: Timing, { clusters }: RunResult): string[] {
  const [worst] = [...members].sort((a, b) => b.errors - a.errors);
  const member = worst === undefined ? undefined : clusters[worst.cluster];
  if (worst === undefined || member === undefined) return [];
  return [...whyHostsFail(member, failingPhases(member, timing), timing), `all in its member ${worst.cluster}`];
}

function texts(trigger: Trigger | undefined): string[] {
  return trigger === undefined ? [] : [trigger.text];
}

function mainCause(failures: Failures): FailureCause {
  return FAILURE_CAUSES.reduce((most, cause) => (failures[cause] > failures[most] ? cause : most));
}

function failingPhases({ phases }: ClusterResult, { from_s: from, to_s: to }: Timing): PhaseResult[] {
  return phases.filter((phase) => phase.failed > 0 && phase.from_s < to && phase.to_s > from);
}

/** The reason of the phase that failed most, and what began that phase. */
function whyNoHost(phases: readonly PhaseResult[]): string[] {
  const worst = worstOf(phases);
  if (worst === undefined) return [];
  const fact = worst.facts.find(({ kind }) => kind !== 'no_panic');
  const began = worst.from_s === 0 ? [] : [firstCauseText(worst.causes)];
  return [...began, ...(fact === undefined ? [] : [failureText(fact)])];
}

function worstOf(phases: readonly PhaseResult[]): PhaseResult | undefined {
  return phases.reduce<PhaseResult | undefined>(
    (worst, phase) => (worst === undefined || phase.failed > worst.failed ? phase : worst),
    undefined,
  );
}

/** Circuit breakers that were open, the most frequent first. */
export function limitsReached(cluster: string, events: readonly EventResult[]): string[] {
  const times = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'circuit_breaker' || event.cluster !== cluster) continue;
    const text = happeningText(event.fact);
    times.set(text, (times.get(text) ?? 0) + (event.times ?? 1));
  }
  return [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 1)
    .map(([text]) => text);
}

function whyHostsFail(cluster: ClusterResult, phases: readonly PhaseResult[], timing: Timing): string[] {
  const failed = phases.reduce((sum, phase) => sum + phase.failed, 0);
  const inPanic = phases.filter(isInPanic);
  const panicked = inPanic.reduce((sum, phase) => sum + phase.failed, 0) >= HALF * failed && failed > 0;
  const began = triggerOf(cluster, timing);
  if (panicked) return [...texts(began), panicText(inPanic)];
  if (began !== undefined) return [began.text, ...noticed(cluster.detections ?? [], began)];
  const hosts = failingHosts(cluster);
  return hosts === undefined ? [] : [hosts];
}

function isInPanic({ priorities }: PhaseResult): boolean {
  return priorities.some(panicsUnderLoad);
}

/** "panic in priority 1, then in both priorities"; of a cluster with one priority "panic (0 of 4 hosts available)". */
function panicText(phases: readonly PhaseResult[]): string {
  const [first] = phases;
  const [only, ...more] = first?.priorities ?? [];
  if (only !== undefined && more.length === 0) {
    return `panic with ${only.healthy + only.degraded} of ${only.total} hosts available`;
  }
  const steps = phases.map(({ priorities }) => {
    const panicked = priorities.filter(panicsUnderLoad).map(({ priority }) => priority);
    if (panicked.length === priorities.length)
      return priorities.length === 2 ? 'in both priorities' : 'in all priorities';
    return panicked.length === 1 ? `in priority ${panicked[0] ?? ''}` : `in priorities ${panicked.join(' and ')}`;
  });
  const distinct = steps.filter((step, index) => step !== steps[index - 1]);
  return distinct.length > MAX_STEPS ? 'panic in changing priorities' : `panic ${distinct.join(', then ')}`;
}

const MAX_STEPS = 3;

interface Trigger {
  readonly text: string;
  /** The entry of the timeline, where it is one. */
  readonly entry: string | undefined;
  readonly atS: number;
}

/** An observation of a proxy follows from a failure and does not cause one. */
function isNotice(cause: CauseResult | undefined): boolean {
  return cause?.kind === 'checked' || cause?.kind === 'ejected' || cause?.kind === 'unejected';
}

/** How long before the first failure its cause may have happened: time-outs take their time. */
const BEFORE_S = 16;

/** The last that happened before requests began to fail. */
export function triggerOf({ phases }: ClusterResult, { from_s: from }: Timing): Trigger | undefined {
  const all = phases.flatMap(({ from_s: fromS, causes, happened }) => {
    const own = causes.filter(({ kind }) => kind !== 'start');
    const [cause] = own;
    const began =
      cause !== undefined && !isNotice(cause) ? [{ label: firstCauseText(own), fact: cause, atS: fromS, rank: 0 }] : [];
    return [...happened.map((fact) => ({ label: happeningText(fact), fact, atS: fact.at_s, rank: 1 })), ...began];
  });
  const before = all.filter(({ atS }) => atS <= from && atS >= from - BEFORE_S);
  const last = before.sort((a, b) => a.atS - b.atS || a.rank - b.rank)[before.length - 1];
  if (last === undefined) return undefined;
  const { label, fact, atS } = last;
  const entry = fact.kind === 'timeline' ? fact.entry : undefined;
  return { text: `${label} at ${shortSeconds(atS)}`, entry, atS };
}

function noticed(detections: readonly DetectionResult[], { entry, atS }: Trigger): string[] {
  const ours = detections.filter((one) => one.event === entry && one.failed_at_s === atS);
  if (ours.length === 0) return [];
  const times = ours.flatMap(({ seen }) => seen.map(({ after_s: after }) => after));
  if (times.length === 0) return [unseenText(ours)];
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const range = least === most ? shortSeconds(least) : `${shortSeconds(least)} to ${shortSeconds(most)}`;
  return [`noticed after ${range}`];
}

/** That nobody noticed a failure, and where the run was too short for it, which option makes it long enough. */
export function unseenText(failures: readonly DetectionResult[]): string {
  const needed = Math.max(0, ...failures.map(({ needs_run_of_s: seconds = 0 }) => seconds));
  return needed === 0 ? 'nobody noticed' : `the run ends before health checks can notice: --duration ${needed}s`;
}

/** "all at 10.0.0.2:80": the hosts of all errors, if few. */
function failingHosts({ hosts }: ClusterResult): string | undefined {
  const failing = hosts.filter(({ errors }) => errors > 0);
  if (failing.length === 0 || failing.length === hosts.length || failing.length > MAX_STEPS) return undefined;
  return `all at ${failing.map(({ address }) => address).join(' and ')}`;
}
