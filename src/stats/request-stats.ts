import { RequestCounts } from '../core/generated/counts.js';
import { entryOf, groupBy, present } from '../core/values.js';

interface StatusCount {
  readonly status: number;
  count: number;
  /** The last version of the cluster that changed it. */
  version: number;
}

/** Counts of HTTP statuses. Only a few occur: a list is shorter than a table. */
export class StatusCounts {
  private entries: StatusCount[] = [];
  /** That of the status counted last, which mostly comes again. */
  private recent: StatusCount | undefined = undefined;

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** @param version of the cluster. */
  add(status: number, version: number, times = 1): void {
    const { recent } = this;
    const entry = recent?.status === status ? recent : this.entryOf(status, version);
    entry.count += times;
    if (version > entry.version) entry.version = version;
  }

  private entryOf(status: number, version: number): StatusCount {
    let entry = this.entries.find((one) => one.status === status);
    if (entry === undefined) this.entries.push((entry = { status, count: 0, version }));
    return (this.recent = entry);
  }

  addAll(other: StatusCounts): void {
    for (const { status, count, version } of other.entries) this.add(status, version, count);
  }

  /** Drops what this version has not changed. */
  keepOnly(version: number): void {
    this.entries = this.entries.filter((entry) => entry.version === version);
    this.recent = undefined;
  }

  /** Each status that occurred with its count, ascending. */
  sorted(): readonly Readonly<StatusCount>[] {
    return [...this.entries].sort((a, b) => a.status - b.status);
  }
}

/** Numbers of the zones of hosts, for {@link originOf}: one numbering for all clusters, as an aggregate counts what hosts of others answer. */
export class Zones {
  /** In the order in which they appeared; '' is none. */
  private readonly names: string[] = [''];
  private readonly indices = new Map<string, number>([['', 0]]);

  indexOf(zone: string): number {
    return entryOf(this.indices, zone, () => this.names.push(zone) - 1);
  }

  nameOf(origin: number): string {
    return this.names[origin >> 2] as string;
  }
}

/**
 * What a proxy counts of the requests to one cluster, and of their answers.
 * Statistics that appear with their first change, those of answers by status, belong to the version of the cluster that
 * changed them. After an update they restart as soon as no request of an older version is open; those that the new version
 * has changed by then continue.
 */
export class RequestStats extends RequestCounts {
  /** Answers that were followed by a retry, by HTTP status. */
  readonly retriedByStatus = new StatusCounts();
  onRestart: (() => void) | undefined;
  /** Final answers by {@link originOf}; none came from where nothing is. */
  private readonly answers: (StatusCounts | undefined)[] = [];
  /** How often the cluster was updated. */
  private version = 0;
  /** Open requests of this version, and of those before. */
  private open = 0;
  private openBefore = 0;

  constructor(readonly zones: Zones) {
    super();
  }

  /** Those that answers came from, ascending. */
  get origins(): readonly number[] {
    return [...this.answers.keys()].filter((origin) => this.hasAnswers(origin));
  }

  /** A request arrives. @returns the version of the cluster that it belongs to. */
  begin(): number {
    this.open++;
    return this.version;
  }

  ended(version: number): void {
    if (version === this.version) this.open--;
    else if (--this.openBefore === 0) this.restart();
  }

  update(): void {
    this.version++;
    this.openBefore += this.open;
    this.open = 0;
    if (this.openBefore === 0) this.restart();
  }

  /** Replaces the statistics of a cluster that was removed: its open requests go on. */
  succeed(before: RequestStats): void {
    this.upstreamRqActive = before.upstreamRqActive;
    this.heldOpen = before.heldOpen;
    this.version = before.version + 1;
    this.openBefore = before.open + before.openBefore;
  }

  hasAnswers(origin: number): boolean {
    return this.answers[origin]?.isEmpty === false;
  }

  /** @param origin see {@link originOf}. @param version of the request, see {@link begin}. */
  countAnswer(origin: number, status: number, version: number): void {
    (this.answers[origin] ??= new StatusCounts()).add(status, version);
    this.completed++;
  }

  /** The last request of an older version is over: statistics that this one has not changed are dropped. */
  private restart(): void {
    this.retriedByStatus.keepOnly(this.version);
    for (const counts of this.answers) counts?.keepOnly(this.version);
    this.onRestart?.();
  }

  answersOf(origins: readonly number[]): StatusCounts {
    const sum = new StatusCounts();
    for (const counts of present(origins.map((origin) => this.answers[origin]))) sum.addAll(counts);
    return sum;
  }
}

/** Answers of no host: the proxy's own. */
export const NO_ORIGIN = 0;
const CANARY = 1;
/** Added to an origin where the proxy itself has sent the request, which is a copy. */
export const INTERNAL = 2;

/** Statistics distinguish answers by the zone of their host, see {@link Zones}, and by whether it is a canary. */
export const originOf = (host: { readonly zoneIndex: number; readonly canary: boolean }): number =>
  4 * host.zoneIndex + (host.canary ? CANARY : 0);

export const isCanary = (origin: number): boolean => (origin & CANARY) !== 0;
export const isInternal = (origin: number): boolean => (origin & INTERNAL) !== 0;

export function answerCategories({ origins, zones }: RequestStats, fromZone: string) {
  const byZone = groupBy(fromZone === '' ? [] : origins, (origin) => zones.nameOf(origin));
  return [
    { prefix: '', origins },
    { prefix: 'external.', origins: origins.filter((origin) => !isInternal(origin)) },
    { prefix: 'internal.', origins: origins.filter(isInternal) },
    { prefix: 'canary.', origins: origins.filter(isCanary) },
    ...[...byZone].flatMap(([zone, some]) =>
      zone === '' ? [] : [{ prefix: `zone.${fromZone}.${zone}.`, origins: some }],
    ),
  ];
}
