import type { CourseRecorder } from '../result/course.js';
import { HostRows } from '../result/host-rows.js';
import { NO_ROWS, PhaseLog } from '../result/phases.js';
import { ManagedCluster } from '../upstream/managed-cluster.js';

/** One cluster of the scenario, as the world outside the proxies sees it. */
export class ClusterWorld extends ManagedCluster {
  readonly rows = new HostRows();
  readonly log = new PhaseLog({ states: NO_ROWS, priorities: [], reasons: [] });
  /** undefined: nobody asks for it. */
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
