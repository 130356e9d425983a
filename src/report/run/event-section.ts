import type { ClusterResult, EventResult, HostResult, RunResult } from '../../result/run-result.js';
import { happeningText, inProxies } from '../../words/happenings.js';
import { count, counted, digitsNeeded, millis, percent, printable } from '../format.js';
import { displayWidth, type ReportLayout, widest, wrap } from '../layout.js';
import { hostId } from '../../result/phases.js';

/** The changes since the run before: failures, latency, shares. Figures that print equally count as equal. */
export function changeLines(result: RunResult, before: RunResult, { width, paint }: ReportLayout): string[] {
  const several = Object.keys(result.clusters).length > 1;
  const changes = [
    ...differing('requests', count(before.totals.requests), count(result.totals.requests)),
    ...differing('failed', failedText(before), failedText(result)),
    ...Object.entries(result.clusters).flatMap(([name, cluster]) => {
      const own = clusterChanges(before.clusters[name], cluster);
      return several ? own.map((text) => `${printable(name)} ${text}`) : own;
    }),
    ...Object.keys(before.clusters).flatMap((name) =>
      Object.hasOwn(result.clusters, name) ? [] : [`${printable(name)} is gone`],
    ),
  ];
  if (changes.length === 0) return [paint.faint('No change since the last run.')];
  return wrap(`Since the last run: ${changes.join('; ')}.`, width, '', '  ').map(paint.odd);
}

const failedText = ({ totals: { failed, success } }: RunResult): string =>
  failed === 0 ? 'none' : `${count(failed)} (${percent(failed / (failed + success))})`;

function clusterChanges(before: ClusterResult | undefined, now: ClusterResult): string[] {
  if (before === undefined) return ['is new'];
  return [
    ...differing('policy', printable(before.policy), printable(now.policy)),
    ...(['p50', 'p99'] as const).flatMap((name) =>
      differing(name, millis(before.latency_ms[name]), millis(now.latency_ms[name])),
    ),
    ...hostChanges(before.hosts, now.hosts),
  ];
}

function hostChanges(before: readonly HostResult[], now: readonly HostResult[]): string[] {
  const known = new Map(before.map((host) => [hostId(host), host]));
  const kept = now.flatMap((host) => {
    const old = known.get(hostId(host));
    return old === undefined ? [] : [{ host, old }];
  });
  const changed = kept.filter(({ host, old }) => percent(old.share) !== percent(host.share));
  const gap = ({ host, old }: (typeof kept)[number]): number => Math.abs(host.share - old.share);
  const [most] = [...changed].sort((a, b) => gap(b) - gap(a));
  const text = ({ host, old }: (typeof kept)[number]): string =>
    `${printable(host.address)} ${percent(old.share)} → ${percent(host.share)}`;
  const come = now.length - kept.length;
  const left = before.length - kept.length;
  return [
    ...(come > 0 ? [counted(come, 'new host')] : []),
    ...(left > 0 ? [`${counted(left, 'host')} gone`] : []),
    ...(most === undefined ? [] : [`${counted(changed.length, 'host')} with another share, most of all ${text(most)}`]),
  ];
}

const differing = (what: string, before: string, now: string): string[] =>
  before === now ? [] : [`${what} ${before} → ${now}`];

/** More lines than this are folded: the first and the last are shown. */
const MAX_LINES = 24;
const LEADING_LINES = 16;
/** Equal events of several proxies within this time are one line. */
const TOGETHER_S = 1;

interface Line {
  readonly event: EventResult;
  untilS: number;
  times: number;
  readonly proxies: Set<string>;
}

/** One a line; nothing if all events are from the timeline: phases and their labels show those. */
export function eventSection(result: RunResult, layout: ReportLayout): string[] {
  const { events, events_omitted: omitted = 0 } = result;
  if (events.every(({ kind }) => kind === 'timeline')) return [];
  const lines = together(events);
  const digits = Math.min(3, digitsNeeded(lines.map(({ event }) => event.t_s)));
  const width = widest(lines.map(({ event }) => event.t_s.toFixed(digits)));
  const proxies = Math.max(1, Object.keys(result.proxies).length);
  const several = Object.keys(result.clusters).length > 1;
  const show = (line: Line): string[] => {
    const time = `  ${line.event.t_s.toFixed(digits).padStart(width)} s  `;
    const text = wrap(describe(line, proxies, several), layout.width, time, ' '.repeat(displayWidth(time)));
    return line.event.kind === 'timeline' ? text.map(layout.paint.strong) : text;
  };
  const lost = omitted > 0 ? [`  … ${count(omitted)} more between the first and the last were not kept`] : [];
  const told = lines.map(show);
  const left = `  … ${count(lines.length - MAX_LINES)} more (--all lists them)`;
  if (!layout.all && lines.length > MAX_LINES) told.splice(LEADING_LINES, lines.length - MAX_LINES, [left]);
  return [layout.paint.strong('what happened'), '', ...told.flat(), ...lost, ''];
}

/** Merges events that differ only in time and proxy, if close together. */
function together(events: readonly EventResult[]): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const event of events) {
    const { t_s: atS, until_s: untilS = atS, times = 1, proxy } = event;
    const key = JSON.stringify([event.kind, event.cluster, event.fact]);
    const line = open.get(key);
    if (line === undefined || atS - line.event.t_s > TOGETHER_S) {
      const begun = { event, untilS, times, proxies: new Set(proxy === null ? [] : [proxy]) };
      open.set(key, begun);
      lines.push(begun);
      continue;
    }
    line.untilS = Math.max(line.untilS, untilS);
    if (proxy === null || line.proxies.has(proxy)) line.times += times;
    else line.times = Math.max(line.times, times);
    if (proxy !== null) line.proxies.add(proxy);
  }
  return lines;
}

function describe(line: Line, proxies: number, several: boolean): string {
  const { event, untilS, times } = line;
  const cluster = several && event.cluster !== null ? `${printable(event.cluster)}: ` : '';
  const lasted = untilS - event.t_s;
  const repeated = times > 1 ? `, ${count(times)} times` : '';
  // Proxies do the same a moment apart; the span is shown only if it is long.
  const duration = lasted < 1 ? `${Math.round(lasted * 1000)} ms` : `${Number(lasted.toPrecision(3))} s`;
  const span = lasted >= 0.001 ? `, within ${duration}` : '';
  return `${cluster}${printable(happeningText(event.fact))}${repeated}${span}${inProxies([...line.proxies], proxies)}`;
}
