import { attempt, isList, isStruct, type JsonValue, entryOf, sum } from '../../core/values.js';
import { fileProblem, type Problem } from '../../core/problem.js';
import { parseDuration } from '../fields/units.js';
import { countedHosts } from './statuses.js';

/** A cluster's numbers on a page: requests since the proxy started, and retries among them. */
interface ClusterTotals {
  total?: number;
  retries: number;
  /** Requests to its hosts, retries included; known where `total` may be left out. */
  hosts?: number;
}

type Page = Readonly<{ clusters: ReadonlyMap<string, ClusterTotals>; uptimeS?: number | undefined }>;

type NamedPage = Readonly<{ file: string; page: Page }>;

/** A page of `/stats`, or of `/server_info`, which tells the age of counters. @returns undefined for any other text. */
function readStatsPage(text: string): Page | undefined {
  const samples = readSamples(text);
  return samples === undefined ? undefined : pageOf(samples);
}

/** The statistics of a page of `/stats` in any format; undefined: it is none. */
export const readSamples = (text: string): readonly Sample[] | undefined =>
  /^\s*[[{]/.test(text) ? (fromJson(text) ?? fromServerInfo(text)) : (fromPrometheus(text) ?? fromText(text));

export interface Sample {
  /** `cluster.NAME.upstream_rq_total`, `server.uptime` */
  readonly name: string;
  readonly value: number;
}

/** Of a cluster, or with `track_cluster_stats: {per_endpoint_stats: true}` of one of its hosts. */
const CLUSTER_STAT = /^cluster\.(.+?)\.(upstream_rq_total|upstream_rq_retry|endpoint\..+\.rq_total)$/;

function pageOf(samples: Iterable<Sample>): Page {
  const clusters = new Map<string, ClusterTotals>();
  let uptimeS: number | undefined;
  for (const { name, value } of samples) {
    if (name === 'server.uptime') uptimeS = value;
    const [, cluster, stat] = CLUSTER_STAT.exec(name) ?? [];
    if (cluster === undefined) continue;
    const totals = entryOf(clusters, cluster, (): ClusterTotals => ({ retries: 0 }));
    if (stat === 'upstream_rq_total') totals.total = value;
    else if (stat === 'upstream_rq_retry') totals.retries = value;
    else totals.hosts = (totals.hosts ?? 0) + value;
  }
  return { clusters, uptimeS };
}

/** `?format=json`: `{"stats": [{"name": …, "value": …}]}` */
function fromJson(text: string): readonly Sample[] | undefined {
  if (!/^\s*\{\s*"stats"\s*:\s*\[/.test(text)) return undefined;
  const page = attempt(() => JSON.parse(text) as JsonValue, undefined);
  const list = isStruct(page) ? page['stats'] : undefined;
  if (!isList(list)) return undefined;
  return list.flatMap((item): Sample[] => {
    if (!isStruct(item)) return [];
    const { name, value } = item;
    return typeof name === 'string' && typeof value === 'number' ? [{ name, value }] : [];
  });
}

function fromServerInfo(text: string): readonly Sample[] | undefined {
  const [, seconds] = /^\s*\{[^{}]*"uptime_current_epoch":\s*"(\d+)s"/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const [, workers] = /"concurrency":\s*(\d+)/.exec(text) ?? [];
  const concurrency = workers === undefined ? [] : [{ name: 'server.concurrency', value: Number(workers) }];
  return [{ name: 'server.uptime', value: Number(seconds) }, ...concurrency];
}

function readClustersPage(text: string): Page | undefined {
  const clusters = new Map<string, ClusterTotals>();
  for (const [shown, hosts] of countedHosts(text) ?? []) {
    const totals = entryOf(clusters, shown.replaceAll(':', '_'), (): ClusterTotals => ({ retries: 0 }));
    totals.hosts = (totals.hosts ?? 0) + sum(hosts.map(({ requests }) => requests));
  }
  return clusters.size === 0 ? undefined : { clusters };
}

/** `envoy_cluster_upstream_rq_total{envoy_cluster_name="backend"} 12`; prefix and tag may have other names. */
const SERIES =
  /^(?:[a-zA-Z]\w*?_)?(cluster_upstream_rq_total|cluster_upstream_rq_retry|cluster_lb_\w+|cluster_endpoint_rq_total|server_uptime|server_concurrency)(?:\{(.*)\})? (\d+)(?: \d+)?$/;
/** Of a host: `envoy_cluster_endpoint` of the proxy, or what gateways make of it. */
const HOST_LABEL =
  /(?:^|,)(?:[a-zA-Z]\w*?_)?(?:endpoint_address|endpoint|upstream_host|host_address)="((?:[^"\\]|\\.)*)"/;
const CLUSTER_LABEL = /(?:^|,)(?:[a-zA-Z]\w*?_)?cluster_name="((?:[^"\\]|\\.)*)"/;

function fromPrometheus(text: string): readonly Sample[] | undefined {
  if (!/^# (?:TYPE|HELP) \w+/m.test(text.slice(0, 10_000))) return undefined;
  return text.split('\n').flatMap((line) => fromSeries(line));
}

/** @param unnamed the cluster of what has no label for it; undefined: that is left out. */
function fromSeries(line: string, unnamed?: string): readonly Sample[] {
  const [, name, labels = '', value] = SERIES.exec(line.trimEnd()) ?? [];
  if (name?.startsWith('server_') === true) return [{ name: name.replace('_', '.'), value: Number(value) }];
  const cluster = CLUSTER_LABEL.exec(labels)?.[1]?.replace(/\\(.)/g, '$1') ?? unnamed;
  if (name === undefined || cluster === undefined) return [];
  const host = HOST_LABEL.exec(labels)?.[1] ?? 'any';
  const stat = name === 'cluster_endpoint_rq_total' ? `endpoint.${host}.rq_total` : name.replace('cluster_', '');
  return [{ name: `cluster.${cluster}.${stat}`, value: Number(value) }];
}

/** What a query of Prometheus’ API finds. */
export interface QueryAnswer {
  /** Of each time, oldest first; of a query at one time, one. A cluster that no label names is ''. */
  readonly pages: readonly (readonly Sample[])[];
  /** Of a query at one time, series without a name: sums, or increases. They are numbers of requests to hosts. */
  readonly counts: boolean;
}

/** The JSON of `/api/v1/query` or `query_range`; undefined: it is none. */
export function readQuery(text: string): QueryAnswer | undefined {
  if (!/^\s*\{\s*"status"\s*:\s*"success"/.test(text)) return undefined;
  const answer = attempt(() => JSON.parse(text) as JsonValue, undefined);
  const data = isStruct(answer) ? answer['data'] : undefined;
  const result = isStruct(data) ? data['result'] : undefined;
  if (!isStruct(data) || !isList(result)) return undefined;
  const isRange = data['resultType'] === 'matrix';
  const pages = new Map<number, Sample[]>();
  let isNamed = false;
  for (const series of result) {
    if (!isStruct(series) || !isStruct(series['metric'])) continue;
    const { __name__: name, ...labels } = series['metric'];
    const called = typeof name === 'string' ? name : 'cluster_endpoint_rq_total';
    isNamed ||= called === name;
    const label = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const { values, value } = series;
    for (const point of isList(values) ? values : [value ?? null]) {
      const [at, number] = isList(point) ? point : [];
      const line = `${called}{${label.join(',')}} ${Math.round(Number(number))}`;
      entryOf(pages, Number(at), (): Sample[] => []).push(...fromSeries(line, ''));
    }
  }
  const oldest = [...pages].sort(([a], [b]) => a - b).map(([, samples]) => samples);
  return { pages: oldest, counts: !isRange && !isNamed };
}

/** `cluster.backend.upstream_rq_total: 12` */
function fromText(text: string): readonly Sample[] | undefined {
  const samples: Sample[] = [];
  let others = 0;
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+\.\S.*): (\d+)\s*$/.exec(line) ?? [];
    if (name !== undefined) samples.push({ name, value: Number(value) });
    else if (line.trim() !== '' && !/^[\w.:-]+\.\S.*: (?:P0\(|No recorded values|".*"$)/.test(line)) others += 1;
  }
  const isPage = samples.some(({ name }) => /^(?:cluster|server)\./.test(name)) && others <= samples.length / 10;
  return isPage ? samples : undefined;
}

export type Rate = Readonly<{ perSecond: number; requests: number; retries: number }>;

export interface Rates {
  /** By the name of the cluster in statistics. */
  readonly clusters: ReadonlyMap<string, Rate>;
  readonly seconds: number;
  /** Of some clusters only their hosts counted, in `rq_total`. */
  readonly ofHosts: boolean;
  /** Clusters whose counters were reset in between. */
  readonly restarted: ReadonlySet<string>;
}

/** As on the command line, with units. */
export type TimesApart = Readonly<{ statsInterval?: string | undefined; uptime?: string | undefined }>;

/**
 * The files that are no pages of /stats, and what those pages count; no rates: there is no page, or it counts nothing. A page of
 * /clusters, which is configuration, too, tells what hosts count where /stats has nothing of a cluster; its age is that of the page
 * of /stats or /server_info beside it, or is given.
 */
export function withoutPages<Input extends { readonly file: string; readonly text: string }>(
  inputs: readonly Input[],
  times: TimesApart = {},
) {
  const all = inputs.map((input) => ({ ...input, page: readStatsPage(input.text) }));
  const configs = all.filter(({ page }) => page === undefined);
  const pages = all.flatMap(({ file, page }) => (page === undefined ? [] : [{ file, page }]));
  const isAged = pages.length > 0 || times.uptime !== undefined || times.statsInterval !== undefined;
  const seen = (isAged ? configs : []).flatMap(({ file, text }) => {
    const page = readClustersPage(text);
    return page === undefined ? [] : [{ file, page }];
  });
  const clocks = pages.filter(({ page }) => page.clusters.size === 0);
  const counting = pages.filter(({ page }) => page.clusters.size > 0);
  const [base, more] = counting.length > 0 ? [counting, seen] : [seen.length > 0 ? seen : clocks, []];
  const at = (list: readonly NamedPage[], index: number): Page | undefined =>
    list.length === base.length ? list[index]?.page : undefined;
  const together = base.map(({ file, page }, index) => ({
    file,
    page: {
      clusters: new Map([...(at(more, index)?.clusters ?? []), ...page.clusters]),
      uptimeS: page.uptimeS ?? at(clocks, index)?.uptimeS,
    },
  }));
  const { rates, problems } = ratesOf(together, times);
  const isKnown = rates !== undefined && rates.clusters.size + rates.restarted.size > 0;
  return { configs, pages, problems, ...(isKnown && { rates }) };
}

/** Rates from one page, as the mean since the proxy started, or from the difference of two pages. */
function ratesOf(
  pages: readonly NamedPage[],
  times: TimesApart,
): { readonly rates?: Rates; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const refuse = (option: string, message: string): void => void problems.push(fileProblem(option, 'stats', message));
  const intervalS = seconds('--stats-interval', times.statsInterval, problems);
  const uptimeS = seconds('--uptime', times.uptime, problems);
  const [first, second, ...more] = pages;
  if (times.statsInterval !== undefined && second === undefined)
    refuse('--stats-interval', 'it is the time between two pages of /stats: name both');
  if (times.uptime !== undefined && (first === undefined || second !== undefined))
    refuse('--uptime', 'it is the age of the counters of one page of /stats: name one');
  if (more.length > 0) refuse('import', `there are ${pages.length} pages of /stats: name one, or two`);
  if (problems.length > 0 || first === undefined) return { problems };
  if (second === undefined) {
    const age = uptimeS ?? first.page.uptimeS;
    if (age === undefined || age <= 0) {
      const hint = 'give its age to lbsim import (--uptime), or name a second page';
      refuse(first.file, `this page of /stats does not say server.uptime: ${hint}`);
      return { problems };
    }
    return { rates: difference(new Map(), first.page.clusters, age), problems };
  }
  const betweenS = (second.page.uptimeS ?? NaN) - (first.page.uptimeS ?? NaN);
  const apart = intervalS ?? (betweenS > 0 ? betweenS : undefined);
  if (apart === undefined) {
    const hint = 'the older page first: lbsim import has --stats-interval 60s';
    refuse(second.file, `two pages of /stats need the time between them, ${hint}`);
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
  for (const [name, now] of after) {
    const old = before.get(name) ?? { retries: 0 };
    const sent = (now.total ?? now.hosts ?? 0) - ((now.total === undefined ? old.hosts : old.total) ?? 0);
    // Each retry is one more upstream request of the same request.
    const retries = now.retries - old.retries;
    if (sent < 0 || retries < 0) restarted.add(name);
    else {
      const requests = Math.max(0, sent - retries);
      clusters.set(name, { perSecond: requests / apart, requests, retries });
    }
  }
  return {
    clusters,
    seconds: apart,
    ofHosts: [...after.values()].some(({ total, hosts }) => total === undefined && hosts !== undefined),
    restarted,
  };
}
