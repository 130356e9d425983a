import { localityKey } from '../host/host.js';
import type { HostColumns } from '../predict/host-columns.js';
import type { PredictedPortion } from '../predict/prediction.js';
import type { LocalityResult } from '../result/run-result.js';

/** The identity of a host in reports. */
interface HostIdentity {
  readonly priority: number;
  readonly locality: LocalityResult;
  readonly address: string;
}

/** Finds the prediction of hosts. Both are in the order of reports, so the next row is mostly the right one. */
export class PortionLookup {
  private next = 0;
  private indices: ReadonlyMap<string, number> | undefined;

  constructor(private readonly columns: HostColumns) {}

  /** undefined: there is no prediction of the host. */
  of(host: HostIdentity): PredictedPortion | undefined {
    const { identities, share, variance, granularity } = this.columns;
    const expected = identities[this.next];
    const index = expected !== undefined && isSameHost(host, expected) ? this.next : this.find(host);
    if (index === undefined) return undefined;
    this.next = index + 1;
    return { share: share[index] as number, variance: variance(index), granularity: granularity(index) };
  }

  private find(host: HostIdentity): number | undefined {
    this.indices ??= new Map(this.columns.identities.map((place, index) => [hostKey(place), index]));
    return this.indices.get(hostKey(host));
  }
}

function isSameHost(a: HostIdentity, b: HostIdentity): boolean {
  const [one, other] = [a.locality, b.locality];
  return (
    a.address === b.address &&
    a.priority === b.priority &&
    one.zone === other.zone &&
    one.region === other.region &&
    one.sub_zone === other.sub_zone
  );
}

function hostKey(host: HostIdentity): string {
  return `${host.priority}\u0000${host.address}\u0000${localityText(host.locality)}`;
}

export function localityText(locality: LocalityResult): string {
  return localityKey({ region: locality.region, zone: locality.zone, subZone: locality.sub_zone });
}
