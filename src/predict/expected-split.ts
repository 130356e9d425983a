import { entryOf, groupBy } from '../core/lists.js';
import { own } from '../core/own.js';
import { localityKey } from '../host/host.js';
import { type ExpectedCluster, type ExpectedSplit, sumOf } from '../result/expected.js';
import type { HostRow } from '../result/phase-hosts.js';
import { columnsOf } from './host-columns.js';
import { localityText, PortionLookup } from './portion-lookup.js';
import type { PredictedHost, PredictedPortion, PredictedSplit, Prediction } from './prediction.js';
import { splitBetween } from './split-between.js';

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
