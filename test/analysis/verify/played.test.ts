import { expect, it } from 'vitest';
import { judgePlayed, type PlayedLife, type PlayedRequest } from '../../../src/analysis/verify/played.js';
import { PLAIN_TRAFFIC } from './plain-traffic.js';

const played = { traffic: [PLAIN_TRAFFIC], states: [{ clusters: new Map() }] };

/** A request each 20 ms, whose answers take 10 ms. */
function life(
  change: (request: PlayedRequest) => Partial<PlayedRequest> = () => ({}),
  ejections = 1,
  lateMs = 0,
): PlayedLife {
  const requests = Array.from({ length: 50 }, (_, index): PlayedRequest => {
    const sentUs = index * 20_000;
    const one = { traffic: 0, index, sentUs, tookUs: 10_000, status: 200, attempts: 1, host: '10.0.0.1:80' };
    return { ...one, ...change(one) };
  });
  const stats = new Map([['cluster.web.outlier_detection.ejections_enforced_total', ejections]]);
  return { requests, stats, lastsMs: 1000, agedUs: 0, endUs: 1_000_000, lateMs };
}

const judged = (proxy: PlayedLife) => {
  const { stats, agrees } = judgePlayed(played, proxy, [life(), life(), life()]);
  return { agrees, differ: stats.filter((one) => !one.agrees).map(({ name }) => name) };
};

it('agrees where a proxy does the same a little earlier or later', () => {
  expect(judged(life(({ tookUs }) => ({ tookUs: tookUs + 30_000 })))).toEqual({ agrees: true, differ: [] });
});

it('sees answers that come too late, but for a machine that is busy itself', () => {
  const late = (lateMs: number): PlayedLife => life(() => ({ tookUs: 80_000 }), 1, lateMs);
  expect(judged(late(0)).differ).toEqual(['answers that came otherwise, or not within 50 ms']);
  expect(judged(late(60)).agrees).toBe(true);
});

it('sees other answers, by their instants, and further attempts', () => {
  const failing = judged(life(({ index }) => (index > 25 ? { status: 503 } : {})));
  expect(failing.differ).toEqual([
    'answers that came otherwise, or not within 50 ms',
    'status 200 in second 0',
    'status 503 in second 0',
  ]);
  expect(judged(life(() => ({ attempts: 2 }))).differ).toContain('requests of 2 attempts');
});

it('sees what is counted otherwise', () => {
  expect(judged(life(undefined, 20)).differ).toEqual(['cluster.web.outlier_detection.ejections_enforced_total']);
});
