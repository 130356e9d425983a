import type { ExplainNote } from '../analysis/explain/explanation.js';
import type { LossFact, LossNote, NoSplit } from '../analysis/find/losses.js';
import { counted, listed } from '../core/words.js';
import type { VerdictObstacle } from '../predict/judge-expectations.js';
import { type PlainObstacle, PLAIN_OBSTACLES, type Unjudged } from '../predict/generated/plain-obstacles.js';

/** Why something is not known, and what to know beside an answer: without a capital letter and full stop. */

/** Why there is no prediction, of a split or of an expectation. */
export function obstacleText(fact: VerdictObstacle): string {
  return isPlain(fact) ? PLAIN_OBSTACLES[fact.kind] : numberedText(fact);
}

type PlainFact = { readonly kind: PlainObstacle } | { readonly kind: Unjudged };

function isPlain(fact: VerdictObstacle): fact is PlainFact {
  return Object.hasOwn(PLAIN_OBSTACLES, fact.kind);
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
