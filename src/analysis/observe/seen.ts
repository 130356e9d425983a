import { attempt, entryOf, groupBy, isStruct, type JsonValue, present, sum } from '../../core/values.js';
import { readQuery, readSamples, type Sample } from '../../scenario/input/rates.js';
import { type CountedHost, countedHosts } from '../../scenario/input/statuses.js';

/** What a host was seen to get; health and weight where the text tells them. */
type SeenRow = Readonly<{ requests: number } & Partial<Pick<CountedHost, 'health' | 'weight'>>>;

/** The name of the row of a zone, which no host has. */
export const zoneRow = (zone: string): string => `zone ${zone}`;

type Event = Sample & Readonly<{ cluster: string }>;
/** A request of a log; `at`: the time as the log has it. */
export type TimedCall = Readonly<{ cluster: string; host: string; at: string }>;

/** What one text tells of requests to hosts. */
export interface Seen {
  readonly file: string;
  readonly form: keyof typeof FORMS;
  /** Its numbers go on from text to text: two of them tell what came between. */
  readonly counters: boolean;
  /** By cluster, as in statistics; '': it does not say which. */
  readonly clusters: ReadonlyMap<string, ReadonlyMap<string, SeenRow>>;
  /** Worker threads of the proxy, where it says. */
  readonly workers?: number | undefined;
  /** Counters that tell causes apart. */
  readonly events?: readonly Event[];
  /** Requests of which it says when they began. */
  readonly calls?: readonly TimedCall[];
  readonly facts?: readonly SeenFact[];
}

/** What is to be known of what was seen. */
export type SeenFact =
  /** `since_start`: the numbers are those since the proxy started, or since each host was added. */
  | Readonly<{ kind: 'since_start' | 'swapped' | 'unused'; files: readonly string[] }>
  | Readonly<{ kind: keyof typeof CHANGES | 'not_configured'; cluster: string; hosts: readonly string[] }>
  | Readonly<{ kind: 'other_clusters'; clusters: readonly string[] }>
  /** Lines of a log: those of retried requests name the last host alone. */
  | Readonly<{ kind: 'retried' | 'unreadable' | 'no_host'; file: string; lines: number }>
  | Readonly<{ kind: 'no_counts'; file: string }>
  /** Response flags of a proxy, as UH. */
  | Readonly<{ kind: 'flagged'; file: string; flags: string; lines: number }>
  /** Times as the log has them; `others`: requests to other hosts in between. */
  | Readonly<{ kind: 'quiet'; cluster: string; host: string; from: string; to: string; others: number }>
  | Readonly<{ kind: 'keys'; cluster: string; number: number }>;

/** Names of the fields of a log, with dots where they are nested. */
export const LOG_FIELDS = {
  host: 'upstream_host',
  cluster: 'upstream_cluster',
  attempts: 'upstream_request_attempt_count',
  flags: 'response_flags',
  start: 'start_time',
};
const TEXTS = ['host', 'cluster', 'flags', 'start'] as const;
export type LogFields = Readonly<Partial<typeof LOG_FIELDS>>;

type Told = Omit<Seen, 'file' | 'form'>;
type Read = (text: string, fields: LogFields, file: string) => Told | readonly Told[] | undefined;

/** The forms in which proxies, and those who watch them, tell what hosts get; the first that fits reads a text. */
const FORMS = {
  /** Of `/clusters`, in both formats. */
  clusters: (text) => {
    const clusters = new Rows();
    const pages = countedHosts(text);
    for (const [name, hosts] of pages ?? [])
      for (const { address, requests, ...row } of hosts) clusters.count(name, address, requests, row);
    return pages && { counters: true, clusters };
  },
  /**
   * Of `/stats`, as text, JSON or Prometheus’ text, with `track_cluster_stats: {per_endpoint_stats: true}`, else of the zones; of
   * `/server_info`.
   */
  stats: (text) => {
    const samples = readSamples(text);
    if (samples === undefined) return undefined;
    const workers = samples.find(({ name }) => name === 'server.concurrency')?.value;
    return { counters: true, clusters: rowsOf(samples), workers, events: eventsOf(samples) };
  },
  /** Of Prometheus’ API: what a query finds at one time, or a page for each time. */
  query: (text) => {
    const found = readQuery(text);
    return found?.pages.map((samples) => ({ counters: !found.counts, clusters: rowsOf(samples) }));
  },
  /** JSON objects, a line each. Of a line nothing is looked at but the named fields. */
  log: (text, fields, file) => {
    if (!/^\s*\{.*\}\s*$/m.test(text.slice(0, 100_000))) return undefined;
    const names = { ...LOG_FIELDS, ...fields };
    const clusters = new Rows();
    const lines = { retried: 0, no_host: 0, unreadable: 0 };
    const [flagged, calls]: [string[], TimedCall[]] = [[], []];
    const retries = new Map<string, number>();
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      const entry = parsed(line);
      const [host, named, flags, at] = TEXTS.map((name) => textAt(entry, names[name]));
      const cluster = named ?? '';
      const more = Number(nested(entry, names.attempts)) - 1;
      if (nested(entry, names.host) === undefined && named === undefined) lines.unreadable += 1;
      else if (host === undefined) lines.no_host += 1;
      else clusters.count(cluster, host, 1);
      if (host !== undefined && at !== undefined) calls.push({ cluster, host, at });
      if (more > 0) lines.retried += 1;
      if (more >= 0) retries.set(cluster, (retries.get(cluster) ?? 0) + more);
      if (flags !== undefined) flagged.push(flags);
    }
    const kinds = (['retried', 'no_host', 'unreadable'] as const).filter((kind) => lines[kind] > 0);
    const facts = kinds.map((kind) => ({ kind, file, lines: lines[kind] }));
    const ended = [...groupBy(flagged, (flags) => flags)].map(
      ([flags, { length }]) => ({ kind: 'flagged', file, flags, lines: length }) as const,
    );
    const events = [...retries].flatMap(([cluster, all]) =>
      [0, all].map((value) => ({ cluster, name: 'upstream_rq_retry', value })),
    );
    return clusters.size === 0 ? undefined : { counters: false, clusters, events, calls, facts: [...facts, ...ended] };
  },
  /** `host,requests` or `cluster,host,requests`, with or without a heading; `host count`; `count host`, as uniq -c prints it. */
  counts: (text, _, file) => {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
    const clusters = new Rows();
    if (HEADING.test(lines.join('\n'))) return { counters: false, clusters, facts: [{ kind: 'no_counts', file }] };
    for (const [index, line] of lines.entries()) {
      const { groups } = COUNT_FIRST.exec(line) ?? COUNT_LAST.exec(line) ?? {};
      if (groups === undefined && (index > 0 || lines.length === 1)) return undefined;
      if (groups !== undefined) clusters.count(groups['cluster'] ?? '', groups['host'] ?? '', Number(groups['count']));
    }
    return clusters.size === 0 ? undefined : { counters: false, clusters };
  },
} satisfies Record<string, Read>;

const HEADING = /^(?=.*\bhost\b)[a-z]+(?:[ \t,;]+[a-z]+){1,2}\s*$/i;
const COUNT_FIRST = /^\s*(?<count>\d+)[\s,;]+(?<host>[^\s,;]+)$/;
const COUNT_LAST = /^(?:(?<cluster>[^\s,;]+)[\s,;]+)?(?<host>[^\s,;]*[^\s,;:])[\s,;]+(?<count>\d+)$/;

/** By cluster and name. */
class Rows extends Map<string, Map<string, SeenRow>> {
  count(cluster: string, name: string, requests: number, row: Partial<SeenRow> = {}): void {
    const rows = entryOf(this, cluster, () => new Map<string, SeenRow>());
    rows.set(name, { ...row, requests: (rows.get(name)?.requests ?? 0) + requests });
  }
}

const eventsOf = (samples: readonly Sample[]): readonly Event[] =>
  samples.flatMap(({ name: whole, value }) => {
    const [, cluster = '', name] = /^cluster\.(.+)\.(lb_\w+|upstream_rq_retry)$/.exec(whole) ?? [];
    return name === undefined ? [] : { cluster, name, value };
  });

/** Per host, or of clusters that count no hosts per zone. */
function rowsOf(samples: readonly Sample[]): Rows {
  const [hosts, zones] = [new Rows(), new Rows()];
  for (const { name, value } of samples) {
    const [, cluster = '', host] = /^cluster\.(.*?)\.endpoint\.(.+)\.rq_total$/.exec(name) ?? [];
    const [, zoned = '', zone] = /^cluster\.(.+)\.zone\.[^.]+\.([^.]+)\.upstream_rq_completed$/.exec(name) ?? [];
    if (host !== undefined) hosts.count(cluster, host, value);
    if (zone !== undefined) zones.count(zoned, zoneRow(zone), value);
  }
  for (const [cluster, rows] of zones) if (!hosts.has(cluster)) hosts.set(cluster, rows);
  return hosts;
}

/** What a counter grew by; where it fell it began anew, from 0. */
const increase = (values: readonly number[]): number =>
  sum(values.slice(1).map((value, index) => value - (fallsAt(values, index + 1) ? 0 : (values[index] ?? 0))));

const fallsAt = (values: readonly number[], index: number): boolean => (values[index] ?? 0) < (values[index - 1] ?? 0);

const parsed = (text: string): JsonValue | undefined => attempt(() => JSON.parse(text) as JsonValue, undefined);

const fieldAt = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isStruct(value) ? value[name] : undefined;

const nested = (value: JsonValue | undefined, path: string): JsonValue | undefined =>
  fieldAt(value, path) ?? path.split('.').reduce(fieldAt, value);

/** Proxies write `-` for nothing. */
function textAt(entry: JsonValue | undefined, path: string): string | undefined {
  const value = nested(entry, path);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && !['', '-'].includes(value) ? value : undefined;
}

/** What a text tells of requests, at one time or several; nothing: it is something else. @param fields of logs. */
export function readSeen(file: string, text: string, fields: LogFields = {}): readonly Seen[] {
  for (const [form, read] of Object.entries(FORMS) as readonly [Seen['form'], Read][]) {
    const found = read(text, fields, file);
    if (found !== undefined) return [found].flat().map((one) => ({ file, form, ...one }));
  }
  return [];
}

/** What a host got, of texts together. */
export interface CountedRow extends Pick<SeenRow, 'requests' | 'weight'> {
  /** It was there for a part of the time, or its counter began anew: nothing is expected of it. */
  readonly isUnsteady: boolean;
  /** On each page that tells, as of a predicted host; a draining one gets nothing, either. */
  readonly healths: readonly string[];
}

export type CountedRows = ReadonlyMap<string, CountedRow>;

/** `answers`: requests were counted when they were answered, so that each counts once, whatever its attempts. */
export type Counted = ReturnType<typeof countsOf>;

/** A row on each page. */
type States = readonly (SeenRow | undefined)[];

/** What may happen to a host between the first page and the last. */
const CHANGES = {
  reset: (states: States) => countsIn(states).some((_, index, counts) => fallsAt(counts, index)),
  came: (states: States) => states[0] === undefined,
  went: (states: States) => states.at(-1) === undefined,
  health_changed: (states: States) => new Set(present(states).map(({ health }) => health)).size > 1,
  weight_changed: (states: States) => new Set(present(states).map(({ weight }) => weight)).size > 1,
};

const countsIn = (states: States): readonly number[] => present(states).map(({ requests }) => requests);

/** What came between texts of counters, or in all texts of plain counts, of the form that the first one has. */
export function countsOf(all: readonly Seen[]) {
  const telling = all.filter(({ clusters }) => clusters.size > 0);
  const own = telling.filter(({ form }) => form === telling[0]?.form);
  const unused = telling.filter(({ form }) => form !== telling[0]?.form).map(({ file }) => file);
  const files = own.map(({ file }) => file);
  const goesOn = own[0]?.counters === true;
  const ascending = own.toSorted((a, b) => (grows([a, b]) ? -1 : 1));
  const isSwapped = goesOn && !grows(own) && grows(ascending);
  const pages = isSwapped ? ascending : own;
  const facts: SeenFact[] = [];
  if (goesOn && files.length === 1) facts.push({ kind: 'since_start', files });
  if (isSwapped) facts.push({ kind: 'swapped', files });
  if (unused.length > 0) facts.push({ kind: 'unused', files: unused });
  facts.push(...all.flatMap((one) => one.facts ?? []));
  const clusters = new Map<string, CountedRows>();
  for (const cluster of new Set(pages.flatMap((page) => [...page.clusters.keys()]))) {
    const rows = pages.map((page) => page.clusters.get(cluster));
    const names = new Set(rows.flatMap((row) => [...(row?.keys() ?? [])]));
    // Counters of a zone are made with its first request.
    const none = (name: string): SeenRow | undefined => (name.startsWith(zoneRow('')) ? { requests: 0 } : undefined);
    const states = new Map([...names].map((name) => [name, rows.map((row) => row?.get(name) ?? none(name))]));
    const isCompared = goesOn && pages.length > 1;
    clusters.set(cluster, new Map([...states].map(([name, of]) => [name, countedIn(of, isCompared)])));
    for (const [kind, isSo] of isCompared ? (Object.entries(CHANGES) as Changes) : []) {
      const hosts = [...states].filter(([, of]) => isSo(of)).map(([name]) => name);
      if (hosts.length > 0) facts.push({ kind, cluster, hosts });
    }
  }
  const [workers] = present(all.map((one) => one.workers));
  const [events, calls] = [all.flatMap((one) => one.events ?? []), all.flatMap((one) => one.calls ?? [])];
  return { clusters, workers, answers: !goesOn, events, calls, facts };
}

type Changes = readonly (readonly [keyof typeof CHANGES, (states: States) => boolean])[];

/** From page to page no counter falls. */
const grows = (pages: readonly Seen[]): boolean =>
  pages.every(({ clusters }, index) =>
    [...clusters].every(([cluster, rows]) => {
      const before = pages[index - 1]?.clusters.get(cluster);
      return [...rows].every(([name, { requests }]) => requests >= (before?.get(name)?.requests ?? 0));
    }),
  );

function countedIn(states: States, isCompared: boolean): CountedRow {
  const counts = countsIn(states);
  const { weight } = present(states).at(-1) ?? {};
  return {
    requests: isCompared ? increase(CHANGES.came(states) ? [0, ...counts] : counts) : sum(counts),
    weight,
    isUnsteady: isCompared && [CHANGES.reset, CHANGES.came, CHANGES.went].some((isSo) => isSo(states)),
    healths: present(present(states).map(({ health }) => health?.replace('DRAINING', 'UNHEALTHY').toLowerCase())),
  };
}
