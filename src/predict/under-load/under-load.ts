import { entryOf, sum } from '../../core/values.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { Behavior } from '../../settings/behavior.js';
import type { KindOutcome } from '../request-outcome.js';
import { type Success, meanSuccess } from '../success-totals.js';
import type { RequestKind } from '../traffic.js';
import * as attemptChances from './attempt-chances.js';
import { BusyLists } from './busy-lists.js';
import { successOf, type KindChances, type KindSuccess } from './request-success.js';
import { type Obstacle, isObstacle } from '../obstacle.js';
import type { TryChances } from './retry-chances.js';
import { gapsOf, rotationChances, type RotationHost } from './rotation-chances.js';

export type SuccessInTime = (fromUs: Micros, toUs: Micros) => Success | Obstacle;

export type UnderLoad = ReturnType<typeof underLoad>;

/**
 * The one door of this folder: everything else in it is its own matter. The function that it makes says how requests of a kind fare
 * where hosts are busy, fail, or are tried again: by models, or that only a run can tell. `exact`: where they go at first, as far as
 * rules alone tell; `busy`: why rules do not, as the policy looks at load; undefined: they do.
 */
export function underLoad(cluster: attemptChances.LoadedCluster) {
  const lists = new BusyLists(cluster);
  const known = new Map<RequestKind, WeakMap<Behavior, attemptChances.AttemptChances | Obstacle>>();
  return (kind: RequestKind, exact: KindOutcome, busy: Obstacle | undefined) => ({
    /** Where they go at first, by a model where hosts are busy. */
    outcome:
      busy !== undefined && typeof exact !== 'function' && exact.obstacle?.kind === 'under_load'
        ? lists.over(kind, busy)
        : exact,
    success: (): SuccessInTime => {
      const attempts = entryOf(known, kind, () => new WeakMap<Behavior, attemptChances.AttemptChances | Obstacle>());
      const found = successOf({ kind, cluster, exact, attempts, busy });
      return (fromUs, toUs) => successOver(found, kind, cluster, fromUs, toUs);
    },
  });
}

interface Limits {
  readonly cluster: attemptChances.LoadedCluster;
  readonly kind: RequestKind;
  /** Before each retry, below so many ms. */
  readonly waits: readonly number[];
  /** Of an attempt. */
  readonly meanUs: Micros;
}

/** Rotations of more hosts are not followed, nor shorter ones where retries pass hosts over. */
const MOST_TURNS = { plain: 300, passedOver: 30 };

function successOver(
  { chances, longestUs: longestTryUs, meanUs }: KindSuccess,
  kind: RequestKind,
  cluster: attemptChances.LoadedCluster,
  fromUs: Micros,
  toUs: Micros,
): Success | Obstacle {
  if (chances.kind === 'unknown') return chances.why;
  const { retryPolicy, timeoutUs } = kind.spec;
  const retries = retryPolicy?.numRetries ?? 0;
  const waits = attemptChances.backOffs(kind, Math.min(retries, MOST_WAITS), cluster.view);
  if (retries > 0 && retryPolicy?.rateLimitedBackOff !== undefined) return { kind: 'answers_set_waits' };
  const longestUs = (retries + 1) * longestTryUs + waits.reduce((sum, boundMs) => sum + boundMs * 1000, 0);
  if (retries > waits.length && chances.kind !== 'over') return { kind: 'too_many_retries' };
  if (timeoutUs > 0 && retries > 0 && longestUs > timeoutUs) return { kind: 'time_runs_out' };
  const limits: Limits = { cluster, kind, waits, meanUs };
  const flows = attemptChances.steadyFlows(cluster, fromUs, toUs);
  if (chances.kind === 'over') return limited(chances.of(fromUs, toUs), flows, limits);
  const parts: { readonly success: Success; readonly count: number }[] = [];
  for (const flow of flows) {
    const [before, after] = [kind.before(flow.fromUs), kind.before(flow.toUs)];
    const count = before === undefined || after === undefined ? 1 : after - before;
    if (count === 0) continue;
    const success = inFlow(chances, flow, limits);
    if (isObstacle(success)) return success;
    parts.push({ success, count });
  }
  return meanSuccess(parts) ?? { after: [], error: 0, approximate: false };
}

const MOST_WAITS = 100;

function inFlow(
  chances: Exclude<KindChances, { readonly kind: 'unknown' | 'over' }>,
  flow: attemptChances.SteadyFlow,
  limits: Limits,
): Success | Obstacle {
  if (chances.kind === 'known') return limited(chances.chances, [flow], limits);
  const { hosts, rejections } = chances;
  const { waits, cluster } = limits;
  const size = hosts.length;
  const tries = 1 + waits.length;
  const most = rejections.attempts > 0 ? MOST_TURNS.passedOver : MOST_TURNS.plain;
  if (tries > 1 && size > most) return { kind: 'long_rotation' };
  if (tries > 1 && flow.pace === 'unsteady') return { kind: 'unsteady_rotation' };
  if (size === 0) return { kind: 'empty_rotation' };
  const { workers, count } = cluster.spec;
  const threadRate = flow.rate / workers;
  const even = flow.pace === 'even' && workers === 1 && count === 1 ? threadRate : 0;
  const gaps = (length: number, attempts: number): readonly Float64Array[] =>
    waits.map((boundMs) => gapsOf(length, boundMs, even, threadRate * attempts - even));
  const found = rotationChances(hosts, tries, rejections, gaps);
  if (found === undefined) return { kind: 'too_many_ways' };
  const success = limited(found, [flow], limits);
  if (isObstacle(success) || tries === 1) return success;
  return { ...success, error: success.error + rotationError(hosts), approximate: true };
}

/** Of 250 random rotations of 2 to 20 hosts, one was off by more: what is not followed is which retries fall among which. */
function rotationError(hosts: readonly RotationHost[]): number {
  const again = sum(hosts.map(({ chances }) => chances.accepted + chances.failed)) / hosts.length;
  return again / (3 * hosts.length);
}

/**
 * What circuit breakers refuse is a failure: of retries, as many run at once as `max_retries` allows (3 unless said). By
 * Erlang's formula a limit of c is met by B(c, a) of those that come, of which a run at once on average.
 */
function limited(
  { after, reach }: TryChances,
  flows: readonly attemptChances.SteadyFlow[],
  { cluster, kind, waits, meanUs }: Limits,
): Success | Obstacle {
  const limits = cluster.settings.breakers[kind.spec.priority];
  const retried = reach.slice(1).reduce((sum, part) => sum + part, 0);
  const most = limits.hasRetryBudget ? limits.retryBudget.minRetryConcurrency : limits.maxRetries;
  const requests = flows.reduce((sum, own) => sum + own.rate * microsToSeconds(own.toUs - own.fromUs), 0);
  const known = after.length === 0 ? [0] : after;
  const isUnsteady = flows.some(({ pace }) => pace === 'unsteady');
  const isUnlimited = most >= requests && limits.maxRequests >= requests;
  if (isUnlimited || (retried < 1e-12 && (meanUs === 0 || isUnsteady)))
    return { after: known, error: 0, approximate: false };
  if (isUnsteady) return { kind: 'unsteady_retries' };
  let error = 0;
  for (const { rate } of flows) {
    let load = 0;
    for (const [retry, boundMs] of waits.entries())
      load += rate * (reach[retry + 1] ?? 0) * ((boundMs - 1) / 2000 + microsToSeconds(meanUs));
    const open = rate * (1 + retried) * microsToSeconds(meanUs);
    const refused = retried * erlang(most, load) + erlang(Math.min(limits.maxRequests, limits.maxConnections), open);
    error = Math.max(error, Math.min(1, refused));
  }
  return { after: known, error: error < 1e-12 ? 0 : error, approximate: false };
}

/** Erlang's B. */
function erlang(limit: number, load: number): number {
  let blocked = 1;
  for (let k = 1; k <= limit; k++) {
    blocked = (load * blocked) / (k + load * blocked);
    if (blocked < 1e-18) return 0;
  }
  return blocked;
}
