import { fileProblem, type Problem } from '../../core/problem.js';
import { parseDuration } from '../units.js';
import type { ClusterTotals, StatsPage } from './stats-page.js';

/** Requests of one cluster, from `/stats` pages. */
export interface Rate {
  readonly perSecond: number;
  readonly requests: number;
  readonly retries: number;
}

export interface Rates {
  /** By the name of the cluster in statistics. */
  readonly clusters: ReadonlyMap<string, Rate>;
  /** Over this time. */
  readonly seconds: number;
  /** Clusters whose counters were reset in between. */
  readonly restarted: ReadonlySet<string>;
}

/** As on the command line, with units. */
export interface TimesApart {
  readonly statsInterval?: string | undefined;
  readonly uptime?: string | undefined;
}

/** Rates from one page, as the mean since the proxy started, or from the difference of two pages. */
export function ratesOf(
  pages: readonly { readonly file: string; readonly page: StatsPage }[],
  times: TimesApart,
): { readonly rates?: Rates; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const refuse = (option: string, message: string): void => void problems.push(fileProblem(option, 'stats', message));
  const intervalS = seconds('--stats-interval', times.statsInterval, problems);
  const uptimeS = seconds('--uptime', times.uptime, problems);
  const [first, second, ...more] = pages;
  if (times.statsInterval !== undefined && second === undefined) {
    refuse('--stats-interval', 'it is the time between two pages of /stats: name both');
  }
  if (times.uptime !== undefined && (first === undefined || second !== undefined)) {
    refuse('--uptime', 'it is the age of the counters of one page of /stats: name one');
  }
  if (more.length > 0) refuse('import', `there are ${pages.length} pages of /stats: name one, or two`);
  if (problems.length > 0 || first === undefined) return { problems };
  if (second === undefined) {
    const age = uptimeS ?? first.page.uptimeS;
    if (age === undefined || age <= 0) {
      refuse(first.file, 'this page of /stats does not say server.uptime: add --uptime, or a second page');
      return { problems };
    }
    return { rates: difference(new Map(), first.page.clusters, age), problems };
  }
  const betweenS = (second.page.uptimeS ?? NaN) - (first.page.uptimeS ?? NaN);
  const apart = intervalS ?? (betweenS > 0 ? betweenS : undefined);
  if (apart === undefined) {
    refuse(second.file, 'two pages of /stats need the time between them: --stats-interval 60s, the older page first');
    return { problems };
  }
  return { rates: difference(first.page.clusters, second.page.clusters, apart), problems };
}

function seconds(option: string, text: string | undefined, problems: Problem[]): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  if (parsed.ok && parsed.value > 0) return parsed.value / 1e6;
  problems.push(fileProblem(option, 'stats', parsed.ok ? 'it must be longer than 0' : parsed.message));
  return undefined;
}

type Totals = ReadonlyMap<string, ClusterTotals>;

function difference(before: Totals, after: Totals, apart: number): Rates {
  const clusters = new Map<string, Rate>();
  const restarted = new Set<string>();
  for (const [name, { total, retries }] of after) {
    const old = before.get(name) ?? { total: 0, retries: 0 };
    if (total < old.total || retries < old.retries) {
      restarted.add(name);
      continue;
    }
    // Each retry is one more upstream request of the same request.
    const repeated = retries - old.retries;
    const requests = Math.max(0, total - old.total - repeated);
    clusters.set(name, { perSecond: requests / apart, requests, retries: repeated });
  }
  return { clusters, seconds: apart, restarted };
}
