import type { CourseResult, IntervalResult } from '../../index.js';
import type { ClusterPicture, PhasePicture } from '../engine/draw-picture.js';
import { hostId } from '../../result/phases.js';
import { type Group, groupsOf, hostNames, sumOf } from '../instant.js';
import { percent, visible } from '../number-format.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { app, clock, durationOf } from '../app-state.js';

/** Charts over time are stacked: their left and right margins are equal, in pixels. */
export const LEFT = 76;
export const RIGHT = 14;

/** Width of an element as it is now, in pixels; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The part of the run that is drawn, in seconds. */
export function shownSpan(): readonly [number, number] {
  const { zoom, run } = app.now;
  return zoom ?? [0, run === undefined ? 1 : durationOf(app.now)];
}

export function useOverTime() {
  const box = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  // Outside of the component tree, since it moves with every frame.
  useEffect(() => {
    const show = (): void => {
      const { current } = line;
      if (current === null) return;
      const [from, to] = shownSpan();
      const part = to > from ? (clock.now.t - from) / (to - from) : 0;
      current.style.transform = `translateX(${LEFT + part * Math.max(0, width - LEFT - RIGHT)}px)`;
      current.style.visibility = part < 0 || part > 1 ? 'hidden' : 'visible';
    };
    show();
    const leave = [clock.subscribe(show), app.subscribe(show)];
    return () => leave.forEach((one) => one());
  }, [line, width]);
  return { box, line, width };
}

export interface ChartData {
  readonly title: string;
  /** Left ends of the steps, then the end of the last. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Each line lies on those before. */
  readonly stacked: boolean;
  readonly unit: (value: number) => string;
  /** Top of the scale, where it is known. */
  readonly top: number | undefined;
}

/** More lines cannot be distinguished. */
const MOST_LINES = 8;

/** Everything that is drawn over time, the failures first. @param beside drawn on the same scale. */
export function chartsOf(cluster: ClusterPicture, beside?: ClusterPicture): readonly ChartData[] {
  const shares = cluster.members.length > 0 ? memberChart(cluster) : shareChart(cluster);
  const others = beside === undefined ? [] : courseCharts(beside);
  const charts = courseCharts(cluster).map((chart) => ({
    ...chart,
    top: commonTop([chart, ...others.filter(({ title }) => title === chart.title)]),
  }));
  return [...charts.slice(0, 2), ...(shares.lines.length > 0 ? [shares] : []), ...charts.slice(2)];
}

/** The top of the scale that charts share; undefined: there is one alone. */
function commonTop(charts: readonly ChartData[]): number | undefined {
  if (charts.length < 2) return charts[0]?.top;
  const values = charts.flatMap(({ lines }) => lines.flatMap((line) => line.values));
  return 1.08 * values.reduce((most, value) => (value > most ? value : most), 0) || 1;
}

const SHARES = { title: 'Share', stacked: true, unit: (value: number) => percent(value, 0), top: 1 };

function memberChart({ members, phases }: ClusterPicture): ChartData {
  const shown = members.slice(0, MOST_LINES).map(({ cluster }) => ({
    name: visible(cluster, 30),
    of: (phase: PhasePicture) => phase.members.find((member) => member.cluster === cluster)?.share ?? 0,
  }));
  return sharesByPhase(phases, shown);
}

function sharesByPhase(
  phases: readonly PhasePicture[],
  lines: readonly { readonly name: string; readonly of: (phase: PhasePicture) => number }[],
): ChartData {
  const times = [...phases.map(({ fromS }) => fromS), phases[phases.length - 1]?.toS ?? 0];
  return { ...SHARES, times, lines: lines.map(({ name, of }) => ({ name, values: phases.map(of) })) };
}

/** Up to this many hosts of one zone have a line each; of more only the sum says something. */
const MOST_ALONE = 40;

/** One line a host, where that is few or the only difference; else a line for each priority and zone. */
function linesOf(cluster: ClusterPicture): { readonly name: string; readonly hosts: readonly number[] }[] {
  const { hosts } = cluster;
  const groups = groupsOf(cluster);
  const areFew = hosts.length <= MOST_LINES;
  if (!areFew && groups.length > 1) {
    const several = new Set(groups.map(({ priority }) => priority)).size > 1;
    const nameOf = ({ priority, zone }: Group): string => (several ? `P${priority} ` : '') + visible(zone, 30);
    return groups.map((group) => ({ name: nameOf(group), hosts: group.hosts }));
  }
  if (hosts.length > MOST_ALONE) return [{ name: 'all hosts', hosts: hosts.map((_, host) => host) }];
  const lines = hostNames(cluster).map((name, host) => ({ name, hosts: [host], share: hosts[host]?.share ?? 0 }));
  return areFew ? lines : lines.sort((a, b) => b.share - a.share);
}

function shareChart(cluster: ClusterPicture): ChartData {
  const { course, phases } = cluster;
  const groups = linesOf(cluster);
  const shown = groups.slice(0, MOST_LINES);
  const rest = groups.slice(MOST_LINES).flatMap((group) => group.hosts);
  if (rest.length > 0) shown.push({ name: 'others', hosts: rest });
  if (course?.hosts === undefined) {
    const lines = shown.map(({ name, hosts }) => ({ name, of: ({ shares }: PhasePicture) => sumOf(shares, hosts) }));
    return sharesByPhase(phases, lines);
  }
  const counts = new Map(course.hosts.map((host) => [hostId(host), host.requests]));
  const countsOf = cluster.hosts.map((host) => counts.get(hostId(host)) ?? []);
  return {
    ...SHARES,
    times: timesOf(course),
    lines: shown.map(({ name, hosts: places }) => ({
      name,
      values: measured(course).map(({ requests: all }, interval) =>
        all === 0 ? 0 : places.reduce((sum, host) => sum + (countsOf[host]?.[interval] ?? 0), 0) / all,
      ),
    })),
  };
}

function courseCharts({ course }: ClusterPicture): readonly ChartData[] {
  if (course === undefined) return [];
  const column = (of: (interval: IntervalResult) => number | null): number[] =>
    measured(course).map((interval) => of(interval) ?? NaN);
  const times = timesOf(course);
  const chart = (title: string, unit: ChartData['unit'], lines: ChartData['lines']): ChartData => ({
    ...{ title, times, lines, stacked: false, unit, top: undefined },
  });
  const latencies = (['p50', 'p90', 'p99'] as const).map((name) => ({
    name,
    values: column(({ latency_ms: latency }) => latency[name]),
  }));
  return [
    chart('Requests', (value) => `${short(value)}/s`, [
      { name: 'attempts', values: column(({ requests }) => requests / course.every_s) },
      { name: 'failed', values: column(({ failed }) => failed / course.every_s) },
    ]),
    chart('Latency', (value) => `${short(value)} ms`, latencies),
    chart('In flight', short, [{ name: 'in flight', values: column((one) => one.in_flight) }]),
  ];
}

/** A short last interval does not measure a rate or a share. */
const SHORTEST = 0.2;

/** Without the last interval, where the run ended soon after it began. */
function measured({ every_s: everyS, intervals }: CourseResult): readonly IntervalResult[] {
  const last = intervals.length - 1;
  const length = (intervals[last]?.to_s ?? 0) - last * everyS;
  return last < 1 || length >= SHORTEST * everyS ? intervals : intervals.slice(0, last);
}

function timesOf(course: CourseResult): readonly number[] {
  const intervals = measured(course);
  return [...intervals.map((_, interval) => interval * course.every_s), intervals[intervals.length - 1]?.to_s ?? 0];
}

const short = (value: number): string =>
  value >= 10_000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
