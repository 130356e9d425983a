import { type Runtime, runtimeInteger } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import type { HealthCheckStats } from '../core/generated/counts.js';
import { HealthFlag, type Host } from '../host/host.js';
import type { Random64 } from '../random/random64.js';
import type { HealthCheck, HealthCheckProtocol, StatusRange } from '../settings/cluster-settings.js';
import { draw, drawPercent } from '../random/draws.js';
import { type StatValues, writeCounts } from '../stats/store.js';
import type { HealthCheckAnswer } from '../settings/behavior.js';

export function writeHealthCheckStats(into: StatValues, { degraded, healthy, ...counters }: HealthCheckStats): void {
  writeCounts(into.counters, counters, 'health_check.');
  writeCounts(into.gauges, { degraded, healthy }, 'health_check.');
}

/** What a result did to a host: nothing; a step towards a threshold; or a change that rebuilds the cluster's lists. */
export type Transition = 'UNCHANGED' | 'CHANGE_PENDING' | 'CHANGED';

/**
 * One entry of `health_checks`, and the time between checks, which the proxy keeps in whole milliseconds, cut off.
 * Source: https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/core/v3/health_check.proto
 */
export class HealthCheckSettings {
  readonly timeoutUs: Micros = wholeMillis(this.config.timeoutUs) * MICROS_PER_MILLI;

  constructor(
    readonly config: HealthCheck,
    private readonly version: ProxyVersion,
    private readonly runtime: Runtime,
    private readonly random: Random64,
  ) {}

  /** Time until the first check of a new host: none, or up to `initial_jitter`, which takes one draw. */
  firstDelayUs(): Micros {
    const { initialJitterUs } = this.config;
    return wholeMillis(initialJitterUs) === 0 ? 0 : this.delayUs(0, initialJitterUs);
  }

  /** One draw for each jitter above 0, first that in percent. @param hasTraffic the cluster ever had connections. */
  nextDelayUs(passed: boolean, transition: Transition, hasTraffic: boolean): Micros {
    const intervalUs = this.intervalUs(passed, transition === 'CHANGE_PENDING', hasTraffic);
    return this.delayUs(intervalUs, this.config.intervalJitterUs);
  }

  private intervalUs(passed: boolean, isPending: boolean, hasTraffic: boolean): Micros {
    const { config } = this;
    if (!hasTraffic) {
      const isHealthy = passed && !isPending && quirksOf(this.version).knowsNoTrafficHealthyInterval;
      return isHealthy ? config.noTrafficHealthyIntervalUs : config.noTrafficIntervalUs;
    }
    if (passed) return isPending ? config.healthyEdgeIntervalUs : config.intervalUs;
    return isPending ? config.unhealthyEdgeIntervalUs : config.unhealthyIntervalUs;
  }

  /** Whether a passed check also compares the service's name. One draw where the runtime allows only some checks to. */
  verifiesService(): boolean {
    const { protocol } = this.config;
    if (protocol.kind !== 'http' || !protocol.namesService) return false;
    return drawPercent(this.random, runtimeInteger(this.runtime, 'health_check.verify_cluster', 100));
  }

  private delayUs(baseUs: Micros, jitterUs: Micros): Micros {
    const { runtime, random } = this;
    const [baseMs, jitterMs] = [wholeMillis(baseUs), wholeMillis(jitterUs)];
    const percentMs = Math.floor((this.config.intervalJitterPercent * baseMs) / 100);
    let delayMs = baseMs;
    if (percentMs > 0) delayMs += draw(random, percentMs);
    if (jitterMs > 0) delayMs += draw(random, jitterMs);
    delayMs = Math.min(delayMs, runtimeInteger(runtime, 'health_check.max_interval', Infinity));
    delayMs = Math.max(delayMs, runtimeInteger(runtime, 'health_check.min_interval', 0));
    // Never 0: virtual time would not advance.
    return Math.max(1, delayMs) * MICROS_PER_MILLI;
  }
}

/** How a host failed: by a bad answer to a check, without an answer, or by a header in an answer to a request. */
type FailureKind = Exclude<CheckResult, 'success' | 'degraded'> | 'passive';

/** The flags that active health checking sets and clears. */
const CHECK_FLAGS =
  HealthFlag.FAILED_ACTIVE_HC |
  HealthFlag.DEGRADED_ACTIVE_HC |
  HealthFlag.PENDING_ACTIVE_HC |
  HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL |
  HealthFlag.ACTIVE_HC_TIMEOUT;

export interface HealthCheckEvents {
  /**
   * The flags of the host are set; one that leaves the cluster in here is not checked again.
   * @param changed lists must be rebuilt. @param passed with several checkers: every one of them.
   */
  checked(host: Host, changed: boolean, passed: boolean, nowUs: Micros): void;
  /** A host is about to be left out of denominators, or counted again, and its lists are not rebuilt for that. */
  excluding?(): void;
}

export interface CheckOutcome {
  readonly transition: Transition;
  /** Time until this checker's next check of the host; undefined: the host was removed. */
  readonly nextDelayUs: Micros | undefined;
}

/**
 * Active health checking of one cluster in one proxy: the state of each host, and the time of its next check.
 * It keeps no timers. Per host and checker: wait {@link addHost}'s delay, call {@link beginCheck}, pass the answer (or
 * `timeout`, after {@link timeoutUs}) to {@link onResult}, wait as long as that returns, and so on.
 * Several checkers (`health_checks` with several entries) each keep their own state of a host; the host is failed,
 * degraded, new or excluded while it is so for any of them, and nothing changes before each has had one result.
 * Source: https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/health_checking
 */
export class HealthChecker {
  private readonly settings: readonly HealthCheckSettings[];
  private readonly hosts = new Map<Host, CheckedHost>();

  /** @param stats may outlive the checker: they survive a cluster's replacement. @param clusterHasTraffic read live. */
  constructor(
    configs: readonly HealthCheck[],
    private readonly version: ProxyVersion,
    runtime: Runtime,
    random: Random64,
    private readonly stats: HealthCheckStats,
    private readonly clusterHasTraffic: () => boolean,
    private readonly events: HealthCheckEvents,
  ) {
    this.settings = configs.map((config) => new HealthCheckSettings(config, version, runtime, random));
  }

  timeoutUs(checker: number): Micros {
    return (this.settings[checker] as HealthCheckSettings).timeoutUs;
  }

  /** A host is new to the cluster. @returns by checker the time to its first check; one draw per `initial_jitter`. */
  addHost(host: Host): readonly Micros[] {
    if (!this.hosts.has(host)) {
      this.hosts.set(host, new CheckedHost(host, this.settings));
      if (!isFailed(host.flags)) this.stats.healthy++;
      if (isDegraded(host.flags)) this.stats.degraded++;
    }
    return this.settings.map((settings) => settings.firstDelayUs());
  }

  removeHost(host: Host): void {
    if (!this.hosts.delete(host)) return;
    if (!isFailed(host.flags)) this.stats.healthy--;
    if (isDegraded(host.flags)) this.stats.degraded--;
  }

  /** A check of `host` begins now. @returns false where the host has left in the meantime: there is no check. */
  beginCheck(host: Host): boolean {
    if (!this.hosts.has(host)) return false;
    this.stats.attempt++;
    return true;
  }

  /** A check ended. @returns undefined where the host has left in the meantime. */
  onResult(host: Host, checker: number, result: CheckResult, nowUs: Micros): CheckOutcome | undefined {
    const checked = this.hosts.get(host);
    if (checked === undefined) return undefined;
    const settings = this.settings[checker] as HealthCheckSettings;
    const passed = result === 'success' || result === 'degraded';
    let transition: Transition;
    if (passed) {
      if (settings.verifiesService()) this.stats.verifyCluster++;
      this.stats.success++;
      if (checked.session(checker).failed) host.lastHealthCheckPassUs = nowUs;
      transition = checked.session(checker).pass(result === 'degraded');
    } else {
      transition = this.fail(checked, checker, result, result.startsWith('excluding_'));
    }
    this.settle(checked, checker, transition, passed, nowUs);
    if (!this.hosts.has(host)) return { transition, nextDelayUs: undefined };
    return { transition, nextDelayUs: settings.nextDelayUs(passed, transition, this.clusterHasTraffic()) };
  }

  /**
   * An answer to a request failed its host at once; the next check stays where it is. @returns undefined: it has left.
   * @param exclude by the immediate-failure header, which the modern proxy also takes as a request to be excluded.
   */
  onPassiveFailure(host: Host, exclude: boolean, nowUs: Micros): Transition | undefined {
    const checked = this.hosts.get(host);
    if (checked === undefined) return undefined;
    // The host refers to one checker only: the last.
    const checker = this.settings.length - 1;
    const transition = this.fail(checked, checker, 'passive', exclude);
    this.settle(checked, checker, transition, false, nowUs);
    return transition;
  }

  private fail(checked: CheckedHost, checker: number, kind: FailureKind, exclude: boolean): Transition {
    this.stats.failure++;
    if (kind === 'network' || kind === 'timeout') this.stats.networkFailure++;
    if (kind === 'passive') this.stats.passiveFailure++;
    return checked.session(checker).fail(kind, exclude && quirksOf(this.version).failedAtOnceIsExcluded);
  }

  private settle(checked: CheckedHost, checker: number, transition: Transition, passed: boolean, nowUs: Micros): void {
    const after = checked.settled(checker);
    if (after === undefined) return;
    const { host } = checked;
    const flipped = (host.flags & CHECK_FLAGS) ^ after;
    const several = this.settings.length > 1;
    // A change of one checker may have no effect: degraded or not, a failed host first has to reach its threshold.
    const changed = several ? (flipped & SHOWN_FLAGS) !== 0 : transition === 'CHANGED';
    if (!changed && (flipped & HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL) !== 0) this.events.excluding?.();
    host.flags = (host.flags & ~CHECK_FLAGS) | after;
    if ((flipped & HealthFlag.FAILED_ACTIVE_HC) !== 0) this.stats.healthy += isFailed(after) ? -1 : 1;
    if ((flipped & HealthFlag.DEGRADED_ACTIVE_HC) !== 0) {
      if (isDegraded(after)) this.stats.degraded++;
      else if (several) this.stats.degraded--;
    }
    this.events.checked(host, changed, several ? !isFailed(after) : passed, nowUs);
  }
}

/** Flags whose change shows in the lists of the cluster. */
const SHOWN_FLAGS = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.DEGRADED_ACTIVE_HC | HealthFlag.PENDING_ACTIVE_HC;

class CheckedHost {
  private readonly sessions: readonly HealthCheckSession[];
  /** Checkers that have had no result yet. */
  private readonly waiting: Set<number>;

  constructor(
    readonly host: Host,
    settings: readonly HealthCheckSettings[],
  ) {
    this.sessions = settings.map((one) => new HealthCheckSession(host.flags & CHECK_FLAGS, one));
    this.waiting = new Set(settings.keys());
  }

  session(checker: number): HealthCheckSession {
    return this.sessions[checker] as HealthCheckSession;
  }

  /** What all checkers say after a result of this one, as {@link CHECK_FLAGS}; undefined while one has had no result. */
  settled(checker: number): number | undefined {
    this.waiting.delete(checker);
    if (this.waiting.size > 0) return undefined;
    return this.sessions.reduce((flags, session) => flags | session.flags, 0);
  }
}

class HealthCheckSession {
  private first = true;
  /** Runs of results, counted only while they could change something. */
  private passes = 0;
  private failures = 0;

  constructor(
    /** {@link CHECK_FLAGS} as this checker alone would have them. */
    public flags: number,
    private readonly settings: HealthCheckSettings,
  ) {}

  get failed(): boolean {
    return isFailed(this.flags);
  }

  pass(degraded: boolean): Transition {
    this.failures = 0;
    let transition: Transition = 'UNCHANGED';
    if (this.failed) {
      // The very first result counts at once, so that a cluster is soon ready.
      if (this.first || ++this.passes === this.settings.config.healthyThreshold) {
        const over = HealthFlag.ACTIVE_HC_TIMEOUT | HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL;
        this.flags &= ~(HealthFlag.FAILED_ACTIVE_HC | over);
        transition = 'CHANGED';
      } else {
        transition = 'CHANGE_PENDING';
      }
    }
    transition = this.clearPending(transition);
    if (degraded !== isDegraded(this.flags)) {
      this.flags ^= HealthFlag.DEGRADED_ACTIVE_HC;
      // A host that is still failed has to reach its healthy threshold first.
      if (transition === 'UNCHANGED') transition = 'CHANGED';
    }
    this.first = false;
    return transition;
  }

  /** @param exclude the host asked to be left out of the denominators of load and panic as well. */
  fail(kind: FailureKind, exclude: boolean): Transition {
    if (exclude) this.flags |= HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL;
    this.passes = 0;
    let transition: Transition = 'UNCHANGED';
    if (!this.failed) {
      // The threshold applies to missing answers and retriable statuses: any other bad answer fails the host at once.
      const believed = kind === 'failure' || kind === 'excluding_failure' || kind === 'passive';
      if (believed || ++this.failures === this.settings.config.unhealthyThreshold) {
        this.flags |= HealthFlag.FAILED_ACTIVE_HC;
        transition = 'CHANGED';
      } else {
        transition = 'CHANGE_PENDING';
      }
    }
    if (kind === 'timeout' && this.failed) this.flags |= HealthFlag.ACTIVE_HC_TIMEOUT;
    else this.flags &= ~HealthFlag.ACTIVE_HC_TIMEOUT;
    this.first = false;
    return this.clearPending(transition);
  }

  /** The host is no longer new: the lists must be rebuilt even if its health did not change. */
  private clearPending(transition: Transition): Transition {
    if ((this.flags & HealthFlag.PENDING_ACTIVE_HC) === 0) return transition;
    this.flags &= ~HealthFlag.PENDING_ACTIVE_HC;
    return 'CHANGED';
  }
}

const isFailed = (flags: number): boolean => (flags & HealthFlag.FAILED_ACTIVE_HC) !== 0;
const isDegraded = (flags: number): boolean => (flags & HealthFlag.DEGRADED_ACTIVE_HC) !== 0;

/**
 * How one health check ended:
 * - `success`, `degraded`: a good answer, the latter with the header that says degraded;
 * - `failure`, `excluding_failure`: a bad answer, the latter with the header that fails the host at once;
 * - `retriable`, `excluding_retriable`: the same with a status that only counts towards the threshold;
 * - `network`: refused or closed; `timeout`: no answer in time.
 */
export type CheckResult =
  | 'success'
  | 'degraded'
  | 'failure'
  | 'excluding_failure'
  | 'retriable'
  | 'excluding_retriable'
  | 'network'
  | 'timeout';

/** @param immediateFail answers carry the immediate-failure header, which counts in a bad HTTP answer only. */
export function checkResult(
  protocol: HealthCheckProtocol,
  answer: HealthCheckAnswer,
  immediateFail: boolean,
): CheckResult {
  if (answer === 'refuse') return 'network';
  // A TCP check without `receive` passes on connect; one with `receive` waits for those bytes.
  const isGood = answer === 'ok' || answer === 'degraded';
  if (protocol.kind === 'tcp') return !protocol.expectsBytes || isGood ? 'success' : 'timeout';
  if (answer === 'hang') return 'timeout';
  if (answer === 'ok') return 'success';
  if (protocol.kind === 'other') {
    // gRPC and custom checkers know no header that says degraded.
    return answer === 'degraded' ? 'success' : 'failure';
  }
  if (answer === 'degraded') return 'degraded';
  const { expectedStatuses, retriableStatuses } = protocol;
  if (expectedStatuses.length === 0 ? answer === 200 : isWithin(expectedStatuses, answer)) return 'success';
  if (isWithin(retriableStatuses, answer)) return immediateFail ? 'excluding_retriable' : 'retriable';
  return immediateFail ? 'excluding_failure' : 'failure';
}

const isWithin = (ranges: readonly StatusRange[], status: number): boolean =>
  ranges.some(({ start, end }) => status >= start && status < end);
