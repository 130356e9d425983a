import type { Struct } from '../core/values.js';
import { type Micros, wholeMillis } from '../core/units.js';
import type { DurationSampler } from '../random/samplers.js';
import type { ScriptedRandom } from '../random/random64.js';
import { HEDGE_HEADER } from '../core/proxy-names.js';
import type { MirrorPolicy, RequestSpec, RetryPolicy, ScriptedAnswer } from '../settings/world.js';

/** The used part of a time-out in whole percent, from whole ms; 0 without a time-out. */
export function percentOfTimeout(usedUs: Micros, timeoutUs: Micros): number {
  const timeoutMs = wholeMillis(timeoutUs);
  return timeoutMs === 0 ? 0 : Math.floor((wholeMillis(usedUs) * 100) / timeoutMs);
}

/** What all requests of one origin to one cluster share, computed once. */
export interface RequestPlan extends Pick<RequestSpec, 'headers' | 'priority'> {
  /** Number of the workload; -1: an explicit request. */
  readonly workload: number;
  readonly cluster: number;
  readonly metadataMatch: Struct | undefined;
  readonly hashed: boolean;
  readonly readsKey: boolean;
  /** Scripted random values for decisions, instead of the balancer's own draws. */
  readonly script: ScriptedRandom | undefined;
  /** By attempt what the request sets of the answers; undefined: hosts answer as they do. */
  readonly answers: readonly ScriptedAnswer[] | undefined;
  /** An attempt that takes longer than a try may goes on beside the next one. */
  readonly hedges: boolean;
  /** 0: none. */
  readonly timeoutUs: Micros;
  /** 0: a try has no limit of its own, also where that limit is not shorter than the request's. */
  readonly perTryUs: Micros;
  readonly retryPolicy: RetryPolicy | undefined;
  readonly remembersPriorities: boolean;
  /** Clusters that get copies. */
  readonly mirrors: readonly MirrorPolicy[];
  /** It is a copy: the number of the request that it is one of; undefined: it is none. */
  readonly mirrorOf: number | undefined;
  /** Of its client; undefined: it is not known. */
  readonly address: string | undefined;
  /** Cookies that the proxy makes for this one request, and what its client keeps of earlier ones; undefined: nothing. */
  readonly setCookies: readonly MadeCookie[];
  readonly kept: KeptCookies | undefined;
  /** Draws how many times the work of a plain one a request is; undefined: they are plain. */
  readonly size: (() => number) | undefined;
  /** It is a connection over TCP; undefined: HTTP. */
  readonly tcp: TcpPlan | undefined;
  /** Which of a worker's pools to a host it uses: there is one for each protocol and routing priority. */
  readonly pool: number;
}

/** `text`: as `Set-Cookie` has it. */
export type MadeCookie = Readonly<{ name: string; value: string; lifeUs: Micros; text: string }>;

/** By name. */
export type KeptCookies = Map<string, { readonly value: string; readonly untilUs: Micros }>;

/** Different values of {@link RequestPlan.pool}. */
export const POOLS_OF_WORKER = 4;

export interface TcpPlan {
  readonly maxConnectAttempts: number;
  /** Draws how long its client holds it. */
  readonly lifetimeUs: DurationSampler;
  /** Draws the cluster of another attempt. */
  readonly again: () => RequestPlan;
}

const NONE: readonly never[] = [];

export type PlanOrigin = Pick<RequestPlan, 'workload' | 'cluster' | 'metadataMatch' | 'hashed'> &
  Partial<Pick<RequestPlan, 'readsKey' | 'script' | 'answers' | 'size' | 'tcp'>>;

/** Objects of settings have different shapes, which makes property access slow; plans have one. */
export function requestPlan(
  { headers, priority, timeoutUs, retryPolicy, hedgePolicy, requestMirrorPolicies: mirrors = NONE }: RequestSpec,
  origin: PlanOrigin,
): RequestPlan {
  const perTryUs = retryPolicy?.perTryTimeoutUs ?? 0;
  return {
    workload: origin.workload,
    cluster: origin.cluster,
    metadataMatch: origin.metadataMatch,
    hashed: origin.hashed,
    readsKey: origin.readsKey ?? false,
    script: origin.script,
    answers: origin.answers,
    hedges: (headers[HEDGE_HEADER] ?? String(hedgePolicy?.hedgeOnPerTryTimeout)) === 'true',
    headers,
    priority,
    timeoutUs,
    perTryUs: timeoutUs > 0 && perTryUs >= timeoutUs ? 0 : perTryUs,
    retryPolicy,
    remembersPriorities: retryPolicy?.retryPriority !== undefined,
    mirrors,
    mirrorOf: undefined,
    address: undefined,
    setCookies: NONE,
    kept: undefined,
    size: origin.size,
    tcp: origin.tcp,
    pool: (origin.tcp === undefined ? 0 : 2) + (priority === 'HIGH' ? 1 : 0),
  };
}

/** The answer of a host has the cookies that were made for the request; answers of the proxy's own have none. */
export function keepCookies({ setCookies, kept }: RequestPlan, nowUs: Micros): void {
  for (const { name, value, lifeUs } of setCookies) kept?.set(name, { value, untilUs: nowUs + lifeUs });
}
