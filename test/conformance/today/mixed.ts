import { isDeepStrictEqual } from 'node:util';
import { Check } from '../check.js';
import type { ObservedRequest, TodayCase } from './case.js';
import type { Run } from './run.js';

/** What a real machine takes, and back-offs that are drawn. */
export const LATE_S = 0.05;

/** Draws of ours until one has all that was seen, or nobody believes any more that one has. */
const MOST_DRAWS = 300;
/** Where so many have as many ways, no two of them alike, there are too many ways. */
const FEW_DRAWS = 24;
const MOST_WAYS = 21;
/** So many ways have a draw each among all of ours, starts of rotations above all. */
const FEW_WAYS = 12;
/** Draws to see what each part by itself may be, and where these do not have what was seen. */
const DRAWS_OF_PARTS = 100;
const MORE_DRAWS_OF_PARTS = 1000;

/**
 * A case in which little is drawn has to be one of our draws as a whole: the fate of each request, its attempts and copies,
 * cookies, times and statistics. Where more is drawn, each part has to be possible by itself.
 */
export async function compareMixed(
  check: Check,
  recording: TodayCase,
  run: (seed: number) => Promise<Run>,
): Promise<void> {
  const seen = recording.observed.requests ?? [];
  const runs: Run[] = [];
  let best: readonly string[] | undefined;
  const ways = new Set<string>();
  for (let seed = 0; seed < MOST_DRAWS; seed++) {
    const one = await run(seed);
    runs.push(one);
    const differ = differencesOf(recording, seen, one);
    if (differ.length === 0) {
      check.that('the whole case', true, () => '');
      return;
    }
    if (best === undefined || differ.length < best.length) best = differ;
    ways.add(JSON.stringify(seen.map((_, index) => fateOf(one, index))));
    if (runs.length === FEW_DRAWS && ways.size > MOST_WAYS) break;
  }
  if (ways.size <= FEW_WAYS) {
    check.that('the whole case', false, () => (best ?? []).slice(0, 6).join('; '));
    return;
  }
  while (runs.length < DRAWS_OF_PARTS) runs.push(await run(runs.length));
  const first = new Check();
  compareParts(first, recording, seen, runs);
  if (first.failures > 0) while (runs.length < MORE_DRAWS_OF_PARTS) runs.push(await run(runs.length));
  compareParts(check, recording, seen, runs);
}

function differencesOf(recording: TodayCase, seen: readonly ObservedRequest[], one: Run): readonly string[] {
  const found: string[] = [];
  if (one.requests.length !== seen.length) found.push(`${one.requests.length} of ${seen.length} requests`);
  for (const [index, request] of seen.entries()) {
    const [theirs, ours] = [fateSeen(request, one.requests[index]?.cluster), fateOf(one, index)];
    if (!isDeepStrictEqual(theirs, ours))
      found.push(`request ${index}: ${wordsOf(theirs)}, simulated ${wordsOf(ours)}`);
    else if (!isInTime(recording, request, one, index))
      found.push(
        `request ${index} took ${request.latency_s ?? 0} s, simulated ${(one.requests[index]?.latencyUs ?? 0) / 1e6} s`,
      );
  }
  for (const [name, value] of Object.entries(recording.observed.stats ?? {})) {
    if (!COUNTED.test(name)) continue;
    const ours = statisticOf(one, name);
    if (ours !== value) found.push(`${name}: ${value}, simulated ${ours}`);
  }
  return found;
}

/** What became of a request, without what was drawn of it. */
type Fate = Readonly<Record<'cluster' | 'host' | 'status' | 'attempts' | 'cookies' | 'upstream' | 'shadow', unknown>>;

const fateSeen = (seen: ObservedRequest, cluster: string | undefined): Fate => ({
  cluster: seen.cluster ?? cluster,
  host: seen.host ?? null,
  status: seen.status ?? 200,
  attempts: seen.attempts ?? 1,
  cookies: seen.set_cookie ?? [],
  upstream: (seen.upstream ?? []).map(([host]) => host),
  shadow: (seen.shadow ?? []).map(([host]) => host),
});

function fateOf({ requests, reached, copies }: Run, index: number): Fate {
  const one = requests[index];
  return {
    cluster: one?.cluster,
    host: one?.host ?? null,
    status: one?.status,
    attempts: one?.attempts,
    cookies: one?.setCookies ?? [],
    upstream: reached.get(index) ?? [],
    shadow: copies.get(index) ?? [],
  };
}

const wordsOf = (fate: Fate): string =>
  Object.values(fate)
    .map((one) => JSON.stringify(one))
    .join(' ');

function isInTime({ timing }: TodayCase, { latency_s: took }: ObservedRequest, one: Run, index: number): boolean {
  if (timing !== true || took === undefined) return true;
  return Math.abs(took - (one.requests[index]?.latencyUs ?? 0) / 1e6) < LATE_S;
}

/** Counters that do not depend on when the recorder stopped. */
export const COUNTED =
  /\.(health_check\.(?!attempt|success|failure$|network_failure)\w+|membership_\w+|lb_healthy_panic|upstream_(?:rq|cx)_\w+|outlier_detection\.\w+)$/;

const statisticOf = ({ result: { stats } }: Run, name: string): number =>
  stats.counters[name] ?? stats.gauges[name] ?? 0;

function compareParts(
  check: Check,
  recording: TodayCase,
  seen: readonly ObservedRequest[],
  runs: readonly Run[],
): void {
  for (const [index, request] of seen.entries()) {
    const ours = runs.map((one) => fateOf(one, index));
    const theirs = fateSeen(request, ours[0]?.cluster as string | undefined);
    for (const field of Object.keys(theirs) as (keyof Fate)[]) {
      const possible = new Set(ours.map((one) => JSON.stringify(one[field])));
      check.that(
        'requests',
        possible.has(JSON.stringify(theirs[field])),
        () =>
          `${field} of request ${index}: ${JSON.stringify(theirs[field])}, simulated ${[...possible].slice(0, 4).join(' or ')}`,
      );
    }
    check.that(
      'latency',
      runs.some((one) => isInTime(recording, request, one, index)),
      () => `request ${index} took ${request.latency_s ?? 0} s`,
    );
  }
  for (const [name, value] of Object.entries(recording.observed.stats ?? {})) {
    if (!COUNTED.test(name)) continue;
    const ours = runs.map((one) => statisticOf(one, name));
    const [least, most] = [Math.min(...ours), Math.max(...ours)];
    const slack = least === most ? 0 : 2;
    check.that(
      'stats',
      value >= least - slack && value <= most + slack,
      () => `${name}: ${value}, simulated ${least} to ${most}`,
    );
  }
}
