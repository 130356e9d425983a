import fc from 'fast-check';
import { mix, mixProxy, mixScenario, mixWithTimeline } from '../../src/testing/mix/mix.js';
import { scenarios } from '../predict/random-scenarios.js';
import { modernScenario } from '../swarm/modern-scenario.js';
import { randomScenario } from '../swarm/random-scenario.js';
import { loaded } from './loaded.js';
import { widened } from './widened.js';

/** What a scenario file would hold, drawn from a number: by the name of the generator. */
export const DRAWN: Readonly<Record<string, (seed: number) => unknown>> = {
  v2: (seed) => rarely(randomScenario(seed), 4),
  v3: (seed) => rarely(modernScenario(seed), 4),
  wide: (seed) => rarely(widened(seed), 4),
  predicted: (seed) => rarely(drawn(scenarios(), seed), 40),
  loaded,
  mix: (seed) => {
    const versions = fc.constantFrom('1.12', '1.14', '1.17', '1.40', '1.40');
    const mixes = fc.array(fc.oneof(mix(), mixWithTimeline()), { minLength: 1, maxLength: 2 });
    const [proxy, some, version] = drawn(fc.tuple(mixProxy(), mixes, versions), seed);
    return rarely(mixScenario(proxy, some, version), 2);
  },
};

function drawn<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  const [one] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (one === undefined) throw new Error('nothing was drawn');
  return one;
}

/** With that many times fewer requests; users of closed loops think for long. */
function rarely(value: unknown, divisor: number): unknown {
  const text = JSON.stringify(value)
    .replace(/"(\d+)\/s"/g, (_, rate) => `"${String(Math.ceil(Number(rate) / divisor))}/s"`)
    .replace(/"think_time":"(1|10|20)ms"/g, (_, ms) => `"think_time":"${String(Number(ms) + 90)}ms"`);
  return JSON.parse(text);
}
