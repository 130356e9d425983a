import type { IntervalResult } from '../index.js';
import { truthInWords } from '../report/format.js';
import { isDown } from '../result/phases.js';
import type { ClusterPicture, PhasePicture, RunPicture } from './engine/draw-picture.js';
import { HEALTH_NAMES, truthOf } from './engine/picture.js';
import { entryOf, sum } from '../core/values.js';
import { visible } from './number-format.js';

/** A cluster at one time of a run: what its proxies believe, what is true, and what fails. Parts are 0–1. */
export type Instant = NonNullable<ReturnType<typeof instantAt>>;

/** Less is a rounding error. */
const NOTHING = 1e-6;
/** What fails before a host, in an interval and in its phase, is as much. */
const SAME = 0.005;

/** Names the stretch in which {@link instantAt} is the same: the phase, and the interval whose middle is looked at. */
export const stretchAt = (cluster: ClusterPicture, t: number): string =>
  `${phaseAt(cluster, t)} ${intervalAt(cluster, t)}`;

/** @returns undefined where the cluster has no phases. */
export function instantAt(cluster: ClusterPicture, t: number) {
  const phase = cluster.phases[phaseAt(cluster, t)];
  if (phase === undefined) return undefined;
  const counts = countsAt(cluster, t);
  const { hosts } = counts ?? {};
  const taken = sum(phase.shares) + sum(phase.members.map(({ share }) => share));
  const inPhase = phase.requests === 0 || Number.isNaN(taken) ? phase.noHost : Math.max(0, 1 - taken);
  const lost = counts === undefined || taken < NOTHING ? inPhase : counts.lost;
  // Shares are those of the phase: an interval has too few requests for them.
  const scale = Math.abs(lost - inPhase) < SAME ? 1 : (1 - lost) / taken;
  const shares = phase.shares.map((share) => share * scale);
  const failing = shares.map((share, host) => {
    if (hosts === undefined) return isDown(truthOf(phase, host)) && share > 0 ? 1 : 0;
    return partOf(hosts[host]?.errors ?? 0, hosts[host]?.requests ?? 0);
  });
  const predicted = lost + failing.reduce((sum, part, host) => sum + part * (shares[host] ?? 0), 0);
  // Over a whole phase, where nothing finer was counted; of a prediction, what cannot but fail.
  const inAll = phase.failed > 0 && phase.requests > 0 ? phase.failed / phase.requests : predicted;
  return {
    phase,
    /** Of the requests that end then. */
    failed: counts === undefined ? Math.min(1, inAll) : partOf(counts.failed, counts.ended),
    /** Of the attempts: no host takes them. */
    lost: lost < NOTHING ? 0 : lost,
    /** What becomes of those, in words. */
    why: counts?.why ?? 'find no host',
    /** By host: of all attempts. */
    shares,
    /** By host: of the attempts that it gets. */
    failing,
  };
}

const partOf = (part: number, whole: number): number => (part === 0 ? 0 : Math.min(1, part / Math.max(whole, part)));

/** From this load on a host has more than it can serve; less is 100 % in figures. */
export const OVERLOAD = 1.005;

/** How requests fail before any host, and what one says of them. */
export const LOST = [
  ['no_host', 'find no host'],
  ['overflow', 'are refused by a limit'],
  ['drop_overload', 'are dropped'],
  ['no_cluster', 'find no cluster'],
] as const;

/** Of the counts, which interval a time is in; −1: there are no counts. */
const intervalAt = ({ course }: ClusterPicture, t: number): number =>
  course === undefined ? -1 : Math.min(course.intervals.length - 1, Math.floor(t / course.every_s + 1e-9));

function countsAt(cluster: ClusterPicture, t: number) {
  const { course } = cluster;
  const place = intervalAt(cluster, t);
  const interval = course?.intervals[place];
  if (interval === undefined) return undefined;
  const { failed, success, failures } = interval;
  const lost = LOST.map(([cause]) => failures[cause] ?? 0);
  return {
    failed,
    /** Requests that were over. */
    ended: failed + success,
    /** Part of them for which there was no host, 0–1, and what became of most. */
    lost: partOf(sum(lost), failed + success),
    why: LOST[lost.indexOf(Math.max(...lost))]?.[1] ?? '',
    hosts: course?.hosts?.map(({ requests, errors }) => ({
      requests: requests[place] ?? 0,
      errors: errors?.[place] ?? 0,
    })),
  };
}

/** What is to be told of a host; empty: nothing. */
export function hostInWords(phase: Pick<PhasePicture, 'health' | 'truth'>, host: number): string {
  const believed = HEALTH_NAMES[phase.health[host] ?? 0] ?? 'absent';
  return believed === 'absent' ? '' : truthInWords(believed, truthOf(phase, host));
}

/** A time at which a run shows what it is about, and the cluster to look at. */
export type Telling = ReturnType<typeof tellingInstants>[number];

/**
 * Of each cluster with hosts and requests the time to look at first, and the cluster that has most to show before the others:
 * when most fails; else a phase in panic; else when the slowest answers take far longer than usual; else the last phase, which
 * all events have led to.
 */
export const tellingInstants = ({ clusters }: Pick<RunPicture, 'clusters'>) =>
  clusters
    .filter(({ hosts, members, requests }) => (hosts.length > 0 || members.length > 0) && !(requests <= 0))
    .flatMap((cluster) => {
      const found = worstOf(cluster);
      return found === undefined ? [] : [{ cluster, ...found }];
    })
    .sort((a, b) => b.rank - a.rank)
    .map(({ cluster, t }) => ({ cluster, t }));

/** Failures that are worth a picture. */
const WORTH = 0.01;
/** So many times the usual p99 is a wait. */
const WAIT = 3;

/** @returns `rank` 1 and more: something fails. */
function worstOf(cluster: ClusterPicture): { readonly t: number; readonly rank: number } | undefined {
  const { phases } = cluster;
  const last = phases[phases.length - 1];
  if (last === undefined) return undefined;
  const intervals = cluster.course?.intervals ?? [];
  const busy = sum(intervals.map(({ failed, success }) => failed + success)) / Math.max(1, intervals.length);
  const worst = peakOf(intervals, ({ failed, success }) =>
    failed + success < busy / 4 ? 0 : partOf(failed, failed + success),
  );
  if (worst !== undefined && worst.value >= WORTH) return { t: worst.t, rank: 1 + worst.value };
  const phase = phases.find(
    ({ failed, requests, noHost }) => noHost >= WORTH || (failed >= WORTH * requests && failed > 0),
  );
  if (intervals.length === 0 && phase !== undefined) return { t: middleOf(phase.fromS, phase.toS), rank: 1 };
  const panic = phases.find(({ priorities }) => priorities.some((level) => level.panic));
  if (panic !== undefined) return { t: middleOf(panic.fromS, panic.toS), rank: 0.9 };
  const times = intervals.flatMap(({ latency_ms: { p99 } }) => p99 ?? []).sort((a, b) => a - b);
  const slowest = peakOf(intervals, ({ latency_ms: { p99 } }) => p99 ?? 0);
  if (slowest !== undefined && slowest.value > WAIT * (times[Math.floor(times.length / 2)] ?? Infinity))
    return { t: slowest.t, rank: 0.5 };
  return { t: middleOf(last.fromS, last.toS), rank: phases.length > 1 ? 0.2 : 0.1 };
}

/** Values from this part of the highest on are as high. */
const AS_HIGH = 0.9;

/** The middle of the first stretch of intervals in which a value is highest. */
function peakOf(intervals: readonly IntervalResult[], valueOf: (one: IntervalResult) => number) {
  const values = intervals.map(valueOf);
  const value = Math.max(...values, 0);
  const first = values.findIndex((one) => one >= AS_HIGH * value);
  const after = values.findIndex((one, place) => place > first && one < AS_HIGH * value);
  const [from, to] = [intervals[first], intervals[(after < 0 ? values.length : after) - 1]];
  return from === undefined || to === undefined ? undefined : { t: middleOf(from.from_s, to.to_s), value };
}

const middleOf = (from: number, to: number): number => Number(((from + to) / 2).toFixed(3));

/** Index of the phase at `t`; −1: the cluster has none. */
export const phaseAt = ({ phases }: Pick<ClusterPicture, 'phases'>, t: number): number =>
  phases.findLastIndex(({ fromS }, index) => index === 0 || fromS <= t + 1e-9);

export const clusterOf = (run: RunPicture | undefined, name: string | undefined): ClusterPicture | undefined =>
  run?.clusters.find((cluster) => cluster.name === name) ?? run?.clusters[0];

/** Hosts of one locality and one priority: indices into the cluster's list. */
export type Group = Readonly<{ priority: number; zone: string; hosts: readonly number[] }>;

/** By priority, then by zone, in the order of the hosts. */
export function groupsOf({ hosts }: ClusterPicture): readonly Group[] {
  const groups = new Map<string, { priority: number; zone: string; hosts: number[] }>();
  for (const [index, { priority, zone }] of hosts.entries())
    entryOf(groups, `${priority} ${zone}`, () => ({ priority, zone, hosts: [] })).hosts.push(index);
  return [...groups.values()].sort((a, b) => a.priority - b.priority);
}

export const sumOf = (values: Float32Array, places: readonly number[]): number =>
  sum(places.map((place) => values[place] ?? 0));

/** Short names of the hosts: a port that all of them have is left out. */
export function hostNames({ hosts }: Pick<ClusterPicture, 'hosts'>): readonly string[] {
  const portOf = (address: string): string => /:\d+$/.exec(address)?.[0] ?? '';
  const ports = new Set(hosts.map(({ address }) => portOf(address)));
  const [port = ''] = ports;
  const cut = ports.size === 1 ? port.length : 0;
  return hosts.map(({ address }) => visible(address.slice(0, address.length - cut), 80));
}
