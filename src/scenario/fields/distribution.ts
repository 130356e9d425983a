import { either, required, rule, type Schema } from '../../config/reader.js';
import type { Distribution } from '../../random/distributions.js';
import { block, choice, ofKind, says } from './block.js';
import { aboveZero, amount, decimal, DurationText, integer, nonEmpty, positiveDuration } from './fields.js';

/** @param any an amount of 0 or more. @param positive one above 0, named in what is wrong with it. */
function distributionOf(any: Schema<number>, positive: (what: string) => Schema<number>): Schema<Distribution> {
  const Branch = block('hyperexponential', () => ({ mean: required(any), weight: required(aboveZero('weight')) }));
  return choice<Distribution>('a distribution', () => ({
    constant: says(any, constant),
    exponential: ofKind('exponential', () => ({ mean: required(any) })),
    erlang: ofKind('erlang', () => ({ mean: required(any), stages: required(integer('stages', 1, 1000)) })),
    hyperexponential: says(
      nonEmpty(Branch, 'a hyperexponential distribution needs at least one branch'),
      (branches) => ({ kind: 'hyperexponential', branches }),
    ),
    weibull: ofKind('weibull', () => ({
      scale: required(positive('scale')),
      shape: required(decimal('shape', 'from 0.05', (shape) => shape >= 0.05)),
    })),
    uniform: ofKind(
      'uniform',
      () => ({ min: required(any), max: required(any) }),
      rule('distribution', ['min', 'max'], ({ min, max }, report) => {
        if (min > max) report('min is above max', ['min']);
      }),
    ),
    lognormal: ofKind(
      'lognormal',
      () => ({ median: required(positive('median')), p99: required(any) }),
      rule('distribution', ['median', 'p99'], ({ median, p99 }, report) => {
        if (p99 < median) report('p99 is below the median', ['p99']);
      }),
    ),
    pareto: ofKind(
      'pareto',
      () => ({ scale: required(positive('scale')), shape: required(aboveZero('shape')) }),
      rule('distribution', ['shape'], ({ shape }, report) => {
        if (shape <= 1) report('with a shape of 1 or less the mean is infinite', ['shape'], 'warning');
      }),
    ),
    empirical: says(nonEmpty(any, 'an empirical distribution needs at least one value'), empirical),
  }));
}

const constant = (value: number): Distribution => ({ kind: 'constant', value });
const empirical = (values: readonly number[]): Distribution => ({ kind: 'empirical', values });

/** `5ms`, or a map with exactly one distribution. */
export const Durations: Schema<Distribution> = either(
  distributionOf(DurationText, positiveDuration),
  DurationText.transform(constant),
);

/** `2`, `[1, 1, 5]`, each equally likely, or a map with exactly one distribution. */
export const Sizes: Schema<Distribution> = either(
  nonEmpty(aboveZero('size'), 'name at least one size').transform(empirical),
  either(distributionOf(amount('size'), aboveZero), aboveZero('size').transform(constant)),
);
