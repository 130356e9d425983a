import type { Struct } from '../../core/values.js';
import type { ProxyVersion } from '../../core/version.js';
import type { HealthStatus } from '../../host/host.js';
import type { PolicySettings } from '../../hostset/lb-config.js';
import type { PickRequest } from '../../hostset/load-balancer.js';
import type { AnswerOutcome } from '../../policy/answers.js';
import type { ClientPlace } from '../../policy/client-subsets.js';
import type { LoadReport } from '../../policy/load-report.js';
import type { StoryHost, StoryRequest } from '../story.js';
import { type LbPolicy } from '../../policy/registry.js';
import type { EMPHASES } from './generated/emphases.js';

/** A cluster, and what happens to it: plain data, so that one that is decided otherwise can be read. */
export interface Trial {
  /** Seed of the balancer's draws. */
  readonly seed: string;
  readonly policy: PolicySettings;
  readonly hasLocalCluster: boolean;
  /** The levels exist when the balancer is made, instead of being announced to it. */
  readonly isThere: boolean;
  /** undefined: it does not know its place. */
  readonly client: ClientPlace | undefined;
  /** Member clusters of an aggregate; 1: there is no aggregate. */
  readonly members: number;
  readonly levels: readonly TrialLevel[];
  readonly hosts: readonly TrialHost[];
  readonly events: readonly TrialEvent[];
}

/** The settings of one priority. */
export interface TrialLevel {
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  /** By zone. */
  readonly localityWeights: Readonly<Record<string, number>> | undefined;
}

export interface TrialHost extends Omit<StoryHost, 'busy'> {
  /** Of which member cluster. */
  readonly member: number;
  readonly hostname: string;
  readonly isNew: boolean;
}

export interface TrialRequest
  extends StoryRequest, Readonly<Partial<Pick<PickRequest, 'headers' | 'key' | 'hostSelectionRetryCount'>>> {
  /** Hosts that the caller rejects, and how often it asks again. */
  readonly rejected?: readonly number[];
  /** Levels that earlier attempts have tried: a retry priority takes others. */
  readonly tried?: readonly number[];
  /** Loads of the levels, which the caller wants instead. */
  readonly loads?: { readonly healthy: readonly number[]; readonly degraded: readonly number[] };
}

/** `host` is an index into the trial's hosts. What `waits` is delivered with the next update of its level. */
export type TrialEvent =
  | { readonly pick: TrialRequest }
  | { readonly host: number; readonly health: HealthStatus; readonly waits?: true }
  | { readonly host: number; readonly weight: number; readonly waits?: true }
  | { readonly host: number; readonly metadata: Struct; readonly waits?: true }
  | { readonly host: number; readonly present: boolean }
  /** Requests of others at this host; `pending` wait for a connection. */
  | { readonly host: number; readonly active: number; readonly pending: number }
  /** It passes its first health check now. */
  | { readonly host: number; readonly passes: true }
  /** The request that is out for the longest time ends. */
  | { readonly ends: AnswerOutcome; readonly latencyUs: number; readonly report?: LoadReport }
  | { readonly priority: number; readonly localityWeights: Readonly<Record<string, number>> }
  /** Of the local cluster, by zone. */
  | { readonly callers: Readonly<Record<string, number>>; readonly down: Readonly<Record<string, number>> }
  | { readonly runtime: Readonly<Record<string, number>> }
  /** Weights by load reports are computed anew. */
  | { readonly reweigh: true }
  | { readonly passMs: number };

export type TrialSubject = Readonly<{ lbPolicy: LbPolicy; version: ProxyVersion }>;

/** What trials are about: any settings in few events, or something of its own in many; emphases.yaml says what each field is. */
export type Emphasis = typeof EMPHASES.any | (typeof EMPHASES.long)[number];

export type EventKind = keyof Emphasis['shares'];
