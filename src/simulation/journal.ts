import { byKind } from '../core/values.js';
import type { Clock } from '../core/environment.js';
import { microsToSeconds, type Micros } from '../core/units.js';
import { HealthFlag, type Host } from '../host/host.js';
import type { PriorityDescription } from '../hostset/generated/descriptions.js';
import { EventLog, type RunEvent } from '../result/event-log.js';
import type { PhaseView } from '../result/phases.js';
import type { RequestSpec } from '../settings/world.js';
import type { NoticeFact } from '../result/happenings.js';
import { type Cause, type Happening, someHosts, type OutlierCause, type UnejectionCause } from '../upstream/cause.js';
import type { CircuitBreakerLimit, ClusterKind } from '../settings/cluster-settings.js';
import type { OutlierDetector } from '../upstream/outlier-detector.js';
import type { EjectionTime } from '../upstream/outlier-monitor.js';
import type { ClusterWorld } from './environment.js';
import type { Server } from './servers/server.js';
import type { DetectionResult, NoticeResult } from '../result/run-result.js';
import { type Behavior, resetRateOf } from '../settings/behavior.js';

interface JournalWorld extends Clock {
  /** A cluster initialises: nothing is recorded as an event. */
  readonly isStarting: boolean;
  /** What the balancers of a cluster see at this moment, and why; undefined: there is no proxy. */
  view(cluster: ClusterWorld, served?: ReadonlySet<Server>): PhaseView | undefined;
  /** Counts of a cluster from now on belong to its next phase. */
  beginPhase(cluster: ClusterWorld): void;
  listedHosts(cluster: ClusterWorld): Iterable<readonly Host[]>;
}

type ClusterInProxy = Readonly<{ world: ClusterWorld; proxyName: string }>;

/** More returns of ejected hosts than this are not listed. */
const KEPT_RETURNS = 1000;

/** Records what a result contains besides counts: events, detections, the phases of each cluster. */
export class Journal {
  readonly events = new EventLog();
  readonly detections = new Detections();

  constructor(private readonly world: JournalWorld) {}

  /** Nothing is recorded while a cluster initialises. */
  log(event: RunEvent): void {
    if (!this.world.isStarting) this.events.add(event, this.world.nowUs);
  }

  /** The lists of a cluster's balancers changed, or a value that they read: a phase begins. @param served who serves otherwise now. */
  startPhase(cluster: ClusterWorld, causes: readonly Cause[], served?: ReadonlySet<Server>): void {
    const view = this.world.view(cluster, served);
    if (view !== undefined && cluster.log.startPhase(this.world.nowUs, causes, view)) this.world.beginPhase(cluster);
  }

  /** Rows that no proxy lists any more are kept, with the time they left. */
  markRemoved(cluster: ClusterWorld): void {
    const { rows } = cluster.rows;
    const listed = new Uint8Array(rows.length);
    for (const hosts of this.world.listedHosts(cluster)) for (const host of hosts) listed[host.index] = 1;
    rows.forEach((row, index) => {
      if (listed[index] === 1) row.removedAtUs = undefined;
      else row.removedAtUs ??= this.world.nowUs;
    });
  }

  members(
    { world: cluster, proxyName: proxy }: ClusterInProxy,
    added: readonly Host[],
    removed: readonly Host[],
  ): void {
    // The request or the DNS answer that named them is an event already.
    if (cluster.isAssigned) {
      for (const [hosts, what] of [
        [added, 'joined'],
        [removed, 'left'],
      ] as const) {
        if (hosts.length === 0) continue;
        const fact = { kind: what, ...someHosts(hosts.map(({ address }) => address)) };
        this.log({ kind: 'membership', cluster: cluster.name, proxy, fact });
      }
    }
    if (removed.length > 0) this.markRemoved(cluster);
  }

  /** Discovery dropped hosts, which stay. */
  kept(cluster: ClusterWorld, hosts: readonly Host[]): void {
    cluster.log.label({ kind: 'kept', addresses: hosts.map(({ address }) => address) }, this.world.nowUs);
  }

  /** @returns the cause of the change of lists. */
  checked(at: ClusterInProxy, host: Host, passed: boolean): Happening {
    const { address, health } = host;
    const leaves = passed ? {} : whenItLeaves(host, at.world.type);
    return this.health('health_check', at, host, { kind: 'checked', address, health, passed, ...leaves });
  }

  ejected(at: ClusterInProxy, host: Host, cause: OutlierCause): Happening {
    at.world.course?.ejected(1);
    return this.health('ejection', at, host, { kind: 'ejected', address: host.address, cause });
  }

  unejected(at: ClusterInProxy, host: Host, detector: OutlierDetector, cause: UnejectionCause): Happening {
    const { address } = host;
    const { world: cluster, proxyName: proxy } = at;
    cluster.course?.ejected(-1);
    const time = detector.ejectionTime(host);
    const ejectedAtUs = detector.monitor(host)?.ejectedAtUs;
    if (time !== undefined && ejectedAtUs !== undefined && cluster.returns.length < KEPT_RETURNS) {
      const { intervalUs } = detector;
      cluster.returns.push({ address, proxy, ejectedAtUs, backAtUs: this.world.nowUs, cause, time, intervalUs });
    }
    const lasted = cause === 'ejection_time_over' && time !== undefined ? leastTime(time) : {};
    return this.health('unejection', at, host, { kind: 'unejected', address, cause, ...lasted });
  }

  private health(kind: RunEvent['kind'], at: ClusterInProxy, host: Host, fact: HealthFact): Happening {
    const { world: cluster, proxyName: proxy } = at;
    const notice = { cluster: cluster.name, proxy, atUs: this.world.nowUs, fact: noticeOf(fact) };
    this.detections.noticed(cluster.serverOf(host.index).index, !host.isUnhealthy, notice);
    this.log({ kind, cluster: cluster.name, proxy, host: host.address, fact });
    return fact;
  }

  merged({ world: cluster, proxyName: proxy }: ClusterInProxy, causes: readonly Cause[]): void {
    const fact: Happening = { kind: 'delivered', causes: causes.map((cause) => cause.fact) };
    this.log({ kind: 'delivery', cluster: cluster.name, proxy, fact });
  }

  /** A priority entered panic, or left it. @param several the cluster has other priorities too. */
  panic({ world: cluster, proxyName: proxy }: ClusterInProxy, level: PriorityDescription, several: boolean): void {
    const { priority, panic, healthy, degraded, hosts } = level;
    const of = several ? { priority } : {};
    const fact: Happening = { kind: 'panic', panic, ...of, available: healthy + degraded, hosts };
    this.log({ kind: 'panic', cluster: cluster.name, proxy, fact });
  }

  limit(at: ClusterInProxy, priority: RequestSpec['priority'], limit: CircuitBreakerLimit, reached: boolean): void {
    const { world: cluster, proxyName: proxy } = at;
    const { nowUs } = this.world;
    const fact: Happening = { kind: 'limit', limit, high_priority: priority !== 'DEFAULT' };
    const event: RunEvent = { kind: 'circuit_breaker', cluster: cluster.name, proxy, fact };
    if (reached && priority === 'DEFAULT') cluster.limitsReached.add(limit);
    if (reached) this.events.add(event, nowUs);
    else this.events.ended(event, nowUs);
  }
}

function leastTime({ baseUs, factor, limitUs }: EjectionTime): { base_s: number; factor: number } | { max_s: number } {
  if (limitUs !== undefined) return { max_s: microsToSeconds(limitUs) };
  return { base_s: microsToSeconds(baseUs), factor };
}

/** Of a host that failed its checks: discovery may have dropped it before. */
function whenItLeaves(host: Host, type: ClusterKind): Pick<Extract<Happening, { kind: 'checked' }>, 'leaves'> {
  if ((host.flags & HealthFlag.PENDING_DYNAMIC_REMOVAL) === 0) return {};
  return { leaves: type === 'STRICT_DNS' ? 'with_next_answer' : 'now' };
}

type HealthFact = Extract<Happening, { kind: 'checked' | 'ejected' | 'unejected' }>;

const noticeOf = byKind<HealthFact, NoticeFact>({
  checked: ({ kind, passed }) => ({ kind, passed }),
  ejected: ({ kind, cause }) => ({ kind, cause }),
  unejected: ({ kind, cause }) => ({ kind, cause }),
});

/** A host that fails at least this part of its requests is failing. */
const FAILING_RATE = 0.5;
/** More failures of hosts than this are not followed. */
const FOLLOWED = 500;

type Notice = Readonly<{ cluster: string; proxy: string; atUs: Micros; fact: NoticeFact }>;

interface Failure {
  readonly server: number;
  readonly address: string;
  readonly text: string;
  /** Health checks see it, too. */
  readonly failsChecks: boolean;
  readonly fromUs: Micros;
  untilUs: Micros | undefined;
  readonly seen: Notice[];
  readonly back: Notice[];
}

/** When hosts began to fail, and when each proxy noticed: time to detection, and time to recovery. */
export class Detections {
  private readonly failures: Failure[] = [];
  private readonly current = new Map<number, Failure>();

  changed(
    server: { readonly index: number; readonly address: string; readonly behavior: Behavior },
    before: Behavior | undefined,
    text: string,
    nowUs: Micros,
  ): void {
    const { index, address, behavior } = server;
    const known = this.current.get(index);
    if (!isFailing(behavior)) {
      if (known !== undefined) known.untilUs ??= nowUs;
      return;
    }
    if (before === undefined || isFailing(before)) return;
    if (this.failures.length === FOLLOWED) {
      this.current.delete(index);
      return;
    }
    const failure = { server: index, address, text, failsChecks: failsChecks(behavior), fromUs: nowUs };
    const followed: Failure = { ...failure, untilUs: undefined, seen: [], back: [] };
    this.failures.push(followed);
    this.current.set(index, followed);
  }

  noticed(server: number, healthy: boolean, notice: Notice): void {
    const failure = this.current.get(server);
    if (failure === undefined) return;
    const same = ({ cluster, proxy }: Notice): boolean => cluster === notice.cluster && proxy === notice.proxy;
    const seen = failure.seen.some(same);
    if (!healthy) {
      if (!seen && failure.untilUs === undefined) failure.seen.push(notice);
      return;
    }
    // Hosts also return on trial while they still fail; only the first return after their recovery counts.
    if (seen && failure.untilUs !== undefined && !failure.back.some(same)) failure.back.push(notice);
  }

  /** @param checksUs how long its health checks take at most to notice a host that fails; undefined: it has none. */
  results(
    cluster: string,
    servers: ReadonlySet<number>,
    checksUs: Micros | undefined,
    endUs: Micros,
  ): DetectionResult[] {
    return this.failures
      .filter(({ server }) => servers.has(server))
      .map(({ address, text, failsChecks: isSeen, fromUs, untilUs, seen, back }) => {
        const notices = noticesAfter(seen, cluster, fromUs);
        const noticedUs = fromUs + (checksUs ?? 0);
        const tooShort = checksUs !== undefined && isSeen && untilUs === undefined && endUs <= noticedUs;
        // Long enough to see both what was before and what comes after, in whole tens of seconds.
        return {
          address,
          event: text,
          failed_at_s: microsToSeconds(fromUs),
          recovered_at_s: untilUs === undefined ? null : microsToSeconds(untilUs),
          ...(tooShort &&
            notices.length === 0 && { needs_run_of_s: Math.ceil((2 * microsToSeconds(noticedUs)) / 10) * 10 }),
          seen: notices,
          back: noticesAfter(back, cluster, untilUs ?? 0),
        };
      });
  }
}

const noticesAfter = (notices: readonly Notice[], cluster: string, sinceUs: Micros): NoticeResult[] =>
  notices
    .filter((notice) => notice.cluster === cluster)
    .map(({ proxy, atUs, fact }) => ({ proxy, after_s: microsToSeconds(atUs - sinceUs), fact }));

const failsChecks = ({ down, healthCheck }: Behavior): boolean =>
  down !== 'none' || (healthCheck !== 'ok' && healthCheck !== 'degraded');

function isFailing(behavior: Behavior): boolean {
  const { immediateHealthCheckFail, errorRate, connectFailureRate } = behavior;
  if (failsChecks(behavior) || immediateHealthCheckFail) return true;
  return errorRate >= FAILING_RATE || resetRateOf(behavior) >= FAILING_RATE || connectFailureRate >= FAILING_RATE;
}
