import { localityResult } from '../result/run-result.js';
import { entryOf } from '../core/values.js';
import { shareOf } from '../core/rounding.js';
import { type ReportedHost, reportOrder } from '../host/report-order.js';
import { localityKey } from '../host/host.js';
import type { RowPortions } from './outcome.js';
import type { PredictedHost, PredictedSplit } from './generated/prediction.js';
import { HEALTHS, type RowStates } from '../result/phases.js';
import type { PredictedPortion } from '../result/expected.js';

/** The constant part of a host: the same object in all splits of a cluster. */
export type HostIdentity = Pick<PredictedHost, 'address' | 'priority' | 'locality'>;

/** Hosts of a split, each made on demand: a large cluster over many phases has a million. */
export type HostColumns = Readonly<{ identities: readonly HostIdentity[]; at: (index: number) => PredictedHost }>;

export type RowOrder = ReturnType<typeof rowOrder>;

/** Rows as reports list them; `runs`: consecutive ones of one priority and one locality. */
export function rowOrder(rows: readonly ReportedHost[]) {
  const order = Uint32Array.from(reportOrder(rows));
  const localities = new Map<ReportedHost['locality'], PredictedHost['locality']>();
  const byKey = new Map<string, PredictedHost['locality']>();
  const runs: { readonly from: number; to: number }[] = [];
  const identities = new Array<HostIdentity>(order.length);
  for (let at = 0; at < order.length; at++) {
    const { address, priority, locality: own } = rows[order[at] as number] as ReportedHost;
    const locality = entryOf(localities, own, () => entryOf(byKey, localityKey(own), () => localityResult(own)));
    identities[at] = { address, priority, locality };
    const before = identities[at - 1];
    const run = runs[runs.length - 1];
    if (run !== undefined && before?.priority === priority && before.locality === locality) run.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return { rows: order, identities, runs };
}

/** The rows that are listed or have a share, in order. One that is not listed is shown as healthy: it got requests while it was there. */
export function hostColumns(order: RowOrder, outcome: RowPortions, states: readonly RowStates[]): HostColumns {
  const { weights, kinds } = statesByRow(states, order.rows.length);
  const { rows, identities } = shownOf(order, outcome.share, kinds);
  const at = (index: number): PredictedHost => {
    const row = rows[index] as number;
    const health = HEALTHS[(kinds[row] as number) - 1] ?? 'healthy';
    return {
      ...(identities[index] as HostIdentity),
      weight: weights[row] as number,
      health,
      ...rowPortion(outcome, row),
    };
  };
  return { identities, at };
}

/** Mostly these are all rows. */
function shownOf(order: RowOrder, share: Float64Array, kinds: Uint8Array): Pick<RowOrder, 'rows' | 'identities'> {
  const { rows } = order;
  const shown = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if ((kinds[row] as number) > 0 || (share[row] as number) > 0) shown[count++] = at;
  }
  if (count === rows.length) return order;
  const some = shown.subarray(0, count);
  return {
    rows: some.map((at) => rows[at] as number),
    identities: Array.from(some, (at) => order.identities[at] as HostIdentity),
  };
}

/** Of splits whose hosts are made on demand. */
export const columnsOfSplit = new WeakMap<PredictedSplit, () => HostColumns>();

/** The hosts of any split in columns, without making objects where there are none yet. */
export const columnsOf = (split: PredictedSplit): HostColumns =>
  columnsOfSplit.get(split)?.() ?? { identities: split.hosts, at: (index) => split.hosts[index] as PredictedHost };

/** The portion of one row; the variance is that of the rounded share. */
export const rowPortion = ({ share, second, granularitySquared }: RowPortions, row: number): PredictedPortion =>
  portion(shareOf(share[row] as number), second[row] as number, granularitySquared[row] as number);

export function portion(share: number, second: number, granularitySquared: number): PredictedPortion {
  const stray = second - share * share;
  // A certain share has no variance; the subtraction leaves a rounding error.
  const variance = stray < 1e-12 ? 0 : stray;
  return { share: shareOf(share), variance, granularity: Math.sqrt(granularitySquared) };
}

/** Weight and kind by row, of the first state that lists it. Kind 0: none does; else for {@link healthOf}. */
export function statesByRow(states: readonly RowStates[], rows: number) {
  const weights = new Float64Array(rows).fill(1);
  const kinds = new Uint8Array(rows);
  for (const listed of states) {
    for (let at = 0; at < listed.rows.length; at++) {
      const row = listed.rows[at] as number;
      if (kinds[row] !== 0) continue;
      weights[row] = listed.weights[at] as number;
      kinds[row] = 1 + (listed.healths[at] as number);
    }
  }
  return { weights, kinds };
}
