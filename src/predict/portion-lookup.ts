import { localityKey } from '../host/host.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { LocalityResult } from '../result/run-result.js';
import type { HostColumns, HostIdentity } from './host-columns.js';
import type { PredictedPortion } from './prediction.js';

/** Finds the prediction of hosts. Both are in the order of reports, so the next row is mostly the right one. */
export class PortionLookup {
  private next = 0;
  private indices: ReadonlyMap<string, number> | undefined;

  constructor(private readonly columns: HostColumns) {}

  /** undefined: there is no prediction of the host. */
  of(host: HostRow): PredictedPortion | undefined {
    const { identities, share, variance, granularity } = this.columns;
    const expected = identities[this.next];
    const index = expected !== undefined && isSameHost(host, expected) ? this.next : this.find(host);
    if (index === undefined) return undefined;
    this.next = index + 1;
    return { share: share[index] as number, variance: variance(index), granularity: granularity(index) };
  }

  private find(host: HostRow): number | undefined {
    this.indices ??= new Map(
      this.columns.identities.map((identity, index) => [hostKey(identity, localityText(identity.locality)), index]),
    );
    return this.indices.get(hostKey(host, localityKey(host.locality)));
  }
}

function isSameHost(a: HostRow, b: HostIdentity): boolean {
  const [one, other] = [a.locality, b.locality];
  return (
    a.address === b.address &&
    a.priority === b.priority &&
    one.zone === other.zone &&
    one.region === other.region &&
    one.subZone === other.sub_zone
  );
}

function hostKey({ priority, address }: Pick<HostRow, 'priority' | 'address'>, locality: string): string {
  return `${priority}\u0000${address}\u0000${locality}`;
}

/** The {@link localityKey} of a locality in a report. */
export function localityText({ region, zone, sub_zone: subZone }: LocalityResult): string {
  return localityKey({ region, zone, subZone });
}
