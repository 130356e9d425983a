import type { Happening, ConsecutiveCause } from '../../upstream/cause.js';
import type { BalancerStep } from '../../hostset/decision-steps.js';
import type { ZoneOff } from '../../hostset/split-facts.js';
import type { LocalityResult, PlacedHost, PriorityResult } from '../../result/run-result.js';
import type { CircuitBreakerLimit } from '../../settings/cluster-settings.js';

/** The state of one cluster in one proxy at one instant, after everything else of that instant. */
export interface Inspection {
  readonly at_s: number;
  readonly proxy: string;
  readonly worker: number;
  readonly cluster: string;
  readonly policy: string;
  /** false: the cluster has been removed by then, and the rest is empty. */
  readonly present: boolean;
  readonly panic_threshold: number;
  /** min(100, what all levels together cover): a level panics only below 100. */
  readonly normalized_total: number;
  readonly priorities: readonly InspectedPriority[];
  /** null: the proxy has no local cluster, or the policy ignores zones. */
  readonly zone: InspectedZone | null;
  readonly subsets: readonly InspectedSubset[];
  /** The lists in which hosts take turns now. */
  readonly lists: readonly InspectedList[];
  /** Of RING_HASH and MAGLEV, by priority, or by subset and priority. */
  readonly tables: readonly InspectedTable[];
  /** null: no key was asked for, or the cluster has no table. */
  readonly key: InspectedKey | null;
  readonly merge_window: {
    readonly window_s: number;
    readonly waiting: readonly Readonly<{ priority: number; due_s: number; facts: readonly Happening[] }>[];
  };
  /** null: without outlier detection. */
  readonly outliers: InspectedOutliers | null;
  readonly breakers: readonly InspectedBreaker[];
  /** Hosts as the main thread knows them, which may be ahead of what the balancers hold. */
  readonly hosts: readonly InspectedHost[];
}

export interface InspectedPriority extends Readonly<Omit<PriorityResult, 'total'>> {
  readonly hosts: number;
  readonly excluded: number;
  /** Percent. */
  readonly overprovisioning: number;
  /** Percent, what is compared with the panic threshold. */
  readonly available: number;
  /** Effective locality weights; empty without locality-weighted balancing. */
  readonly localities: readonly { readonly locality: LocalityResult; readonly weight: number }[];
}

export interface InspectedZone {
  readonly state: 'none' | 'direct' | 'residual';
  /** Why it does not route by zone; null: it does. */
  readonly off: ZoneOff | null;
  /** The part that stays in the own zone, 0–1; null where it does not route by zone. */
  readonly stays: number | null;
  /** By zone of priority 0: parts of the hosts, of the proxies, and of what leaves the own zone, 0–1. */
  readonly zones: readonly Readonly<{ locality: LocalityResult; hosts: number; proxies: number; spare: number }>[];
}

export interface InspectedSubset {
  readonly subset: string;
  readonly hosts: number;
  readonly healthy: number;
  readonly single_host: boolean;
  /** Of its levels. */
  readonly panic: boolean;
}

export interface InspectedList {
  /** null: the cluster has no subsets. */
  readonly subset: string | null;
  readonly priority: number;
  readonly health: 'healthy' | 'degraded' | 'any';
  /** null: the hosts of all localities. */
  readonly locality: LocalityResult | null;
  /** `rotation`: one after the other. `schedule`: earliest deadline first. */
  readonly kind: 'rotation' | 'schedule';
  /** In the order of their turns. */
  readonly queue: readonly {
    readonly address: string;
    readonly weight: number;
    readonly active: number;
    /** Turns of weight 1 until it is due; of a rotation the number of picks. */
    readonly due: number;
  }[];
}

export interface InspectedTable {
  /** null: the cluster has no subsets. */
  readonly subset: string | null;
  readonly priority: number;
  readonly noun: 'ring' | 'table';
  readonly size: number;
  readonly hosts: readonly {
    readonly address: string;
    readonly entries: number;
    /** Of all hashes, 0–1. */
    readonly key_share: number;
  }[];
  /** Shape [entries], in table order: where each is, as a part of all hashes (a ring) or of all slots, 0–1. */
  readonly positions: Float64Array;
  /** Shape [entries]: indices into `hosts`. */
  readonly owners: Int32Array;
}

export interface InspectedKey {
  readonly key: string;
  /** Decimal. */
  readonly hash: string;
  /** Where it falls: the hash as a part of all hashes (a ring), or its slot as a part of all slots, 0–1. */
  readonly position: number;
  readonly priority: number;
  /** null: no host is found. */
  readonly host: string | null;
  /** How it is looked up. */
  readonly facts: readonly BalancerStep[];
}

export interface InspectedOutliers {
  /** Errors in a row that detect a host. */
  readonly limits: Readonly<Record<ConsecutiveCause, number>>;
  readonly interval_s: number;
  readonly ejected: number;
  readonly may_be_out: number;
  /** Of the last sweep, percent; null where it was not computed. */
  readonly success_rate: { readonly mean: number; readonly threshold: number } | null;
  readonly hosts: readonly InspectedErrors[];
}

export interface InspectedErrors extends Readonly<Record<ConsecutiveCause, number>> {
  readonly address: string;
  /** Percent in the last whole interval; null where there were too few requests. */
  readonly success_rate: number | null;
  readonly ejections: number;
  /** The earliest end of its ejection; null: it is in. */
  readonly out_until_s: number | null;
}

export interface InspectedBreaker {
  readonly priority: 'DEFAULT' | 'HIGH';
  readonly limit: CircuitBreakerLimit;
  readonly used: number;
  readonly max: number;
}

export interface InspectedHost extends Readonly<Omit<PlacedHost, 'locality'>> {
  readonly active: number;
  readonly pending: number;
  readonly connections: number;
}
