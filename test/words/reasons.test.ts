import { describe, expect, it } from 'vitest';
import type { WhyNotFact } from '../../src/analysis/explain/why-not.js';
import type { Fact } from '../../src/result/facts.js';
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
    [{ of: 'cluster', proxies: ['edge', 'core'] }, 'no hosts: every request fails (edge, core)'],
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
      'levels in a row: a priority 0 gets 70 %, a priority 1 gets 20 %, b gets 10 %; 2 of 4 healthy × 1.4 covers 70 % of a',
    ],
    [{ levels: [{ cluster: 'a', priority: 0, load: 100 }], total_panic: false }, 'levels in a row: a gets 100 %'],
    [
      { levels: [{ cluster: 'a', priority: 0, load: 100 }], total_panic: true },
      'total panic: load follows the number of hosts; levels in a row: a gets 100 %',
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
      'panic: 3 of 8 hosts available is 37.5 %, below the threshold of 50 %: all its hosts are used, whatever their health',
    ],
    [
      { ...HAVE, effect: 'no_host', priority: 1, subset: '{v: "2"}' },
      'subset {v: "2"}: panic in priority 1: 3 of 8 hosts available is 37.5 %, below the threshold of 50 %: fail_traffic_on_panic is set, so no host is picked',
    ],
  ],
  no_host_available: [
    [{ priority: 0, counted: 4, threshold: 50 }, 'no host available in priority 0: its load goes to other priorities'],
    [
      { counted: 4, threshold: 0, subset: 'default' },
      'default subset: no host available: the panic threshold is 0 %, so no host is picked there',
    ],
  ],
  no_panic: [
    [
      { ...HAVE, available: 5, available_percent: 62.5 },
      'no panic: 5 of 8 hosts available is 62.5 %, the threshold is 50 %',
    ],
    [
      { ...HAVE, priority: 0, all_levels_percent: 100 },
      'no panic in priority 0: 3 of 8 hosts available is 37.5 %, but all priorities together reach 100 %',
    ],
  ],
  total_panic: [
    [{ levels: LEVELS }, 'total panic: load follows the number of hosts, priority 0 gets 70 %, priority 1 gets 30 %'],
  ],
  spill: [
    [
      { levels: LEVELS, cover: COVER },
      'spill: 2 of 4 healthy × 1.4 covers 70 % of priority 0; priority 0 gets 70 %, priority 1 gets 30 %',
    ],
    [
      {
        levels: LEVELS,
        cover: { ...COVER, by_weight: true },
        scaled: { other_levels: 1, others_percent: 20, total_percent: 90, rest_percent: 1 },
      },
      'spill: weight 2 of 4 healthy × 1.4 covers 70 % of priority 0; the other priority covers 20 %: scaled from 90 to 100 %, and rounding leaves 1 % to the first; priority 0 gets 70 %, priority 1 gets 30 %',
    ],
    [
      {
        levels: LEVELS,
        cover: COVER,
        scaled: { other_levels: 2, others_percent: 20, total_percent: 90, rest_percent: 0 },
      },
      'spill: 2 of 4 healthy × 1.4 covers 70 % of priority 0; the other priorities cover 20 %: scaled from 90 to 100 %; priority 0 gets 70 %, priority 1 gets 30 %',
    ],
  ],
  degraded: [
    [
      { hosts: 1, get: 'no_entry', policy: 'MAGLEV', healthy_load: 100, degraded_load: 0 },
      'degraded: 1 host in no MAGLEV table, which holds healthy hosts only',
    ],
    [
      { hosts: 2, get: 'nothing', policy: 'RANDOM', healthy_load: 100, degraded_load: 0 },
      'degraded: nothing for 2 hosts, the healthy ones cover the load',
    ],
    [
      { hosts: 2, get: 'load', policy: 'RANDOM', healthy_load: 70, degraded_load: 30, priority: 0 },
      'degraded in priority 0: healthy hosts cover 70 %, degraded ones get 30 %',
    ],
  ],
  excluded: [[{ hosts: 1 }, 'excluded: 1 host in no denominator']],
  zone_off: [
    [{ gate: 'not-computed' }, 'zone routing off: the local cluster has no hosts yet'],
    [{ gate: 'upstream-zones', zones: 1, needed: 2 }, 'zone routing off: the cluster is in 1 of at least 2 zones'],
    [{ gate: 'local-zones', zones: 1, needed: 2 }, 'zone routing off: the local cluster is in 1 of at least 2 zones'],
    [{ gate: 'no-local-hosts' }, "zone routing off: the local cluster has no host in the proxy's zone"],
    [{ gate: 'no-upstream-local-hosts' }, "zone routing off: the cluster has no healthy host in the proxy's zone"],
    [
      { gate: 'zone-number-differs', upstream_zones: 2, local_zones: 3 },
      'zone routing off: the cluster is in 2 zones, the local cluster in 3',
    ],
    [
      { gate: 'cluster-too-small', healthy_hosts: 5, min_cluster_size: 6 },
      'zone routing off: 5 healthy hosts < min_cluster_size 6',
    ],
    [{ gate: 'routing-enabled' }, 'zone routing off: routing_enabled is 0 %'],
    [{ gate: 'local-cluster-in-panic' }, 'zone routing off: the local cluster is in panic'],
  ],
  zone: [
    [{ enabled_percent: 100, stays: 'all' }, 'zone routing: everything stays in the own zone'],
    [{ enabled_percent: 50, stays: 'forced' }, 'zone routing for 50 % of the requests: forced into the own zone'],
    [
      { enabled_percent: 100, stays: 'part', local_percent: 66.66, elsewhere: 'spare' },
      'zone routing: 66.7 % stay in the own zone, the rest goes where capacity is left',
    ],
    [
      { enabled_percent: 100, stays: 'part', local_percent: 50, elsewhere: 'any' },
      'zone routing: 50 % stay in the own zone, the rest goes to any zone, as none has capacity left',
    ],
  ],
  zones_without_degraded: [
    [{}, 'zone routing places requests for degraded hosts too: in a zone without any they find no host'],
  ],
  localities: [
    [{ share: 'table', weights: [3, 0] }, 'localities share the table by weights 3 : 0'],
    [
      { share: 'turns', weights: [1, 0.46666], priority: 1 },
      'localities in priority 1 share by effective weights 1 : 0.4667',
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
      'subset {v: "3"} is empty, so the default subset, else any host answers',
    ],
    [
      { wanted: '{q: "1"}', why: 'no_selector', chain: [{ subset: '{v: "2"}', empty: true }] },
      'no selector has exactly the keys of {q: "1"}, so subset {v: "2"} is empty, no host is asked',
    ],
    [{ wanted: '{}', why: 'nothing_asked', chain: [] }, 'requests that ask for no subset: no host is asked'],
    [{ wanted: '{}', why: 'fallback_list', chain: [] }, 'requests with a fallback_list: no host is asked'],
  ],
  slow_start: [
    [
      { hosts: 1, newest: '10.0.0.1:80', part: 0.1, half_part: 0.55, half_s: 5, full_s: 10 },
      'slow start: 10.0.0.1:80 counts 10 % of its weight, 55 % at 5 s, all of it from 10 s',
    ],
    [
      { hosts: 2, newest: '10.0.0.1:80', part: 0.1, half_part: 0.55, half_s: 5, full_s: 10 },
      'slow start: 2 hosts grow; the newest, 10.0.0.1:80, counts 10 % of its weight, 55 % at 5 s, all of it from 10 s',
    ],
  ],
  names_by_addresses: [
    [
      { uses_weights: true, names: [{ name: 'a.test', addresses: 2, weight: 3, share: 0.75 }] },
      'STRICT_DNS: every address that a name resolves to is a host with the weight of the name: a.test 2 addresses × weight 3 = 75.0 %',
    ],
    [
      { uses_weights: false, names: [{ name: 'a.test', addresses: 1, weight: 3, share: 0.75 }] },
      'STRICT_DNS: every address that a name resolves to is a host: a.test 1 address = 75.0 %',
    ],
  ],
  first_address: [
    [
      { addresses: 3, used: '10.0.0.1:80' },
      'LOGICAL_DNS: of the 3 addresses of its name it uses the first, 10.0.0.1:80, and no other',
    ],
  ],
  load_feedback: [
    [
      { ...FEEDBACK, because: { why: 'fails_at_once', failed_share: 1, attempts: 4000 } },
      '10.0.0.1:80 gets 50.0 %, instead of 25.0 % by its weight: LEAST_REQUEST goes by open requests, and 100.0 % of its 4,000 attempts fail at once, so that it has none open',
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
      '10.0.0.1:80 gets 50.0 % of the requests of its locality from 2 s to 5 s, instead of an even 25.0 %: LEAST_REQUEST goes by open requests and earlier answers, and 40.0 % of its 1 attempt in the run fail',
    ],
    [
      {
        ...FEEDBACK,
        basis: 'probes',
        because: { why: 'latency', own_ms: 1, others_ms: 50, failed_share: 0.5, attempts: 9 },
      },
      '10.0.0.1:80 gets 50.0 %, instead of 25.0 % by its weight: LEAST_REQUEST goes by what hosts say when they are asked, and it answers in 1.00 ms, the others in 50.0 ms; 50.0 % of its 9 attempts fail',
    ],
    [
      { ...FEEDBACK, because: { why: 'unanswered', unanswered: 7, attempts: 9 } },
      '10.0.0.1:80 gets 50.0 %, instead of 25.0 % by its weight: LEAST_REQUEST goes by open requests, and 7 of its 9 attempts had no answer: they were open until they ended',
    ],
  ],
  restarted_turns: [
    [
      { host: '10.0.0.1:80', before: 99, longest: 40, got: 2, due: 60 },
      'every update restarts the rotation: the turn of 10.0.0.1:80 comes after about 99 requests, but between two updates there are 40 at most; it got 2 instead of 60',
    ],
  ],
  several_rotations: [
    [
      { rotations: 16, proxies: 1, least: 3, most: 12, mean: 8 },
      'each worker takes turns by itself, from a start drawn by the seed: 16 rotations may differ by 16 requests a host, and here equal hosts get 3 to 12 around a mean of 8',
    ],
    [
      { rotations: 16, proxies: 4, least: 3, most: 12, mean: 8 },
      'each worker of every proxy takes turns by itself, from a start drawn by the seed: 16 rotations may differ by 16 requests a host, and here equal hosts get 3 to 12 around a mean of 8',
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
      '10.0.0.1:80 and 10.0.0.2:80 were out for 30 s, 60 s, 90 s … 150 s in edge-1: base_ejection_time 30 s × 1 and × 2, at most max_ejection_time 300 s, a jitter, and until the next sweep (interval 10 s)',
    ],
    [
      { hosts: ['10.0.0.1:80'], out_s: [2.8213] },
      '10.0.0.1:80 was out for 2.82 s: a passed health check ends an ejection',
    ],
    [{ hosts: ['a', 'b', 'c', 'd'], out_s: [3] }, '4 hosts were out for 3 s: a passed health check ends an ejection'],
  ],
  ejections_refused: [
    [
      { times: 1, max_ejection_percent: 10, may_be_out: 0, hosts: 4 },
      'outlier detection would have ejected 1 time more: max_ejection_percent, 10 %, lets 0 of 4 hosts be out',
    ],
  ],
  retries_refused: [
    [
      { retries: 5, proxy: 'edge-1', least_allowed: 3, most_allowed: 3, is_default: true },
      'max_retries of 3, the default, refused 5 retries in edge-1; set it or a retry_budget in circuit_breakers',
    ],
    [{ retries: 1, least_allowed: 3, most_allowed: 3, is_default: false }, 'max_retries of 3 refused 1 retry'],
    [
      {
        retries: 5,
        least_allowed: 3,
        most_allowed: 7,
        is_default: false,
        budget: { percent: 20, min_retry_concurrency: 3 },
      },
      'the retry budget (20 % of active and pending requests, at least 3) allowed 3 to 7 at once when it refused 5 retries',
    ],
  ],
  default_limits: [
    [
      { limits: [{ limit: 'max_requests', value: 1024 }], refused: 1 },
      'the default limit max_requests (1,024) was reached: 1 request was refused',
    ],
    [
      {
        limits: [
          { limit: 'max_connections', value: 1024 },
          { limit: 'max_requests', value: 1024 },
        ],
        refused: 2,
      },
      'the default limits max_connections (1,024) and max_requests (1,024) were reached: beyond max_connections requests wait, and 2 requests were refused',
    ],
    [{ limits: [{ limit: 'max_requests', value: 9 }], refused: 0 }, 'the default limit max_requests (9) was reached'],
  ],
};

/** Those of `explain --why-not` besides. */
const OF_ONE_HOST: Examples<Exclude<WhyNotFact, Fact>> = {
  no_member: [[{}, 'it is no member of the cluster then']],
  no_requests: [[{}, 'no request asks the cluster']],
  chance: [[{}, 'chance: it was others’ turn']],
  not_healthy: [
    [
      {
        health: 'unhealthy',
        since: { kind: 'checked', address: '10.0.0.1:80', health: 'unhealthy', passed: false },
        panic: true,
      },
      'it is unhealthy (10.0.0.1:80 unhealthy: failed checks), and only panic lets it have any',
    ],
    [{ health: 'degraded', panic: false }, 'it is degraded: healthy hosts come first'],
  ],
  level_load: [
    [{ priority: 1, load: 30, hosts: 1 }, 'priority 1 gets 30 % of the traffic, for it'],
    [{ priority: 1, load: 30, hosts: 4 }, 'priority 1 gets 30 % of the traffic, for 4 hosts'],
  ],
  weights_unused: [[{ policy: 'RANDOM' }, 'RANDOM does not look at weights']],
  slower: [
    [
      { policy: 'LEAST_REQUEST', basis: 'open_requests', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.0 ms: it has more requests open',
    ],
    [
      { policy: 'PEAK_EWMA', basis: 'open_requests_and_answers', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.0 ms: PEAK_EWMA remembers its answers, and it has more requests open',
    ],
    [
      { policy: 'PREQUAL', basis: 'probes', own_ms: 50, others_ms: 5 },
      'it answers in 50.0 ms, the others in 5.0 ms: PREQUAL asks hosts for their latency and their requests, and it says so',
    ],
  ],
  keys_of_table: [[{ policy: 'MAGLEV' }, 'MAGLEV gives it the keys of its part of the table: see lbsim ring']],
  by_subset: [
    [
      { subsets: ['{v: "1"}', 'any'] },
      'requests are chosen for by subset ({v: "1"}, any): it gets those of the subsets that it is in',
    ],
  ],
  overflow: [[{ requests: 7 }, 'circuit breakers turned 7 requests away']],
  client_subsets: [
    [{ hosts: 8, clients: 4, users: 2 }, 'subsetting gives each proxy a part of the 8 hosts: 2 of 4 use it'],
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
  expect(failureText({ kind: 'excluded', hosts: 2 })).toBe('excluded: 2 hosts in no denominator');
});
