import type { ScenarioAnswer } from '../../core/document-format.js';
import type { ProxyVersion } from '../../core/version.js';
import type { Interval } from '../interval.js';

/** The seed of the n-th run under one seed, from 0. The first run is that of `lbsim run`. */
export const seedOfRun = (seed: string, run: number): string => (run === 0 ? seed : `${seed}-${run + 1}`);

/**
 * Means with confidence intervals: over runs of one scenario under different seeds, or over the batches of one long run.
 * Field names are those of `lbsim run --replications --json`.
 */
export interface Replications extends ScenarioAnswer {
  readonly version: ProxyVersion;
  /** `batches`: stretches of equal length of one run, one after the other. */
  readonly method: 'replications' | 'batches';
  /** How many runs, or batches. */
  readonly runs: number;
  /** Of the runs, in their order; of batches that of the one run. */
  readonly seeds: readonly string[];
  /** Of all intervals, 0–1. */
  readonly confidence: number;
  /** True where the user interrupted: these are the runs that had ended. */
  readonly partial?: true;
  /** Requests before it are not counted. */
  readonly warmup_s: number;
  /** Only where a precision was asked for. */
  readonly precision?: PrecisionResult;
  /** Of batches: the number whose batches depend on each other most; absent where nothing does. */
  readonly dependence?: Dependence;
  /**
   * Every number of the report by its name in `lbsim run --json`, as `clusters.backend.latency_ms.p99`; entries of lists go by
   * what they are about (address, locality, subset …), phases by number. `failed_share` is the part of requests that failed.
   */
  readonly numbers: Readonly<Record<string, Estimate>>;
  /** Clusters that got requests. */
  readonly clusters: Readonly<Record<string, ReplicatedCluster>>;
  readonly expect: readonly ExpectationCount[];
  readonly notes: readonly string[];
}

export interface ReplicatedCluster {
  readonly policy: string;
  /** Its hosts, as the names of their numbers have them. */
  readonly hosts: readonly string[];
}

export interface Estimate extends Interval {
  /** In how many runs there was such a number; absent: in all. */
  readonly runs?: number;
}

/** How far the widest interval of the main numbers reaches: failed requests and shares of hosts, mean and 99th percentile of latency. */
export interface PrecisionResult {
  /** What was asked for: parts of all requests for shares, of themselves for latencies; 0–1. */
  readonly wanted: number;
  readonly reached: boolean;
  /** The number that is known least, and how far its interval reaches from its mean, in the same unit. */
  readonly widest: string | null;
  readonly half_width: number | null;
}

export interface Dependence {
  readonly number: string;
  /** Correlation of each batch with the next, −1 to 1. */
  readonly correlation: number;
}

export interface ExpectationCount {
  readonly expectation: string;
  /** In how many of the runs it held. */
  readonly passed: number;
  readonly runs: number;
}
