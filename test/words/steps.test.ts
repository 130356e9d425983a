import { expect, it } from 'vitest';
import type { ExplainStep } from '../../src/analysis/explain/generated/explanation.js';
import { stepWords } from '../../src/words/steps.js';

type Inputs<Kind> = Extract<ExplainStep, { kind: Kind }>['inputs'];

const TAKEN = { hosts: 4, index: 1, host: '10.0.0.2:80', active_requests: 2 };
const POOL = {
  connections_to_host: 1,
  connections: 3,
  max_connections: 1024,
  pending: 2,
  max_pending_requests: 1024,
  active: 7,
  max_requests: 1024,
  limits_requests: true,
  host: '10.0.0.2:80',
};
const PANIC = { hosts: 8, available: 3, counted: 8, available_percent: 37.5, threshold: 50, health_of_all_levels: 52 };
const RETRY = { retry_on: '5xx,reset', num_retries: 2, result: '503' };

/** All that `explain` says of a decision and of the way of a request: a word, then the outcome; of a kind the rule is one. */
const SENTENCES: { readonly [Kind in ExplainStep['kind']]: readonly (readonly [Inputs<Kind>, string])[] } = {
  priority: [
    [
      { value: '142', value_mod_100: 42, healthy_load: [40, 60], degraded_load: [0, 0], priority: 1, degraded: false },
      'priority: 42 (of 0–99) falls to the healthy hosts of priority 1, which get 60 % (loads 0: 40 %, 1: 60 %)',
    ],
    [
      {
        value: '199',
        value_mod_100: 99,
        healthy_load: [40],
        degraded_load: [60],
        priority: 0,
        degraded: true,
        member: { cluster: 'a', priority: 0 },
      },
      'priority: 99 (of 0–99) falls to the degraded hosts of a, its priority 0, which get 60 % (loads 0: 40 %, 0 degraded: 60 %)',
    ],
    [
      { value: '1', value_mod_100: 1, healthy_load: [100], degraded_load: [0], priority: 0, degraded: false },
      'priority: priority 0 takes all of the load',
    ],
  ],
  panic: [
    [{ ...PANIC, hosts: 0, panic: false, effect: 'all_hosts' }, 'panic: it has no hosts'],
    [
      { ...PANIC, panic: true, effect: 'all_hosts' },
      'panic: 3 of 8 hosts available is 37.5 %, below 50 %: panic, so all hosts are used, healthy or not',
    ],
    [
      { ...PANIC, panic: true, effect: 'no_host' },
      'panic: 3 of 8 hosts available is 37.5 %, below 50 %: panic, and fail_traffic_on_panic is set, so no host is chosen',
    ],
    [
      { ...PANIC, panic: true, effect: 'whole_table' },
      'panic: 3 of 8 hosts available is 37.5 %, below 50 %: panic, so the table holds all hosts, healthy or not',
    ],
    [
      { ...PANIC, panic: false, effect: 'all_hosts' },
      'panic: 3 of 8 hosts available is 37.5 %, below 50 %, but all levels together can take 52 %: no panic',
    ],
    [
      { ...PANIC, available: 1, counted: 1, available_percent: 100, panic: false, effect: 'all_hosts' },
      'panic: 1 of 1 host available is 100 %, not below 50 %: no panic',
    ],
  ],
  locality: [
    [
      { localities: ['a', 'b'], effective_weights: [3, 0.33333], locality: 'a' },
      'locality: it is a’s turn (weights a 3, b 0.3333)',
    ],
  ],
  zone_off: [
    [{ gate: 'not-computed' }, 'zone: not routed by zone: the local cluster has no hosts yet'],
    [
      { gate: 'not-drawn', enabled_percent: 30 },
      'zone: not routed by zone: routing_enabled covers 30 % of the requests, and this is not one of them',
    ],
    [{ gate: 'local-cluster-in-panic' }, 'zone: not routed by zone: the local cluster is in panic'],
  ],
  zone_direct: [
    [
      { upstream_shares: [], local_shares: [], zone: 'a', forced: false },
      'zone: everything stays in zone a, whose share of the hosts is at least its share of the proxies',
    ],
    [
      { upstream_shares: [], local_shares: [], zone: 'a', forced: true },
      'zone: everything stays in zone a, as it is forced to',
    ],
  ],
  zone_residual: [
    [
      {
        upstream_shares: [],
        local_shares: [],
        local_percent_to_route: 6666,
        residual_capacity: [],
        own_zone: 'a',
        zone: 'b',
        stays: false,
      },
      'zone: zone a keeps 66.66 %, and this request goes to zone b, by the capacity left there',
    ],
    [
      {
        upstream_shares: [],
        local_shares: [],
        local_percent_to_route: 5000,
        residual_capacity: [],
        own_zone: 'a',
        zone: 'a',
        stays: true,
      },
      'zone: zone a keeps 50 %, and this request stays there',
    ],
  ],
  list: [
    [{ list: 'healthy', hosts: 0, locality: 'a' }, 'list: there is no healthy host in a, so none is chosen'],
    [{ list: 'degraded', hosts: 1 }, 'list: the only degraded host'],
    [{ list: 'all', hosts: 4 }, 'list: one of 4 hosts, whatever their health'],
  ],
  hash: [
    [{ hash: '7', source: 'own' }, 'hash: the policy’s own hash_policy gives 7'],
    [{ hash: '7', source: 'route' }, 'hash: the route’s hash policy gives 7'],
    [{ hash: '7', source: 'drawn' }, 'hash: the request has no hash, so a random one is drawn: 7'],
  ],
  subset: [
    [{ subset: '{v: "1"}', hosts: null, passed_over: false }, 'subset: no host is in subset {v: "1"}'],
    [{ subset: '{v: "1"}', hosts: 1, passed_over: true }, 'subset: the only host of subset {v: "1"} is unhealthy'],
    [{ subset: '{v: "1"}', hosts: 1, passed_over: false }, 'subset: subset {v: "1"} has 1 host'],
  ],
  fallback: [
    [{ fallback: 'cluster NO_FALLBACK', subset: null, hosts: 0 }, 'fallback: cluster NO_FALLBACK: no host is asked'],
    [
      { fallback: 'cluster ANY_ENDPOINT', subset: 'any', hosts: 4 },
      'fallback: cluster ANY_ENDPOINT: subset "any" answers, with 4 hosts',
    ],
  ],
  only_host: [[{ host: '10.0.0.2:80' }, 'host: the first host of the subset is 10.0.0.2:80']],
  client_subset: [
    [
      { method: 'deterministic', size: 2, client: 3, clients: 9, hosts: 8, used: 2 },
      'client subset: client 3 of 9 uses 2 of 8 hosts',
    ],
  ],
  named_host: [
    [{ headers: ['x-a', 'x-b'], host: null }, 'named host: x-a or x-b names no host of the cluster'],
    [{ headers: ['x-a'], host: '10.0.0.2:80' }, 'named host: x-a names 10.0.0.2:80'],
  ],
  owner: [
    [{ host: '10.0.0.2:80', hosts: 4 }, 'host: the place belongs to 10.0.0.2:80'],
    [{ host: null, hosts: 0 }, 'host: the table is empty: no host is chosen'],
    [
      { host: null, hosts: 0, empty: { why: 'no-weight', policy: 'MAGLEV', priority: 1 } },
      'host: no locality of priority 1 has a load_balancing_weight, so its MAGLEV table is empty: no host is chosen',
    ],
  ],
  bound: [
    [
      { hash_balance_factor: 150, hashed: 'a', hashed_load: 0.5, taken: 'a', taken_load: 0.5, kept: true },
      'bounded load: a is at 0.5 of its bound and is kept',
    ],
    [
      { hash_balance_factor: 150, hashed: 'a', hashed_load: 1.25, taken: 'b', taken_load: 0.3333, kept: false },
      'bounded load: a is at 1.25 of its bound, so the request goes on to b, at 0.333',
    ],
  ],
  drop: [[{ drop_ratio: 0.25 }, 'drop: 25 % of the requests are dropped; this one is not']],
  turn: [[{ turn: '9', hosts: 4, index: 1, host: '10.0.0.2:80' }, 'host: turn 9 mod 4 is 1, which is 10.0.0.2:80']],
  schedule: [
    [
      { hosts: 2, index: 0, host: 'a', weight: 3, active: 0, by: 'weight', weights: [3, 1] },
      'host: by the schedule (weights 3, 1), a is next',
    ],
    [
      { hosts: 20, index: 0, host: 'a', weight: 3, active: 0, by: 'weight_over_load' },
      'host: by the schedule, a is next',
    ],
  ],
  candidate: [
    [{ ...TAKEN, fewest: null }, 'candidate: the draw mod 4 is 1: 10.0.0.2:80 has 2 active requests'],
    [
      { ...TAKEN, fewest: 3 },
      'candidate: the draw mod 4 is 1: 10.0.0.2:80 has 2 active requests, fewer than 3, and leads',
    ],
    [{ ...TAKEN, fewest: 2 }, 'candidate: the draw mod 4 is 1: 10.0.0.2:80 has 2 active requests, not fewer than 2'],
  ],
  fewest: [[{ ...TAKEN, drawn: 2 }, 'host: of 2 drawn, 10.0.0.2:80 has the fewest active requests (2)']],
  scan: [
    [{ ...TAKEN, tied: 1 }, 'host: 10.0.0.2:80 has the fewest active requests (2)'],
    [{ ...TAKEN, tied: 3 }, 'host: 10.0.0.2:80 has the fewest active requests (2), drawn from the 3 that tie'],
  ],
  drawn: [[{ value: '9', hosts: 4, index: 1, host: 'b', reused: true }, 'host: 9 mod 4 is 1, which is b']],
  own: [
    [{ ...TAKEN, policy: 'MINE' }, 'host: MINE takes 10.0.0.2:80'],
    [{ ...TAKEN, index: -1, host: null, policy: 'MINE' }, 'host: MINE takes none of them'],
  ],
  probes: [
    [
      { pool: 1, cold: 0, in_flight: 4, latency_us: 900, host: 'a' },
      'probes: 1 host answered lately, all hot; a has the fewest requests (4)',
    ],
    [
      { pool: 5, cold: 1, in_flight: 4, latency_us: 900, host: 'a' },
      'probes: 5 hosts answered lately, 1 of them cold; of those, a has the lowest latency, 0.9 ms',
    ],
  ],
  slot: [[{ slot: 3, slots: 7 }, 'table: the hash mod 7 is slot 3']],
  ring: [
    [
      { entry: 3, entries: 9, position: '77', wrapped: false },
      'table: entry 3 of 9, at 77, is the first at or after the hash',
    ],
    [
      { entry: 0, entries: 9, position: '77', wrapped: true },
      'table: the hash is beyond the last entry, so entry 0 of 9, at 77, comes next',
    ],
  ],
  route: [
    [
      {
        cluster: 'web',
        route: [
          { cluster: 'web', weight: 3 },
          { cluster: 'other', weight: 1 },
        ],
        timeout_ms: 15_000,
        per_try_timeout_ms: 250,
        workload: 'users',
        proxy: 'edge-1',
        worker: 0,
        num_retries: 1,
        retry_on: ['5xx', 'reset'],
      },
      'route: a request of users at edge-1, worker 0, goes to web, drawn by the weights web 3 : other 1 (time-out 15 s, 250.0 ms per try, 1 retry on 5xx,reset)',
    ],
    [
      {
        cluster: 'web',
        route: [],
        timeout_ms: 0,
        per_try_timeout_ms: 0,
        workload: null,
        proxy: 'proxy',
        worker: 0,
        num_retries: 0,
        retry_on: [],
      },
      'route: an explicit request at proxy, worker 0, goes to web (no time-out, no retries)',
    ],
  ],
  predicate: [
    [
      { host: 'a', rejected_by: ['previous_hosts', 'omit_host_metadata'], host_selection_retry_max_attempts: 3 },
      'predicate: a is rejected by previous_hosts and omit_host_metadata: the balancer is asked again, at most 3 times',
    ],
  ],
  pool: [
    [{ ...POOL, outcome: 'sent' }, 'pool: a connection to 10.0.0.2:80 is free (7 of at most 1,024 active requests)'],
    [{ ...POOL, limits_requests: false, outcome: 'sent' }, 'pool: a connection to 10.0.0.2:80 is free'],
    [
      { ...POOL, outcome: 'pending' },
      'pool: no connection to 10.0.0.2:80 is free, so the request waits for one (2 of at most 1,024 requests waiting, 3 of at most 1,024 connections)',
    ],
    [
      { ...POOL, outcome: 'overflow' },
      'breaker: 2 requests wait already and max_pending_requests is 1,024: refused with 503',
    ],
    [
      { ...POOL, outcome: 'too-many-active' },
      'breaker: 7 requests are active and max_requests is 1,024: refused with 503',
    ],
  ],
  no_host: [[{}, 'no host: the balancer finds no host: 503']],
  sent: [
    [{ waited_ms: 0, active_requests: 1, host: 'a', lost: false }, 'sent: the request is sent to a'],
    [
      { waited_ms: 2, active_requests: 3, host: 'a', lost: true },
      'sent: the request is sent to a, which has 2 other requests open, after waiting 2.00 ms for its connection; the host is down, and no answer will come',
    ],
  ],
  queue: [
    [{ in_service: 1, queued: 0 }, 'queue: the only place of the host is taken: the request waits behind 0 others'],
    [
      { in_service: 4, queued: 9, refused_with: 503 },
      'queue: all 4 places of the host are taken and its queue is full: refused with 503',
    ],
  ],
  service: [
    [
      { service_ms: 1500, status: 200, waited_ms: 3 },
      'service: the host begins after 3.00 ms, takes 1.5 s and answers 200',
    ],
  ],
  answer: [[{ status: 503, after_ms: 4.2 }, 'answer: the answer is 503, 4.20 ms after the request was sent']],
  failure: [
    [
      { cause: 'connect-failure', host: 'a', per_try_timeout_ms: 0 },
      'failure: a refuses the connection that the request waited for',
    ],
    [
      { cause: 'connect-timeout', host: null, per_try_timeout_ms: 0 },
      'failure: the connection to its host was not made within connect_timeout',
    ],
    [{ cause: 'reset', host: 'a', per_try_timeout_ms: 0 }, 'failure: the connection to a breaks'],
    [
      { cause: 'per-try-timeout', host: 'a', per_try_timeout_ms: 250 },
      'failure: per_try_timeout (250.0 ms) passes without an answer',
    ],
  ],
  retry: [
    [{ ...RETRY, verdict: 'not-covered' }, 'retry: retry_on 5xx,reset does not cover 503: no retry'],
    [{ ...RETRY, verdict: 'used-up' }, 'retry: retry_on 5xx,reset covers 503, but 2 retries are used up'],
    [
      { ...RETRY, verdict: 'refused', allowed: 3, active: 3, by: 'max_retries' },
      'retry: retry_on 5xx,reset covers 503, but 3 retries are under way and max_retries is 3: refused',
    ],
    [
      { ...RETRY, verdict: 'refused', allowed: 3, active: 1, by: 'budget' },
      'retry: retry_on 5xx,reset covers 503, but 1 retry is under way and the retry budget allows 3: refused',
    ],
    [
      {
        ...RETRY,
        verdict: 'granted',
        retry: 1,
        wait_ms: 12,
        wait: 'drawn',
        goes_on: false,
        goes_by: ['previous_hosts'],
      },
      'retry: retry_on 5xx,reset covers 503: retry 1 of 2 comes after 12.0 ms, drawn from the back-off, guided by previous_hosts',
    ],
    [
      { ...RETRY, verdict: 'granted', retry: 1, wait_ms: 1000, wait: 'asked_for', goes_on: false, goes_by: [] },
      'retry: retry_on 5xx,reset covers 503: retry 1 of 2 comes after 1 s, as the answer asks',
    ],
    [
      { ...RETRY, verdict: 'granted', retry: 1, wait_ms: 9, wait: 'drawn', goes_on: true, goes_by: [] },
      'retry: retry_on 5xx,reset covers 503: retry 1 of 2 comes beside this attempt after 9.00 ms, drawn from the back-off',
    ],
  ],
  end: [
    [{ status: 200, outcome: 'answered', latency_ms: 5 }, 'end: the client gets 200 after 5.00 ms'],
    [{ status: 503, outcome: 'no_host', latency_ms: 0 }, 'end: the client gets 503 after 0 ms: no host was found'],
    [
      { status: 503, outcome: 'overflow', latency_ms: 0 },
      'end: the client gets 503 after 0 ms: a circuit breaker was open',
    ],
    [
      { status: 503, outcome: 'connect_failure', latency_ms: 0 },
      'end: the client gets 503 after 0 ms: no connection could be made',
    ],
    [{ status: 503, outcome: 'reset', latency_ms: 0 }, 'end: the client gets 503 after 0 ms: the connection broke'],
    [{ status: 504, outcome: 'timeout', latency_ms: 0 }, 'end: the client gets 504 after 0 ms: time ran out'],
    [
      { status: 503, outcome: 'drop_overload', latency_ms: 0 },
      'end: the client gets 503 after 0 ms: drop_overloads dropped the request',
    ],
    [
      { status: 503, outcome: 'no_cluster', latency_ms: 0 },
      'end: the client gets 503 after 0 ms: the proxy does not know the cluster',
    ],
  ],
  time_out: [
    [{ timeout_ms: 15_000, after_ms: 15_000 }, 'time-out: the 15 s of the request are over, 15 s after it arrived'],
  ],
};

const EXAMPLES = Object.entries<readonly (readonly [object, string])[]>(SENTENCES).flatMap(([kind, own]) =>
  own.map(([inputs, text]) => [text, { kind, inputs } as ExplainStep] as const),
);

it.each(EXAMPLES)('%s', (text, fact) => {
  const { step, rule, outcome } = stepWords(fact);
  expect(`${step}: ${outcome}`).toBe(text);
  expect(rule).toMatch(/^\S.*\.$/);
});
