import type { ClusterKind } from '../config/discovery.js';
import type { Clock } from '../core/environment.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import { seconds } from '../core/words.js';
import { HealthFlag, type Host } from '../host/host.js';
import type { PriorityDescription } from '../hostset/describe.js';
import { EventLog, type RunEvent } from '../result/event-log.js';
import type { PhaseView } from '../result/phases.js';
import type { RequestSpec } from '../scenario/model.js';
import type { Cause } from '../upstream/cause.js';
import type { CircuitBreakerLimit } from '../upstream/circuit-breaker.js';
import type { OutlierCause, UnejectionCause } from '../upstream/outlier-cause.js';
import type { OutlierDetector } from '../upstream/outlier-detector.js';
import type { EjectionTime } from '../upstream/outlier-ejection.js';
import type { ClusterWorld } from './cluster-world.js';
import { Detections } from './detections.js';

/** The clock of the journal. */
interface JournalClock extends Clock {
  /** A cluster initialises: nothing is recorded as an event. */
  readonly isStarting: boolean;
}

/** What it reads from the proxies when something happened to a cluster. */
interface JournalViews {
  /** What the balancers of a cluster see at this moment, and why; undefined: there is no proxy. */
  view(cluster: ClusterWorld, nowUs: Micros): PhaseView | undefined;
  /** Counts of a cluster from now on belong to its next phase. */
  beginPhase(cluster: ClusterWorld): void;
  /** The hosts that some proxy lists. */
  listedHosts(cluster: ClusterWorld): Iterable<readonly Host[]>;
}

/** More hosts than this are counted, not named. */
const NAMED = 3;
/** More returns of ejected hosts than this are not listed. */
const KEPT_RETURNS = 1000;

/** Records what a result contains besides counts: events, detections, the phases of each cluster. */
export class Journal {
  readonly events = new EventLog();
  readonly detections = new Detections();

  constructor(
    private readonly clock: JournalClock,
    private readonly views: JournalViews,
  ) {}

  /** Adds an event to the result. Nothing is recorded while a cluster initialises. */
  log(event: RunEvent): void {
    if (!this.clock.isStarting) this.events.add(event, this.clock.nowUs);
  }

  /** The lists of a cluster's balancers changed, or a value that they read: a phase begins. */
  startPhase(cluster: ClusterWorld, causes: readonly Cause[]): void {
    const { nowUs } = this.clock;
    const view = this.views.view(cluster, nowUs);
    if (view !== undefined && cluster.log.startPhase(nowUs, causes, view)) this.views.beginPhase(cluster);
  }

  /** Rows that no proxy lists any more are kept, with the time they left. */
  markRemoved(cluster: ClusterWorld): void {
    const { rows } = cluster.rows;
    const listed = new Uint8Array(rows.length);
    for (const hosts of this.views.listedHosts(cluster)) for (const host of hosts) listed[host.index] = 1;
    rows.forEach((row, index) => {
      if (listed[index] === 1) row.removedAtUs = undefined;
      else row.removedAtUs ??= this.clock.nowUs;
    });
  }

  // --- what becomes of hosts ---------------------------------------------------------------------------------------

  /** Hosts joined or left. */
  members(cluster: ClusterWorld, proxy: string, added: readonly Host[], removed: readonly Host[]): void {
    // The request or the DNS answer that named them is an event already.
    if (cluster.isAssigned) {
      for (const [hosts, what] of [
        [added, 'joined'],
        [removed, 'left'],
      ] as const) {
        if (hosts.length === 0) continue;
        this.log({ kind: 'membership', cluster: cluster.name, proxy, text: `${listed(hosts)} ${what}` });
      }
    }
    if (removed.length > 0) this.markRemoved(cluster);
  }

  /** Discovery dropped hosts, which stay. */
  kept(cluster: ClusterWorld, hosts: readonly Host[]): void {
    const addresses = hosts.map(({ address }) => address).join(', ');
    cluster.log.label(`${addresses} no longer discovered, stays while its health checks pass`, this.clock.nowUs);
  }

  /** @returns the causes of the change of lists. */
  checked(cluster: ClusterWorld, proxy: string, host: Host, passed: boolean): string {
    const text = `${host.address} ${checkedText(host, passed, cluster.type)}`;
    return this.health('health_check', cluster, proxy, host, `${passed ? 'passed' : 'failed'} checks`, text);
  }

  /** @returns as {@link checked}. */
  ejected(cluster: ClusterWorld, proxy: string, host: Host, cause: OutlierCause): string {
    cluster.course?.ejected(1);
    return this.health('ejection', cluster, proxy, host, `ejected, ${cause}`, `${host.address} ejected, ${cause}`);
  }

  /** @returns as {@link checked}. */
  unejected(
    cluster: ClusterWorld,
    proxy: string,
    host: Host,
    detector: OutlierDetector,
    cause: UnejectionCause,
  ): string {
    const { address } = host;
    cluster.course?.ejected(-1);
    const time = detector.ejectionTime(host);
    const ejectedAtUs = detector.monitor(host)?.ejectedAtUs;
    if (time !== undefined && ejectedAtUs !== undefined && cluster.returns.length < KEPT_RETURNS) {
      const { intervalUs } = detector;
      cluster.returns.push({ address, proxy, ejectedAtUs, backAtUs: this.clock.nowUs, cause, time, intervalUs });
    }
    const isOver = cause === 'ejection_time_over';
    const why = isOver ? 'its ejection is over' : 'a health check passed';
    const lasted = isOver && time !== undefined ? `: ${timeText(time)}` : '';
    return this.health('unejection', cluster, proxy, host, why, `${address} back: ${why}${lasted}`);
  }

  private health(
    kind: RunEvent['kind'],
    cluster: ClusterWorld,
    proxy: string,
    host: Host,
    by: string,
    text: string,
  ): string {
    const { nowUs } = this.clock;
    const server = cluster.serverOfRow(host.index);
    this.detections.noticed(server, !host.isUnhealthy, { cluster: cluster.name, proxy, atUs: nowUs, by });
    this.log({ kind, cluster: cluster.name, proxy, host: host.address, text });
    return text;
  }

  // --- what becomes of clusters ------------------------------------------------------------------------------------

  /** Lists that waited for the merge window went out. */
  merged(cluster: ClusterWorld, proxy: string, causes: readonly Cause[]): void {
    const text = `out of the merge window: ${causes.map((cause) => cause.text).join('; ')}`;
    this.log({ kind: 'delivery', cluster: cluster.name, proxy, text });
  }

  /** A priority entered panic, or left it. @param several the cluster has other priorities too. */
  panic(cluster: ClusterWorld, proxy: string, level: PriorityDescription, several: boolean): void {
    const { priority, panic, healthy, degraded, hosts } = level;
    const what = `${panic ? 'panic' : 'no panic any more'}${several ? ` in priority ${priority}` : ''}`;
    const text = `${what}: ${healthy + degraded} of ${hosts} hosts available`;
    this.log({ kind: 'panic', cluster: cluster.name, proxy, text });
  }

  /** A limit of a circuit breaker is reached, or is reached no longer. */
  limit(
    cluster: ClusterWorld,
    proxy: string,
    priority: RequestSpec['priority'],
    limit: CircuitBreakerLimit,
    reached: boolean,
  ): void {
    const { nowUs } = this.clock;
    const text = priority === 'DEFAULT' ? `${limit} reached` : `${limit} of high priority reached`;
    const event: RunEvent = { kind: 'circuit_breaker', cluster: cluster.name, proxy, text };
    if (reached && priority === 'DEFAULT') cluster.limitsReached.add(limit);
    if (reached) this.events.add(event, nowUs);
    else this.events.ended(event, nowUs);
  }
}

/** "30 s × 2": the minimum duration of the ejection. */
function timeText({ baseUs, factor, limitUs }: EjectionTime): string {
  if (limitUs !== undefined) return `${seconds(microsToSeconds(limitUs))}, the longest`;
  return `${seconds(microsToSeconds(baseUs))} × ${factor}`;
}

/** "10.0.0.1:80, 10.0.0.2:80", or "12 hosts". */
export function listed(hosts: readonly Host[]): string {
  if (hosts.length > NAMED) return `${hosts.length} hosts`;
  return hosts.map(({ address }) => address).join(', ');
}

function checkedText(host: Host, passed: boolean, type: ClusterKind): string {
  if (passed) return `${host.health}: passed checks`;
  const dropped = (host.flags & HealthFlag.PENDING_DYNAMIC_REMOVAL) !== 0;
  if (!dropped) return `${host.health}: failed checks`;
  return type === 'STRICT_DNS'
    ? `${host.health}: failed checks, and leaves with the next answer`
    : 'leaves: failed checks, and discovery dropped it before';
}
