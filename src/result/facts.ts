import type { SplitFact } from '../hostset/split-facts.js';
import type { CircuitBreakerLimit } from '../settings/cluster-settings.js';

/** What a policy that looks at load goes by. */
export type LoadBasis = 'open_requests' | 'open_requests_and_answers' | 'probes';

/** Why hosts in slow start count less than their weight. */
export interface SlowStartFact {
  readonly kind: 'slow_start';
  /** Hosts that grow. */
  readonly hosts: number;
  /** The one that began last, and its part of its weight, 0–1: now and halfway. */
  readonly newest: string;
  readonly part: number;
  readonly half_part: number;
  readonly half_s: number;
  /** When it has all of it. */
  readonly full_s: number;
}

/** Why the numbers of a whole run are what they are, where no single moment shows it. */
export type RunFact =
  /** STRICT_DNS: each address is a host and has the weight of its name, so that a name counts as often as it has addresses. */
  | {
      readonly kind: 'names_by_addresses';
      readonly uses_weights: boolean;
      readonly names: readonly Readonly<{ name: string; addresses: number; weight: number; share: number }>[];
    }
  /** Hosts that do not answer attempts to connect: their requests wait until these time out. */
  | { readonly kind: 'connect_timeouts'; readonly timeout_s: number }
  /** LOGICAL_DNS: one host, at the first address of the answer. */
  | { readonly kind: 'first_address'; readonly addresses: number; readonly used: string }
  /** A host's share differs from that of its weight, as the policy looks at load. */
  | {
      readonly kind: 'load_feedback';
      readonly host: string;
      readonly policy: string;
      readonly basis: LoadBasis;
      readonly share: number;
      /** What its weight gives it, or an even share where the policy uses none. */
      readonly fair_share: number;
      readonly by_weight: boolean;
      /** Its share is one of its locality, not of the cluster. */
      readonly of_locality: boolean;
      /** In one phase; absent: over the run. */
      readonly from_s?: number;
      readonly to_s?: number;
      readonly because: LoadCause;
      /** Part of the picks in which all draws fall on it, so that it is taken whatever its load; absent: a small part of its share. */
      readonly drawn_alone?: { readonly choice_count: number; readonly share: number };
    }
  /** Each update begins the schedule anew, and the first turn of a host of small weight is late. */
  | {
      readonly kind: 'restarted_turns';
      readonly host: string;
      /** Others that have their turn before it. */
      readonly before: number;
      /** Most requests between two updates. */
      readonly longest: number;
      readonly got: number;
      readonly due: number;
    }
  /** Each worker of each proxy takes turns by itself: counts of equal hosts, where they differ most. */
  | {
      readonly kind: 'several_rotations';
      readonly rotations: number;
      readonly proxies: number;
      readonly least: number;
      readonly most: number;
      readonly mean: number;
    }
  /** Clients keep their connections, and these their workers: parts of their requests, by worker, where they are uneven. */
  | { readonly kind: 'workers_by_connection'; readonly shares: readonly number[]; readonly proxy?: string }
  /** How long ejections lasted, one number each, and by which rule; without one a passed health check ended them. */
  | {
      readonly kind: 'ejection_times';
      readonly hosts: readonly string[];
      readonly out_s: readonly number[];
      readonly proxy?: string;
      readonly rule?: {
        readonly base_s: number;
        readonly factors: readonly number[];
        readonly max_s?: number;
        readonly jitter: boolean;
        readonly interval_s: number;
      };
    }
  /** Outliers that were not ejected, since too many hosts would have been out. */
  | {
      readonly kind: 'ejections_refused';
      readonly times: number;
      readonly proxy?: string;
      readonly max_ejection_percent: number;
      readonly may_be_out: number;
      readonly hosts: number;
    }
  /** Retries that were not made, and what allowed no more at once. */
  | {
      readonly kind: 'retries_refused';
      readonly retries: number;
      readonly proxy?: string;
      readonly least_allowed: number;
      readonly most_allowed: number;
      /** `max_retries` is the default. */
      readonly is_default: boolean;
      readonly budget?: { readonly percent: number; readonly min_retry_concurrency: number };
      /** The most that a host was given, over what it can serve; absent: never more than it can. */
      readonly most_load?: number;
    }
  /** A table gives a retry the host of its hash again, unless a predicate of its retry policy rejects it: so many times at most. */
  | { readonly kind: 'retries_keep_host'; readonly policy: string; readonly asks_again: number }
  /** Limits that nobody set were reached. */
  | {
      readonly kind: 'default_limits';
      readonly limits: readonly { readonly limit: CircuitBreakerLimit; readonly value: number }[];
      readonly refused: number;
    };

/** Why a host has more or fewer open requests than others. */
export type LoadCause =
  | { readonly why: 'fails_over_run'; readonly failed_share: number; readonly attempts: number }
  | { readonly why: 'fails_at_once'; readonly failed_share: number; readonly attempts: number }
  /** Without `failed_share`: it fails no more than others. */
  | Readonly<{ why: 'latency'; own_ms: number; others_ms: number; failed_share?: number; attempts: number }>
  | { readonly why: 'unanswered'; readonly unanswered: number; readonly attempts: number };

/** Why shares are what they are in one phase. */
export type PhaseFact = SplitFact | SlowStartFact;

/** Every fact behind a sentence of `reasons`. */
export type Fact = PhaseFact | RunFact;
