import { randomLogNormal, randomPareto, randomUniform, randomWeibull } from 'd3-random';
import type { Micros } from '../core/units.js';
import { byKind, sum } from '../core/values.js';
import { type CachedDuration, type Distribution, type DurationDistribution, Z_99 } from './distributions.js';
import type { RandomStream } from './streams.js';

/** Draws one duration, a whole number of µs ≥ 0. @param key which a cache may have; without one it is not asked. */
export type DurationSampler = (key?: string) => Micros;

/** Samples end here: 2⁴² µs are 50 days, and a pareto tail of shape below 1 would otherwise leave the exact integers. */
const LONGEST_US = 2 ** 42;

/** The next whole number of µs, from 0 to the longest that is drawn. */
export const whole = (us: number): Micros => Math.min(Math.max(Math.round(us), 0), LONGEST_US);

/** One shared function: most of thousands of servers take no time. */
export const atOnce: DurationSampler = () => 0;

/** @param streamOf where the sampler draws from; a constant draws nothing and never calls it. */
export function durationSampler(distribution: DurationDistribution, streamOf: () => RandomStream): DurationSampler {
  if (distribution.kind === 'constant') {
    const us = whole(distribution.value);
    return us === 0 ? atOnce : () => us;
  }
  if (distribution.kind === 'exponential') {
    const { mean } = distribution;
    return mean === 0 ? atOnce : exponentialDuration(streamOf(), 1 / mean);
  }
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

/** Most hosts draw their service times so: in one function. */
const exponentialDuration = (stream: RandomStream, rate: number) => (): Micros => whole(unitExponential(stream) / rate);

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
