import type { ScenarioAnswer } from '../../core/document-format.js';
import type { BalancerStep } from '../../hostset/decision-steps.js';
import type { Step } from '../../policy/decision-trace.js';
import type { LocalityResult } from '../../result/run-result.js';
import type { RequestStep } from '../../simulation/request-story.js';

/**
 * One decision, in the order of the proxy's steps.
 *
 * Field names are those of `lbsim explain --json`, so that the JSON report is this object and nothing else.
 */
export interface Explanation extends ScenarioAnswer {
  readonly seed: string;
  readonly version: string;
  readonly at_s: number;
  readonly proxy: string;
  readonly worker: number;
  readonly cluster: string;
  readonly policy: string;
  readonly request: {
    readonly hash_key: string | null;
    /** Decimal; null: the route computes none. */
    readonly hash: string | null;
    readonly metadata_match: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly steps: readonly ExplainedStep[];
  /** null: no host was found. */
  readonly host: ExplainedHost | null;
  readonly panic: boolean;
  readonly subset: string | null;
  /** Assumptions that the caller did not state. */
  readonly facts: readonly ExplainNote[];
}

/** An assumption that the caller of `explain` did not state. */
export type ExplainNote =
  /** The request is one of this workload, where nothing else is said; `routed`: one of its routes leads here. */
  | { readonly kind: 'as_workload'; readonly workload: string; readonly routed: boolean }
  /** `note`: what the key of the workload stands for, as its route says. */
  | { readonly kind: 'hashed_together'; readonly note: string }
  /** There are others that could have been asked. */
  | { readonly kind: 'other_clusters'; readonly clusters: number }
  | { readonly kind: 'cluster_gone'; readonly cluster: string };

/** What `explain` tells of: a decision, or the way of a request. */
export type ExplainStep = RequestStep | DropStep;

/** `drop_overloads` drops a part of all requests before any host is asked. */
export type DropStep = Step<'drop', { readonly drop_ratio: number }>;

export type ExplainedStep = (BalancerStep | DropStep) & {
  /** The 64-bit values drawn for it, decimal, in order. */
  readonly draws: readonly string[];
};

export interface ExplainedHost {
  readonly address: string;
  readonly priority: number;
  readonly locality: LocalityResult;
  readonly weight: number;
  readonly health: 'healthy' | 'degraded' | 'unhealthy';
  /** Before this request. */
  readonly active_requests: number;
}
