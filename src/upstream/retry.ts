import { type Runtime, runtimeInteger } from '../core/environment.js';
import type { Quirks } from '../core/version.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import { draw } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { HeaderMatcher, RetryHostPredicate, RetryPolicy } from '../settings/world.js';
import { jitteredBackOffMs } from './back-off.js';
import { isList, sameJson, own } from '../core/values.js';
import type { Host } from '../host/host.js';
import { hasEntries } from '../settings/assignment.js';
import { type PriorityAvailability, type PriorityLoad, spreadOverRest } from '../hostset/priority-load.js';
import { LinearRegex, type RegexDialect } from '../core/regex/linear-regex.js';

/** Headers by name, in lower case. */
export type HeaderMap = Readonly<Record<string, string>>;

/** As in the proxy, a header that is not there matches nothing, nor by inversion, except by `present_match`. */
export function headerMatcher(
  matcher: HeaderMatcher,
  { presentMatchMayBeFalse }: Pick<Quirks, 'presentMatchMayBeFalse'>,
): (headers: HeaderMap) => boolean {
  const { name, invertMatch } = matcher;
  const matches = valueMatcher(matcher);
  if (matches === undefined) {
    const wanted = (matcher.presentMatch ?? true) || !presentMatchMayBeFalse;
    return (headers) => (own(headers, name) !== undefined) === (wanted !== invertMatch);
  }
  return (headers) => {
    const value = own(headers, name);
    return value !== undefined && matches(value) !== invertMatch;
  };
}

/** undefined: the header need only be present. */
function valueMatcher(matcher: HeaderMatcher): ((value: string) => boolean) | undefined {
  const { exactMatch, regexMatch, safeRegexMatch, rangeMatch, prefixMatch, suffixMatch } = matcher;
  // An empty text matches any value.
  if (exactMatch !== undefined) return (value) => exactMatch === '' || value === exactMatch;
  if (safeRegexMatch !== undefined) return expression(safeRegexMatch.regex, 're2');
  if (regexMatch !== undefined) return expression(regexMatch, 'ecmascript');
  if (rangeMatch !== undefined) {
    const { start, end } = rangeMatch;
    return (value) => /^\s*[-+]?\d+\s*$/.test(value) && BigInt(value.trim()) >= start && BigInt(value.trim()) < end;
  }
  if (prefixMatch !== undefined) return (value) => value.startsWith(prefixMatch);
  if (suffixMatch !== undefined) return (value) => value.endsWith(suffixMatch);
  return undefined;
}

function expression(pattern: string, dialect: RegexDialect): (value: string) => boolean {
  const regex = new LinearRegex(pattern, dialect);
  return (value) => regex.matches(value);
}

/**
 * `previous_priorities`, for one request: after every `updateFrequency` attempts the load is recalculated over the
 * priorities that no attempt has used; when all available ones have been used, they all count again. Source: the
 * proxy's documentation of retry priorities.
 */
export class PreviousPriorities {
  private attempts: number[] = [];
  private readonly excluded = new Set<number>();
  private load: PriorityLoad | undefined;

  constructor(private readonly updateFrequency: number) {}

  /** Two with the same text go on alike. */
  get state(): string {
    return `${this.attempts.join('.')}/${[...this.excluded].sort().join('.')}/${JSON.stringify(this.load ?? null)}`;
  }

  attempted(priority: number): void {
    this.attempts.push(priority);
  }

  loadFor(availability: PriorityAvailability): PriorityLoad {
    const { attempts, excluded, updateFrequency } = this;
    if (attempts.length < updateFrequency) return availability.load;
    if (attempts.length % updateFrequency === 0) {
      for (const priority of attempts) excluded.add(priority);
      const load = this.spread(availability);
      if (load === undefined) return availability.load;
      this.load = load;
    }
    return this.load ?? availability.load;
  }

  /** undefined: no priority has an available host. */
  private spread(availability: PriorityAvailability): PriorityLoad | undefined {
    const load = spreadOverRest(availability, (priority) => this.excluded.has(priority));
    if (load !== undefined) return load;
    this.excluded.clear();
    this.attempts = [];
    return spreadOverRest(availability, () => false);
  }
}

/** Whether a retry rejects `host`. @param tried hosts of the attempts before. */
export const isOmitted = (predicates: readonly RetryHostPredicate[], host: Host, tried: readonly Host[]): boolean =>
  predicates.some((predicate) => {
    switch (predicate.kind) {
      case 'previous_hosts':
        return tried.includes(host);
      case 'omit_canary_hosts':
        return host.canary;
      case 'omit_host_metadata':
        // A list matches if any of its elements does.
        return hasEntries(host.metadata, predicate.metadataMatch, (found, wanted) =>
          isList(found) ? found.some((element) => sameJson(element, wanted)) : sameJson(found, wanted),
        );
    }
  });

export type AttemptOutcome =
  | { readonly kind: 'status'; readonly status: number; readonly headers: HeaderMap }
  | { readonly kind: 'connect-failure' | 'reset' | 'refused-stream' | 'per-try-timeout' | 'overflow' };

export interface RetryConditions {
  /** Conditions of `retry_on`, lower case. */
  readonly retryOn: readonly string[];
  readonly retriableStatusCodes: readonly number[];
  /** Of `retriable-headers`: the answer has one of the configured headers. */
  readonly hasRetriableHeader: (headers: HeaderMap) => boolean;
}

/** @param headers the request's: if its policy requires some and none matches, it is never retried. */
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
  const { kind } = outcome;
  if (kind === 'overflow') return false;
  if (kind !== 'status')
    return on('5xx') || on('gateway-error') || on('reset') || (kind !== 'per-try-timeout' && on(kind));
  const { status, headers } = outcome;
  // Nothing else matters then.
  if (headers[RATE_LIMITED] !== undefined) return on('envoy-ratelimited') || on('proxy-ratelimited');
  if (on('5xx') && status >= 500 && status < 600) return true;
  if (on('gateway-error') && status >= 502 && status <= 504) return true;
  if (on('retriable-4xx') && status === 409) return true;
  if (on('retriable-headers') && conditions.hasRetriableHeader(headers)) return true;
  return on('retriable-status-codes') && conditions.retriableStatusCodes.includes(status);
}

/** The first bound of a back-off and the last one, in whole ms. */
export function backOffRange({ retryBackOff: configured }: Pick<RetryPolicy, 'retryBackOff'>, runtime: Runtime) {
  const baseMs = runtimeInteger(runtime, 'upstream.base_retry_backoff_ms', 25);
  const least = Math.max(1, configured === undefined ? baseMs : wholeMillis(configured.baseIntervalUs));
  const most = configured === undefined ? 10 * least : wholeMillis(configured.maxIntervalUs);
  return { least, most: Math.max(least, most) };
}

/** The wait before a retry, whole ms, in µs, by {@link jitteredBackOffMs}. Draws: one. @param retry 1 for the first. */
export function backOffUs(
  retry: number,
  policy: Pick<RetryPolicy, 'retryBackOff'>,
  runtime: Runtime,
  random: Random64,
  quirks: Pick<Quirks, 'backOffDoubles'>,
): Micros {
  const range = backOffRange(policy, runtime);
  return jitteredBackOffMs(retry, range.least, range.most, random, quirks) * MICROS_PER_MILLI;
}

/**
 * The wait that an answer asks for, whole ms, in µs: drawn evenly from the header's value to one and a half times it,
 * one draw if there is one; undefined: none is valid. Source: docs of config.route.v3.RetryPolicy,
 * `rate_limited_retry_back_off`.
 */
export function rateLimitedBackOffUs(
  headers: Readonly<Record<string, string>>,
  configured: { readonly headers: readonly string[]; readonly maxIntervalUs: Micros },
  random: Random64,
): Micros | undefined {
  for (const name of configured.headers) {
    const value = own(headers, name);
    const seconds = value !== undefined && /^\s*\d+\s*$/.test(value) ? Number(value) : NaN;
    const leastMs = seconds * 1000;
    if (!(leastMs * MICROS_PER_MILLI <= configured.maxIntervalUs)) continue;
    const late = draw(random, Math.max(1, Math.floor(leastMs / 2)));
    return (leastMs + late) * MICROS_PER_MILLI;
  }
  return undefined;
}
