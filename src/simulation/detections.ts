import { type Micros, microsToSeconds } from '../core/units.js';
import type { NoticeFact } from '../result/happenings.js';
import type { DetectionResult, NoticeResult } from '../result/run-result.js';
import type { Behavior } from '../settings/behavior.js';

/** A host that fails at least this part of its requests is failing. */
const FAILING_RATE = 0.5;
/** More failures of hosts than this are not followed. */
const FOLLOWED = 500;

interface Notice {
  readonly cluster: string;
  readonly proxy: string;
  readonly atUs: Micros;
  readonly fact: NoticeFact;
}

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
    const failure: Failure = {
      server: index,
      address,
      text,
      failsChecks: failsChecks(behavior),
      fromUs: nowUs,
      untilUs: undefined,
      seen: [],
      back: [],
    };
    this.failures.push(failure);
    this.current.set(index, failure);
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

function noticesAfter(notices: readonly Notice[], cluster: string, sinceUs: Micros): NoticeResult[] {
  return notices
    .filter((notice) => notice.cluster === cluster)
    .map(({ proxy, atUs, fact }) => ({ proxy, after_s: microsToSeconds(atUs - sinceUs), fact }));
}

function failsChecks({ down, healthCheck }: Behavior): boolean {
  return down !== 'none' || (healthCheck !== 'ok' && healthCheck !== 'degraded');
}

function isFailing(behavior: Behavior): boolean {
  const { immediateHealthCheckFail, errorRate, connectFailureRate } = behavior;
  if (failsChecks(behavior) || immediateHealthCheckFail) return true;
  return errorRate >= FAILING_RATE || connectFailureRate >= FAILING_RATE;
}
