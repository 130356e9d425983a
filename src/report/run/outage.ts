import { FAILURE_CAUSES, type FailureCause } from '../../core/failure-cause.js';
import { groupBy, present, sum } from '../../core/values.js';
import { shortSeconds } from '../../core/words.js';
import { clusterOverviews, panicsUnderLoad } from '../../result/cluster-overview.js';
import { busiestOf } from '../../result/phase-hosts.js';
import type { Fact } from '../../result/generated/facts.js';
import type { Failures } from '../../result/failures.js';
import type { ClusterResult, DetectionResult, EventResult, PhaseResult, RunResult } from '../../result/run-result.js';
import type { CauseResult } from '../../result/happenings.js';
import { firstCauseText, happeningText } from '../../words/happenings.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { failureText } from '../../words/reasons.js';
import { hasLoads } from './phase-section.js';
import { type Timing, timingOf } from '../../result/timing.js';

/** Requests of one cluster that failed: how many, when, and why, as far as the result shows. */
export interface Outage {
  cluster: string;
  /** Requests that failed, and their part of those that are over: of the whole run, and while they failed. */
  failed: number;
  share: number;
  share_then: number;
  failures: Failures;
  timing: Timing;
  /** What made them fail, the root first; empty where the result does not show it. */
  because: string[];
}

const WORDS = SENTENCES.run;

/** A cause is reported if it explains at least this part of all failures. */
const HALF = 0.5;

/** Every cluster of which requests failed, the worst first. */
export const outagesOf = (result: RunResult): Outage[] =>
  failingClusters(result)
    .map(([name, cluster]) => outageOf(name, cluster, result))
    .sort((a, b) => b.failed - a.failed);

/** Members also count what an aggregate passes on: then only the aggregate, which users called, is reported. */
function failingClusters({ clusters, totals }: RunResult): [string, ClusterResult][] {
  const failing = clusterOverviews(clusters).flatMap(([name, { failed }]): [string, ClusterResult][] =>
    failed > 0 ? [[name, clusters[name] as ClusterResult]] : [],
  );
  if (sum(failing.map(([, { failed }]) => failed)) <= totals.failed) return failing;
  const members = new Set(
    Object.values(clusters).flatMap((cluster) => (cluster.members ?? []).map((one) => one.cluster)),
  );
  return failing.filter(([name]) => !members.has(name));
}

function outageOf(name: string, cluster: ClusterResult, result: RunResult): Outage {
  const { course, failed, failures, phases, success } = cluster;
  const over = (course?.intervals ?? phases).map(({ from_s, to_s, failed: amount }) => ({ from_s, to_s, amount }));
  const timing = timingOf(over, cluster, result.duration_s);
  const because = becauseOf(name, cluster, timing, result);
  const share = failed / (failed + success);
  const share_then = timing.kind === 'window' ? (shareIn(cluster, timing) ?? share) : share;
  return { cluster: name, failed, share, share_then, failures: { ...failures }, timing, because };
}

/** Of the requests that ended in a window; undefined: their number is not known. */
function shareIn(cluster: ClusterResult, { from_s: from, to_s: to }: Timing): number | undefined {
  const { course, phases } = cluster;
  const isIn = (one: { from_s: number; to_s: number }): boolean => one.from_s < to && one.to_s > from;
  const inside = phases.filter(isIn);
  // Attempts of a phase are its requests where none is retried.
  const isWhole = inside[0]?.from_s === from && inside.at(-1)?.to_s === to;
  if (isWhole && cluster.requests === cluster.success + cluster.failed)
    return sum(inside.map(({ failed }) => failed)) / sum(inside.map(({ requests }) => requests));
  const intervals = course?.intervals.filter(isIn) ?? [];
  const failed = sum(intervals.map((one) => one.failed));
  return failed === 0 ? undefined : failed / (failed + sum(intervals.map(({ success }) => success)));
}

function becauseOf(name: string, cluster: ClusterResult, timing: Timing, result: RunResult): string[] {
  const main = mainCause(cluster.failures);
  const phases = failingPhases(cluster, timing);
  if (main === 'no_cluster' || main === 'drop_overload') return [WORDS[main]];
  if (main === 'no_host') return whyNoHost(phases);
  if (main === 'overflow') return present([limitReached(name, result.events), triggerOf(cluster, timing)?.text]);
  return cluster.members === undefined
    ? whyHostsFail(cluster, phases, timing)
    : whyMemberFails(cluster, timing, result);
}

/** An aggregate's requests fail at the hosts of a member. */
function whyMemberFails({ members = [] }: ClusterResult, timing: Timing, { clusters }: RunResult): string[] {
  const [worst] = [...members].sort((a, b) => b.errors - a.errors);
  const member = worst === undefined ? undefined : clusters[worst.cluster];
  if (worst === undefined || member === undefined) return [];
  return [...whyHostsFail(member, failingPhases(member, timing), timing), `all in its member ${worst.cluster}`];
}

const mainCause = (failures: Failures): FailureCause =>
  FAILURE_CAUSES.reduce((most, cause) => (failures[cause] > failures[most] ? cause : most));

const failingPhases = ({ phases }: ClusterResult, { from_s: from, to_s: to }: Timing): PhaseResult[] =>
  phases.filter((phase) => phase.failed > 0 && phase.from_s < to && phase.to_s > from);

/** The reason of the phase that failed most, and what began that phase. */
function whyNoHost(phases: readonly PhaseResult[]): string[] {
  const { from_s: from = 0, causes = [], facts = [] } = worstOf(phases) ?? {};
  const fact = facts.find((one) => leavesNone(one) === true) ?? facts.find((one) => leavesNone(one) === undefined);
  return present([from === 0 ? undefined : firstCauseText(causes), fact && failureText(fact)]);
}

/** Whether requests find no host because of it; undefined: some may. */
function leavesNone(fact: Fact): boolean | undefined {
  if (fact.kind === 'no_panic') return false;
  if (fact.kind === 'panic') return fact.effect === 'no_host' || undefined;
  if (fact.kind === 'fallback') return fact.chain.every(({ empty }) => empty);
  return fact.kind === 'no_hosts' || fact.kind === 'empty_table' ? true : undefined;
}

const worstOf = (phases: readonly PhaseResult[]): PhaseResult | undefined =>
  [...phases].sort((a, b) => b.failed - a.failed)[0];

/** The circuit breaker that was open most often. */
export function limitReached(cluster: string, events: readonly EventResult[]): string | undefined {
  const own = events.filter((event) => event.kind === 'circuit_breaker' && event.cluster === cluster);
  const alike = [...groupBy(own, ({ fact }) => happeningText(fact))];
  const often = alike.map(([text, all]) => ({ text, times: sum(all.map(({ times = 1 }) => times)) }));
  return often.sort((a, b) => b.times - a.times)[0]?.text;
}

function whyHostsFail(cluster: ClusterResult, phases: readonly PhaseResult[], timing: Timing): string[] {
  const failed = sum(phases.map((phase) => phase.failed));
  const inPanic = phases.filter(({ priorities }) => priorities.some(panicsUnderLoad));
  const panicked = sum(inPanic.map((phase) => phase.failed)) >= HALF * failed && failed > 0;
  const began = triggerOf(cluster, timing);
  if (panicked) return present([began?.text, panicText(inPanic)]);
  const ofSubset = worstOf(phases)?.facts.find((fact) => fact.kind === 'panic' && fact.subset !== undefined);
  if (ofSubset !== undefined) return present([began?.text, failureText(ofSubset)]);
  const load = overloaded(cluster, worstOf(phases));
  if (began !== undefined) {
    const { failed: lost, merge_window: window } = cluster;
    // Discovery knew, and the proxy had not yet been told.
    const known = window?.requests_to_known_bad.requests ?? 0;
    const some = known >= MANY * lost ? [fill(WORDS.known_bad, { known })] : [];
    const hidden = known >= HALF * lost ? ['the update about it waits in the merge window'] : some;
    return [began.text, ...noticed(cluster.detections ?? [], began), ...hidden, ...load];
  }
  if (load.length > 0) return load;
  // Those who could not connect had to wait for it.
  const late = cluster.facts.find(({ kind }) => kind === 'connect_timeouts');
  const isLate = late !== undefined && mainCause(cluster.failures) === 'connect_failure';
  return [...failingHosts(cluster), ...(isLate ? [failureText(late)] : [])];
}

/** More than the hosts can serve while most requests failed, and how much of it the proxies add. */
function overloaded(cluster: ClusterResult, worst: PhaseResult | undefined): string[] {
  const peak = overloadOf(cluster, worst === undefined ? [] : [worst]);
  if (peak === undefined) return [];
  const retried = 1 - (cluster.success + cluster.failed) / cluster.requests;
  const late = mainCause(cluster.failures) === 'timeout' ? ', so answers come too late' : undefined;
  return [fill(WORDS.load, { load: peak.load, retried: retried < MANY ? undefined : retried, late })];
}

/** From this part of the attempts on. */
const MANY = 0.1;

/** The host that was given more than it can serve, where it was most; undefined: none was. */
export function overloadOf(cluster: ClusterResult, phases = cluster.phases) {
  const peaks = (hasLoads(cluster) ? phases : []).flatMap((phase) => {
    const { address = '', load = 0 } = busiestOf(phase) ?? {};
    return load > FULL ? [{ phase, address, load }] : [];
  });
  return peaks.sort((a, b) => b.load - a.load)[0];
}

/** Above it requests queue up for as long as it lasts. */
const FULL = 1;

/** "panic in priority 1, then in both priorities"; of a cluster with one priority "panic (0 of 4 hosts available)". */
function panicText(phases: readonly PhaseResult[]): string {
  const levels = phases[0]?.priorities ?? [];
  const { healthy = 0, degraded = 0, total = 0 } = levels[0] ?? {};
  const steps = phases.map(({ priorities }) => {
    const panicked = priorities.filter(panicsUnderLoad).map(({ priority }) => priority);
    const isAll = panicked.length === priorities.length;
    return fill(WORDS.in_priorities, { of: isAll ? 'all' : panicked.length, all: priorities.length, panicked });
  });
  const distinct = steps.filter((step, index) => step !== steps[index - 1]);
  const where = distinct.length > MAX_STEPS ? 'in changing priorities' : distinct.join(', then ');
  const { threshold, effect } = panicIn(phases) ?? {};
  const sends = effect !== 'all_hosts' ? undefined : levels.length === 1 ? total : 'hosts there';
  return fill(WORDS.in_panic, { levels: levels.length, available: healthy + degraded, total, where, threshold, sends });
}

export const panicIn = (phases: readonly PhaseResult[]): Extract<Fact, { kind: 'panic' }> | undefined =>
  phases.flatMap(({ facts }) => facts).find((fact) => fact.kind === 'panic');

const MAX_STEPS = 3;

type Trigger = NonNullable<ReturnType<typeof triggerOf>>;

/** An observation of a proxy follows from a failure and does not cause one. */
const NOTICES: ReadonlySet<CauseResult['kind']> = new Set(['checked', 'ejected', 'unejected']);

/** How long before the first failure its cause may have happened: time-outs take their time. */
const BEFORE_S = 16;

/** The last that happened before requests began to fail. */
export function triggerOf({ phases }: ClusterResult, { from_s: from, to_s: to }: Timing) {
  const all = phases.flatMap(({ from_s: fromS, causes, happened }) => {
    const own = causes.filter(({ kind }) => kind !== 'start');
    const [cause] = own;
    const labelled = happened.map((fact) => ({ label: happeningText(fact), fact, atS: fact.at_s, rank: 1 }));
    if (cause === undefined || NOTICES.has(cause.kind)) return labelled;
    return [...labelled, { label: firstCauseText(own), fact: cause, atS: fromS, rank: 0 }];
  });
  const before = all.filter(({ atS }) => atS <= from && atS >= from - BEFORE_S);
  const last = before.sort((a, b) => a.atS - b.atS || a.rank - b.rank)[before.length - 1];
  if (last === undefined) return undefined;
  const { label, fact, atS } = last;
  const entry = fact.kind === 'timeline' ? fact.entry : undefined;
  return {
    text: `${label} at ${shortSeconds(atS)}${entry === undefined ? '' : overText(phases, atS, to)}`,
    /** The entry of the timeline, where it is one. */
    entry,
    atS,
  };
}

/** That what began it is over while requests still fail: the only other entry of the timeline until then. */
function overText(phases: readonly PhaseResult[], fromS: number, toS: number): string {
  const during = phases.filter(({ from_s: at }) => at > fromS && at < toS);
  const [one, ...more] = during.filter(({ causes }) => causes.some(({ kind }) => kind === 'timeline'));
  if (one === undefined || more.length > 0 || one.failed === 0) return '';
  return `; then ${firstCauseText(one.causes)} at ${shortSeconds(one.from_s)}`;
}

function noticed(detections: readonly DetectionResult[], { entry, atS }: Trigger): string[] {
  const ours = detections.filter((one) => one.event === entry && one.failed_at_s === atS);
  if (ours.length === 0) return [];
  const seen = ours.flatMap((one) => one.seen);
  const times = seen.map(({ after_s: after }) => after);
  if (times.length === 0) return [unseenText(ours)];
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const [kind, ...others] = new Set(seen.map(({ fact }) => fact.kind));
  const by = others.length > 0 ? undefined : kind === 'checked' ? 'health checks' : 'outlier detection';
  return [fill(WORDS.was_noticed, { by, least, most: most === least ? undefined : most })];
}

/** That nobody noticed a failure, and where the run was too short for it, which option makes it long enough. */
export function unseenText(failures: readonly DetectionResult[]): string {
  const needed = Math.max(0, ...failures.map(({ needs_run_of_s: seconds = 0 }) => seconds));
  return fill(WORDS.unseen, { needed });
}

/** "only at 10.0.0.2:80": the hosts of all errors, if few. */
function failingHosts({ hosts }: ClusterResult): string[] {
  const failing = hosts.filter(({ errors }) => errors > 0);
  if (failing.length === 0 || failing.length === hosts.length || failing.length > MAX_STEPS) return [];
  return [`only at ${failing.map(({ address }) => address).join(' and ')}`];
}
