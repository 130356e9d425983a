import { describe, expect, it } from 'vitest';
import type { WhyNotFact } from '../../src/analysis/explain/generated/why-not.js';
import type { Fact } from '../../src/result/generated/facts.js';
import { failureText, reasonTexts, whyNotTexts } from '../../src/words/reasons.js';
import { type Examples, factsOf } from './examples.js';

const HAVE = { available: 3, counted: 8, available_percent: 37.5, threshold: 50 };
const COVER = { healthy: 2, counted: 4, by_weight: false, factor: 1.4, percent: 70 };
const LEVELS = [
  { priority: 0, load: 70 },
  { priority: 1, load: 30 },
];
const FEEDBACK = {
  host: '10.0.0.1:80',
  policy: 'LEAST_REQUEST',
  basis: 'open_requests',
  share: 0.5,
  fair_share: 0.25,
  by_weight: true,
  of_locality: false,
} as const;

/** All that a result says of its shares: whoever changes a sentence sees it among the others. */
const SENTENCES: Examples<Fact> = {
  no_hosts: [
    [{ of: 'cluster' }, 'no hosts: every request fails'],
    [{ of: 'members' }, 'no member has hosts: every request fails'],
    [{ of: 'unknown_cluster' }, 'the proxies do not know the cluster: every request fails'],
    [{ of: 'cluster', proxies: ['edge', 'core'] }, 'no hosts: every request fails (proxies edge, core)'],
  ],
  members: [
    [
      {
        levels: [
          { cluster: 'a', priority: 0, load: 70 },
          { cluster: 'a', priority: 1, load: 20 },
          { cluster: 'b', priority: 0, load: 10 },
        ],
        total_panic: false,
        cover: COVER,
      },
      'of its clusters, a priority 0 can take 70 % (2 of 4 hosts healthy × 1.4), and the rest goes on to the next: a priority 0 gets 70 %, a priority 1 gets 20 %, b gets 10 %',
    ],
    [{ levels: [{ cluster: 'a', priority: 0, load: 100 }], total_panic: false }, 'of its clusters, a gets 100 %'],
    [
      { levels: [{ cluster: 'a', priority: 0, load: 100 }], total_panic: true },
      'panic in every level, so load follows the number of hosts: a gets 100 %',
    ],
  ],
  empty_table: [
    [{ policy: 'MAGLEV', why: 'no-weight' }, 'no locality has a load_balancing_weight, so the MAGLEV table is empty'],
    [
      { policy: 'RING_HASH', why: 'no-weighted-host', priority: 1 },
      'no locality of priority 1 with a load_balancing_weight has a host available, so its RING_HASH table is empty',
    ],
  ],
  panic: [
    [
      { ...HAVE, effect: 'all_hosts' },
      'panic with 3 of 8 hosts available (37.5 %, threshold 50 %), so all hosts are used, healthy or not',
    ],
    [
      { ...HAVE, effect: 'no_host', priority: 1, subset: '{v: "2"}' },
      'subset {v: "2"}: panic in priority 1 with 3 of 8 hosts available (37.5 %, threshold 50 %); fail_traffic_on_panic is set, so no host is picked',
    ],
  ],
  no_host_available: [
    [
      { priority: 0, counted: 4, threshold: 50 },
      'no host available in priority 0, so its load goes to other priorities',
    ],
    [
      { counted: 4, threshold: 0, subset: 'default' },
      'default subset: no host available: the panic threshold is 0 %, so none is picked there',
    ],
  ],
  no_panic: [
    [
      { ...HAVE, available: 5, available_percent: 62.5 },
      'no panic with 5 of 8 hosts available (62.5 %, threshold 50 %)',
    ],
    [
      { ...HAVE, priority: 0, all_levels_percent: 100 },
      'no panic in priority 0 with 3 of 8 hosts available (37.5 %, threshold 50 %), as all priorities together can take 100 %',
    ],
  ],
  total_panic: [
    [
      { levels: LEVELS },
      'panic in every priority, so load follows the number of hosts: priority 0 gets 70 %, priority 1 gets 30 %',
    ],
  ],
  spill: [
    [
      { levels: LEVELS, cover: COVER },
      'priority 0 can take 70 % (2 of 4 hosts healthy × 1.4), and the rest spills over: priority 1 gets 30 %',
    ],
    [
      {
        levels: LEVELS,
        cover: { ...COVER, by_weight: true },
        scaled: { other_levels: 1, others_percent: 20, total_percent: 90, rest_percent: 1 },
      },
      'priority 0 can take 70 % (weight 2 of 4 healthy × 1.4) and the other priority 20 %, scaled from 90 to 100 % with 1 % from rounding for the first: priority 0 gets 70 %, priority 1 gets 30 %',
    ],
    [
      {
        levels: LEVELS,
        cover: COVER,
        scaled: { other_levels: 2, others_percent: 20, total_percent: 90, rest_percent: 0 },
      },
      'priority 0 can take 70 % (2 of 4 hosts healthy × 1.4) and the other priorities 20 %, scaled from 90 to 100 %: priority 0 gets 70 %, priority 1 gets 30 %',
    ],
  ],
  degraded: [
    [
      { hosts: 1, get: 'no_entry', policy: 'MAGLEV', healthy_load: 100, degraded_load: 0 },
      '1 degraded host is not in the MAGLEV table, which holds healthy hosts only',
    ],
    [
      { hosts: 2, get: 'nothing', policy: 'RANDOM', healthy_load: 100, degraded_load: 0 },
      '2 degraded hosts get nothing, as healthy hosts can take all of the load',
    ],
    [
      { hosts: 2, get: 'load', policy: 'RANDOM', healthy_load: 70, degraded_load: 30, priority: 0 },
      'healthy hosts can take 70 % in priority 0, so degraded ones get 30 %',
    ],
    [
      {
        hosts: 3,
        get: 'load',
        policy: 'RANDOM',
        healthy_load: 35,
        degraded_load: 65,
        cover: { healthy: 1, counted: 4, by_weight: false, factor: 1.4, percent: 35 },
      },
      'healthy hosts can take 35 % (1 of 4 hosts healthy × 1.4), so degraded ones get 65 %',
    ],
  ],
  excluded: [[{ hosts: 1 }, '1 host is excluded, counted neither for load nor for panic']],
  zone_off: [
    [{ gate: 'not-computed' }, 'zone routing is off, as the local cluster has no hosts yet'],
    [{ gate: 'upstream-zones', zones: 1, needed: 2 }, 'zone routing is off, as the cluster is in 1 zone and needs 2'],
    [
      { gate: 'local-zones', zones: 1, needed: 2 },
      'zone routing is off, as the local cluster is in 1 zone and needs 2',
    ],
    [{ gate: 'no-local-hosts' }, 'zone routing is off, as the local cluster has no host in the proxy’s zone'],
    [
      { gate: 'no-upstream-local-hosts' },
      'zone routing is off, as the cluster has no healthy host in the proxy’s zone',
    ],
    [
      { gate: 'zone-number-differs', upstream_zones: 2, local_zones: 3 },
      'zone routing is off, as the cluster is in 2 zones and the local cluster in 3',
    ],
    [
      { gate: 'cluster-too-small', healthy_hosts: 5, min_cluster_size: 6 },
      'zone routing is off, as 5 healthy hosts are fewer than min_cluster_size (6)',
    ],
    [{ gate: 'routing-enabled' }, 'zone routing is off, as routing_enabled is 0 %'],
    [{ gate: 'local-cluster-in-panic' }, 'zone routing is off, as the local cluster is in panic'],
  ],
  zone: [
    [{ enabled_percent: 100, stays: 'all' }, 'zone routing keeps everything in the proxy’s zone'],
    [
      { enabled_percent: 50, stays: 'forced' },
      'zone routing of 50 % of the requests is forced to stay in the proxy’s zone',
    ],
    [
      { enabled_percent: 100, stays: 'part', local_percent: 66.66, elsewhere: 'spare' },
      'zone routing keeps 66.7 % in the proxy’s zone and sends the rest where capacity is left',
    ],
    [
      { enabled_percent: 100, stays: 'part', local_percent: 50, elsewhere: 'any' },
      'zone routing keeps 50 % in the proxy’s zone and sends the rest to any zone, as none has capacity left',
    ],
  ],
  zones_without_degraded: [
    [{}, 'zone routing also places requests meant for degraded hosts, and in a zone without any they find no host'],
  ],
  localities: [
    [{ share: 'table', weights: [3, 0] }, 'localities share the table by weights 3 : 0'],
    [
      { share: 'turns', weights: [1, 0.46666], priority: 1 },
      'localities share the load of priority 1 by effective weights 1 : 0.4667',
    ],
  ],
  named_host: [[{ headers: ['x-a', 'x-b'] }, 'requests that name a host in x-a or x-b go there, whatever its health']],
  fallback: [
    [
      {
        wanted: '{v: "3"}',
        why: 'empty',
        chain: [
          { subset: 'default', empty: false },
          { subset: 'any', empty: false },
        ],
      },
      'subset {v: "3"} is empty, so the default subset answers, or else any host',
    ],
    [
      { wanted: '{q: "1"}', why: 'no_selector', chain: [{ subset: '{v: "2"}', empty: true }] },
      'no selector has exactly the keys of {q: "1"} and subset {v: "2"} is empty, so no host is asked',
    ],
    [
      { wanted: '{}', why: 'nothing_asked', chain: [] },
      'requests that ask for no subset: the fallback is NO_FALLBACK, so no host is asked',
    ],
    [
      { wanted: '{v: "2"}', why: 'empty', chain: [] },
      'subset {v: "2"} is empty and the fallback is NO_FALLBACK, so no host is asked',
    ],
    [{ wanted: '{}', why: 'fallback_list', chain: [] }, 'requests with a fallback_list: no host is asked'],
  ],
  slow_start: [
    [
      { hosts: 1, newest: '10.0.0.1:80', part: 0.1, half_part: 0.55, half_s: 5, full_s: 10 },
      '10.0.0.1:80 is in slow start: it counts for 10 % of its weight, for 55 % at 5 s and in full from 10 s',
    ],
    [
      { hosts: 2, newest: '10.0.0.1:80', part: 0.1, half_part: 0.55, half_s: 5, full_s: 10 },
      '2 hosts are in slow start: the newest, 10.0.0.1:80, counts for 10 % of its weight, for 55 % at 5 s and in full from 10 s',
    ],
  ],
  names_by_addresses: [
    [
      { uses_weights: true, names: [{ name: 'a.test', addresses: 2, weight: 3, share: 0.75 }] },
      'STRICT_DNS makes every address of a name a host with the weight of the name: a.test has 2 addresses × weight 3 = 75.0 %',
    ],
    [
      { uses_weights: false, names: [{ name: 'a.test', addresses: 1, weight: 3, share: 0.75 }] },
      'STRICT_DNS makes every address of a name a host: a.test has 1 address = 75.0 %',
    ],
  ],
  connect_timeouts: [[{ timeout_s: 1 }, 'requests wait up to connect_timeout (1 s) for connections that are not made']],
  first_address: [
    [
      { addresses: 3, used: '10.0.0.1:80' },
      'LOGICAL_DNS uses only the first of the 3 addresses of its name, 10.0.0.1:80',
    ],
  ],
  load_feedback: [
    [
      {
        ...FEEDBACK,
        share: 0.25,
        fair_share: 0.5,
        because: { why: 'unanswered', unanswered: 4, attempts: 4 },
        drawn_alone: { choice_count: 2, share: 0.25 },
      },
      '10.0.0.1:80 gets 25.0 % instead of the 50.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and 4 of 4 attempts on this host got no answer and stayed open; in 25 % of the picks both draws fall on it',
    ],
    [
      {
        ...FEEDBACK,
        share: 0.04,
        because: { why: 'latency', own_ms: 100, others_ms: 1, attempts: 4 },
        drawn_alone: { choice_count: 3, share: 0.037 },
      },
      '10.0.0.1:80 gets 4.0 % instead of the 25.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and this host answers in 100.0 ms, the others in 1.00 ms; in 3.7 % of the picks all 3 draws fall on it',
    ],
    [
      { ...FEEDBACK, because: { why: 'fails_at_once', failed_share: 1, attempts: 4000 } },
      '10.0.0.1:80 gets 50.0 % instead of the 25.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and 100.0 % of 4,000 attempts on this host fail at once, so none stay open',
    ],
    [
      {
        ...FEEDBACK,
        basis: 'open_requests_and_answers',
        by_weight: false,
        of_locality: true,
        from_s: 2,
        to_s: 5,
        because: { why: 'fails_over_run', failed_share: 0.4, attempts: 1 },
      },
      '10.0.0.1:80 gets 50.0 % of the requests of its locality from 2 to 5 s instead of an even 25.0 %: LEAST_REQUEST prefers hosts with few open requests and fast answers, and 40.0 % of 1 attempt on this host fail over the run',
    ],
    [
      {
        ...FEEDBACK,
        basis: 'probes',
        because: { why: 'latency', own_ms: 1, others_ms: 50, failed_share: 0.5, attempts: 9 },
      },
      '10.0.0.1:80 gets 50.0 % instead of the 25.0 % of its weight: LEAST_REQUEST prefers hosts that report few requests and fast answers when probed, and this host answers in 1.00 ms, the others in 50.0 ms; 50.0 % of 9 attempts on it fail',
    ],
    [
      { ...FEEDBACK, because: { why: 'unanswered', unanswered: 7, attempts: 9 } },
      '10.0.0.1:80 gets 50.0 % instead of the 25.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and 7 of 9 attempts on this host got no answer and stayed open',
    ],
  ],
  restarted_turns: [
    [
      { host: '10.0.0.1:80', before: 99, longest: 40, got: 2, due: 60 },
      'every update restarts the rotation, and 10.0.0.1:80 would have its turn after about 99 requests, but at most 40 come between two updates, so it got 2 requests instead of 60',
    ],
  ],
  several_rotations: [
    [
      { rotations: 16, proxies: 1, least: 3, most: 12, mean: 8 },
      'each worker rotates on its own from a random start: with 16 rotations hosts may differ by 16 requests, and here equal hosts get 3 to 12, 8 on average',
    ],
    [
      { rotations: 16, proxies: 4, least: 3, most: 12, mean: 8 },
      'each worker of every proxy rotates on its own from a random start: with 16 rotations hosts may differ by 16 requests, and here equal hosts get 3 to 12, 8 on average',
    ],
  ],
  workers_by_connection: [
    [
      { shares: [0.51, 0.49, 0], proxy: 'edge' },
      'a connection stays with the worker that accepted it: the workers of edge get 51.0 %, 49.0 %, 0.0 % of the requests',
    ],
  ],
  ejection_times: [
    [
      {
        hosts: ['10.0.0.1:80', '10.0.0.2:80'],
        out_s: [30, 60, 90, 120, 150],
        proxy: 'edge-1',
        rule: { base_s: 30, factors: [1, 2], max_s: 300, jitter: true, interval_s: 10 },
      },
      '10.0.0.1:80 and 10.0.0.2:80 were ejected by edge-1 for 30 s, 60 s, 90 s … 150 s: base_ejection_time 30 s × 1 and × 2, at most max_ejection_time 300 s, plus jitter, plus the wait for the next sweep (interval 10 s)',
    ],
    [{ hosts: ['10.0.0.1:80'], out_s: [2.8213] }, '10.0.0.1:80 was ejected for 2.82 s, until a health check passed'],
    [{ hosts: ['a', 'b', 'c', 'd'], out_s: [3] }, '4 hosts were ejected for 3 s, until a health check passed'],
  ],
  ejections_refused: [
    [
      { times: 1, max_ejection_percent: 10, may_be_out: 0, hosts: 4 },
      'max_ejection_percent (10 %) refused 1 ejection: it allows 0 of 4 hosts to be out',
    ],
  ],
  retries_keep_host: [
    [
      { policy: 'RING_HASH', asks_again: 0 },
      'a retry has the hash of its first attempt, so RING_HASH gives it the same host; a retry_host_predicate can rule that out',
    ],
    [
      { policy: 'MAGLEV', asks_again: 1 },
      'a retry has the hash of its first attempt: MAGLEV is asked for another host at most 1 time (host_selection_retry_max_attempts), and the same may come again',
    ],
  ],
  retries_refused: [
    [
      { retries: 5, proxy: 'edge-1', least_allowed: 3, most_allowed: 3, is_default: true },
      'max_retries (3, the default) refused 5 retries in edge-1: raise it or set a retry_budget in circuit_breakers',
    ],
    [{ retries: 1, least_allowed: 3, most_allowed: 3, is_default: false }, 'max_retries (3) refused 1 retry'],
    [
      { retries: 5, least_allowed: 3, most_allowed: 3, is_default: true, most_load: 2.45 },
      'max_retries (3, the default) refused 5 retries, while a host had 245 % of the load it can serve: they would have added to it',
    ],
    [
      {
        retries: 5,
        least_allowed: 3,
        most_allowed: 7,
        is_default: false,
        budget: { percent: 20, min_retry_concurrency: 3 },
      },
      'the retry budget (20 % of active and pending requests, at least 3) allowed 3 to 7 at once and refused 5 retries',
    ],
  ],
  default_limits: [
    [
      { limits: [{ limit: 'max_requests', value: 1024 }], refused: 1 },
      'the default limit max_requests (1,024) was reached, so 1 request was refused',
    ],
    [
      {
        limits: [
          { limit: 'max_connections', value: 1024 },
          { limit: 'max_requests', value: 1024 },
        ],
        refused: 2,
      },
      'the default limits max_connections (1,024) and max_requests (1,024) were reached, so requests beyond max_connections waited, and 2 requests were refused',
    ],
    [{ limits: [{ limit: 'max_requests', value: 9 }], refused: 0 }, 'the default limit max_requests (9) was reached'],
  ],
};

/** Those of `explain --why-not` besides. */
const OF_ONE_HOST: Examples<Exclude<WhyNotFact, Fact>> = {
  no_member: [[{}, 'it is not in the cluster then']],
  no_requests: [[{}, 'the cluster gets no requests']],
  chance: [[{}, 'chance: others had their turn']],
  not_healthy: [
    [
      {
        health: 'unhealthy',
        since: { kind: 'checked', address: '10.0.0.1:80', health: 'unhealthy', passed: false },
        panic: true,
      },
      'it is unhealthy (10.0.0.1:80 unhealthy: failed checks) and gets requests only in panic',
    ],
    [{ health: 'degraded', panic: false }, 'it is degraded, and healthy hosts come first'],
  ],
  level_load: [
    [{ priority: 1, load: 30, hosts: 1 }, 'priority 1 gets 30 % of the traffic, all for this host'],
    [{ priority: 1, load: 30, hosts: 4 }, 'priority 1 gets 30 % of the traffic, shared by 4 hosts'],
  ],
  weights_unused: [[{ policy: 'RANDOM' }, 'RANDOM ignores weights']],
  slower: [
    [
      { policy: 'LEAST_REQUEST', basis: 'open_requests', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.00 ms, so it has more requests open',
    ],
    [
      { policy: 'PEAK_EWMA', basis: 'open_requests_and_answers', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.00 ms, which PEAK_EWMA remembers, and it has more requests open',
    ],
    [
      { policy: 'PREQUAL', basis: 'probes', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.00 ms, and it tells PREQUAL so when probed',
    ],
  ],
  keys_of_table: [[{ policy: 'MAGLEV' }, 'MAGLEV gives it the keys in its part of the table: see lbsim ring']],
  by_subset: [
    [
      { subsets: ['{v: "1"}', 'any'] },
      'requests go by subset ({v: "1"}, any), and it gets those for subsets that it is in',
    ],
  ],
  overflow: [[{ requests: 7 }, 'circuit breakers refused 7 requests']],
  client_subsets: [
    [
      { hosts: 8, clients: 4, users: 2 },
      'subsetting gives each proxy some of the 8 hosts: 2 of 4 proxies use this one',
    ],
  ],
};

describe('each fact has its sentence', () => {
  it.each(factsOf(SENTENCES))('%s', (text, fact) => {
    expect(reasonTexts([fact])).toEqual([text]);
  });

  it.each(factsOf(OF_ONE_HOST))('%s', (text, fact) => {
    expect(whyNotTexts([fact, fact])).toEqual([text]);
  });
});

it('that every request fails is not said twice', () => {
  expect(failureText({ kind: 'no_hosts', of: 'cluster' })).toBe('no hosts');
  expect(failureText({ kind: 'excluded', hosts: 2 })).toBe(
    '2 hosts are excluded, counted neither for load nor for panic',
  );
});
