import { naturalOrder } from '../core/natural-order.js';
import type { Row } from './discovery.js';
import type { RowPortions } from './outcome.js';
import type { PredictedHost, PredictedPortion, PredictedSplit } from './prediction.js';
import type { RowStates } from './row-states.js';
import { healthOf } from './row-states.js';

/** What never changes of a host: the same object in all splits of a cluster. */
export type HostPlace = Pick<PredictedHost, 'address' | 'priority' | 'locality'>;

/** The hosts of a split in columns: a large cluster over many phases is a million rows, too many to make objects of. */
export interface HostColumns {
  readonly places: readonly HostPlace[];
  readonly share: Float64Array;
  readonly variance: Float64Array;
  readonly granularity: Float64Array;
  readonly weight: Float64Array;
  readonly health: (index: number) => PredictedHost['health'];
}

/** All rows of a cluster in the order of its reports. */
export interface ReportOrder {
  readonly rows: Uint32Array;
  readonly places: readonly HostPlace[];
  /** Rows in a row that have one priority and one locality. */
  readonly runs: readonly { readonly from: number; readonly to: number }[];
}

/** By priority, locality, address; addresses in the order in which people count. */
export function reportOrder(rows: readonly Row[], keyOf: (locality: Row['locality']) => string): ReportOrder {
  const compare = naturalOrder();
  const keys = new Map<Row['locality'], string>();
  for (const { locality } of rows) if (!keys.has(locality)) keys.set(locality, keyOf(locality));
  const placeOf = (row: Row): string => keys.get(row.locality) ?? '';
  const order = [...rows].sort(
    (a, b) =>
      a.priority - b.priority ||
      (a.locality === b.locality ? 0 : compare(placeOf(a), placeOf(b))) ||
      compare(a.address, b.address) ||
      a.index - b.index,
  );
  const localities = new Map<string, PredictedHost['locality']>();
  const runs: { from: number; to: number }[] = [];
  const places = order.map((row, at) => {
    const { address, priority } = row;
    const { region, zone, subZone } = row.locality;
    const key = placeOf(row);
    const locality = localities.get(key) ?? { region, zone, sub_zone: subZone };
    localities.set(key, locality);
    const before = order[at - 1];
    const run = runs[runs.length - 1];
    if (run !== undefined && before?.priority === priority && placeOf(before) === key) run.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
    return { address, priority, locality };
  });
  return { rows: Uint32Array.from(order, ({ index }) => index), places, runs };
}

/** Those rows of the order that somebody lists, or that get a share. */
export function hostColumns(order: ReportOrder, outcome: RowPortions, states: RowStates): HostColumns {
  const { weights, kinds } = states.columns();
  const shown = order.rows.filter((row) => (kinds[row] ?? 0) > 0 || (outcome.share[row] ?? 0) > 0);
  const all = shown.length === order.rows.length;
  const isShown = all ? undefined : new Set(shown);
  const places =
    isShown === undefined ? order.places : order.places.filter((_, at) => isShown.has(order.rows[at] as number));
  const share = new Float64Array(shown.length);
  const variance = new Float64Array(shown.length);
  const granularity = new Float64Array(shown.length);
  const weight = new Float64Array(shown.length).fill(1);
  for (let at = 0; at < shown.length; at++) {
    const row = shown[at] as number;
    share[at] = outcome.share[row] ?? 0;
    variance[at] = varianceOf(share[at] as number, outcome.second[row] ?? 0);
    granularity[at] = Math.sqrt(outcome.grain[row] ?? 0);
    weight[at] = weights[row] ?? 1;
  }
  const health = (index: number): PredictedHost['health'] => healthOf(kinds[shown[index] as number] ?? 0);
  return { places, share, variance, granularity, weight, health };
}

/** The columns as the objects that a prediction shows. */
export function hostObjects(columns: HostColumns): PredictedHost[] {
  const { places, share, variance, granularity, weight, health } = columns;
  return places.map(({ address, priority, locality }, index) => ({
    address,
    priority,
    locality,
    weight: weight[index] as number,
    health: health(index),
    share: share[index] as number,
    variance: variance[index] as number,
    granularity: granularity[index] as number,
  }));
}

const columnsOfSplit = new WeakMap<object, () => HostColumns>();

/** Lets {@link columnsOf} know the columns of a split. */
export function rememberColumns(split: PredictedSplit, columns: () => HostColumns): void {
  columnsOfSplit.set(split, columns);
}

/** The hosts of any split in columns, without making objects where there are none yet. */
export function columnsOf(split: PredictedSplit): HostColumns {
  const known = columnsOfSplit.get(split);
  if (known !== undefined) return known();
  const { hosts } = split;
  return {
    places: hosts,
    share: Float64Array.from(hosts, ({ share }) => share),
    variance: Float64Array.from(hosts, ({ variance }) => variance),
    granularity: Float64Array.from(hosts, ({ granularity }) => granularity),
    weight: Float64Array.from(hosts, ({ weight }) => weight),
    health: (index) => hosts[index]?.health ?? 'healthy',
  };
}

export function portion(share: number, second: number, grain: number): PredictedPortion {
  return { share, variance: varianceOf(share, second), granularity: Math.sqrt(grain) };
}

/** What is certain has no variance; what the subtraction leaves of it is rounding. */
function varianceOf(share: number, second: number): number {
  const variance = second - share * share;
  return variance < 1e-12 ? 0 : variance;
}
