import type { ScenarioAnswer } from '../../core/document-format.js';
import type { CauseResult } from '../../result/happenings.js';
import type { LocalityResult } from '../../result/run-result.js';

/** What of a scenario was put to a real proxy, and whether both decided alike. */
export interface Verification extends Omit<ScenarioAnswer, 'format'> {
  /** The real proxy: its version, as `1.40.0`. */
  readonly proxy_version: string;
  /** The version that lbsim simulated, whatever the scenario says: it is the one that reads v3. */
  readonly simulated_version: string;
  /** False also where nothing could be compared. */
  readonly agrees: boolean;
  /** The situations of the scenario, each put to a proxy that was started for it. */
  readonly situations: readonly VerifiedSituation[];
  /** So much of the scenario was played in real time instead; absent: requests came one by one. */
  readonly played_s?: number;
  /** Parts of the scenario that a situation does not have, and why. */
  readonly not_compared: readonly NotCompared[];
}

export interface NotCompared {
  /** A cluster, a workload or a field. */
  readonly what: string;
  readonly why: string;
}

/** One state of the hosts that the scenario reaches. */
export interface VerifiedSituation {
  /** The first time that it holds for, in seconds; several times may be alike. */
  readonly from_s: number;
  readonly to_s: number;
  readonly proxy: string;
  /** What began it. */
  readonly causes: readonly CauseResult[];
  readonly splits: readonly VerifiedSplit[];
  readonly stats: readonly VerifiedStat[];
  readonly agrees: boolean;
}

/** The same requests, divided by the proxy and by lbsim. */
export interface VerifiedSplit {
  readonly cluster: string;
  readonly workload: string;
  readonly requests: number;
  readonly hosts: readonly VerifiedHost[];
  /** Requests that found no host. */
  readonly no_host: VerifiedCount;
  /** Requests that lost their answer for another reason: neither expects them. */
  readonly other: VerifiedCount;
  /** Keys and the host of each; absent where the requests have none. */
  readonly keys?: VerifiedKeys;
  /** Whether the picks come in the same order; absent where their order is random. */
  readonly order?: { readonly kind: 'rotation' | 'schedule'; readonly agrees: boolean };
  /** Requests that the proxy made cookies for; absent: none. */
  readonly cookies?: { readonly compared: number; readonly differ: number };
  readonly agrees: boolean;
}

/** A number of requests on each side. */
export interface VerifiedCount {
  readonly proxy: number;
  readonly lbsim: number;
  /** Chance explains the difference: it is within 5 standard errors and two requests. */
  readonly agrees: boolean;
}

export interface VerifiedHost extends VerifiedCount {
  readonly address: string;
  readonly priority: number;
  readonly locality: LocalityResult;
}

export interface VerifiedKeys {
  readonly compared: number;
  /** The first that differ; null: no host. */
  readonly different: readonly { readonly key: string; readonly proxy: string | null; readonly lbsim: string | null }[];
  readonly differ: number;
}

export interface VerifiedStat extends VerifiedCount {
  readonly name: string;
}
