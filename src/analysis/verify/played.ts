import { entryOf, largest, sum } from '../../core/values.js';
import { MICROS_PER_MILLI, MICROS_PER_SECOND, type Micros } from '../../core/units.js';
import { localityResult } from '../../result/run-result.js';
import { type Capture, type HostAt, hostsOf } from './capture.js';
import type { Traffic } from './situations.js';
import type { VerifiedCount, VerifiedSituation, VerifiedStat } from './verification.js';

/** What became of one request. */
export interface PlayedRequest {
  /** Which {@link Traffic} it is of. */
  readonly traffic: number;
  /** Its number among those. */
  readonly index: number;
  readonly sentUs: Micros;
  readonly tookUs: Micros;
  readonly status: number;
  readonly attempts: number;
  /** Its own address; null: the proxy answered. */
  readonly host: string | null;
  /** Where it came from, `ip:port`, and all its cookies; absent in our draws, and where it has none. */
  readonly address?: string;
  readonly cookie?: string;
}

/** A proxy's life with the beginning of a scenario. */
export interface PlayedLife extends PlayedRun {
  /** How much was asked for. */
  readonly lastsMs: number;
  /** The proxy had lived so long when the scenario began, and when it was asked what it had counted, by the scenario's clock. */
  readonly agedUs: Micros;
  readonly endUs: Micros;
  /** By how much timers came late, requests that left, or answers that take no time, at most: the machine was busy. */
  readonly lateMs: number;
  /** Where the proxy listened, `ip:port`: a part of the cookies that it makes. */
  readonly address?: string;
}

/** The proxy's, or one of our draws of the same requests, in the order in which they were sent. */
export interface PlayedRun {
  readonly requests: readonly PlayedRequest[];
  readonly stats: ReadonlyMap<string, number>;
}

/** Answers differ by less: what a real machine takes, and back-offs that are drawn. */
const NEAR_US = 50 * MICROS_PER_MILLI;
const APART = 'answers that came otherwise';
const APART_OR_LATE = `${APART}, or not within ${NEAR_US / MICROS_PER_MILLI} ms`;
/** Where timers were later, the machine was busy, and times say nothing. */
export const BUSY_MS = 25;
/** How far from the mean of our draws, in their standard deviations. */
const DEVIATIONS = 5;
const SLACK = 2;

/** Of requests and connections, of ejections and checks, but for what depends on when one looks. */
const COUNTED =
  /\.(health_check\.(?!attempt|success|failure$|network_failure)\w+|membership_\w+|lb_healthy_panic|upstream_(?:rq|cx)_(?!.*(bytes|length|active|tx|rx))\w+|outlier_detection\.\w+)$/;
export const isPlayed = (statistic: string): boolean => COUNTED.test(statistic);
/** How many connections it takes depends on how quickly each is free again. */
const BY_TIMES = /\.upstream_(cx_|rq_pending)/;
const STATE = /\.(membership_\w+|ejections_active)$/;

/** What was played: with the hosts from one change to the next. */
type Played = Readonly<{ traffic: readonly Traffic[]; states: readonly Pick<Capture, 'clusters'>[] }>;

/** Whether the proxy could be one more of our draws: by each count, and by each answer and its time. */
export function judgePlayed(
  played: Played,
  proxy: PlayedLife,
  draws: readonly PlayedRun[],
): Pick<VerifiedSituation, 'splits' | 'stats' | 'agrees'> {
  const atOnce = perNear(proxy.requests);
  const counted = (of: (run: PlayedRun) => number, slack = SLACK + atOnce): VerifiedCount => {
    const ours = draws.map(of);
    const mean = sum(ours) / ours.length;
    const deviation = Math.sqrt(sum(ours.map((one) => (one - mean) ** 2)) / Math.max(1, ours.length - 1));
    const theirs = of(proxy);
    const lbsim = Math.round(mean * 10) / 10;
    return { proxy: theirs, lbsim, agrees: Math.abs(theirs - mean) <= DEVIATIONS * deviation + slack };
  };
  const splits = played.traffic.map((traffic, number) => splitOf(played, traffic, number, proxy, counted));
  const seconds = [...new Set(proxy.requests.map(secondOf))];
  const statuses = [...new Set([proxy, ...draws].flatMap(({ requests }) => requests.map(({ status }) => status)))];
  const attempts = [...new Set([proxy, ...draws].flatMap(({ requests }) => requests.map((one) => one.attempts)))];
  const names = [...new Set([proxy, ...draws].flatMap(({ stats }) => [...stats.keys()]))].filter(
    (name) => isPlayed(name) && (proxy.lateMs < BUSY_MS || !BY_TIMES.test(name)),
  );
  const countOf =
    (is: (one: PlayedRequest) => boolean) =>
    ({ requests }: PlayedRun): number =>
      requests.filter(is).length;
  const stats: VerifiedStat[] = [
    {
      name: proxy.lateMs < BUSY_MS ? APART_OR_LATE : APART,
      ...apart(proxy, draws, atOnce),
    },
    ...seconds.flatMap((second) =>
      statuses.map((status) => ({
        name: `status ${status} in second ${second}`,
        ...counted(countOf((one) => one.status === status && secondOf(one) === second)),
      })),
    ),
    ...attempts.map((count) => ({
      name: `requests of ${count} attempts`,
      ...counted(countOf((one) => one.attempts === count)),
    })),
    ...names
      .sort()
      .map((name) => ({ name, ...counted(({ stats: all }) => all.get(name) ?? 0, STATE.test(name) ? 0 : undefined) })),
  ].filter(({ proxy: theirs, lbsim }) => theirs > 0 || lbsim > 0);
  return { splits, stats, agrees: [...splits, ...stats].every(({ agrees }) => agrees) };
}

const secondOf = ({ sentUs }: PlayedRequest): number => Math.floor(sentUs / MICROS_PER_SECOND);

/** The most requests that come within the time by which timers may be off. */
function perNear(requests: readonly PlayedRequest[]): number {
  const counts = new Map<number, number>();
  for (const { sentUs } of requests) {
    const slot = Math.floor(sentUs / NEAR_US);
    counts.set(slot, entryOf(counts, slot, () => 0) + 1);
  }
  return largest(counts.values(), 0);
}

function splitOf(
  { states }: Played,
  { cluster, workload }: Traffic,
  number: number,
  proxy: PlayedRun,
  counted: (of: (run: PlayedRun) => number) => VerifiedCount,
): VerifiedSituation['splits'][number] {
  const to =
    (address: string | null) =>
    ({ requests }: PlayedRun): number =>
      requests.filter(({ traffic, host }) => traffic === number && host === address).length;
  const rows = new Map<string, HostAt>();
  const levels = states.flatMap(({ clusters }) => [...clusters.values()].flat());
  for (const row of hostsOf(levels)) rows.set(row.host.address, row);
  const hosts = [...rows]
    .map(
      ([
        address,
        {
          level: { priority },
          locality,
        },
      ]) => {
        return { address, priority, locality: localityResult(locality), ...counted(to(address)) };
      },
    )
    .filter(({ proxy: theirs, lbsim }) => theirs > 0 || lbsim > 0);
  const none = counted(to(null));
  const requests = proxy.requests.filter(({ traffic }) => traffic === number).length;
  const other = { proxy: 0, lbsim: 0, agrees: true };
  return {
    ...{ cluster, workload, requests, hosts, no_host: none, other },
    agrees: [...hosts, none].every(({ agrees }) => agrees),
  };
}

/** Requests whose answer no draw has at about this time; of ours, the most of one draw that none of the others has. */
function apart(proxy: PlayedLife, draws: readonly PlayedRun[], slack: number): VerifiedCount {
  const nearUs = proxy.lateMs < BUSY_MS ? NEAR_US : Infinity;
  const theirs = apartFrom(proxy, draws, nearUs);
  const others = (one: PlayedRun): readonly PlayedRun[] => draws.filter((other) => other !== one);
  const ours = largest(
    draws.map((one) => apartFrom(one, others(one), nearUs)),
    0,
  );
  return { proxy: theirs, lbsim: ours, agrees: theirs <= 2 * ours + SLACK + slack };
}

/** @param nearUs times that differ by less are alike. */
const apartFrom = ({ requests }: PlayedRun, others: readonly PlayedRun[], nearUs: Micros): number =>
  requests.filter((request, index) => !others.some((one) => hasAnswer(one.requests, request, index, nearUs))).length;

/** @param index its place among requests that were sent at the same times. */
function hasAnswer(all: readonly PlayedRequest[], request: PlayedRequest, index: number, nearUs: Micros): boolean {
  const isNear = (at: number): boolean => Math.abs((all[at]?.sentUs ?? Infinity) - request.sentUs) <= NEAR_US;
  const isAlike = (at: number): boolean => {
    const one = all[at];
    return (
      one?.traffic === request.traffic &&
      one.status === request.status &&
      one.attempts === request.attempts &&
      Math.abs(one.tookUs - request.tookUs) <= nearUs
    );
  };
  for (let at = index; isNear(at); at--) if (isAlike(at)) return true;
  for (let at = index + 1; isNear(at); at++) if (isAlike(at)) return true;
  return false;
}
