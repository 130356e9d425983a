import type { Measure } from '../settings/generated/measures.js';
import type * as timeline from '../settings/world.js';
import type { WorldSettings } from '../settings/world.js';
import type { Cluster } from '../config/cluster/cluster-shape.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../config/assignment-rules.js';

/** Messages as they were read: what lint, reports and questions are about. */
export interface AsRead extends timeline.MessageForms {
  readonly cluster: Cluster;
  readonly assignment: ClusterLoadAssignment;
  readonly endpoint: LbEndpoint;
}

export type Action = timeline.Action<AsRead>;
export type TimelineEntry = timeline.TimelineEntry<AsRead>;

/**
 * A scenario after reading: every shorthand expanded, every default filled in. The reports and the simulation read nothing
 * else. What else it holds may change from one release to the next, and is not declared to users of the package.
 */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /**
   * Defaults that were filled in, and other notes, one sentence each ("no workloads given: 1000/s for 10 s to each
   * cluster").
   */
  readonly notes: readonly string[];
}

/** @internal */
export interface Scenario extends WorldSettings<AsRead> {
  /** The numbers that it is about. */
  readonly question: readonly Measure[];
  readonly expect: readonly Expectation[];
  readonly origin: Origin;
}

/** The inputs of a scenario and what they leave unknown; printed before any answer. */
export interface Origin {
  /** Only configuration of the proxy was given, no scenario. */
  readonly bare: boolean;
  /** They tell of clusters only as they stand now: what is configured is in other files. */
  readonly statusOnly: boolean;
  /** One sentence each; further lines of one are to be pasted, and are not wrapped. */
  readonly says: readonly string[];
  /** Those of them on settings that a proxy acts on and a simulation does not. */
  readonly lacking: readonly string[];
  /** Clusters whose hosts are in no file. */
  readonly unknownHosts: readonly string[];
  /** Why nothing can be sent, and what to add; undefined: something can, or it is known that there is no host. */
  readonly unsent: string | undefined;
  /** What the routes of the files do and their workloads do not: a sentence each. */
  readonly routeNotes: readonly string[];
  /** By workload, what its route hashes, with all settings: `cookie sid (ttl 60s)`. */
  readonly hashPolicies: ReadonlyMap<string, readonly string[]>;
  /** By workload, where a key is one hash of several things: which they are. */
  readonly hashNotes: ReadonlyMap<string, string>;
  /** IP addresses made up for hosts that were given as a number. */
  readonly madeUpHosts: ReadonlySet<string>;
  /** Clusters whose hosts are those of an option alone. */
  readonly givenHosts: ReadonlySet<string>;
  /** Selected clusters; undefined: all. */
  readonly reported: ReadonlySet<string> | undefined;
}

export interface Expectation extends Measure {
  /** undefined only for decisions. */
  readonly comparator: Comparator | undefined;
  /** What it is compared with: values of the comparator are multiples of it. undefined: with numbers. */
  readonly relativeTo?: Measure | undefined;
  /** A sentence for the report. */
  readonly text: string;
  /** Its place in `expect` of the file, where an entry may stand for several clusters; absent: it is in no file. */
  readonly entry?: number | undefined;
}

export type Comparator =
  | { readonly kind: 'equals' | 'at_least' | 'at_most' | 'within_sigma'; readonly value: number }
  | { readonly kind: 'between'; readonly low: number; readonly high: number };
