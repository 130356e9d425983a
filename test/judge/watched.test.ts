import { describe, expect, it } from 'vitest';
import { comparedIn } from '../../src/analysis/observe/compared.js';
import { expectedOf } from '../../src/analysis/observe/expected.js';
import { chanceOf, chanceWatched, lawOf } from '../../src/analysis/observe/law.js';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import { POLICIES, type Policy, scenarioOf } from './coverage.js';

const ALARM = 0.05;
const WATCHED = 100;
const REQUESTS = 4000;
/** Requests from one look to the next. */
const LOOK_EVERY = 80;
/** Five are promised of a hundred; more than twelve of them come by chance once in a thousand. */
const MOST = 12;

/** Of right proxies that are watched, how many are said to be wrong at some look. */
async function alarmsOf(policy: Policy, chanceIn: typeof chanceOf): Promise<number> {
  const scenario = scenarioOf((WATCHED * REQUESTS) / 200, policy);
  const own = (await expectedOf(scenario)).get('web');
  if (own === undefined) throw new Error('nothing is expected');
  let counts = new Map<string, number>();
  let [requests, alarms, isOff] = [0, 0, false];
  const look = (): boolean => {
    const rows = [...counts].map(([host, got]) => {
      return [host, { requests: got, weight: undefined, isUnsteady: false, healths: [] }] as const;
    });
    return comparedIn(own, new Map(rows), ALARM, false, chanceIn).split.verdict === 'not_as_configured';
  };
  const simulation = await createSimulation(scenario, {
    onDecision: ({ host }) => {
      counts.set(host ?? '', (counts.get(host ?? '') ?? 0) + 1);
      requests += 1;
      if (!isOff && requests % LOOK_EVERY === 0) isOff = look();
      if (requests < REQUESTS) return;
      if (isOff) alarms += 1;
      [requests, isOff, counts] = [0, false, new Map<string, number>()];
    },
  });
  while (!simulation.advance(1_000_000));
  return alarms;
}

describe('right proxies that are watched at a chance of 5 % over all looks', () => {
  it.each(Object.entries(POLICIES))('%s: no more are said to be wrong', async (_, policy) => {
    expect(await alarmsOf(policy, chanceWatched)).toBeLessThanOrEqual(MOST);
  });

  it('more would be by the chances of a single look', async () => {
    expect(await alarmsOf({ policy: 'RANDOM' }, chanceOf)).toBeGreaterThan(MOST);
  });
});

describe('the evidence of draws', () => {
  const law = (requests: number) => lawOf({ share: 0.1, variance: 0.09, granularity: 0 }, requests);
  const evidence = (count: number, requests: number): number => 1 / chanceWatched(law(requests), count);

  it.each([
    [200, 50],
    [1000, 40],
    [5000, 900],
  ])(
    'after %i requests, %i of them to a host of 10 %%, is what is expected of it after one more',
    (requests, count) => {
      const next = 0.1 * evidence(count + 1, requests + 1) + 0.9 * evidence(count, requests + 1);
      expect(next / evidence(count, requests)).toBeCloseTo(1, 9);
    },
  );

  it('tells five points within 2,000 requests', () => {
    expect(chanceWatched(law(2000), 300)).toBeLessThan(1e-6);
  });
});
