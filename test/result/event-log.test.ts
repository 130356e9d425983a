import { expect, it } from 'vitest';
import { EventLog } from '../../src/result/event-log.js';
import type { RunEvent } from '../../src/result/event-log.js';
import { happeningText } from '../../src/words/happenings.js';

const event = (text: string, proxy?: string): RunEvent => ({
  kind: 'circuit_breaker',
  cluster: 'c',
  proxy,
  fact: { kind: 'timeline', entry: text },
});

it('counts what happens again within a second, and begins anew after that', () => {
  const log = new EventLog();
  for (const atUs of [0, 500_000, 1_400_000, 3_000_000]) log.add(event('a'), atUs);
  expect(log.results()).toEqual([
    {
      t_s: 0,
      until_s: 1.4,
      times: 3,
      kind: 'circuit_breaker',
      cluster: 'c',
      proxy: null,
      host: null,
      fact: event('a').fact,
    },
    { t_s: 3, kind: 'circuit_breaker', cluster: 'c', proxy: null, host: null, fact: event('a').fact },
  ]);
});

it('tells proxies and texts apart', () => {
  const log = new EventLog();
  log.add(event('a', 'p'), 0);
  log.add(event('a', 'q'), 0);
  log.add(event('b', 'q'), 0);
  expect(log.results().map(({ proxy, fact }) => [proxy, happeningText(fact)])).toEqual([
    ['p', 'a'],
    ['q', 'a'],
    ['q', 'b'],
  ]);
});

it('notes when something was over', () => {
  const log = new EventLog();
  log.add(event('a'), 1_000_000);
  log.ended(event('a'), 5_000_000);
  expect(log.results()).toMatchObject([{ t_s: 1, until_s: 5 }]);
});

it('keeps the first and the last of very many, in time order, and says how many are missing', () => {
  const log = new EventLog();
  for (let index = 0; index < 10_000; index++) log.add(event(`event ${index}`), index);
  const texts = log.results().map(({ fact }) => happeningText(fact));
  expect(texts).toHaveLength(4000);
  expect(log.omitted).toBe(6000);
  expect([texts[0], texts[1999], texts[2000], texts[3999]]).toEqual([
    'event 0',
    'event 1999',
    'event 8000',
    'event 9999',
  ]);
});
