import type { Micros } from '../core/units.js';
import type { CircuitBreakerLimit } from '../settings/cluster-settings.js';
import type { UnejectionCause } from '../upstream/outlier-cause.js';
import type { EjectionTime } from '../upstream/outlier-monitor.js';
import type { CourseRecorder } from '../result/course.js';
import { HostRows } from '../result/phase-hosts.js';
import { NO_ROWS, PhaseLog } from '../result/phases.js';
import { ManagedCluster } from '../upstream/managed-cluster.js';

/** A host whose ejection ended. */
export interface HostReturn {
  readonly address: string;
  readonly proxy: string;
  readonly ejectedAtUs: Micros;
  readonly backAtUs: Micros;
  readonly cause: UnejectionCause;
  readonly time: EjectionTime;
  /** Of the sweeps. */
  readonly intervalUs: Micros;
}

/** One cluster, as the world outside the proxies sees it. */
export class ClusterWorld extends ManagedCluster {
  readonly rows = new HostRows();
  readonly log = new PhaseLog({ states: NO_ROWS, priorities: [], facts: [] });
  /** Limits of its circuit breakers that were reached, those of high priority aside. */
  readonly limitsReached = new Set<CircuitBreakerLimit>();
  /** The first hosts that came back from an ejection. */
  readonly returns: HostReturn[] = [];
  /** undefined: not requested. */
  course: CourseRecorder | undefined;
  private readonly serverIndices: number[] = [];

  /** The servers of all its hosts, now and before. */
  get servers(): ReadonlySet<number> {
    return new Set(this.serverIndices);
  }

  serverOfRow(row: number): number {
    return this.serverIndices[row] as number;
  }

  setServer(row: number, server: number): void {
    this.serverIndices[row] = server;
  }
}
