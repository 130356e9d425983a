import type { ClusterLoadAssignment, Cluster, LbEndpoint, Locality } from '../config/types.js';
import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import type { LoadReport } from '../policy/load-report.js';
import type { DurationDistribution } from '../random/distributions.js';

/** Changes of hosts, discovery and traffic over time: a part of the scenario's model. */

export type DnsAnswer =
  { readonly addresses: readonly string[]; readonly ttlUs: Micros | undefined } | { readonly fail: true };

/** A selector of hosts: all given parts must match; without parts it matches every host. */
export interface Selector {
  /** `ip:port`, `ip` or CIDR, canonical. */
  readonly address?: string;
  readonly hostname?: string;
  readonly cluster?: string;
  readonly priority?: number;
  readonly locality?: { readonly region?: string; readonly zone?: string; readonly subZone?: string };
  /** Entries under `proxy.lb`. */
  readonly metadata?: Struct;
}

// --- hosts ---------------------------------------------------------------------------------------------------------

export type Duration = DurationDistribution;

export interface Behavior {
  readonly serviceTime: Duration;
  /** Infinity: unlimited. */
  readonly concurrency: number;
  /** Infinity: unlimited. */
  readonly queueLimit: number;
  readonly errorRate: number;
  readonly errorStatus: number;
  /** Headers of error answers; names in lower case. */
  readonly errorHeaders: Readonly<Record<string, string>>;
  readonly connectTime: Duration;
  readonly connectFailureRate: number;
  readonly networkLatency: Duration;
  readonly down: 'none' | 'refuse' | 'hang';
  readonly healthCheck: HealthCheckAnswer;
  readonly immediateHealthCheckFail: boolean;
  readonly initialActiveRequests: number;
  /** The load report of answers; `measured`: see `simulation/measured-load.ts`. */
  readonly loadReport: LoadReport | 'none' | 'measured';
}

/** An HTTP status is a number: 503. */
export type HealthCheckAnswer = 'ok' | 'degraded' | 'hang' | 'refuse' | number;

export const IDEAL_BEHAVIOR: Behavior = {
  serviceTime: { kind: 'constant', us: 0 },
  concurrency: Infinity,
  queueLimit: Infinity,
  errorRate: 0,
  errorStatus: 503,
  errorHeaders: {},
  connectTime: { kind: 'constant', us: 0 },
  connectFailureRate: 0,
  networkLatency: { kind: 'constant', us: 0 },
  down: 'none',
  healthCheck: 'ok',
  immediateHealthCheckFail: false,
  initialActiveRequests: 0,
  loadReport: 'none',
};

export interface BehaviorRule {
  readonly hosts: Selector;
  readonly behavior: Partial<Behavior>;
}

// --- time ----------------------------------------------------------------------------------------------------------

export type DiscoveryStatus = 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'TIMEOUT' | 'DEGRADED';

export type Action =
  | { readonly kind: 'set_health'; readonly hosts: Selector; readonly status: DiscoveryStatus }
  | { readonly kind: 'set_weight'; readonly hosts: Selector; readonly weight: number }
  | { readonly kind: 'set_metadata'; readonly hosts: Selector; readonly metadata: Readonly<Record<string, Struct>> }
  | {
      readonly kind: 'add_hosts';
      readonly cluster: string;
      readonly priority: number;
      readonly locality: Locality | undefined;
      readonly endpoints: readonly LbEndpoint[];
    }
  | { readonly kind: 'remove_hosts'; readonly hosts: Selector }
  | { readonly kind: 'assign'; readonly assignment: ClusterLoadAssignment }
  | { readonly kind: 'dns'; readonly answers: ReadonlyMap<string, DnsAnswer> }
  | { readonly kind: 'update_cluster'; readonly cluster: Cluster }
  | { readonly kind: 'remove_cluster'; readonly name: string }
  /** `fail` and `recover` are this kind too; `label` has the written word. */
  | { readonly kind: 'set_behavior'; readonly hosts: Selector; readonly behavior: Partial<Behavior> }
  | { readonly kind: 'set_rate'; readonly workload: string; readonly perSecond: number }
  | { readonly kind: 'set_runtime'; readonly values: Struct }
  | { readonly kind: 'note'; readonly text: string };

/** The actions of one kind. */
export function actionsOf<Kind extends Action['kind']>(
  timeline: readonly Pick<TimelineEntry, 'action'>[],
  kind: Kind,
): readonly Extract<Action, { readonly kind: Kind }>[] {
  return timeline.flatMap(({ action }) => (action.kind === kind ? [action as Extract<Action, { kind: Kind }>] : []));
}

/** All behaviours that a file states, from the start or later on. */
export function statedBehaviors({
  behavior,
  timeline,
}: {
  readonly behavior: readonly BehaviorRule[];
  readonly timeline: readonly Pick<TimelineEntry, 'action'>[];
}): readonly Partial<Behavior>[] {
  return [...behavior, ...actionsOf(timeline, 'set_behavior')].map((rule) => rule.behavior);
}

export interface TimelineEntry {
  /** First time it acts. */
  readonly atUs: Micros;
  /** With `every`: repeats until `untilUs` (exclusive; undefined: the end of the run). */
  readonly everyUs: Micros | undefined;
  readonly untilUs: Micros | undefined;
  readonly action: Action;
  /** For reports: "10.0.0.3:80 stops answering", "zone a set UNHEALTHY". */
  readonly label: string;
}
