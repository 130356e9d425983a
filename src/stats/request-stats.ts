/** HTTP statuses are below this. */
const STATUSES = 600;

/** What a proxy counts of the requests to one cluster. Plain numbers, bumped on the hot path. */
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

  /** Answers that were followed by a retry, by HTTP status. */
  readonly retriedByStatus = new Float64Array(STATUSES);
  /** Final answers by place and HTTP status, a row of statuses for each place. */
  private answers = new Float64Array(2 * STATUSES);
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
    return index;
  }

  zoneOf(place: number): string {
    return this.zones[place >> 1] as string;
  }

  /**
   * @param place  where the answer came from, see {@link placeOf}.
   * @param status 0 … 599.
   */
  countAnswer(place: number, status: number): void {
    const at = place * STATUSES + status;
    this.answers[at] = (this.answers[at] as number) + 1;
  }

  countRetriedStatus(status: number): void {
    this.retriedByStatus[status] = (this.retriedByStatus[status] as number) + 1;
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
