/**
 * What becomes of one request: which rows it may go to and how likely, and how much the counts of many such requests vary.
 *
 * Counts of n requests have mean n · share and variance n · (second − share²) + granularity². `second` is the second
 * moment of a request's share given all that is drawn for it: a rotation gives share², independent draws give share.
 * Unlike variances, second moments of alternatives that are drawn add up.
 */
export class Outcome {
  readonly share: Float64Array;
  readonly second: Float64Array;
  /** granularity² */
  readonly grain: Float64Array;
  none = 0;
  noneSecond = 0;
  noneGrain = 0;
  /** How far shares may be off, 0–1. */
  errorShare = 0;
  /** How many requests a share may be off by, however many requests there are. */
  errorRequests = 0;
  /** There is no prediction; everything else is void then. */
  whyNot: string | undefined;
  /** Share by the subset that answers. */
  readonly subsets = new Map<string, number>();

  constructor(rows: number) {
    this.share = new Float64Array(rows);
    this.second = new Float64Array(rows);
    this.grain = new Float64Array(rows);
  }

  /** There is no prediction. */
  static without(whyNot: string): Outcome {
    const outcome = new Outcome(0);
    outcome.whyNot = whyNot;
    return outcome;
  }

  /** Adds `probability` times what `other` describes: this is what happens if that is drawn. */
  mix(other: Outcome, probability: number): void {
    this.whyNot ??= other.whyNot;
    const { share, second, grain } = this;
    for (let row = 0; row < other.share.length; row++) {
      share[row] = (share[row] as number) + probability * (other.share[row] as number);
      second[row] = (second[row] as number) + probability * (other.second[row] as number);
      grain[row] = (grain[row] as number) + (other.grain[row] as number);
    }
    this.none += probability * other.none;
    this.noneSecond += probability * other.noneSecond;
    this.noneGrain += other.noneGrain;
    this.errorShare += probability * other.errorShare;
    this.errorRequests += other.errorRequests;
    for (const [subset, part] of other.subsets) this.answeredBy(subset, probability * part);
  }

  /** Nobody is found, drawn with `probability`. */
  addNone(probability: number): void {
    this.none += probability;
    this.noneSecond += probability;
  }

  add(row: number, share: number, second: number, grain: number): void {
    this.share[row] = (this.share[row] as number) + share;
    this.second[row] = (this.second[row] as number) + second;
    this.grain[row] = (this.grain[row] as number) + grain;
  }

  answeredBy(subset: string, share: number): void {
    if (share > 0) this.subsets.set(subset, (this.subsets.get(subset) ?? 0) + share);
  }

  /** Whether both give every row the same. */
  agrees(other: Outcome): boolean {
    if (this.whyNot !== undefined || other.whyNot !== undefined) return false;
    if (Math.abs(this.none - other.none) > 1e-12) return false;
    const rows = Math.max(this.share.length, other.share.length);
    for (let row = 0; row < rows; row++) {
      if (Math.abs((this.share[row] ?? 0) - (other.share[row] ?? 0)) > 1e-12) return false;
    }
    return true;
  }

  /** Of one that {@link agrees}: in whatever proportion the two are mixed, counts stray no further than this says. */
  loosen(other: Outcome): void {
    const most = (own: Float64Array, others: Float64Array): void => {
      for (let row = 0; row < own.length; row++) own[row] = Math.max(own[row] as number, others[row] ?? 0);
    };
    most(this.second, other.second);
    for (let row = 0; row < this.grain.length; row++) {
      this.grain[row] = (this.grain[row] as number) + (other.grain[row] ?? 0);
    }
    this.noneSecond = Math.max(this.noneSecond, other.noneSecond);
    this.noneGrain += other.noneGrain;
    this.errorShare = Math.max(this.errorShare, other.errorShare);
    this.errorRequests += other.errorRequests;
  }
}
