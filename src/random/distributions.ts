import { byKind, largest, sum } from '../core/values.js';

/** Of any amounts from 0 on, in one unit: µs, or sizes of requests. */
export type Distribution =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'exponential'; readonly mean: number }
  /** The sum of so many exponential ones of equal mean: the more, the more even. */
  | { readonly kind: 'erlang'; readonly mean: number; readonly stages: number }
  /** One of several exponential ones, each as often as its weight says. */
  | {
      readonly kind: 'hyperexponential';
      readonly branches: readonly { readonly mean: number; readonly weight: number }[];
    }
  /** P(more than x) = e^−(x / scale)^shape. */
  | { readonly kind: 'weibull'; readonly scale: number; readonly shape: number }
  | { readonly kind: 'uniform'; readonly min: number; readonly max: number }
  | { readonly kind: 'lognormal'; readonly median: number; readonly p99: number }
  | { readonly kind: 'pareto'; readonly scale: number; readonly shape: number }
  | { readonly kind: 'empirical'; readonly values: readonly number[] };

/** In µs. */
export type DurationDistribution = Distribution | CachedDuration;

/** Of what a cache keeps under keys: one for an entry, another for what is not there yet. */
export interface CachedDuration {
  readonly kind: 'cached';
  readonly hit: Distribution;
  readonly miss: Distribution;
  /** The one that was used longest ago makes room for the next. */
  readonly entries: number;
  /** How many of a key's first characters name its entry. */
  readonly prefix: number;
}

/** z with P(Z < z) = 0.99 for a standard normal Z. */
export const Z_99 = 2.3263478740408408;

/** The gamma function of a number above 1, by Stirling's series where its error is below 1e-13. */
function gamma(value: number): number {
  let [at, product] = [value, 1];
  for (; at < 30; at++) product *= at;
  const correction = (1 / 12 - (1 / 360 - 1 / 1260 / at ** 2) / at ** 2) / at;
  return Math.exp((at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + correction) / product;
}

/** The mean of what is drawn, µs; Infinity where there is none. Of a cache the longer one: it may have nothing. */
export const meanOf: (of: DurationDistribution) => number = byKind<DurationDistribution, number>({
  constant: ({ value }) => value,
  exponential: ({ mean }) => mean,
  erlang: ({ mean }) => mean,
  hyperexponential: ({ branches }) =>
    sum(branches.map(({ mean, weight }) => mean * weight)) / sum(branches.map(({ weight }) => weight)),
  weibull: ({ scale, shape }) => scale * gamma(1 + 1 / shape),
  uniform: ({ min, max }) => (min + max) / 2,
  lognormal: ({ median, p99 }) => median * Math.exp((Math.log(p99 / median) / Z_99) ** 2 / 2),
  pareto: ({ scale, shape }) => (shape > 1 ? (scale * shape) / (shape - 1) : Infinity),
  empirical: ({ values }) => sum(values) / values.length,
  cached: ({ hit, miss }) => Math.max(meanOf(hit), meanOf(miss)),
});

const RARE = 1e-6;
/** z with P(Z > z) = {@link RARE} for a standard normal Z. */
const Z_RARE = 4.753424308822899;

/** What only about one duration in a million exceeds, µs. */
export const longestOf: (of: DurationDistribution) => number = byKind<DurationDistribution, number>({
  constant: ({ value }) => value,
  exponential: ({ mean }) => mean * Math.log(1 / RARE),
  // Source: Wilson and Hilferty, "The Distribution of Chi-square", 1931.
  erlang: ({ mean, stages: k }) => mean * (1 - 1 / (9 * k) + Z_RARE / Math.sqrt(9 * k)) ** 3,
  hyperexponential: ({ branches }) =>
    largest(
      branches.map(({ mean, weight }) => mean * Math.log(weight / sum(branches.map((each) => each.weight)) / RARE)),
      0,
    ),
  weibull: ({ scale, shape }) => scale * Math.log(1 / RARE) ** (1 / shape),
  uniform: ({ max }) => max,
  lognormal: ({ median, p99 }) => median * Math.pow(p99 / median, Z_RARE / Z_99),
  pareto: ({ scale, shape }) => scale * Math.pow(1 / RARE, 1 / shape),
  empirical: ({ values }) => largest(values, 0),
  cached: ({ hit, miss }) => Math.max(longestOf(hit), longestOf(miss)),
});
