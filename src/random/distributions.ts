import { randomLogNormal, randomPareto, randomUniform, randomWeibull } from 'd3-random';
import type { Micros } from '../core/units.js';
import { byKind, largest, sum } from '../core/values.js';
import type { RandomStream } from './streams.js';

export type DurationDistribution =
  | { readonly kind: 'constant'; readonly us: Micros }
  | { readonly kind: 'exponential'; readonly meanUs: Micros }
  /** The sum of so many exponential ones of equal mean: the more, the more even. */
  | { readonly kind: 'erlang'; readonly meanUs: Micros; readonly stages: number }
  /** One of several exponential ones, each as often as its weight says. */
  | {
      readonly kind: 'hyperexponential';
      readonly branches: readonly { readonly meanUs: Micros; readonly weight: number }[];
    }
  /** P(longer than t) = e^−(t / scale)^shape. */
  | { readonly kind: 'weibull'; readonly scaleUs: Micros; readonly shape: number }
  | { readonly kind: 'uniform'; readonly minUs: Micros; readonly maxUs: Micros }
  | { readonly kind: 'lognormal'; readonly medianUs: Micros; readonly p99Us: Micros }
  | { readonly kind: 'pareto'; readonly scaleUs: Micros; readonly shape: number }
  | { readonly kind: 'empirical'; readonly valuesUs: readonly Micros[] }
  | CachedDuration;

/** Of what a cache keeps under keys: one for an entry, another for what is not there yet. */
export interface CachedDuration {
  readonly kind: 'cached';
  readonly hit: DurationDistribution;
  readonly miss: DurationDistribution;
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

const whole = (us: number): Micros => Math.min(Math.max(Math.round(us), 0), LONGEST_US);

/** One shared function: most of thousands of servers take no time. */
const atOnce: DurationSampler = () => 0;

/** @param streamOf where the sampler draws from; a constant draws nothing and never calls it. */
export function durationSampler(distribution: DurationDistribution, streamOf: () => RandomStream): DurationSampler {
  if (distribution.kind === 'constant') {
    const us = whole(distribution.us);
    return us === 0 ? atOnce : () => us;
  }
  if (distribution.kind === 'exponential' && distribution.meanUs === 0) return atOnce;
  if (distribution.kind === 'cached') return cachedSampler(distribution, streamOf);
  const stream = streamOf();
  const draw = drawsOf(distribution, stream, () => stream.uniform());
  return () => whole(draw());
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

/** In parts of a µs, too. */
const drawsOf = byKind<
  Exclude<DurationDistribution, { kind: 'constant' | 'cached' }>,
  () => number,
  [stream: RandomStream, uniform: () => number]
>({
  exponential: ({ meanUs }, stream) => exponential(stream, 1 / meanUs),
  erlang: ({ meanUs, stages }, stream) => {
    const draw = exponential(stream, stages / meanUs);
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
      return unitExponential(stream) * (branch?.meanUs ?? 0);
    };
  },
  weibull: ({ scaleUs, shape }, _, uniform) => randomWeibull.source(uniform)(shape, 0, scaleUs),
  uniform: ({ minUs, maxUs }, _, uniform) => randomUniform.source(uniform)(minUs, maxUs),
  lognormal: ({ medianUs, p99Us }, _, uniform) => {
    // The median of a log-normal is e^μ, its 99th percentile e^(μ + 2.326σ).
    const mu = Math.log(medianUs);
    return randomLogNormal.source(uniform)(mu, (Math.log(p99Us) - mu) / Z_99);
  },
  pareto: ({ scaleUs, shape }, _, uniform) => {
    const draw = randomPareto.source(uniform)(shape);
    return () => draw() * scaleUs;
  },
  empirical:
    ({ valuesUs }, _, uniform) =>
    () =>
      valuesUs[Math.floor(uniform() * valuesUs.length)] ?? 0,
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
  constant: ({ us }) => us,
  exponential: ({ meanUs }) => meanUs,
  erlang: ({ meanUs }) => meanUs,
  hyperexponential: ({ branches }) =>
    sum(branches.map(({ meanUs, weight }) => meanUs * weight)) / sum(branches.map(({ weight }) => weight)),
  weibull: ({ scaleUs, shape }) => scaleUs * gamma(1 + 1 / shape),
  uniform: ({ minUs, maxUs }) => (minUs + maxUs) / 2,
  lognormal: ({ medianUs, p99Us }) => medianUs * Math.exp((Math.log(p99Us / medianUs) / Z_99) ** 2 / 2),
  pareto: ({ scaleUs, shape }) => (shape > 1 ? (scaleUs * shape) / (shape - 1) : Infinity),
  empirical: ({ valuesUs }) => sum(valuesUs) / valuesUs.length,
  cached: ({ hit, miss }) => Math.max(meanOf(hit), meanOf(miss)),
});

const RARE = 1e-6;
/** z with P(Z > z) = {@link RARE} for a standard normal Z. */
const Z_RARE = 4.753424308822899;

/** What only about one duration in a million exceeds, µs. */
export const longestOf: (of: DurationDistribution) => number = byKind<DurationDistribution, number>({
  constant: ({ us }) => us,
  exponential: ({ meanUs }) => meanUs * Math.log(1 / RARE),
  // Source: Wilson and Hilferty, "The Distribution of Chi-square", 1931.
  erlang: ({ meanUs, stages: k }) => meanUs * (1 - 1 / (9 * k) + Z_RARE / Math.sqrt(9 * k)) ** 3,
  hyperexponential: ({ branches }) =>
    largest(
      branches.map(({ meanUs, weight }) => meanUs * Math.log(weight / sum(branches.map((each) => each.weight)) / RARE)),
      0,
    ),
  weibull: ({ scaleUs, shape }) => scaleUs * Math.log(1 / RARE) ** (1 / shape),
  uniform: ({ maxUs }) => maxUs,
  lognormal: ({ medianUs, p99Us }) => medianUs * Math.pow(p99Us / medianUs, Z_RARE / Z_99),
  pareto: ({ scaleUs, shape }) => scaleUs * Math.pow(1 / RARE, 1 / shape),
  empirical: ({ valuesUs }) => largest(valuesUs, 0),
  cached: ({ hit, miss }) => Math.max(longestOf(hit), longestOf(miss)),
});
