import { printable } from '../../core/printable.js';
import { clusterOverviews, panicsUnderLoad } from '../../result/cluster-overview.js';
import { countFailures } from '../../result/failures.js';
import { type Outage, outagesOf, triggerOf } from './outage.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, RunResult } from '../../result/run-result.js';
import { type Timing, timingOf } from '../../result/timing.js';
import { count, counted, decimal, failureList, listed, millis, percent, seconds } from '../format.js';

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
  const slow = known.map((one) => ({
    from_s: one.from_s,
    to_s: one.to_s,
    amount: isSlow(p99(one)) ? one.requests : 0,
  }));
  const number = slow.filter(({ amount }) => amount > 0).length;
  if (number === 0 || number > A_WHILE * known.length) return [];
  const timing = timingOf(slow, cluster, durationS);
  const began = triggerOf(cluster, timing);
  return [
    {
      cluster: name,
      p99_ms: Math.max(...known.map(p99)),
      usual_p99_ms: usual,
      timing,
      because: began === undefined ? [] : [began.text],
    },
  ];
}

/** What happened to users, worst first: the first sentence of a report, and its data. */
export interface Headline {
  text: string;
  /** Of each cluster of which requests failed, the worst first. */
  failed: Outage[];
  /** The longest wait, where nothing failed and waiting became much longer for a while; null: it did not. */
  slowed: Slowdown | null;
}

/** More clusters than this are counted, not named. */
const MAX_NAMED = 3;

export function headlineOf(result: RunResult): Headline {
  const failed = outagesOf(result);
  const slowed = failed.length > 0 ? null : slowdownOf(result);
  return { text: textOf(result, failed, slowed), failed, slowed };
}

function textOf(result: RunResult, failed: readonly Outage[], slowed: Slowdown | null): string {
  const { requests, success, failed: all } = result.totals;
  if (requests === 0) return 'No request was sent.';
  const over = success + all;
  if (over === 0) return 'No request has had its answer yet.';
  if (all === 0) {
    const { retries } = result.totals;
    const tried = retries === 0 ? '' : `, with ${counted(retries, 'retry', 'retries')}`;
    return `No request failed${tried}${panicText(result)}${slowed === null ? '' : `; ${slowText(slowed, result)}`}.`;
  }
  const [first, ...others] = failed;
  const sum = all === over ? 'Every request' : `${percent(all / over)} of requests`;
  const how = failureList(result.failures);
  // A cluster that the proxy does not know has no further data.
  if (first === undefined) return `${sum} failed (${how}).`;
  if (others.length > 0) return severalText(`${sum} failed (${how})`, failed);
  const several = clusterOverviews(result.clusters).filter(([, { requests: some }]) => some > 0).length > 1;
  if (!several || all === over) return sentence(`${sum} failed (${how})${whenText(first.timing)}`, first.because);
  const own = `${percent(first.share)} of requests to ${printable(first.cluster)} failed`;
  return sentence(`${own} (${how}; ${percent(all / over)} of all requests)${whenText(first.timing)}`, first.because);
}

/** "…: of plain 7.3 %, all from 21 to 50 s, noticed after 29 s; of edge 2.8 % …; 10.0.0.4 stops answering at 21 s." */
function severalText(share: string, failed: readonly Outage[]): string {
  const shown = failed.slice(0, MAX_NAMED);
  const [root] = shown[0]?.because ?? [];
  const common = root !== undefined && shown.every(({ because: [own] }) => own === root) ? root : undefined;
  const clauses = shown.map(({ because, ...outage }) => {
    const own = because.slice(common === undefined ? 0 : 1);
    return [
      `${percent(outage.share)} of ${printable(outage.cluster)}${whenText(outage.timing)}`,
      ...own.map(printable),
    ].join(', ');
  });
  const rest = failed.length - shown.length;
  if (rest > 0)
    clauses.push(
      `${count(failed.slice(MAX_NAMED).reduce((sum, one) => sum + countFailures(one.failures), 0))} of ${count(rest)} other clusters`,
    );
  return sentence(`${share}: ${clauses.join('; ')}`, common === undefined ? [] : [common]);
}

function sentence(text: string, because: readonly string[]): string {
  return `${text}${because.length === 0 ? '' : `: ${because.map(printable).join(', ')}`}.`;
}

/** ", all from 21 to 27 s"; times to a hundredth of their span. */
function whenText(timing: Timing, all = timing.nearly ? ', nearly all' : ', all'): string {
  const { kind, bursts, from_s: from, to_s: to } = timing;
  switch (kind) {
    case 'throughout':
      return ', all the time';
    case 'unknown':
      return '';
    case 'window':
      return `${all} from ${range(from, to)}`;
    case 'bursts':
      return `${all} in ${count(bursts)} bursts from ${range(from, to)}`;
  }
}

/** "21 to 27 s". */
function range(from: number, to: number): string {
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.max(to - from, 1e-3)))));
  return `${decimal(from, digits)} to ${seconds(Number(to.toFixed(digits)))}`;
}

function slowText(
  { cluster, timing, p99_ms: slow, usual_p99_ms: usual, because }: Slowdown,
  { clusters }: RunResult,
): string {
  const of = Object.keys(clusters).length > 1 ? ` of ${printable(cluster)}` : '';
  const began = because.length === 0 ? '' : ` (${because.map(printable).join(', ')})`;
  return `the slowest 1 %${of} waited ${millis(slow)} instead of ${millis(usual)}${whenText(timing, '')}${began}`;
}

/** Panic sends requests to hosts that are known to be bad: mentioned even where they answered. */
function panicText({ clusters }: RunResult): string {
  const panicked = clusterOverviews(clusters).flatMap(([name, { panic }]) =>
    panic === undefined ? [] : [{ name, from: panic.from_s, to: panic.to_s }],
  );
  const [only, ...more] = panicked;
  if (only === undefined) return '';
  if (more.length === 0) {
    const panic = `, though ${printable(only.name)} was in panic from ${range(only.from, only.to)}`;
    return panic + unhealthyText(clusters[only.name]);
  }
  const named = panicked.map(({ name }) => printable(name));
  return `, though ${named.length > MAX_NAMED ? `${count(named.length)} clusters` : listed(named)} were in panic`;
}

/** Nothing says how an unhealthy host answers, unless a file or an option does. */
function unhealthyText(cluster: ClusterResult | undefined): string {
  const phases = cluster?.phases.filter((phase) => phase.requests > 0 && phase.priorities.some(panicsUnderLoad)) ?? [];
  let sent = 0;
  for (const phase of phases) {
    for (const { health, requests } of hostsOf(phase)) if (health === 'unhealthy') sent += requests;
  }
  const all = phases.reduce((sum, { requests }) => sum + requests, 0);
  if (sent === 0) return '';
  return `: ${percent(sent / all)} of its requests then went to unhealthy hosts, which are taken to answer unless --fail is given`;
}
