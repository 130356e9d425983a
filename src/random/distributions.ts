import { randomLogNormal, randomPareto, randomUniform, randomWeibull } from 'd3-random';
import type { Micros } from '../core/units.js';
import { byKind, largest, sum } from '../core/values.js';
import type { RandomStream } from './streams.js';

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

/** Draws one duration, a whole number of µs ≥ 0. @param key which a cache may have; without one it is not asked. */
export type DurationSampler = (key?: string) => Micros;

/** Samples end here: 2⁴² µs are 50 days, and a pareto tail of shape below 1 would otherwise leave the exact integers. */
const LONGEST_US = 2 ** 42;

/** z with P(Z < z) = 0.99 for a standard normal Z. */
const Z_99 = 2.3263478740408408;

/** The next whole number of µs, from 0 to the longest that is drawn. */
export const whole = (us: number): Micros => Math.min(Math.max(Math.round(us), 0), LONGEST_US);

/** One shared function: most of thousands of servers take no time. */
const atOnce: DurationSampler = () => 0;

/** @param streamOf where the sampler draws from; a constant draws nothing and never calls it. */
export function durationSampler(distribution: DurationDistribution, streamOf: () => RandomStream): DurationSampler {
  if (distribution.kind === 'constant') {
    const us = whole(distribution.value);
    return us === 0 ? atOnce : () => us;
  }
  if (distribution.kind === 'exponential' && distribution.mean === 0) return atOnce;
  if (distribution.kind === 'cached') return cachedSampler(distribution, streamOf);
  const draw = sampler(distribution, streamOf);
  return () => whole(draw());
}

/** Draws one amount. @param streamOf as that of {@link durationSampler}. */
export function sampler(distribution: Distribution, streamOf: () => RandomStream): () => number {
  if (distribution.kind === 'constant') return () => distribution.value;
  const stream = streamOf();
  return drawsOf(distribution, stream, () => stream.uniform());
}

function cachedSampler({ hit, miss, entries, prefix }: CachedDuration, streamOf: () => RandomStream): DurationSampler {
  const [drawHit, drawMiss] = [durationSampler(hit, streamOf), durationSampler(miss, streamOf)];
  /** From the one that was used longest ago. */
  const kept = new Set<string>();
  return (key = '') => {
    if (key === '') return drawMiss();
    const name = key.slice(0, prefix);
    const isHit = kept.delete(name);
    kept.add(name);
    if (kept.size > entries) kept.delete(kept.values().next().value ?? '');
    return isHit ? drawHit() : drawMiss();
  };
}

/** Exponentially distributed, with a mean of 1. */
export const unitExponential = (stream: RandomStream): number => -Math.log1p(-stream.uniform());

const exponential = (stream: RandomStream, rate: number) => (): number => unitExponential(stream) / rate;

const drawsOf = byKind<
  Exclude<Distribution, { kind: 'constant' }>,
  () => number,
  [stream: RandomStream, uniform: () => number]
>({
  exponential: ({ mean }, stream) => exponential(stream, 1 / mean),
  erlang: ({ mean, stages }, stream) => {
    const draw = exponential(stream, stages / mean);
    return () => {
      let total = 0;
      for (let stage = 0; stage < stages; stage++) total += draw();
      return total;
    };
  },
  hyperexponential: ({ branches }, stream) => {
    const total = sum(branches.map(({ weight }) => weight));
    return () => {
      let left = stream.uniform() * total;
      const branch = branches.find(({ weight }) => (left -= weight) < 0) ?? branches.at(-1);
      return unitExponential(stream) * (branch?.mean ?? 0);
    };
  },
  weibull: ({ scale, shape }, _, uniform) => randomWeibull.source(uniform)(shape, 0, scale),
  uniform: ({ min, max }, _, uniform) => randomUniform.source(uniform)(min, max),
  lognormal: ({ median, p99 }, _, uniform) => {
    // The median of a log-normal is e^μ, its 99th percentile e^(μ + 2.326σ).
    const mu = Math.log(median);
    return randomLogNormal.source(uniform)(mu, (Math.log(p99) - mu) / Z_99);
  },
  pareto: ({ scale, shape }, _, uniform) => {
    const draw = randomPareto.source(uniform)(shape);
    return () => draw() * scale;
  },
  empirical:
    ({ values }, _, uniform) =>
    () =>
      values[Math.floor(uniform() * values.length)] ?? 0,
});

/** The gamma function of a number above 1, by Stirling's series where its error is below 1e-13. */
function gamma(value: number): number {
  let [at, product] = [value, 1];
  for (; at < 30; at++) product *= at;
  const correction = (1 / 12 - (1 / 360 - 1 / 1260 / at ** 2) / at ** 2) / at;
  return Math.exp((at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + correction) / product;
}

/** The mean of what {@link durationSampler} draws, µs; Infinity where there is none. Of a cache the longer one: it may have nothing. */
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
