import { own } from '../core/own.js';
import type { ExpectedCluster, ExpectedSplit } from '../result/expected.js';
import { columnsOf, type HostColumns, type HostIdentity } from './host-columns.js';
import type { PredictedPortion, PredictedSplit, Prediction } from './prediction.js';
import { splitBetween } from './split-between.js';
import { localityKey } from '../host/host.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { LocalityResult } from '../result/run-result.js';

/**
 * The expected shares of a cluster, from a prediction; undefined: the cluster is not in it.
 *
 * @param rows of the run.
 */
export function expectedOf(
  prediction: Prediction,
  cluster: string,
  rows: readonly HostRow[],
): ExpectedCluster | undefined {
  const predicted = own(prediction.clusters, cluster);
  const expected = (split: PredictedSplit | undefined): ExpectedSplit | undefined => {
    if (split === undefined || split.method === 'none') return undefined;
    return {
      rows: () => {
        const lookup = new PortionLookup(columnsOf(split));
        return (row) => lookup.of(rows[row] as HostRow);
      },
      noHost: split.no_host,
    };
  };
  return (
    predicted && {
      whole: expected(predicted),
      between: (fromS, toS) => expected(splitBetween(predicted, fromS, toS)),
    }
  );
}

/** Finds the prediction of hosts. Both are in the order of reports, so the next row is mostly the right one. */
class PortionLookup {
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
function localityText({ region, zone, sub_zone: subZone }: LocalityResult): string {
  return localityKey({ region, zone, subZone });
}
