import type { EventResult, ExpectationResult, LatencyOrNone, PhaseResult, Problem, Totals } from '../../index.js';

/**
 * The data of the page, made in the worker: hosts in one list, and numbers by host in typed arrays, which are cheap to
 * send.
 */

/** The values of {@link PhasePicture.health}. */
export const HEALTH_NAMES = ['absent', 'healthy', 'degraded', 'unhealthy'] as const;

export interface HostPicture {
  readonly address: string;
  readonly priority: number;
  /** Name of its locality in reports. */
  readonly zone: string;
  readonly weight: number;
  /** At the end; an index into {@link HEALTH_NAMES}. */
  readonly health: number;
  readonly share: number;
  /** NaN: there is no prediction. */
  readonly predicted: number;
}

/** A place of hosts. */
export interface LocalityPicture {
  /** As {@link HostPicture.zone}. */
  readonly name: string;
  /** What of it tells it from the others, as selectors have it. */
  readonly parts: { readonly region?: string; readonly zone?: string; readonly sub_zone?: string };
}

export interface MemberPicture {
  readonly cluster: string;
  readonly share: number;
}

export interface PhasePicture {
  readonly fromS: number;
  readonly toS: number;
  readonly cause: string;
  readonly labels: readonly string[];
  readonly reasons: readonly string[];
  readonly priorities: PhaseResult['priorities'];
  /** Of an aggregate: its attempts by member. */
  readonly members: readonly MemberPicture[];
  /** NaN: it depends on the run. */
  readonly requests: number;
  readonly failed: number;
  /** 0–1. */
  readonly noHost: number;
  /** By host; of a prediction the same as `predicted`. */
  readonly shares: Float32Array;
  /** By host; NaN: none. */
  readonly predicted: Float32Array;
  /** By host; indices into {@link HEALTH_NAMES}. */
  readonly health: Uint8Array;
  readonly weights: Float32Array;
}

/** The same quantities over time, in intervals of equal length. NaN: nothing to measure. */
export interface CoursePicture {
  readonly everyS: number;
  /** Ends of the intervals. */
  readonly toS: Float64Array;
  readonly requests: Float64Array;
  readonly failed: Float64Array;
  readonly inFlight: Float64Array;
  readonly p50: Float64Array;
  readonly p90: Float64Array;
  readonly p99: Float64Array;
  /** `hosts[host][interval]`, requests; undefined: too many. */
  readonly hosts: readonly Float64Array[] | undefined;
}

export interface SubsetPicture {
  readonly subset: string;
  readonly requests: number;
  readonly share: number;
}

/** An update that waited for the end of the merge window, in the first proxy. */
export interface WaitPicture {
  readonly fromS: number;
  readonly toS: number;
  readonly text: string;
}

/** `flows[i][j]`: the requests from the i-th place of proxies to the j-th place of hosts. */
export interface ZonesPicture {
  readonly from: readonly { readonly name: string; readonly proxies: number }[];
  readonly to: readonly { readonly name: string; readonly hosts: number }[];
  readonly flows: readonly (readonly number[])[];
  /** 0–1. */
  readonly crossZone: number;
}

export interface ClusterPicture {
  readonly name: string;
  readonly policy: string;
  readonly requests: number;
  readonly failed: number;
  /** 0–1. */
  readonly noHost: number;
  readonly hosts: readonly HostPicture[];
  /** Of its hosts, each once, without that which has no name. */
  readonly localities: readonly LocalityPicture[];
  readonly phases: readonly PhasePicture[];
  readonly course: CoursePicture | undefined;
  /** Of an aggregate: its attempts by member. */
  readonly members: readonly MemberPicture[];
  /** What requests took: a subset, or a fallback. Empty without subsets. */
  readonly subsets: readonly SubsetPicture[];
  readonly waits: readonly WaitPicture[];
  /** In percent. */
  readonly panicThreshold: number;
  /** undefined: neither proxies nor hosts are in several places. */
  readonly zones: ZonesPicture | undefined;
  readonly latency: LatencyOrNone | undefined;
  /** Why there is no prediction; empty: there is one. */
  readonly whyNot: string;
}

/** The senders, on the left of the flow. */
export interface ClientsPicture {
  readonly name: string;
  /** Where it sends. */
  readonly clusters: readonly string[];
  /** undefined: the rate is no single number, or follows from answers. */
  readonly perSecond: number | undefined;
}

export interface ProxiesPicture {
  readonly name: string;
  readonly count: number;
  readonly version: string;
}

export interface WorldPicture {
  /** Policies that a cluster may have. */
  readonly policies: readonly string[];
  readonly clients: readonly ClientsPicture[];
  readonly proxies: readonly ProxiesPicture[];
}

export interface RunPicture extends WorldPicture {
  readonly scenario: string;
  readonly description: string;
  readonly seed: string;
  readonly versions: readonly string[];
  readonly durationS: number;
  /** It was interrupted. */
  readonly partial: boolean;
  /** The answer in sentences, in order. */
  readonly answer: readonly string[];
  readonly totals: Totals;
  readonly failures: readonly (readonly [cause: string, requests: number])[];
  readonly clusters: readonly ClusterPicture[];
  readonly events: readonly EventResult[];
  readonly eventsOmitted: number;
  readonly expect: readonly ExpectationResult[];
  readonly notes: readonly string[];
  /** Wall time of the run; undefined: not told. */
  readonly elapsedMs: number | undefined;
}

/** The result of reading a text, without a run. */
export interface CheckPicture {
  readonly problems: readonly Problem[];
  /** undefined where it has errors. */
  readonly world: (WorldPicture & { readonly name: string; readonly isScenario: boolean }) | undefined;
  /** undefined without a prediction. */
  readonly clusters: readonly ClusterPicture[] | undefined;
  readonly elapsedMs: number;
}
