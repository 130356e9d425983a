import { type Locality, localityKey } from '../host/host.js';
import type { ClusterRecorder, PhaseCounts } from './cluster-recorder.js';
import type { HostRow } from './phase-hosts.js';
import { type FleetResult, localityResult, portion, type Portion } from './run-result.js';
import { addTo, groupBy, sum } from '../core/values.js';

/** The counts of one proxy, and its locality; undefined: its node states none. */
export type Origin = Readonly<{ locality: Locality | undefined; recorder: ClusterRecorder }>;

type CountsOf = (recorder: ClusterRecorder) => (row: number) => number;

const wholeRun: CountsOf = (recorder) => (row) => recorder.rows[row]?.requests ?? 0;

export class Fleet {
  /** Average per host, including hosts that left. */
  readonly meanRequests: number;
  private readonly places: ReadonlyMap<string, { readonly locality: Locality; readonly rows: readonly number[] }>;

  constructor(
    rows: readonly HostRow[],
    order: readonly number[],
    private readonly origins: readonly Origin[],
  ) {
    const localityOf = (index = 0): Locality => (rows[index] as HostRow).locality;
    const places = groupBy(order, (index) => localityKey(localityOf(index)));
    this.places = new Map([...places].map(([key, own]) => [key, { locality: localityOf(own[0]), rows: own }]));
    this.meanRequests = rows.length === 0 ? 0 : sumOf(origins, [...rows.keys()], wholeRun) / rows.length;
  }

  /** Some proxy states its locality, and proxies or hosts are in several ones. */
  get hasLocalities(): boolean {
    const from = new Set(this.origins.map(({ locality }) => locality && localityKey(locality)));
    return [...from].some((key) => key !== undefined) && (from.size > 1 || this.places.size > 1);
  }

  result(): FleetResult {
    const to = [...this.places.values()];
    const from = this.groupedOrigins().map((group) => {
      const { locality } = group[0] as Origin;
      const flow = to.map(({ rows }) => sumOf(group, rows, wholeRun));
      const requests = sum(flow);
      const crossing = flow.filter((_, index) => crosses(locality, to[index]?.locality));
      const place = {
        locality: locality === undefined ? null : localityResult(locality),
        proxies: group.length,
        requests,
        cross_zone: portion(sum(crossing), requests),
      };
      return { place, flow };
    });
    return {
      from: from.map(({ place }) => place),
      to: to.map(({ locality, rows }) => ({ locality: localityResult(locality), hosts: rows.length })),
      flows: from.map(({ flow }) => flow),
      cross_zone: this.crossZone(wholeRun),
      mean_requests: this.meanRequests,
    };
  }

  crossZoneOfPhase(phase: number): Portion {
    return this.crossZone((recorder) => {
      const counts: PhaseCounts | undefined = recorder.phases[phase];
      return (row) => counts?.hosts.of(row) ?? 0;
    });
  }

  /** Attempts to another locality than the proxy's own, of proxies that state one. */
  private crossZone(counts: CountsOf): Portion {
    let crossing = 0;
    let requests = 0;
    for (const origin of this.origins) {
      if (origin.locality === undefined) continue;
      for (const { locality, rows } of this.places.values()) {
        const sent = sumOf([origin], rows, counts);
        requests += sent;
        if (crosses(origin.locality, locality)) crossing += sent;
      }
    }
    return portion(crossing, requests);
  }

  /** By locality, in the order of the hosts'; then localities without hosts, then proxies without a locality. */
  private groupedOrigins(): Origin[][] {
    const groups = new Map<string, Origin[]>([...this.places.keys()].map((key) => [key, []]));
    for (const origin of this.origins)
      if (origin.locality !== undefined) addTo(groups, localityKey(origin.locality), origin);
    const withoutLocality = this.origins.filter(({ locality }) => locality === undefined);
    return [...groups.values(), withoutLocality].filter((group) => group.length > 0);
  }
}

const sumOf = (origins: readonly Origin[], rows: readonly number[], counts: CountsOf): number =>
  sum(origins.map(({ recorder }) => sum(rows.map(counts(recorder)))));

/** Whether who goes from one place to the other leaves its zone. A side without a region does not say that it is another. */
export function crosses(from: Locality | undefined, to: Locality | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  const isOtherRegion = from.region !== '' && to.region !== '' && from.region !== to.region;
  return isOtherRegion || from.zone !== to.zone || from.subZone !== to.subZone;
}
