import type { HeaderMatcher } from '../settings/matchers.js';
import { type Runtime, runtimeInteger } from '../core/environment.js';
import type { Quirks } from '../core/quirks.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import { draw } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { RetryPolicy } from '../settings/world.js';
import { jitteredBackOffMs } from './back-off.js';
import { type HeaderMap, headerMatcher } from './header-matcher.js';

/** How an attempt failed, or what status it was answered with. */
export type AttemptOutcome =
  | { readonly kind: 'status'; readonly status: number; readonly headers: HeaderMap }
  /** The connection could not be made. */
  | { readonly kind: 'connect-failure' }
  /** The connection broke with the request on it. */
  | { readonly kind: 'reset' }
  /** `per_try_timeout` elapsed. */
  | { readonly kind: 'per-try-timeout' };

export interface RetryConditions {
  /** Conditions of `retry_on`, lower case. */
  readonly retryOn: readonly string[];
  readonly retriableStatusCodes: readonly number[];
  /** Of `retriable-headers`: the answer has one of the configured headers. */
  readonly hasRetriableHeader: (headers: HeaderMap) => boolean;
}

/**
 * The conditions under which a request is retried.
 *
 * @param headers the request's: if its policy requires some and none matches, it is never retried.
 */
export function retryConditions(policy: RetryPolicy, headers: HeaderMap, quirks: Quirks): RetryConditions {
  const anyOf = (matchers: readonly HeaderMatcher[]): ((headers: HeaderMap) => boolean) => {
    const compiled = matchers.map((matcher) => headerMatcher(matcher, quirks));
    return (found) => compiled.some((matches) => matches(found));
  };
  const { retriableRequestHeaders, retriableStatusCodes } = policy;
  const isRetriable = retriableRequestHeaders.length === 0 || anyOf(retriableRequestHeaders)(headers);
  return {
    retryOn: isRetriable ? policy.retryOn : [],
    retriableStatusCodes,
    hasRetriableHeader: anyOf(policy.retriableHeaders),
  };
}

/** With this header the upstream asks not to be sent more requests. */
const RATE_LIMITED = 'x-proxy-ratelimited';

export function wouldRetry(conditions: RetryConditions, outcome: AttemptOutcome): boolean {
  const on = (condition: string): boolean => conditions.retryOn.includes(condition);
  switch (outcome.kind) {
    case 'connect-failure':
      return on('5xx') || on('connect-failure') || on('gateway-error') || on('reset');
    case 'reset':
    case 'per-try-timeout':
      return on('5xx') || on('gateway-error') || on('reset');
    case 'status': {
      const { status, headers } = outcome;
      // Nothing else matters then.
      if (headers[RATE_LIMITED] !== undefined) return on('envoy-ratelimited') || on('proxy-ratelimited');
      if (on('5xx') && status >= 500 && status < 600) return true;
      if (on('gateway-error') && status >= 502 && status <= 504) return true;
      if (on('retriable-4xx') && status === 409) return true;
      if (on('retriable-headers') && conditions.hasRetriableHeader(headers)) return true;
      return on('retriable-status-codes') && conditions.retriableStatusCodes.includes(status);
    }
  }
}

/** What a cluster counts of its retries. */
export class RetryStats {
  upstreamRqRetry = 0;
  upstreamRqRetrySuccess = 0;
  upstreamRqRetryLimitExceeded = 0;
  upstreamRqRetryOverflow = 0;
  upstreamRqRetryBackoffExponential = 0;
  upstreamRqRetryBackoffRatelimited = 0;
}

const DEFAULT_BASE_MS = 25;

/** The first bound of a back-off and the last one, in whole ms. @param baseMs what the runtime says, or its default. */
export function backOffRange({ retryBackOff: configured }: Pick<RetryPolicy, 'retryBackOff'>, baseMs: number) {
  const least = Math.max(1, configured === undefined ? baseMs : wholeMillis(configured.baseIntervalUs));
  return {
    least,
    most: Math.max(least, configured === undefined ? 10 * least : wholeMillis(configured.maxIntervalUs)),
  };
}

/**
 * The wait before a retry: drawn evenly from 0 to a bound that doubles from retry to retry, up to the longest interval.
 *
 * Draws: one value.
 *
 * @param retry 1 for the first retry.
 * @returns whole milliseconds, in µs.
 */
export function backOffUs(
  retry: number,
  policy: Pick<RetryPolicy, 'retryBackOff'>,
  runtime: Runtime,
  random: Random64,
  quirks: Pick<Quirks, 'backOffDoubles'>,
): Micros {
  const range = backOffRange(policy, runtimeInteger(runtime, 'upstream.base_retry_backoff_ms', DEFAULT_BASE_MS));
  return jitteredBackOffMs(retry, range.least, range.most, random, quirks) * MICROS_PER_MILLI;
}

/**
 * The wait that an answer asks for: drawn evenly from the header's value to one and a half times it.
 *
 * Draws: one value, if there is such a header. Source: docs of config.route.v3.RetryPolicy, `rate_limited_retry_back_off`.
 *
 * @returns whole milliseconds, in µs; undefined: no header has a valid value.
 */
export function rateLimitedBackOffUs(
  headers: Readonly<Record<string, string>>,
  configured: { readonly headers: readonly string[]; readonly maxIntervalUs: Micros },
  random: Random64,
): Micros | undefined {
  for (const name of configured.headers) {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    const seconds = value !== undefined && /^\s*\d+\s*$/.test(value) ? Number(value) : NaN;
    const leastMs = seconds * 1000;
    if (!(leastMs * MICROS_PER_MILLI <= configured.maxIntervalUs)) continue;
    const late = draw(random, Math.max(1, Math.floor(leastMs / 2)));
    return (leastMs + late) * MICROS_PER_MILLI;
  }
  return undefined;
}
