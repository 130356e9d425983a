/** HTTP statuses are below this. */
const STATUSES = 600;

/**
 * What a proxy counts of the requests to one cluster. Plain numbers, bumped on the hot path.
 *
 * Statistics that exist once they have moved, those of answers by status, belong to the version of the cluster that moved
 * them. An update brings another version: they start anew as soon as no request of an older version is open, but those
 * that the new one has moved by then go on.
 */
export class RequestStats {
  /** Attempts that were sent to a host. */
  upstreamRqTotal = 0;
  upstreamRqActive = 0;
  /** Requests whose time was over while an attempt waited for its connection or its answer. */
  upstreamRqTimeout = 0;
  upstreamRqPerTryTimeout = 0;
  /** Attempts that gave up waiting for a connection. */
  upstreamRqCancelled = 0;
  /** Attempts that the proxy gave up on an HTTP/2 connection; giving up on HTTP/1 closes the connection instead. */
  upstreamRqTxReset = 0;
  /** Requests for which no host could be chosen. */
  upstreamCxNoneHealthy = 0;

  /** Final answers, under all versions of the cluster. */
  completed = 0;
  /** Answers that were followed by a retry, by HTTP status. */
  readonly retriedByStatus = new Float64Array(STATUSES);
  /** Hears that statistics have started anew. */
  onRestart: (() => void) | undefined;
  /** Final answers by place and HTTP status, a row of statuses for each place. */
  private answers = new Float64Array(2 * STATUSES);
  /** How often the cluster was updated. */
  private version = 0;
  /** Requests that came under this version, and under those before, and are not over. */
  private open = 0;
  private openBefore = 0;
  /** While some of an older version are open: 1 for each of {@link answers}, and of the retried, that this one has counted. */
  private moved: { answers: Uint8Array; readonly retried: Uint8Array } | undefined;
  /** Zones of hosts, in the order in which they appeared; '' is none. */
  private readonly zones: string[] = [''];
  private readonly zoneIndices = new Map<string, number>([['', 0]]);

  /** How many places there are; see {@link placeOf}. */
  get places(): number {
    return 2 * this.zones.length;
  }

  /** The number of a zone, for {@link placeOf}. */
  zoneIndex(zone: string): number {
    const known = this.zoneIndices.get(zone);
    if (known !== undefined) return known;
    const index = this.zones.length;
    this.zones.push(zone);
    this.zoneIndices.set(zone, index);
    const grown = new Float64Array(this.places * STATUSES);
    grown.set(this.answers);
    this.answers = grown;
    if (this.moved !== undefined) {
      const { answers } = this.moved;
      this.moved.answers = new Uint8Array(grown.length);
      this.moved.answers.set(answers);
    }
    return index;
  }

  zoneOf(place: number): string {
    return this.zones[place >> 1] as string;
  }

  /** A request comes. @returns the version of the cluster that it belongs to. */
  begin(): number {
    this.open++;
    return this.version;
  }

  /** A request of this version is over. */
  ended(version: number): void {
    if (version === this.version) this.open--;
    else if (--this.openBefore === 0) this.restart();
  }

  /** The cluster is updated. */
  update(): void {
    this.version++;
    this.openBefore += this.open;
    this.open = 0;
    this.moved = undefined;
    if (this.openBefore === 0) this.restart();
    else this.noteMoved();
  }

  /** Takes the place of the statistics of a cluster that was removed: its open requests go on. */
  succeed(before: RequestStats): void {
    this.upstreamRqActive = before.upstreamRqActive;
    this.version = before.version + 1;
    this.openBefore = before.open + before.openBefore;
    if (this.openBefore > 0) this.noteMoved();
  }

  hasAnswers(place: number): boolean {
    return this.answers.subarray(place * STATUSES, (place + 1) * STATUSES).some((count) => count > 0);
  }

  /**
   * @param place   where the answer came from, see {@link placeOf}.
   * @param status  0 … 599.
   * @param version of the request, see {@link begin}.
   */
  countAnswer(place: number, status: number, version: number): void {
    const at = place * STATUSES + status;
    this.answers[at] = (this.answers[at] as number) + 1;
    this.completed++;
    if (this.moved !== undefined && version === this.version) this.moved.answers[at] = 1;
  }

  countRetriedStatus(status: number, version: number): void {
    this.retriedByStatus[status] = (this.retriedByStatus[status] as number) + 1;
    if (this.moved !== undefined && version === this.version) this.moved.retried[status] = 1;
  }

  /** The last request of an older version is over: what this one has not counted so far is gone. */
  private restart(): void {
    const { moved } = this;
    this.moved = undefined;
    keepOnly(this.retriedByStatus, moved?.retried);
    keepOnly(this.answers, moved?.answers);
    this.onRestart?.();
  }

  private noteMoved(): void {
    this.moved = { answers: new Uint8Array(this.answers.length), retried: new Uint8Array(STATUSES) };
  }

  /** Final answers by HTTP status, from the places that are `meant`. */
  answersOf(meant: (place: number) => boolean): Float64Array {
    const sum = new Float64Array(STATUSES);
    for (let place = 0; place < this.places; place++) {
      if (!meant(place)) continue;
      const from = place * STATUSES;
      for (let status = 0; status < STATUSES; status++) {
        sum[status] = (sum[status] as number) + (this.answers[from + status] as number);
      }
    }
    return sum;
  }
}

/** @param kept 1 for each that stays; undefined: none does. */
function keepOnly(counts: Float64Array, kept: Uint8Array | undefined): void {
  for (let at = 0; at < counts.length; at++) if (kept?.[at] !== 1) counts[at] = 0;
}

/** The place of answers that come from no host: the proxy's own. */
export const NO_PLACE = 0;

/** Statistics tell answers apart by the zone of their host and by whether it is a canary. */
export function placeOf(host: { readonly zoneIndex: number; readonly canary: boolean }): number {
  return 2 * host.zoneIndex + (host.canary ? 1 : 0);
}

export function isCanary(place: number): boolean {
  return (place & 1) === 1;
}

/** The parts of a cluster's answers that have statistics of their own, under their prefixes. */
export function answerCategories(
  requests: RequestStats,
  fromZone: string,
): readonly { readonly prefix: string; readonly meant: (place: number) => boolean }[] {
  const zones = new Set<string>();
  if (fromZone !== '') for (let place = 0; place < requests.places; place += 2) zones.add(requests.zoneOf(place));
  zones.delete('');
  return [
    { prefix: '', meant: () => true },
    // Whoever sends is taken for somebody outside.
    { prefix: 'external.', meant: () => true },
    { prefix: 'canary.', meant: isCanary },
    ...[...zones].map((zone) => ({
      prefix: `zone.${fromZone}.${zone}.`,
      meant: (place: number) => requests.zoneOf(place) === zone,
    })),
  ];
}
