import { describe, expect, it } from 'vitest';
import type { CauseResult, NoticeFact } from '../../src/result/happenings.js';
import type { Happening } from '../../src/upstream/cause.js';
import { causesText, firstCauseText, happeningText, noticeText } from '../../src/words/happenings.js';
import { type Examples, factsOf } from './examples.js';

const TWO = { hosts: 2, addresses: ['10.0.0.1:80', '10.0.0.2:80'] };
const NONE = { hosts: 0, addresses: [] };

/** All that a result says of events, of what began a phase, and of what fell into it. */
const SENTENCES: Examples<Happening> = {
  start: [[{}, 'start']],
  timeline: [[{ entry: 'zone a stops answering' }, 'zone a stops answering']],
  stale_assignment: [[{}, 'endpoint_stale_after: the assignment is too old']],
  merged_update: [[{}, 'merged update']],
  delivered: [
    [
      {
        causes: [
          { kind: 'timeline', entry: 'a' },
          { kind: 'joined', ...TWO },
        ],
      },
      'delivered after the merge window: a; 10.0.0.1:80, 10.0.0.2:80 joined',
    ],
  ],
  ready: [[{ after: { kind: 'timeline', entry: 'c is updated' } }, 'c is updated: ready']],
  joined: [[{ hosts: 12 }, '12 hosts joined']],
  left: [[TWO, '10.0.0.1:80, 10.0.0.2:80 left']],
  kept: [
    [
      { addresses: TWO.addresses },
      '10.0.0.1:80, 10.0.0.2:80 no longer in discovery, but kept while health checks pass',
    ],
  ],
  asked_for: [[{ address: '10.0.0.1:80' }, 'a client asks for 10.0.0.1:80']],
  unused: [[{ hosts: 4 }, '4 hosts dropped, unused from one sweep to the next (one per cleanup_interval)']],
  addresses: [
    [{ name: 'a.test', added: TWO, gone: NONE, left: 2 }, 'a.test: 10.0.0.1:80, 10.0.0.2:80 added'],
    [
      { name: 'a.test', added: { hosts: 9 }, gone: TWO, left: 9 },
      'a.test: 9 addresses added, 10.0.0.1:80, 10.0.0.2:80 gone',
    ],
    [{ name: 'a.test', added: NONE, gone: { hosts: 9 }, left: 0 }, 'a.test: 9 addresses gone, none left'],
  ],
  same_first: [
    [{ name: 'a.test', address: '10.0.0.1:80' }, 'a.test: other addresses, but 10.0.0.1:80 is still the first'],
  ],
  other_first: [
    [{ name: 'a.test', address: '10.0.0.2:80', before: '10.0.0.1:80' }, 'a.test: 10.0.0.2:80 instead of 10.0.0.1:80'],
    [
      { name: 'a.test', address: '10.0.0.2:80', before: '10.0.0.1:80', new_connections: true },
      'a.test is 10.0.0.2:80 instead of 10.0.0.1:80 for new connections, while open ones stay (up to 1.38)',
    ],
  ],
  resolved: [
    [{ name: 'a.test', again: true }, 'a.test resolves again'],
    [{ name: 'a.test', again: false }, 'a.test does not resolve'],
  ],
  checked: [
    [{ address: '10.0.0.1:80', health: 'degraded', passed: true }, '10.0.0.1:80 degraded: passed checks'],
    [{ address: '10.0.0.1:80', health: 'unhealthy', passed: false }, '10.0.0.1:80 unhealthy: failed checks'],
    [
      { address: '10.0.0.1:80', health: 'unhealthy', passed: false, leaves: 'with_next_answer' },
      '10.0.0.1:80 unhealthy: failed checks, and leaves with the next answer',
    ],
    [
      { address: '10.0.0.1:80', health: 'unhealthy', passed: false, leaves: 'now' },
      '10.0.0.1:80 leaves: failed checks, and is no longer in discovery',
    ],
  ],
  ejected: [[{ address: '10.0.0.1:80', cause: 'consecutive_5xx' }, '10.0.0.1:80 ejected for consecutive_5xx']],
  unejected: [
    [{ address: '10.0.0.1:80', cause: 'active_health_check' }, '10.0.0.1:80 back: a health check passed'],
    [
      { address: '10.0.0.1:80', cause: 'ejection_time_over', base_s: 30, factor: 2 },
      '10.0.0.1:80 back: its ejection is over (30 s × 2)',
    ],
    [
      { address: '10.0.0.1:80', cause: 'ejection_time_over', max_s: 300 },
      '10.0.0.1:80 back: its ejection is over (300 s, the longest)',
    ],
  ],
  panic: [
    [{ panic: true, available: 1, hosts: 4 }, 'panic: 1 of 4 hosts available'],
    [{ panic: false, priority: 1, available: 3, hosts: 4 }, 'panic over in priority 1: 3 of 4 hosts available'],
  ],
  limit: [
    [{ limit: 'max_requests', high_priority: false }, 'max_requests reached'],
    [{ limit: 'max_retries', high_priority: true }, 'max_retries of high priority reached'],
  ],
};

it.each(factsOf(SENTENCES))('%s', (text, fact) => {
  expect(happeningText(fact)).toBe(text);
});

it.each<[string, NoticeFact]>([
  ['passed checks', { kind: 'checked', passed: true }],
  ['failed checks', { kind: 'checked', passed: false }],
  ['ejected for success_rate', { kind: 'ejected', cause: 'success_rate' }],
  ['its ejection is over', { kind: 'unejected', cause: 'ejection_time_over' }],
  ['a health check passed', { kind: 'unejected', cause: 'active_health_check' }],
])('a proxy noticed: %s', (text, fact) => {
  expect(noticeText(fact)).toBe(text);
});

describe('the causes of a phase', () => {
  const entry = (text: string, more: object = {}): CauseResult => ({ kind: 'timeline', entry: text, ...more });

  it.each<[string, string, readonly CauseResult[]]>([
    ['', '', []],
    [
      'a; b (2 times) (edge-1)',
      'a',
      [entry('a'), entry('b', { times: 2, proxies: { count: 1, of: 2, names: ['edge-1'] } })],
    ],
    ['a (9 of 20 proxies)', 'a (9 of 20 proxies)', [entry('a', { proxies: { count: 9, of: 20 } })]],
    ['a; b, delivered after the merge window', 'a', [entry('a'), entry('b', { late: true })]],
    ['a; b, delivered after the merge window', 'a', [entry('a', { late: true }), entry('b', { late: true })]],
    ['a, delivered after the merge window', 'a, delivered after the merge window', [entry('a', { late: true })]],
  ])('%s', (text, first, causes) => {
    expect(causesText(causes)).toBe(text);
    expect(firstCauseText(causes)).toBe(first);
  });
});
