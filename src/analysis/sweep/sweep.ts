import type { Versioned } from '../../core/document-format.js';
import type { ProxyVersion } from '../../core/version.js';
import type { Estimate } from '../replicate/replications.js';

/** A scenario over many values of its fields. Field names are those of `lbsim sweep --json`. */
export interface Sweep extends Versioned {
  readonly scenario: string;
  /** What its settings do in a proxy and not in a simulation; absent: nothing. */
  readonly input?: readonly string[];
  readonly version: ProxyVersion;
  readonly design: 'grid' | 'random' | 'latin-hypercube';
  /** The fields that are varied. */
  readonly paths: readonly string[];
  /** How many points there are. */
  readonly points: number;
  /** Seeds of the runs of each point: the same ones for all. */
  readonly seeds: readonly string[];
  /** Of all intervals, 0–1. */
  readonly confidence: number;
  /** True where the user interrupted: points that are not finished are missing. */
  readonly partial?: true;
  /** Only where the best point was looked for. */
  readonly search?: SearchResult;
  /** By number; of a search the best first. */
  readonly results: readonly SweepPoint[];
}

export interface SweepPoint {
  /** From 0, in the order of the design. */
  readonly point: number;
  /** By path. */
  readonly values: Readonly<Record<string, string>>;
  readonly runs: number;
  /** Why there are no numbers; absent: there are. */
  readonly problem?: string;
  /** By name, as `p99`, or `web.p99` where several clusters have traffic; shares are 0–1, latencies milliseconds. */
  readonly measures: Readonly<Record<string, Estimate>>;
}

export interface SearchResult {
  readonly goal: 'minimize' | 'maximize';
  readonly measure: string;
  readonly subject_to: readonly string[];
  /** null: no point keeps within all bounds. */
  readonly best: number | null;
  /** Other points whose difference from the best one, run by run of the same seed, may be chance. */
  readonly as_good: readonly number[];
}
