import type { Obstacle } from './obstacle.js';
/** The same for all rows of a part, or one number each. */
export type Values = number | Float64Array;

export const valueAt = (values: Values, index: number): number =>
  typeof values === 'number' ? values : (values[index] as number);

/** Some rows and their portions. A part of many equal rows is three numbers. */
interface Part {
  /** By position; undefined: the position is the row. */
  readonly rows: Uint32Array | undefined;
  readonly share: Values;
  readonly second: Values;
  readonly granularitySquared: Values;
}

export type RowPortions = Readonly<{ share: Float64Array; second: Float64Array; granularitySquared: Float64Array }>;

/**
 * The outcome of one request: the probability of each row, and how much the counts of many such requests vary. Counts
 * of n requests have mean n · share and variance n · (second − share²) + granularity². `second` is the second moment of
 * a request's share given all its draws: a rotation gives share², independent draws give share. Unlike variances,
 * second moments of alternatives that are drawn add up.
 */
export class Outcome {
  none = 0;
  noneSecond = 0;
  noneGranularitySquared = 0;
  /** Maximum error of shares, 0–1. */
  errorShare = 0;
  /** A model gave the shares; its error is an estimate, part of `errorShare`. */
  approximate = false;
  /** Maximum error in requests, independent of their number. */
  errorRequests = 0;
  /** Why there is no prediction; everything else is then meaningless. */
  obstacle: Obstacle | undefined;
  /** Share by the subset that answers. */
  readonly subsets = new Map<string, number>();
  readonly parts: Part[] = [];
  private readonly mixed: { readonly outcome: Outcome; readonly probability: number }[] = [];

  static without(obstacle: Obstacle): Outcome {
    const outcome = new Outcome();
    outcome.obstacle = obstacle;
    return outcome;
  }

  /** Adds `other`, which is complete, with `probability`: that of the draw that leads to it. */
  mix(other: Outcome, probability: number): void {
    this.obstacle ??= other.obstacle;
    this.mixed.push({ outcome: other, probability });
    this.none += probability * other.none;
    this.noneSecond += probability * other.noneSecond;
    this.noneGranularitySquared += other.noneGranularitySquared;
    this.errorShare += probability * other.errorShare;
    this.approximate ||= other.approximate;
    this.errorRequests += other.errorRequests;
    for (const [subset, part] of other.subsets) this.answeredBy(subset, probability * part);
  }

  addNone(probability: number): void {
    this.none += probability;
    this.noneSecond += probability;
  }

  answeredBy(subset: string, share: number): void {
    if (share > 0) this.subsets.set(subset, (this.subsets.get(subset) ?? 0) + share);
  }

  byRow(rows: number): RowPortions {
    const column = (): Float64Array => new Float64Array(rows);
    const sum = { share: column(), second: column(), granularitySquared: column() };
    this.addTo(sum, 1);
    return sum;
  }

  private addTo(sum: RowPortions, probability: number): void {
    for (const part of this.parts) addPart(sum, part, probability);
    for (const { outcome, probability: own } of this.mixed) outcome.addTo(sum, probability * own);
  }
}

function addPart(sum: RowPortions, { rows, share, second, granularitySquared }: Part, probability: number): void {
  const values = typeof share === 'number' ? undefined : share.length;
  const count = rows?.length ?? values ?? 0;
  for (let index = 0; index < count; index++) {
    const row = rows === undefined ? index : (rows[index] as number);
    const own = valueAt(share, index);
    if (own === 0) continue;
    const moment = valueAt(second, index);
    const stray = valueAt(granularitySquared, index);
    sum.share[row] = (sum.share[row] as number) + probability * own;
    sum.second[row] = (sum.second[row] as number) + probability * moment;
    sum.granularitySquared[row] = (sum.granularitySquared[row] as number) + stray;
  }
}

/** Whether both are equal in each of `rows` rows. */
export function agree(a: Outcome, b: Outcome, rows: number): boolean {
  if (a.obstacle !== undefined || b.obstacle !== undefined) return false;
  if (Math.abs(a.none - b.none) > 1e-12) return false;
  const [own, other] = [a.byRow(rows).share, b.byRow(rows).share];
  return own.every((share, row) => Math.abs(share - (other[row] as number)) <= 1e-12);
}

/** The outcome of any mixture of outcomes that {@link agree}. */
export function loosest(outcomes: readonly Outcome[], rows: number): Outcome {
  const sum = new Outcome();
  const [first] = outcomes;
  if (first === undefined) return sum;
  const { share, second, granularitySquared } = first.byRow(rows);
  for (const other of outcomes) {
    if (other === first) continue;
    const { second: seconds, granularitySquared: othersGranularity } = other.byRow(rows);
    for (let row = 0; row < rows; row++) {
      second[row] = Math.max(second[row] as number, seconds[row] as number);
      granularitySquared[row] = (granularitySquared[row] as number) + (othersGranularity[row] as number);
    }
  }
  sum.parts.push({ rows: undefined, share, second, granularitySquared });
  sum.none = first.none;
  for (const [subset, part] of first.subsets) sum.answeredBy(subset, part);
  for (const outcome of outcomes) {
    sum.approximate ||= outcome.approximate;
    sum.noneSecond = Math.max(sum.noneSecond, outcome.noneSecond);
    sum.errorShare = Math.max(sum.errorShare, outcome.errorShare);
  }
  for (const outcome of new Set(outcomes)) {
    sum.noneGranularitySquared += outcome.noneGranularitySquared;
    sum.errorRequests += outcome.errorRequests;
  }
  return sum;
}
