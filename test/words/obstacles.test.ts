import { describe, expect, it } from 'vitest';
import type { ExplainNote } from '../../src/analysis/explain/generated/explanation.js';
import type { LossNote, NoSplit } from '../../src/analysis/prove/generated/findings.js';
import type { VerdictObstacle } from '../../src/predict/judge-expectations.js';
import type { Obstacle } from '../../src/predict/obstacle.js';
import { assumptionText, lossText, noSplitText, obstacleText } from '../../src/words/obstacles.js';
import { type Examples, factsOf } from './examples.js';

/** All that a prediction says of what it does not know, and what only a run can judge of expectations. */
const OBSTACLES: Examples<VerdictObstacle> = {
  nothing_sent: [[{}, 'nothing is sent to this cluster']],
  many_listed_twice: [[{}, 'there are too many hosts, some of them listed twice, to take one by one']],
  noticed_apart: [[{}, 'its clusters differ in what notices a loss']],
  several_limits: [
    [{}, 'limits of circuit breakers, which count by proxy and by routing priority, of which there are several'],
  ],
  no_prediction: [[{}, 'no prediction']],
  no_balancer: [[{}, 'there is no balancer']],
  closed_workload: [[{}, 'how many requests a closed workload sends depends on its answers; simulate it']],
  scripted_draws: [[{}, 'these requests script their random values; explain shows each of them']],
  empty_key: [[{}, 'requests with an empty key have no hash; simulate it']],
  hashes_more: [[{}, 'the policy hashes what requests carry besides their key; simulate it']],
  copied_to: [[{}, 'copies of requests to other clusters are sent to this one, too; simulate it']],
  routed_by_content: [[{}, 'the route chooses the cluster by what requests carry; simulate it']],
  connections_held: [[{}, 'connections over TCP are open as long as their clients hold them; simulate it']],
  requests_open: [[{}, 'requests with a service_time are open meanwhile; simulate it']],
  several_phases: [[{}, 'how many requests fall into each of several phases is not known; simulate it']],
  aggregate: [[{}, 'an aggregate passes requests on to other clusters; simulate it']],
  member_of_aggregate: [[{}, 'an aggregate passes requests on to this cluster; simulate it']],
  cluster_type: [[{}, 'only its extension knows the hosts of a cluster_type']],
  client_subsets: [[{}, 'each proxy uses only some of the hosts; simulate it']],
  reported_weights: [[{}, 'weights follow the load that hosts report during the run; simulate it']],
  reported_localities: [[{}, 'localities share by the load that hosts report; simulate it']],
  named_hosts: [[{}, 'requests name their hosts themselves; simulate it']],
  drop_overloads: [[{}, 'drop_overloads drops a share of the requests']],
  slow_start: [[{}, 'slow start changes weights from moment to moment; simulate it']],
  retried_elsewhere: [[{}, 'failed attempts are tried again elsewhere; simulate it']],
  health_checked: [[{}, 'health checks decide which hosts are used; simulate it']],
  new_hosts_checked: [[{}, 'health checks decide when hosts come and go; simulate it']],
  outliers_ejected: [[{}, 'outlier detection ejects hosts by what they answer; simulate it']],
  circuit_breakers: [[{}, 'circuit breakers turn requests away while others are open; simulate it']],
  bounded_load: [[{}, 'bounded load depends on the requests that are open; simulate it']],
  dns_retry_drawn: [[{}, 'how soon a failed DNS query is repeated is drawn by chance; simulate it']],
  dns_moves: [[{}, 'connections that are open stay with the address that DNS gave before; simulate it']],
  rejected_by_some: [
    [{}, 'some proxies reject hosts of their local cluster beyond priority 0, and others take them; simulate it'],
  ],
  other_lists: [[{}, 'host lists have changed since they were delivered; simulate it']],
  host_in_several_lists: [[{}, 'a host in several lists is busy with the requests of each; simulate it']],
  hosts_shared: [[{}, 'others keep these hosts busy, too; simulate it']],
  other_subsets_busy: [[{}, 'requests for other subsets keep the same hosts busy; simulate it']],
  several_timeouts: [[{}, 'requests have several different time-outs; simulate it']],
  listed_twice: [[{}, 'hosts that are listed twice are busy with both shares; simulate it']],
  unsteady_load: [[{}, 'how busy hosts get is known for steady rates only; simulate it']],
  full_scan_busy: [[{}, 'FULL_SCAN among busy hosts has no formula; simulate it']],
  overload: [[{}, 'hosts do not keep up: more and more requests are open; simulate it']],
  queues_of_schedule: [[{}, 'queues at hosts that a schedule picks have no formula; simulate it']],
  too_many_classes: [[{}, 'hosts differ too much for a model of their schedule; simulate it']],
  too_many_open: [[{}, 'too many requests are open for a model of their schedule; simulate it']],
  open_for_ever: [[{}, 'requests to a host that hangs are open for ever; simulate it']],
  sized_requests: [[{}, 'requests of several sizes keep hosts for different times; simulate it']],
  cached_service: [[{}, 'how long hosts take depends on what they have in their caches; simulate it']],
  new_connections: [[{}, 'requests wait for new connections and are not load until then; simulate it']],
  heavy_tail: [[{}, 'times with so heavy a tail (pareto, shape of 2 or less) do not settle; simulate it']],
  late_answers: [[{}, 'answers may come after the time-out; simulate it']],
  queue_not_exponential: [[{}, 'a queue before service times that are not exponential has no formula; simulate it']],
  queue_refuses: [[{}, 'queues that turn requests away have no formula here; simulate it']],
  never_ends: [[{}, 'a request to a host that hangs never ends']],
  fails_new_connections: [
    [{}, 'which requests need a new connection, which may fail, depends on the run; simulate it'],
  ],
  slow_connections: [[{}, 'connections may take longer than connect_timeout; simulate it']],
  waits_in_queue: [[{}, 'how long requests wait in a host’s queue depends on the run; simulate it']],
  single_host: [[{}, 'a single host of a subset answers; simulate it']],
  several_subsets: [[{}, 'several subsets are tried one after the other; simulate it']],
  too_many_kinds: [[{}, 'there are too many kinds of hosts and tries to follow; simulate it']],
  one_draw_for_both: [[{}, 'one value draws the priority and the host, and retries draw by other loads; simulate it']],
  localities_take_turns: [[{}, 'localities take turns, and a retry goes on in them; simulate it']],
  lists_take_turns: [[{}, 'hosts of several lists take turns, and a retry goes on in them; simulate it']],
  schedule_not_drawn: [[{}, 'a weighted schedule does not draw its next host; simulate it']],
  hashed_priorities: [[{}, 'retries of hashed requests choose priorities in their own way; simulate it']],
  hash_drawn_again: [[{}, 'a request without a hash draws a new one for each try; simulate it']],
  answers_set_waits: [[{}, 'answers say how long retries wait; simulate it']],
  too_many_retries: [[{}, 'there are too many retries to follow; simulate it']],
  time_runs_out: [[{}, 'the time of a request may run out before its last try; simulate it']],
  long_rotation: [[{}, 'the rotation is too long to follow retries in; simulate it']],
  unsteady_rotation: [[{}, 'how many picks come between two tries is known for steady rates only; simulate it']],
  empty_rotation: [[{}, 'there is no host to take turns']],
  too_many_ways: [[{}, 'there are too many ways for hosts and tries to combine; simulate it']],
  unsteady_retries: [
    [{}, 'circuit breakers limit retries, and how many run at once is known for steady rates only; simulate it'],
  ],
  close_bound: [[{}, 'the bound is so close that chance decides']],
  no_share: [[{}, 'only shares are predicted']],
  compares_measures: [[{}, 'it compares two measures']],
  compares_with_prediction: [[{}, 'it compares a run with the prediction']],
  unknown_cluster: [[{}, 'the cluster has no prediction']],
  selects_by_more: [[{}, 'it selects hosts by more than their address']],
  nothing_then: [[{}, 'nothing is predicted for that time']],
  approximate: [[{}, 'the prediction is approximate']],
  requests_unknown: [[{}, 'how many requests there are depends on the run']],
  unpredicted_part: [[{}, 'there is no prediction']],
  under_load: [
    [
      { policy: 'LEAST_REQUEST' },
      'LEAST_REQUEST has no closed form under load, where requests are open while others are placed; simulate it',
    ],
  ],
  no_formula: [
    [{ policy: 'POWER_OF_D', goes_by_probes: false }, 'POWER_OF_D has no formula; simulate it'],
    [
      { policy: 'PREQUAL', goes_by_probes: true },
      'PREQUAL has no formula, as it goes by what hosts answer to probes; simulate it',
    ],
  ],
  no_policy_of_shares: [[{ policy: 'CLUSTER_PROVIDED' }, 'CLUSTER_PROVIDED follows no policy of shares']],
  hosts_of_run: [
    [
      { discovery_type: 'ORIGINAL_DST' },
      'the hosts of ORIGINAL_DST clusters are known only while they run; simulate it',
    ],
  ],
  cluster_updated: [[{ at_s: 2.5 }, 'update_cluster replaces the cluster at 2.5 s; simulate it']],
  cluster_removed: [[{ at_s: 3 }, 'the cluster is removed at 3 s']],
  beyond_limits: [
    [
      { open: 999.7, allowed: 1024 },
      'about 1,000 requests are open at once, and circuit breakers allow 1,024; simulate it',
    ],
  ],
  unsettled: [[{ settles_s: 1.234 }, 'changes come faster than hosts settle, which takes about 1.2 s; simulate it']],
};

const NO_SPLITS: Examples<Exclude<NoSplit, Obstacle>> = {
  no_such_cluster: [[{ cluster: 'a' }, 'there is no cluster a']],
  no_host_up: [[{}, 'no host of it is known to be up']],
  no_capacity: [[{}, 'no capacity is known; give concurrency and service_time, or --capacity']],
  no_such_host: [[{ lose: 'zone=z' }, 'no host is zone=z']],
  no_selector: [[{ lose: 'zone', message: 'expected key=value' }, 'zone: expected key=value']],
};

const LOSSES: Examples<LossNote> = {
  out_already: [[{ out: 1, hosts: 3 }, '1 of 3 hosts already out; what is lost comes on top']],
  no_capacity: [[{}, 'no capacity is known; give concurrency and service_time, or --capacity']],
  also_asked: [[{}, 'hosts of its clusters get requests beside these, which are not counted']],
  tried_once: [[{}, 'requests are tried once here; retries would save some']],
  idle_hosts: [
    [
      {},
      'hosts are idle here: a policy that goes by open requests chooses evenly, or by weight, and hash_balance_factor turns no request away',
    ],
  ],
  ejection_limit: [
    [{ most: 2 }, 'outlier detection ejects 2 at most, here in the order of the hosts; the next loss is not noticed'],
  ],
  not_searched: [
    [{ why: { kind: 'no_host_up' } }, 'not searched: no host of it is known to be up'],
    [{ why: { kind: 'aggregate' } }, 'not searched: an aggregate passes requests on to other clusters; simulate it'],
  ],
};

const ASSUMPTIONS: Examples<ExplainNote> = {
  as_workload: [
    [{ workload: 'steady', routed: false }, 'a request as steady sends it, unless said otherwise'],
    [
      { workload: 'steady', routed: true },
      'a request as steady sends it over one of its routes, unless said otherwise',
    ],
  ],
  hashed_together: [[{ note: 'steady hashes a and b together' }, 'steady hashes a and b together']],
  other_clusters: [
    [{ clusters: 1 }, 'there is 1 other cluster: --cluster NAME asks it'],
    [{ clusters: 2 }, 'there are 2 other clusters: --cluster NAME asks one'],
  ],
  cluster_gone: [[{ cluster: 'a' }, 'a has been removed by then: requests are answered with 503']],
};

describe('each fact has its sentence', () => {
  it.each(factsOf(OBSTACLES))('%s', (text, fact) => {
    expect(obstacleText(fact)).toBe(text);
  });

  it.each(factsOf(NO_SPLITS))('%s', (text, fact) => {
    expect([noSplitText(fact), noSplitText(fact, 'web')]).toEqual([text, `web: ${text}`]);
  });

  it.each(factsOf(LOSSES))('%s', (text, fact) => {
    expect(lossText({ ...fact, clusters: ['web', 'api'] })).toBe(`web and api: ${text}`);
  });

  it.each(factsOf(ASSUMPTIONS))('%s', (text, fact) => {
    expect(assumptionText(fact)).toBe(text);
  });
});
