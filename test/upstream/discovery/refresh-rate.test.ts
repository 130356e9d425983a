import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS, quirksOf } from '../../../src/core/version.js';
import { ScriptedRandom } from '../../../src/random/random64.js';
import { RandomStreams } from '../../../src/random/streams.js';
import { refreshRate, type RefreshSettings } from '../../../src/upstream/discovery/dns-discovery.js';

const SECOND = 1_000_000;
const MS = 1000;

function settings(over: Partial<RefreshSettings> = {}): RefreshSettings {
  return { refreshUs: 5 * SECOND, failure: undefined, respectTtl: false, quirks: quirksOf('1.40'), ...over };
}

function draws(...values: number[]): ScriptedRandom {
  return new ScriptedRandom(values.map((lo) => ({ hi: 0, lo })));
}

describe('RefreshRate', () => {
  it('follows the TTL only where it is respected and above 0', () => {
    const plain = refreshRate(settings(), draws());
    expect(plain.afterSuccess(SECOND)).toBe(5 * SECOND);
    const respectful = refreshRate(settings({ respectTtl: true }), draws());
    expect([SECOND, 0, undefined].map((ttl) => respectful.afterSuccess(ttl))).toEqual([SECOND, 5 * SECOND, 5 * SECOND]);
  });

  it('asks again at the normal rate after a failure unless a failure rate is set', () => {
    expect(refreshRate(settings({ respectTtl: true }), draws()).afterFailure()).toBe(5 * SECOND);
  });

  const failure = { baseIntervalUs: 100 * MS, maxIntervalUs: 350 * MS };

  it('doubles the bound of the draw with each failure, up to the longest interval (modern)', () => {
    const rate = refreshRate(settings({ failure }), draws(99, 199, 349, 349, 350));
    expect([1, 2, 3, 4, 5].map(() => rate.afterFailure() / MS)).toEqual([99, 199, 349, 349, 0]);
  });

  it('grows by 1, 3, 7 … of the base and cuts the draw off (v2 era)', () => {
    const rate = refreshRate(settings({ failure, quirks: quirksOf('1.17') }), draws(99, 299, 699, 699));
    expect([1, 2, 3, 4].map(() => rate.afterFailure() / MS)).toEqual([99, 299, 350, 350]);
  });

  it('starts over after a success', () => {
    const rate = refreshRate(settings({ failure }), draws(99, 199, 199));
    rate.afterFailure();
    rate.afterFailure();
    rate.afterSuccess(undefined);
    expect(rate.afterFailure()).toBe(99 * MS);
  });

  it('never waits longer than the longest interval', () => {
    const bases = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(fc.string(), bases, fc.constantFrom(...PROXY_VERSIONS), (seed, baseMs, version) => {
        const own = { baseIntervalUs: baseMs * MS, maxIntervalUs: 10 * baseMs * MS };
        const rate = refreshRate(
          settings({ failure: own, quirks: quirksOf(version) }),
          new RandomStreams(seed).stream('dns'),
        );
        for (let i = 0; i < 30; i++) {
          const waitUs = rate.afterFailure();
          expect(waitUs).toBeGreaterThanOrEqual(0);
          expect(waitUs).toBeLessThanOrEqual(10 * baseMs * MS);
        }
      }),
      { numRuns: 50 },
    );
  });
});
