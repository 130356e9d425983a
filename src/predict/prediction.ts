import type { CauseResult } from '../result/happenings.js';
import type { SplitFact } from '../hostset/split-facts.js';
import type { PredictedPortion } from '../result/expected.js';
import type { LocalityResult, PlacedHost, RunResult } from '../result/run-result.js';
import type { Obstacle } from './obstacle.js';

export type { PredictedPortion } from '../result/expected.js';

/**
 * The split that a scenario must lead to, worked out from the rules instead of from samples.
 *
 * Field names are those of `lbsim predict --json`, so that the JSON report is this object and nothing else.
 */
export interface Prediction extends Pick<
  RunResult,
  'scenario' | 'version' | 'versions' | 'duration_s' | 'input' | 'unknown_hosts' | 'notes'
> {
  clusters: Record<string, ClusterPrediction>;
  /** Present with more than one proxy: what each of them sees. */
  proxies: Record<string, { clusters: Record<string, ClusterPrediction> }>;
}

/** `run` adds what it counted to the same fields. */
export interface ClusterPrediction extends PredictedSplit {
  policy: string;
  /** Its requests are connections over TCP, all of them. */
  over_tcp?: true;
  phases: PredictedPhase[];
}

/** A phase ends where balancers get to see something new; see the scenario format, section 8. */
export interface PredictedPhase extends PredictedSplit {
  from_s: number;
  to_s: number;
  /** What began it. */
  causes: CauseResult[];
  /** Why shares are not what weights alone would give, as `run` has them. */
  facts: SplitFact[];
}

/**
 * `exact`: shares are right to the rounding of doubles (1e-9).
 * `numeric`: they are off by no more than `error`.
 * `approximate`: they come from a model of how busy hosts are, and are off by no more than about `error`, an estimate.
 * `none`: there is no closed form, and `obstacle` says why; nothing else is filled in.
 */
export type PredictionMethod = 'exact' | 'numeric' | 'approximate' | 'none';

export interface PredictedSplit {
  method: PredictionMethod;
  /** Only of `numeric` and `approximate`: how far any host's share may be off, 0–1. */
  error?: number;
  /** Only of `none`. */
  obstacle?: Obstacle;
  /** Expected number of attempts; null where it depends on how the run goes. */
  requests: number | null;
  hosts: PredictedHost[];
  localities: { locality: LocalityResult; share: number }[];
  priorities: { priority: number; share: number }[];
  /** Only with subsets: who answers, as `{version: "2"}`, `default` or `any`. */
  subsets: { subset: string; share: number }[];
  /** How requests end, with their retries; only where hosts can fail or requests are retried. */
  success?: PredictedSuccess;
  /** Attempts for which no host is found; absent where the method is `none`. */
  no_host?: PredictedPortion;
}

/** The chance that a request ends with a status below 500. Methods are those of shares, and so are `error` and `obstacle`. */
export interface PredictedSuccess {
  method: PredictionMethod;
  error?: number;
  obstacle?: Obstacle;
  /** With all retries that it may have; absent where the method is `none`, like `after`. */
  chance?: number;
  /** The chance if a request could take 1, 2, … tries and no more; more tries than these change nothing. */
  after?: number[];
}

export interface PredictedHost extends PlacedHost, PredictedPortion {}
