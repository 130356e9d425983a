import type { Cluster } from '../config/types.js';
import type { Micros } from '../core/units.js';
import { Discovery } from './discovery.js';
import type { Mixture, RowStates } from './mixture.js';
import type { ProxyClusterView } from './proxy-view.js';
import type { KindOutcome } from './request-outcome.js';
import type { Behaviors } from './surroundings.js';
import { mayFail, mayFailChecks, neverPredictable, takesTime } from './surroundings.js';
import type { RequestKind } from './traffic.js';

/** A stretch of time in which all balancers of a cluster see the same. */
export interface CoursePhase {
  readonly fromUs: Micros;
  readonly causes: string[];
  readonly total: Mixture;
  /** By proxy specification. */
  readonly byProxy: readonly Mixture[];
  /** As rows stood when the phase began. */
  states: RowStates;
}

/** What is known of one cluster while time goes on. */
export class ClusterCourse {
  readonly discovery: Discovery;
  readonly never: string | undefined;
  views: readonly ProxyClusterView[] = [];
  kinds: readonly RequestKind[] = [];
  readonly phases: CoursePhase[] = [];
  /** Why no prediction holds any more, since something happened that only a run can follow. */
  lost: string | undefined;
  causes: string[] = [];
  causesDelivered = false;
  /** Since when the outcomes below hold. */
  segmentUs: Micros = 0;
  /** By proxy specification and kind. */
  outcomes: readonly (readonly KindOutcome[])[] = [];
  stale = true;
  private circumstancesOf = '';
  private circumstances: Circumstances = { fails: false, failsChecks: false, takesTime: false, active: false };

  constructor(
    readonly cluster: Cluster,
    private readonly behaviors: Behaviors,
  ) {
    this.never = neverPredictable(cluster);
    const localityWeighted = cluster.commonLbConfig?.localityWeightedLbConfig !== undefined;
    this.discovery = new Discovery(
      cluster,
      localityWeighted,
      (row, metadata) => behaviors.of({ ...row, cluster: cluster.name, metadata }).initialActiveRequests,
    );
  }

  get phase(): CoursePhase {
    return this.phases[this.phases.length - 1] as CoursePhase;
  }

  /** How hosts behave, as far as it can upset a prediction. @param version changes with the members. */
  hostCircumstances(version: number): Circumstances {
    const key = `${version} ${this.behaviors.version}`;
    if (this.circumstancesOf === key) return this.circumstances;
    this.circumstancesOf = key;
    const found: Circumstances = { fails: false, failsChecks: false, takesTime: false, active: false };
    this.circumstances = found;
    if (this.behaviors.isIdeal) return found;
    this.discovery.forEachMember(({ row, metadata, active }) => {
      found.active ||= active > 0;
      const behavior = this.behaviors.of({ ...row, cluster: this.cluster.name, metadata });
      found.fails ||= mayFail(behavior);
      found.failsChecks ||= mayFailChecks(behavior);
      found.takesTime ||= takesTime(behavior);
    });
    return found;
  }
}

export interface Circumstances {
  fails: boolean;
  failsChecks: boolean;
  takesTime: boolean;
  active: boolean;
}
