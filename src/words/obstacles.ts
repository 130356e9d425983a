import type { ExplainNote } from '../analysis/explain/explanation.js';
import type { LossFact, LossNote, NoSplit } from '../analysis/find/losses.js';
import { counted, listed } from '../core/words.js';
import type { Unjudged, VerdictObstacle } from '../predict/judge-expectations.js';
import type { PlainObstacle } from '../predict/obstacle.js';

/** Why something is not known, and what to know beside an answer: without a capital letter and full stop. */

/** Those without numbers. */
const PLAIN: Readonly<Record<PlainObstacle | Unjudged, string>> = {
  nothing_sent: 'nothing is sent to this cluster',
  no_prediction: 'no prediction',
  no_balancer: 'there is no balancer',
  closed_workload: 'how many requests a closed workload sends depends on its answers; simulate it',
  scripted_draws: 'these requests script their random values; explain shows each of them',
  empty_key: 'requests with an empty key have no hash; simulate it',
  hashes_more: 'the policy hashes what requests carry besides their key; simulate it',
  requests_open: 'requests with a service_time are open meanwhile; simulate it',
  several_phases: 'how many requests fall into each of several phases is not known; simulate it',
  aggregate: 'an aggregate passes requests on to other clusters; simulate it',
  member_of_aggregate: 'an aggregate passes requests on to it; simulate it',
  cluster_type: 'the hosts of a cluster_type are its own matter',
  client_subsets: 'each proxy uses a part of the hosts; simulate it',
  reported_weights: 'weights follow what hosts report of their load while it runs; simulate it',
  reported_localities: 'localities share by the load that hosts report; simulate it',
  named_hosts: 'requests name their hosts themselves; simulate it',
  drop_overloads: 'drop_overloads drops a part of the requests',
  slow_start: 'slow start changes weights from moment to moment; simulate it',
  retried_elsewhere: 'failed attempts are tried again elsewhere; simulate it',
  health_checked: 'health checks decide which hosts are used; simulate it',
  new_hosts_checked: 'health checks decide when hosts come and go; simulate it',
  outliers_ejected: 'outlier detection ejects hosts by what they answer; simulate it',
  circuit_breakers: 'circuit breakers turn requests away while others are open; simulate it',
  bounded_load: 'bounded load depends on the requests that are open; simulate it',
  dns_retry_drawn: 'how soon a failed DNS query is repeated is drawn by chance; simulate it',
  dns_moves: 'connections that are open stay with the address that DNS gave before; simulate it',
  rejected_by_some: 'proxies reject hosts of their local cluster beyond priority 0, others take them; simulate it',
  other_lists: 'lists are others than when they were delivered; simulate it',
  host_in_several_lists: 'a host of several lists is busy with requests of each; simulate it',
  hosts_shared: 'somebody else keeps these hosts busy, too; simulate it',
  other_subsets_busy: 'requests for other subsets keep the same hosts busy; simulate it',
  several_timeouts: 'requests have several time-outs; simulate it',
  listed_twice: 'hosts that are listed twice are busy with both; simulate it',
  unsteady_load: 'how busy hosts are is known for steady rates only; simulate it',
  full_scan_busy: 'FULL_SCAN among busy hosts has no formula; simulate it',
  overload: 'hosts do not keep up: more and more requests are open; simulate it',
  queues_of_schedule: 'queues before hosts that a schedule picks have no formula; simulate it',
  too_many_classes: 'hosts differ too much for a model of their schedule; simulate it',
  too_many_open: 'too many requests are open for a model of their schedule; simulate it',
  open_for_ever: 'requests to a host that hangs are open for ever; simulate it',
  new_connections: 'requests wait for new connections, which are no load yet; simulate it',
  heavy_tail: 'times with so heavy a tail (pareto, shape of 2 or less) do not settle; simulate it',
  late_answers: 'answers may come after the time-out; simulate it',
  queue_not_exponential: 'a queue before service times that are not exponential has no formula; simulate it',
  queue_refuses: 'queues that turn requests away have no formula here; simulate it',
  never_ends: 'a request to a host that hangs never ends',
  fails_new_connections: 'which requests need a new connection, which may fail, depends on the run; simulate it',
  slow_connections: 'connections may take longer than connect_timeout; simulate it',
  waits_in_queue: 'how long requests wait in the queue of a host depends on the run; simulate it',
  single_host: 'a single host of a subset answers; simulate it',
  several_subsets: 'several subsets are tried one after the other; simulate it',
  too_many_kinds: 'hosts and tries are too many kinds to follow; simulate it',
  one_draw_for_both: 'one value draws the priority and the host, and retries draw by other loads; simulate it',
  localities_take_turns: 'localities take turns, and a retry follows in them; simulate it',
  lists_take_turns: 'hosts of several lists take turns, and a retry follows in them; simulate it',
  schedule_not_drawn: 'which host a schedule of weights has next is not drawn; simulate it',
  hashed_priorities: 'retries of hashed requests go by priorities of their own; simulate it',
  hash_drawn_again: 'a request without a hash draws another one for each try; simulate it',
  answers_set_waits: 'answers say how long retries wait; simulate it',
  too_many_retries: 'so many retries are not followed; simulate it',
  time_runs_out: 'the time of a request may be over before its last try; simulate it',
  long_rotation: 'retries in so long a rotation are not followed; simulate it',
  unsteady_rotation: 'how many picks come between two tries is known for steady rates only; simulate it',
  empty_rotation: 'there is no host to take turns',
  too_many_ways: 'hosts and tries are too many ways to follow; simulate it',
  unsteady_retries:
    'how many retries run at once, of which circuit breakers allow some, is known for steady rates only; simulate it',
  // Of expectations.
  close_bound: 'the bound is so close that chance decides',
  no_share: 'only shares are predicted',
  compares_measures: 'it compares two measures',
  compares_with_prediction: 'it compares a run with the prediction',
  unknown_cluster: 'the cluster has no prediction',
  selects_by_more: 'it selects hosts by more than their address',
  nothing_then: 'nothing is predicted of that time',
  approximate: 'the prediction is approximate',
  requests_unknown: 'how many requests there are depends on the run',
  unpredicted_part: 'there is no prediction',
};

/** Why there is no prediction, of a split or of an expectation. */
export function obstacleText(fact: VerdictObstacle): string {
  return isPlain(fact) ? PLAIN[fact.kind] : numberedText(fact);
}

type PlainFact = { readonly kind: PlainObstacle } | { readonly kind: Unjudged };

function isPlain(fact: VerdictObstacle): fact is PlainFact {
  return Object.hasOwn(PLAIN, fact.kind);
}

function numberedText(fact: Exclude<VerdictObstacle, PlainFact>): string {
  switch (fact.kind) {
    case 'under_load':
      return `${fact.policy} under load has no closed form: requests are open while others are placed; simulate it`;
    case 'no_formula':
      return `${fact.policy} has no formula${fact.goes_by_probes ? ': it goes by what hosts answer to probes' : ''}; simulate it`;
    case 'no_policy_of_shares':
      return `${fact.policy} follows no policy of shares`;
    case 'hosts_of_run':
      return `the hosts of a ${fact.discovery_type} cluster are known only while it runs; simulate it`;
    case 'cluster_updated':
      return `update_cluster replaces the cluster at ${fact.at_s} s; simulate it`;
    case 'cluster_removed':
      return `the cluster is removed at ${fact.at_s} s`;
    case 'beyond_limits':
      return `about ${Math.round(fact.open)} requests are open at once, and circuit breakers allow ${fact.allowed}; simulate it`;
    case 'unsettled':
      return `things change faster than hosts settle, which takes about ${fact.settles_s.toPrecision(2)} s; simulate it`;
  }
}

/** Why losses cannot be judged. @param cluster that it is about; undefined: it is said already, or none. */
export function noSplitText(fact: NoSplit, cluster?: string): string {
  const text = plainNoSplit(fact);
  return cluster === undefined ? text : `${cluster}: ${text}`;
}

function plainNoSplit(fact: NoSplit): string {
  if (fact.kind === 'no_such_cluster') return `there is no cluster ${fact.cluster}`;
  if (fact.kind === 'no_host_up') return 'it has no hosts that are up';
  if (fact.kind === 'no_such_host') return `no host is ${fact.lose}`;
  return fact.kind === 'no_selector' ? `${fact.lose}: ${fact.message}` : obstacleText(fact);
}

/** What to know beside an answer about losses, with its clusters. */
export function lossText(fact: LossFact): string {
  return `${listed(fact.clusters)}: ${plainLoss(fact)}`;
}

function plainLoss(fact: LossNote): string {
  switch (fact.kind) {
    case 'out_already':
      return `${fact.out} of ${counted(fact.hosts, 'host')} out already; what is lost comes on top`;
    case 'no_capacity':
      return 'no capacity is known; give concurrency and service_time, or --capacity';
    case 'tried_once':
      return 'requests are tried once here; with their retries fewer fail';
    case 'not_searched':
      return `not searched, ${noSplitText(fact.why)}`;
  }
}

/** An assumption of `explain`. */
export function assumptionText(fact: ExplainNote): string {
  switch (fact.kind) {
    case 'as_workload': {
      const routed = fact.routed ? ', as one of its routes leads there' : '';
      return `a request as ${fact.workload} sends it${routed}, where nothing else is said`;
    }
    case 'hashed_together':
      return fact.note;
    case 'other_clusters': {
      const others = fact.clusters === 1 ? 'is 1 other cluster' : `are ${fact.clusters} other clusters`;
      return `there ${others}: --cluster NAME asks that one`;
    }
    case 'cluster_gone':
      return `${fact.cluster} has been removed by then: requests are answered with 503`;
  }
}
