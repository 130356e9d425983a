import { entryOf, groupBy } from '../core/lists.js';
import { own } from '../core/own.js';
import { type ExpectedCluster, type ExpectedSplit, sumOf } from '../result/expected.js';
import { columnsOf, type HostColumns, type HostIdentity } from './host-columns.js';
import type { PredictedHost, PredictedPortion, PredictedSplit, Prediction } from './prediction.js';
import { splitBetween } from './split-between.js';
import { localityKey } from '../host/host.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { LocalityResult } from '../result/run-result.js';

/** The expected shares of a cluster, from a prediction; undefined: the cluster is not in it. */
export function expectedOf(prediction: Prediction, cluster: string): ExpectedCluster | undefined {
  const predicted = own(prediction.clusters, cluster);
  return (
    predicted && {
      whole: expectedSplit(predicted),
      between: (fromS, toS) => expectedSplit(splitBetween(predicted, fromS, toS)),
    }
  );
}

function expectedSplit(split: PredictedSplit | undefined): ExpectedSplit | undefined {
  return split === undefined || split.method === 'none' ? undefined : new SplitByIdentity(split);
}

/** Finds the rows of a run by priority, locality and address. */
class SplitByIdentity implements ExpectedSplit {
  private localities: ReadonlyMap<string, PredictedPortion> | undefined;
  private priorities: ReadonlyMap<number, PredictedPortion> | undefined;

  constructor(private readonly split: PredictedSplit) {}

  get noHost(): PredictedPortion | undefined {
    return this.split.no_host;
  }

  rows(): (index: number, row: HostRow) => PredictedPortion | undefined {
    const rows = new PortionLookup(columnsOf(this.split));
    return (_, row) => rows.of(row);
  }

  locality({ locality }: HostRow): PredictedPortion | undefined {
    this.localities ??= sums(this.split.hosts, (host) => host.locality, localityText);
    return this.localities.get(localityKey(locality));
  }

  priority({ priority }: HostRow): PredictedPortion | undefined {
    this.priorities ??= sums(this.split.hosts, (host) => host.priority, Number);
    return this.priorities.get(priority);
  }
}

/** The portions of groups of hosts. Hosts of one group have the same `value`, or one of few. */
function sums<Value, Key>(
  hosts: readonly PredictedHost[],
  valueOf: (host: PredictedHost) => Value,
  keyOf: (value: Value) => Key,
): Map<Key, PredictedPortion> {
  const keys = new Map<Value, Key>();
  const groups = groupBy(hosts, (host) => {
    const value = valueOf(host);
    return entryOf(keys, value, () => keyOf(value));
  });
  return new Map([...groups].map(([key, members]) => [key, sumOf(members)]));
}

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
function localityText({ region, zone, sub_zone: subZone }: LocalityResult): string {
  return localityKey({ region, zone, subZone });
}
