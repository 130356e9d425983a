import { localityResult } from '../result/run-result.js';
import { entryOf } from '../core/values.js';
import { shareOf } from '../core/rounding.js';
import { type ReportedHost, reportOrder } from '../host/report-order.js';
import { localityKey } from '../host/host.js';
import type { RowPortions } from './outcome.js';
import type { PredictedHost, PredictedPortion, PredictedSplit } from './prediction.js';
import { HEALTHS, type RowStates } from '../result/phases.js';

/** The constant part of a host: the same object in all splits of a cluster. */
export type HostIdentity = Pick<PredictedHost, 'address' | 'priority' | 'locality'>;

/** Hosts of a split without objects, most values on demand: a large cluster over many phases has a million. */
export interface HostColumns {
  readonly identities: readonly HostIdentity[];
  readonly share: ArrayLike<number>;
  readonly weight: ArrayLike<number>;
  readonly variance: (index: number) => number;
  readonly granularity: (index: number) => number;
  readonly health: (index: number) => PredictedHost['health'];
}

export interface RowOrder {
  readonly rows: Uint32Array;
  readonly identities: readonly HostIdentity[];
  /** Consecutive rows of one priority and one locality. */
  readonly runs: readonly { readonly from: number; readonly to: number }[];
}

export function rowOrder(rows: readonly ReportedHost[]): RowOrder {
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

/** The rows that are listed or have a share, in order. */
export function hostColumns(order: RowOrder, outcome: RowPortions, states: readonly RowStates[]): HostColumns {
  const { weights, kinds } = statesByRow(states, order.rows.length);
  const { rows, identities } = shownOf(order, outcome.share, kinds);
  const share = new Float64Array(rows.length);
  const weight = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    share[at] = shareOf(outcome.share[row] as number);
    weight[at] = weights[row] as number;
  }
  // A row that is not listed is shown as healthy: it got requests while it was there.
  return {
    identities,
    share,
    weight,
    variance: (at) => varianceOf(share[at] as number, outcome.second[rows[at] as number] as number),
    granularity: (at) => Math.sqrt(outcome.granularitySquared[rows[at] as number] as number),
    health: (at) => HEALTHS[(kinds[rows[at] as number] as number) - 1] ?? 'healthy',
  };
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

export function hostObjects({ identities, share, weight, ...of }: HostColumns): PredictedHost[] {
  return identities.map(({ address, priority, locality }, index) => ({
    address,
    priority,
    locality,
    weight: weight[index] as number,
    health: of.health(index),
    share: share[index] as number,
    variance: of.variance(index),
    granularity: of.granularity(index),
  }));
}

const columnsOfSplit = new WeakMap<object, () => HostColumns>();

export function rememberColumns(split: PredictedSplit, columns: () => HostColumns): void {
  columnsOfSplit.set(split, columns);
}

/** The hosts of any split in columns, without making objects where there are none yet. */
export function columnsOf(split: PredictedSplit): HostColumns {
  const known = columnsOfSplit.get(split);
  if (known !== undefined) return known();
  const { hosts } = split;
  return {
    identities: hosts,
    share: hosts.map(({ share }) => share),
    weight: hosts.map(({ weight }) => weight),
    variance: (index) => hosts[index]?.variance ?? 0,
    granularity: (index) => hosts[index]?.granularity ?? 0,
    health: (index) => hosts[index]?.health ?? 'healthy',
  };
}

/** The portion of one row; the variance is that of the rounded share. */
export function rowPortion({ share, second, granularitySquared }: RowPortions, row: number): PredictedPortion {
  const rounded = shareOf(share[row] as number);
  return {
    share: rounded,
    variance: varianceOf(rounded, second[row] as number),
    granularity: Math.sqrt(granularitySquared[row] as number),
  };
}

export function portion(share: number, second: number, granularitySquared: number): PredictedPortion {
  return { share: shareOf(share), variance: varianceOf(share, second), granularity: Math.sqrt(granularitySquared) };
}

/** A certain share has no variance; the subtraction leaves a rounding error. */
function varianceOf(share: number, second: number): number {
  const variance = second - share * share;
  return variance < 1e-12 ? 0 : variance;
}

/** Weight and kind by row, of the first state that lists it. Kind 0: none does; else for {@link healthOf}. */
export function statesByRow(
  states: readonly RowStates[],
  rows: number,
): { readonly weights: Float64Array; readonly kinds: Uint8Array } {
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
