import { expect, test } from 'vitest';
import { steadyFlows } from '../../src/predict/under-load/attempt-chances.js';
import type { RequestFlow, RequestKind } from '../../src/predict/traffic.js';

/** `rate` requests a second until `changeUs`, twice as many from then on. */
function doubling(rate: number, changeUs: number, pace: RequestFlow['pace'] = 'poisson'): RequestKind {
  const sent = (atUs: number): number => (rate * (atUs + Math.max(0, atUs - changeUs))) / 1e6;
  return {
    cluster: 'c',
    metadataMatch: undefined,
    hash: { kind: 'none' },
    portions: [1],
    before: sent,
    retried: false,
    spec: { headers: {}, priority: 'DEFAULT', timeoutUs: Infinity, retryPolicy: undefined },
    flow: { pace, changesUs: [0, changeUs], sent },
    scripted: false,
    open: [],
  };
}

test('a stretch of time is divided where a rate changes inside it, and only there', () => {
  const kinds = [doubling(10, 3e6), doubling(100, 8e6)];
  const rates = (fromUs: number, toUs: number): unknown =>
    steadyFlows({ kinds, portionOf: () => 0.5 }, fromUs, toUs).map((flow) => [flow.fromUs, flow.toUs, flow.rate]);
  expect(rates(1e6, 5e6)).toEqual([
    [1e6, 3e6, 55],
    [3e6, 5e6, 60],
  ]);
  expect(rates(3e6, 8e6)).toEqual([[3e6, 8e6, 60]]);
});

test('the requests of several kinds are as steady as the least steady of them', () => {
  const pace = (...paces: readonly RequestFlow['pace'][]): unknown =>
    steadyFlows({ kinds: paces.map((one) => doubling(10, 9e6, one)), portionOf: () => 1 }, 1e6, 2e6).map(
      (flow) => flow.pace,
    );
  expect([pace('poisson'), pace('even'), pace('poisson', 'even'), pace('even', 'unsteady', 'even')]).toEqual([
    ['poisson'],
    ['even'],
    ['even'],
    ['unsteady'],
  ]);
});

test('requests of which nobody knows how many there are make all of them unsteady, even beside none', () => {
  const unknown = { ...doubling(0, 9e6), flow: { pace: 'poisson', changesUs: [0], sent: () => undefined } } as const;
  const steady = doubling(10, 9e6);
  const paceOf = (kinds: readonly RequestKind[]): unknown =>
    steadyFlows({ kinds, portionOf: () => 1 }, 1e6, 2e6).map(({ pace, rate }) => [pace, rate]);
  expect(paceOf([unknown])).toEqual([['unsteady', 0]]);
  expect(paceOf([steady, unknown])).toEqual([['unsteady', 10]]);
  expect(paceOf([steady, doubling(0, 9e6, 'even')])).toEqual([['poisson', 10]]);
});
