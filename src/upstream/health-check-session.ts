import { HealthFlag } from '../host/host.js';
import type { HealthCheckSettings, Transition } from './health-check-settings.js';

/** How a host failed: by a bad answer to a check, without an answer, or by a header in an answer to a request. */
export type FailureKind = 'answer' | 'retriable' | 'network' | 'timeout' | 'passive';

/** The flags that active health checking sets and clears. */
export const CHECK_FLAGS =
  HealthFlag.FAILED_ACTIVE_HC |
  HealthFlag.DEGRADED_ACTIVE_HC |
  HealthFlag.PENDING_ACTIVE_HC |
  HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL |
  HealthFlag.ACTIVE_HC_TIMEOUT;

/** One checker's view of a host. */
export interface Flagged {
  /** Set of {@link HealthFlag}. */
  flags: number;
}

/** What one checker remembers of one host, and what results do to the host's flags. */
export class HealthCheckSession {
  private first = true;
  /** Runs of results, counted only while they could change something. */
  private passes = 0;
  private failures = 0;

  constructor(
    private readonly view: Flagged,
    private readonly settings: HealthCheckSettings,
  ) {}

  get failed(): boolean {
    return (this.view.flags & HealthFlag.FAILED_ACTIVE_HC) !== 0;
  }

  pass(degraded: boolean): Transition {
    this.failures = 0;
    let transition: Transition = 'UNCHANGED';
    if (this.failed) {
      // The very first result counts at once, so that a cluster is soon ready.
      if (this.first || ++this.passes === this.settings.healthyThreshold) {
        this.clear(
          HealthFlag.FAILED_ACTIVE_HC | HealthFlag.ACTIVE_HC_TIMEOUT | HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL,
        );
        transition = 'CHANGED';
      } else {
        transition = 'CHANGE_PENDING';
      }
    }
    transition = this.clearPending(transition);
    if (degraded !== this.has(HealthFlag.DEGRADED_ACTIVE_HC)) {
      if (degraded) this.set(HealthFlag.DEGRADED_ACTIVE_HC);
      else this.clear(HealthFlag.DEGRADED_ACTIVE_HC);
      // A host that is still failed has to reach its healthy threshold first.
      if (transition === 'UNCHANGED') transition = 'CHANGED';
    }
    this.first = false;
    return transition;
  }

  /** @param exclude the host asked to be left out of the denominators of load and panic as well. */
  fail(kind: FailureKind, exclude: boolean): Transition {
    if (exclude) this.set(HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL);
    this.passes = 0;
    let transition: Transition = 'UNCHANGED';
    if (!this.failed) {
      // The threshold applies to missing answers and retriable statuses: any other bad answer fails the host at once.
      const believed = kind === 'answer' || kind === 'passive';
      if (believed || ++this.failures === this.settings.unhealthyThreshold) {
        this.set(HealthFlag.FAILED_ACTIVE_HC);
        transition = 'CHANGED';
      } else {
        transition = 'CHANGE_PENDING';
      }
    }
    if (kind === 'timeout' && this.failed) this.set(HealthFlag.ACTIVE_HC_TIMEOUT);
    else this.clear(HealthFlag.ACTIVE_HC_TIMEOUT);
    this.first = false;
    return this.clearPending(transition);
  }

  /** The host is no longer new: the lists must be rebuilt even if its health did not change. */
  private clearPending(transition: Transition): Transition {
    if (!this.has(HealthFlag.PENDING_ACTIVE_HC)) return transition;
    this.clear(HealthFlag.PENDING_ACTIVE_HC);
    return 'CHANGED';
  }

  private has(flag: number): boolean {
    return (this.view.flags & flag) !== 0;
  }

  private set(flags: number): void {
    this.view.flags |= flags;
  }

  private clear(flags: number): void {
    this.view.flags &= ~flags;
  }
}
