import { entryOf, largest } from '../core/values.js';
import type { Cause, Happening } from '../upstream/cause.js';

/** What began a phase: equal causes of several proxies at one instant are one. */
export type CauseResult = Happening & {
  /** It waited for the merge window. */
  readonly late?: true;
  /** How often in one proxy; absent: once. */
  readonly times?: number;
  /** Which proxies' balancers it reached, of few by name; absent: all, or none in particular. */
  readonly proxies?: { readonly count: number; readonly of: number; readonly names?: readonly string[] };
};

/** What happened, and when. */
export type TimedHappening = Happening & { readonly at_s: number };

/** How a proxy noticed that a host fails, or is well again. */
export type NoticeFact =
  | { readonly kind: 'checked'; readonly passed: boolean }
  | Pick<Extract<Happening, { kind: 'ejected' }>, 'kind' | 'cause'>
  | Pick<Extract<Happening, { kind: 'unejected' }>, 'kind' | 'cause'>;

/** More proxies than this are counted, not named. */
const NAMED_PROXIES = 3;

/** @param proxies how many there are. */
export function causeResults(causes: readonly Cause[], proxies: number): CauseResult[] {
  const counts = new Map<string, { readonly cause: Cause; readonly times: Map<string, number> }>();
  for (const cause of causes) {
    const { fact, proxy = '', late = false } = cause;
    const none = () => ({ cause, times: new Map<string, number>() });
    const { times } = entryOf(counts, JSON.stringify([fact, late]), none);
    times.set(proxy, (times.get(proxy) ?? 0) + 1);
  }
  return [...counts.values()].map(({ cause: { fact, late }, times }) => {
    const most = largest(times.values());
    const names = [...times.keys()].filter((name) => name !== '');
    const reached = someProxies(names, proxies);
    return {
      ...fact,
      ...(late === true && { late }),
      ...(most > 1 && { times: most }),
      ...(reached && { proxies: reached }),
    };
  });
}

/** undefined where it is all of them or none in particular. */
export function someProxies(names: readonly string[], of: number): CauseResult['proxies'] {
  if (names.length === 0 || names.length === of) return undefined;
  return { count: names.length, of, ...(names.length <= NAMED_PROXIES && { names }) };
}
