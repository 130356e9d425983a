import type {
  ClusterResult,
  CourseResult,
  EventResult,
  ExpectationResult,
  FleetResult,
  HostResult,
  PhaseResult,
  Problem,
} from '../../index.js';
import { TRUTHS } from '../../result/phases.js';
import type { HostTruth } from '../../result/run-result.js';

/**
 * The data of the page, made in the worker: hosts in one list, and numbers by host in typed arrays, which are cheap to
 * send. Of a prediction what is counted is 0 or empty.
 */

/** The values of {@link PhasePicture.health}. */
export const HEALTH_NAMES = ['absent', 'healthy', 'degraded', 'unhealthy'] as const;

/** What a host is, whatever the proxy believes. */
export type Truth = HostTruth | 'alive';

export function truthOf(phase: Pick<PhasePicture, 'truth'> | undefined, host: number): Truth {
  return TRUTHS[phase?.truth[host] ?? 0] ?? 'alive';
}

export interface HostPicture extends Readonly<Pick<HostResult, 'address' | 'priority' | 'weight' | 'share'>> {
  /** Name of its locality in reports. */
  readonly zone: string;
  /** At the end; an index into {@link HEALTH_NAMES}. */
  readonly health: number;
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

/** What one calls it. */
export function kindOf(parts: LocalityPicture['parts']): 'zone' | 'locality' {
  return Object.keys(parts).join() === 'zone' ? 'zone' : 'locality';
}

type PhaseParts = 'cause' | 'labels' | 'reasons' | 'priorities' | 'failed';

export interface PhasePicture extends Readonly<Pick<PhaseResult, PhaseParts>> {
  readonly fromS: number;
  readonly toS: number;
  /** Of an aggregate: its attempts by member. */
  readonly members: NonNullable<PhaseResult['members']>;
  /** NaN: it depends on the run. */
  readonly requests: number;
  /** 0–1. */
  readonly noHost: number;
  /** By host; of a prediction the same as `predicted`. */
  readonly shares: Float32Array;
  /** By host; NaN: none. */
  readonly predicted: Float32Array;
  /** By host; indices into {@link HEALTH_NAMES}. */
  readonly health: Uint8Array;
  /** By host; indices into {@link TRUTHS}. */
  readonly truth: Uint8Array;
  /** By host: what it gets of what it can serve; NaN: it can serve any number, or that is not known. */
  readonly load: Float32Array;
  readonly weights: Float32Array;
}

/** An update that waited for the end of the merge window, in the first proxy. */
export interface WaitPicture {
  readonly fromS: number;
  readonly toS: number;
  readonly text: string;
}

export interface ClusterPicture extends Readonly<Pick<ClusterResult, 'policy' | 'requests' | 'failed' | 'subsets'>> {
  readonly name: string;
  /** 0–1. */
  readonly noHost: number;
  readonly hosts: readonly HostPicture[];
  /** Of its hosts, each once, without that which has no name. */
  readonly localities: readonly LocalityPicture[];
  readonly phases: readonly PhasePicture[];
  readonly course: CourseResult | undefined;
  /** Of an aggregate: its attempts by member. */
  readonly members: NonNullable<ClusterResult['members']>;
  readonly waits: readonly WaitPicture[];
  /** In percent. */
  readonly panicThreshold: number;
  /** undefined: neither proxies nor hosts are in several places. */
  readonly fleet: FleetResult | undefined;
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

export interface RunPicture {
  /** Policies that a cluster may have. */
  readonly policies: readonly string[];
  readonly clients: readonly ClientsPicture[];
  readonly proxies: readonly { readonly name: string; readonly count: number; readonly version: string }[];
  readonly scenario: string;
  readonly description: string;
  /** Empty: none, of a prediction. */
  readonly seed: string;
  readonly versions: readonly string[];
  readonly durationS: number;
  /** It was interrupted. */
  readonly partial: boolean;
  /** The answer in sentences, in order. */
  readonly answer: readonly string[];
  readonly requests: number;
  readonly clusters: readonly ClusterPicture[];
  readonly events: readonly EventResult[];
  readonly eventsOmitted: number;
  readonly expect: readonly ExpectationResult[];
  readonly notes: readonly string[];
  /** Wall time of the run; undefined: not told. */
  readonly elapsedMs: number | undefined;
}

/** What differs between two sides, the first against the second. */
export interface DifferencePicture {
  /** The worst first. */
  readonly sentences: readonly string[];
  /** Of each cluster by name: a number of both sides, and the change with its 95 % interval. */
  readonly clusters: Readonly<Record<string, readonly DifferenceRow[]>>;
}

export interface DifferenceRow {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  readonly change: string;
  /** Chance does not explain it. */
  readonly clear: boolean;
}

/** The result of reading a text, without a run. */
export interface CheckPicture {
  readonly problems: readonly Problem[];
  /** Whether it is a scenario, or a proxy's configuration; undefined where it has errors. */
  readonly isScenario: boolean | undefined;
  /** undefined without a prediction. */
  readonly clusters: readonly ClusterPicture[] | undefined;
}
