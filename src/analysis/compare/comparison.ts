import type { CauseResult } from '../../result/happenings.js';
import type { Versioned } from '../../core/document-format.js';
import type { LocalityResult } from '../../result/run-result.js';
import type { FeltQuirk } from '../felt-quirks.js';
import type { Interval } from '../interval.js';
import type { MovedKeysResult } from '../key-map.js';
import type { LossSummary } from '../prove/lost-keys.js';

/**
 * Scenarios side by side. The first side is what the others are held against; lists go by side, and `change` has one entry
 * less: it begins with the second side.
 *
 * Field names are those of `lbsim compare --json`, so that the JSON report is this object and nothing else.
 */
export interface Comparison extends Versioned {
  /** What settings of a side do in a proxy and not in a simulation; absent: nothing. */
  readonly input?: readonly string[];
  readonly sides: readonly SideHead[];
  /** How often each side ran, with the seeds below: the same ones for all. */
  readonly runs: number;
  readonly seeds: readonly string[];
  /** Of all intervals, 0–1. */
  readonly confidence: number;
  readonly clusters: Readonly<Record<string, ClusterComparison>>;
  /** What cannot be said of the versions of the sides. */
  readonly not_known?: string;
  /** Only on request, of two sides whose proxies are of one version each: what the other version alone changes for the first. */
  readonly version_changes?: VersionChanges;
  readonly notes: readonly string[];
}

/** What the differences between two versions of the proxy change for a scenario. */
export interface VersionChanges {
  readonly from: string;
  readonly to: string;
  /** How many are known. */
  readonly differences: number;
  /** Those that change something, each tried by itself; null: there are too many requests to try them. */
  readonly felt: readonly FeltQuirk[] | null;
}

export interface SideHead {
  readonly name: string;
  readonly scenario: string;
  /** Whose behaviour; of several proxies that of the first. */
  readonly version: string;
  /** Requests of the first run. */
  readonly requests: number;
}

export interface ClusterComparison {
  /** null: the side has no such cluster. */
  readonly policy: readonly (string | null)[];
  readonly whole: StretchComparison;
  readonly phases: readonly PhaseComparison[];
  /** Only where at least one side looks keys up in a table. */
  readonly keys?: KeyComparison;
}

export interface PhaseComparison extends StretchComparison {
  readonly from_s: number;
  readonly to_s: number;
  /** What began it, by side; nothing where it goes on as before. */
  readonly began: readonly (readonly CauseResult[])[];
}

export interface StretchComparison {
  /** Requests that arrived. */
  readonly requests: Measure;
  /** Part of them that failed, 0–1. */
  readonly failed: Measure;
  /** From arrival to the final answer, of failed requests too. */
  readonly latency_ms: { readonly mean: Measure; readonly p50: Measure; readonly p99: Measure };
  /** Parts of all attempts, 0–1. */
  readonly hosts: readonly HostComparison[];
  readonly no_host: Measure;
  /** How unevenly hosts got attempts, all hosts alike whatever their weight. */
  readonly imbalance: ImbalanceComparison;
}

export interface ImbalanceComparison {
  /** The most that a host got over the mean: 1 is even. */
  readonly peak_to_mean: Measure;
  /** Jain's index: from 1 / hosts to 1, which is even. */
  readonly jain: Measure;
  /** Standard deviation over mean: 0 is even. */
  readonly cov: Measure;
}

export interface HostComparison extends Measure {
  readonly address: string;
  readonly priority: number;
  readonly locality: LocalityResult;
}

export interface Measure {
  /** Mean of the runs by side; null where there is nothing to measure. */
  readonly mean: readonly (number | null)[];
  /** Against the first side, run by run of the same seed; null where one of the two has nothing. */
  readonly change: readonly (Interval | null)[];
  /** All sides are predicted exactly: no run and no chance is in it. */
  readonly exact?: true;
}

/** Where keys go, whatever traffic there is: parts of all 2⁶⁴ hashes. */
export interface KeyComparison extends SubsetKeys {
  /** By subset, as `{version: "2"}`, `default` or `any`: each has a table of its own, and the above have nothing then. */
  readonly subsets?: Readonly<Record<string, SubsetKeys>>;
  /** Each host that is healthy at the start, lost by itself; by side. Only on request. */
  readonly single_host_failures?: readonly (LossSummary | null)[];
  readonly zone_failures?: readonly (LossSummary | null)[];
}

/** Which keys of one table move. */
export interface SubsetKeys {
  /** From the first side to each other one, at the start; null where one of the two has no table. */
  readonly between: readonly (MovedKeysResult | null)[];
  /** Within each side, at each of its phases: from the phase before. */
  readonly over_time: readonly (readonly KeyStep[])[];
}

export interface KeyStep extends MovedKeysResult {
  readonly at_s: number;
}
