import { largest, present, sum } from '../../core/values.js';
import type { Fact } from '../../result/generated/facts.js';
import { clusterOverviews, panicsUnderLoad } from '../../result/cluster-overview.js';
import { countFailures } from '../../result/failures.js';
import { type Outage, outagesOf, overloadOf, panicIn, triggerOf } from './outage.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, PhaseResult, RunResult } from '../../result/run-result.js';
import { type Timing, timingOf } from '../../result/timing.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { failureList } from '../../words/happenings.js';
import { failureText } from '../../words/reasons.js';
import { capital, count, decimal, listed, percent, printable, seconds } from '../format.js';
import { askedText, plain, reasonsOf, type Sentence, whyWaiting } from './asked.js';
import { toldClusters } from './groups.js';
import { sharesText, expectedRows } from './host-shares.js';

const WORDS = SENTENCES.run;

type Clusters = RunResult['clusters'];

/** The name of a cluster, where it is not the only one. */
const among = (clusters: Clusters, name: string): string | undefined =>
  Object.keys(clusters).length > 1 ? name : undefined;

/** A stretch of time in which the slowest requests of a cluster waited much longer than usual. */
interface Slowdown {
  cluster: string;
  /** The largest 99th percentile of an interval, and the median of all intervals. */
  p99_ms: number;
  usual_p99_ms: number;
  timing: Timing;
  because: string[];
}

/** Much longer: at least by this factor, and by this many ms. */
const TIMES = 3;
const AT_LEAST_MS = 1;
/** Lasting longer than this part of the run, it is no longer an exception. */
const A_WHILE = 0.5;
/** With fewer intervals with answers it is unknown what is usual. */
const MIN_INTERVALS = 5;
/** With fewer requests the slowest one says nothing. */
const MIN_REQUESTS = 20;

/** The worst of all clusters; null: waiting did not become much longer. */
function slowdownOf({ clusters, duration_s: durationS }: RunResult): Slowdown | null {
  const found = clusterOverviews(clusters).flatMap(([name, { hasCourse }]) =>
    hasCourse ? slowdown(name, clusters[name] as ClusterResult, durationS) : [],
  );
  return found.sort((a, b) => b.p99_ms / b.usual_p99_ms - a.p99_ms / a.usual_p99_ms)[0] ?? null;
}

function slowdown(name: string, cluster: ClusterResult, durationS: number): Slowdown[] {
  // At the start all connections are made, and the last answers may come late, after the last request.
  const [, ...intervals] = cluster.course?.intervals ?? [];
  const known = intervals.filter((one) => one.requests >= MIN_REQUESTS && one.latency_ms.p99 !== null);
  if (known.length < MIN_INTERVALS) return [];
  const p99 = ({ latency_ms: latency }: (typeof known)[number]): number => latency.p99 ?? 0;
  const usual = known.map(p99).sort((a, b) => a - b)[known.length >> 1] ?? 0;
  const isSlow = (ms: number): boolean => ms >= TIMES * usual && ms >= usual + AT_LEAST_MS;
  const slow = known.map((one) => ({ ...one, amount: isSlow(p99(one)) ? one.requests : 0 }));
  const number = slow.filter(({ amount }) => amount > 0).length;
  if (number === 0 || number > A_WHILE * known.length) return [];
  const timing = timingOf(slow, cluster, durationS);
  const because = present([triggerOf(cluster, timing)?.text]);
  return [{ cluster: name, p99_ms: Math.max(...known.map(p99)), usual_p99_ms: usual, timing, because }];
}

/** What is at stake, worst first: the first sentence of a report, and its data. */
export interface Headline {
  text: string;
  /** Of each cluster of which requests failed, the worst first. */
  failed: Outage[];
  /** The longest wait, where nothing failed and waiting became much longer for a while; null: it did not. */
  slowed: Slowdown | null;
}

const MAX_NAMED = 3;

export const headlineOf = (result: RunResult): Headline => tellHeadline(result).headline;

/** The headline, and the facts that need not be told again below it. */
export function tellHeadline(result: RunResult): { readonly headline: Headline; readonly told: ReadonlySet<Fact> } {
  const failed = outagesOf(result);
  const slowed = failed.length > 0 ? null : slowdownOf(result);
  const { text, facts } = tell(result, failed, slowed);
  return { headline: { text, failed, slowed }, told: new Set(facts) };
}

/**
 * The numbers that the scenario asks for; what failed; else who waited, who had more than it can take, who was in panic; else
 * how the most uneven cluster is shared.
 */
function tell(result: RunResult, failed: readonly Outage[], slowed: Slowdown | null): Sentence {
  const { requests, success, failed: all } = result.totals;
  if (requests === 0) return plain('No request was counted.');
  if (success + all === 0) return plain(fill(WORDS.open, sentIn(result.clusters)));
  const reasons = failed.flatMap(({ because }) => because);
  const asked = askedText(result, reasons);
  const trouble = all > 0 ? failedText(result, failed) : panicText(result);
  const facts = failed.flatMap((outage) => factsIn(outage, result));
  if (asked !== undefined && trouble !== undefined)
    return { text: `${asked.text} ${trouble}`, facts: [...asked.facts, ...facts] };
  if (asked !== undefined) return asked;
  if (all > 0 && trouble !== undefined) return { text: trouble, facts };
  const told = toldBusy(result.clusters);
  const stake = slowed === null ? (overloadText(result, told) ?? trouble) : slowText(slowed, result);
  const waits = stake ?? waitText(result, told);
  return waits === undefined ? splitText(result, told) : plain(waits);
}

/** The facts of a cluster that are among its reasons. */
const factsIn = ({ cluster, because }: Outage, { clusters }: RunResult): Fact[] =>
  (clusters[cluster]?.facts ?? []).filter((fact) => because.includes(failureText(fact)));

function failedText(result: RunResult, failed: readonly Outage[]): string {
  const { success, failed: all } = result.totals;
  const over = success + all;
  const [first, ...others] = failed;
  const how = failureList(result.failures);
  // A cluster that the proxy does not know has no further data.
  if (first === undefined) return `${partOf(all / over, {})} failed (${how}).`;
  if (others.length > 0) return severalText(how, failed, sentIn(result.clusters));
  const to = busyOf(result.clusters).length > 1 ? ` to ${printable(first.cluster)}` : '';
  const { share_then: share, timing } = first;
  const { over_tcp } = result.clusters[first.cluster] ?? {};
  const whole = timing.kind === 'window' && share !== first.share ? [`${percent(first.share)} of the whole run`] : [];
  const details = [how, ...whole].filter((part) => part !== '').join('; ');
  const [one, two, ...more] = stepsOf(first, result.clusters[first.cluster]);
  const failure =
    one !== undefined && two !== undefined && more.length === 0
      ? fill(WORDS.fails_in_steps, {
          one: one.share,
          range: range(one),
          two: two.share,
          later: range(two),
          to,
          over_tcp,
        })
      : `${partOf(share, { over_tcp })}${to} failed${whenText(timing)}`;
  return sentence(`${failure}${details === '' ? '' : ` (${details})`}`, first.because);
}

const partOf = (share: number, of: Sent): string => fill(WORDS.part, { ...of, share });

type Sent = Readonly<{ over_tcp?: true | undefined }>;

/** What was sent to all clusters together. */
const sentIn = (clusters: Clusters): Sent => {
  const busy = busyOf(clusters);
  return busy.length > 0 && busy.every(([, { over_tcp }]) => over_tcp) ? { over_tcp: true } : {};
};

/** The phases of an outage in which it is not the same part that fails, where all of them are known. */
function stepsOf({ timing }: Outage, cluster: ClusterResult | undefined) {
  if (cluster === undefined || timing.kind !== 'window' || cluster.requests !== cluster.success + cluster.failed)
    return [];
  const phases = cluster.phases.filter(({ failed }) => failed > 0);
  if (phases[0]?.from_s !== timing.from_s || phases.at(-1)?.to_s !== timing.to_s) return [];
  return phases.map(({ failed, requests, from_s, to_s }) => ({ share: failed / requests, from_s, to_s }));
}

function severalText(how: string, failed: readonly Outage[], sent: Sent): string {
  const shown = failed.slice(0, MAX_NAMED);
  const [root] = shown[0]?.because ?? [];
  const common = root !== undefined && shown.every(({ because: [own] }) => own === root) ? root : undefined;
  const clauses = shown.map(({ because, ...outage }) => {
    const own = because.slice(common === undefined ? 0 : 1).map(printable);
    const of = `${percent(outage.share_then)} of those to ${printable(outage.cluster)}${whenText(outage.timing)}`;
    return own.length === 0 ? of : `${of} (${own.join('; ')})`;
  });
  const rest = failed.length - shown.length;
  const others = sum(failed.slice(MAX_NAMED).map((one) => countFailures(one.failures)));
  if (rest > 0) clauses.push(fill(WORDS.others_fail, { ...sent, others, rest }));
  return sentence(fill(WORDS.several_fail, { ...sent, how, clauses }), common === undefined ? [] : [common]);
}

const sentence = (text: string, because: readonly string[]): string =>
  `${[text, ...(because.length === 0 ? [] : [because.map(printable).join('; ')])].join(': ')}.`;

/** " from 21 to 27 s"; times to a hundredth of their span. */
const whenText = (timing: Timing): string => fill(WORDS.when, { ...timing, range: range(timing) });

function range({ from_s: from, to_s: to }: Pick<Timing, 'from_s' | 'to_s'>): string {
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.max(to - from, 1e-3)))));
  return `${decimal(from, digits)} to ${seconds(Number(to.toFixed(digits)))}`;
}

function slowText(slowed: Slowdown, { clusters }: RunResult): string {
  const { cluster, timing, because } = slowed;
  const text = fill(WORDS.slow, { ...slowed, of: among(clusters, cluster), when: whenText(timing) });
  return sentence(printable(text), because);
}

function overloadText({ clusters }: RunResult, told: readonly Told[]): string | undefined {
  const peaks = told.flatMap(({ name, cluster }) => present([overloadOf(cluster)]).map((peak) => ({ name, ...peak })));
  const [worst] = peaks.sort((a, b) => b.load - a.load);
  if (worst === undefined) return undefined;
  return printable(fill(WORDS.overloaded, { ...worst, of: among(clusters, worst.name), range: range(worst.phase) }));
}

/** The last of a hundred waits many times as long as the median, and a limit or a slow host is why. */
function waitText({ clusters, events }: RunResult, told: readonly Told[]): string | undefined {
  const waits = told.flatMap(({ name, cluster }) => {
    const { p50, p99 } = cluster.latency_ms;
    if (p50 === null || p99 === null || p99 < LONG * p50 || p99 < p50 + AT_LEAST_MS) return [];
    const because = whyWaiting(name, cluster, events);
    return because === undefined ? [] : [{ name, p50, p99, because, over_tcp: cluster.over_tcp }];
  });
  const [worst] = waits.sort((a, b) => b.p99 - a.p99);
  if (worst === undefined) return undefined;
  return printable(fill(WORDS.waits, { ...worst, of: among(clusters, worst.name) }));
}

/** The 99th percentile over the median. */
const LONG = 5;

/** How the most uneven cluster is shared, in its most uneven phase, and why. */
function splitText({ clusters }: RunResult, told: readonly Told[]): Sentence {
  const stretches = told.flatMap(({ name, cluster }) =>
    cluster.phases.flatMap((phase) => {
      if (phase.requests === 0) return [];
      const shares = Array.from(hostsOf(phase), ({ share }) => share);
      // The largest share over a fair one.
      return [{ name, cluster, phase, uneven: largest(shares, 0) * shares.length }];
    }),
  );
  const [first] = stretches.sort((a, b) => b.uneven - a.uneven);
  if (first === undefined) return plain(fill(WORDS.none_failed, sentIn(clusters)));
  const alone = aloneText(clusters, told);
  if (alone !== undefined) return plain(alone);
  const { name, cluster, phase } = first;
  const isWhole = cluster.phases.length === 1;
  const counts = isWhole ? cluster.hosts : phase.hosts;
  const shares =
    cluster.members === undefined
      ? sharesText(expectedRows(counts) ?? counts, cluster, phase, true)
      : listed(cluster.members.map((member) => `${percent(member.share)} to ${printable(member.cluster)}`));
  const of = among(clusters, name) === undefined ? '' : `${printable(name)}: `;
  const when = isWhole ? '' : ` from ${range(phase)}`;
  const { requests: crossing, share } = cluster.fleet?.cross_zone ?? { requests: 0, share: 0 };
  const zones = crossing === 0 ? [] : [`${percent(share)} cross zones`];
  const [reason] = reasonsOf(cluster, phase.from_s, phase.to_s);
  const text = of + [capital(shares + when), ...zones].join('; ');
  return { text: sentence(text, reason === undefined ? [] : [reason.text]), facts: reason?.facts ?? [] };
}

/** Where no cluster has two hosts nothing is balanced: what that means. undefined: one has, or there are too many to look. */
function aloneText(clusters: Clusters, told: readonly Told[]): string | undefined {
  const hosts = told.flatMap(({ cluster }) => cluster.hosts);
  const areFew = told.length === busyOf(clusters).length;
  if (!areFew || told.some(({ cluster }) => cluster.hosts.length !== 1 || cluster.phases.length > 1)) return undefined;
  const whose = told.length === 1 ? printable(told[0]?.name ?? '') : `Each of the ${count(told.length)} clusters`;
  const madeUp = hosts.filter((host) => host.made_up === true).length;
  const is = { is_made_up: madeUp === hosts.length, made_up: madeUp === 0 ? undefined : madeUp };
  return fill(WORDS.alone, { ...is, ...sentIn(clusters), whose });
}

type Told = Readonly<{ name: string; cluster: ClusterResult }>;

const busyOf = (clusters: Clusters) => clusterOverviews(clusters).filter(([, { requests }]) => requests > 0);

/** Of thousands of clusters, each of which is built when it is read, those with most requests. */
function toldBusy(clusters: Clusters): Told[] {
  const busy = busyOf(clusters);
  const names = toldClusters(busy, false, (a, b) => b.requests - a.requests);
  return busy.flatMap(([name]) => (names.has(name) ? [{ name, cluster: clusters[name] as ClusterResult }] : []));
}

/** Panic sends requests to hosts that are known to be bad: mentioned even where they answered. */
function panicText({ clusters }: RunResult): string | undefined {
  const panicked = clusterOverviews(clusters).flatMap(([name, { panic }]) =>
    panic === undefined ? [] : [{ name, panic }],
  );
  const [only, ...more] = panicked;
  if (only === undefined) return undefined;
  if (more.length === 0) {
    const { name, panic } = only;
    const phases = clusters[name]?.phases ?? [];
    const threshold = panicIn(phases)?.threshold;
    const { over_tcp } = clusters[name] ?? {};
    const sent = sentToUnhealthy(phases);
    return printable(fill(WORDS.panicked, { name, threshold, range: range(panic), sent, over_tcp }));
  }
  const names = panicked.map(({ name }) => name);
  const told = names.length > MAX_NAMED ? `${count(names.length)} clusters` : listed(names);
  return printable(fill(WORDS.several_panicked, { names: told }));
}

/** Part of the requests in panic; undefined: none. Nothing says how an unhealthy host answers, unless a file or an option does. */
function sentToUnhealthy(all: readonly PhaseResult[]): number | undefined {
  const phases = all.filter((phase) => phase.requests > 0 && phase.priorities.some(panicsUnderLoad));
  const rows = phases.flatMap((phase) => [...hostsOf(phase)]);
  const sent = sum(rows.map(({ health, requests }) => (health === 'unhealthy' ? requests : 0)));
  return sent === 0 ? undefined : sent / sum(phases.map(({ requests }) => requests));
}
