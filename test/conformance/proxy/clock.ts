import type { Micros } from '../../../src/core/units.js';
import { MICROS_PER_MILLI, MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { Cluster } from '../../../src/config/cluster/cluster-shape.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { Recording } from './recording.js';
import { margins } from './replay.js';
import type { Statistics } from './statistics.js';
import { leafOf } from '../../../src/config/policy/policy.js';

/** A span of time, its end excluded. */
interface Span {
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/**
 * How long before time 0 the timers of a recorded proxy began, in the order in which they are tried: the recorders started
 * sending some 0.4 s after the proxy.
 */
const USUAL_US: readonly Micros[] = [420, 400, 380, 360, 440, 340].map((ms) => ms * MICROS_PER_MILLI);

/** Timers are late by a little each time, and readings take time. */
const SLACK_US = 20 * MICROS_PER_MILLI;

/**
 * When the proxy's timers may have begun, before time 0, by what a recording says of it: how often each host was checked,
 * or each name resolved, until its start and until the end of each phase in which nothing had changed yet. undefined: it
 * says nothing.
 */
function timersBegan(recording: Recording, scenario: Scenario): Span | undefined {
  const span = scenario.clusters
    .flatMap((cluster) => roundsOf(cluster, recording, scenario))
    .reduce<Span>((all, one) => ({ fromUs: Math.max(all.fromUs, one.fromUs), toUs: Math.min(all.toUs, one.toUs) }), {
      fromUs: 0,
      toUs: Infinity,
    });
  return span.toUs === Infinity ? undefined : span;
}

/** The clocks that a replay may assume, the likeliest first; those without timers have one. */
export function clocks(recording: Recording, scenario: Scenario): readonly Micros[] {
  if (!scenario.clusters.some(hasTimers)) return [0];
  const span = timersBegan(recording, scenario);
  if (span === undefined) return USUAL_US;
  const usual = USUAL_US.filter((us) => us >= span.fromUs - SLACK_US && us < span.toUs + SLACK_US);
  if (usual.length > 0) return usual;
  const { fromUs, toUs } = span;
  return [0.5, 0.3, 0.7, 0.1, 0.9].map((part) => Math.round(fromUs + part * Math.max(0, toUs - fromUs)));
}

function hasTimers({ outlierDetection, healthChecks, type, loadBalancingPolicy: policy }: Cluster): boolean {
  if (policy !== undefined && leafOf(policy).kind === 'client_side_weighted_round_robin') return true;
  return outlierDetection !== undefined || healthChecks.length > 0 || (type !== 'STATIC' && type !== 'EDS');
}

/** What the rounds of one cluster's timers say. */
function roundsOf(cluster: Cluster, recording: Recording, scenario: Scenario): readonly Span[] {
  const timer = timerOf(cluster);
  const start = recording.statsAtStart;
  if (timer === undefined || start === undefined) return [];
  const { intervalUs, counter } = timer;
  const spans: Span[] = [];
  /** `rounds` rounds had begun `untilUs` after time 0: the first when the timer did. */
  const add = (rounds: number | undefined, untilUs: Micros, toUs: Micros): void => {
    if (rounds === undefined || !Number.isInteger(rounds) || rounds === 0) return;
    spans.push({ fromUs: (rounds - 1) * intervalUs - untilUs, toUs: rounds * intervalUs - untilUs + toUs });
  };
  const each = timer.each(start);
  const quietUs = Math.min(Infinity, ...scenario.timeline.map(({ atUs }) => atUs));
  const { beforeUs } = margins(recording, scenario.durationUs ?? Infinity);
  add(roundsIn(start, counter, each), 0, beforeUs);
  for (const { toS, stats } of recording.phases) {
    const untilUs = toS * MICROS_PER_SECOND;
    if (untilUs <= quietUs) add(roundsIn(stats, counter, each), untilUs, 0);
  }
  return spans;
}

function roundsIn(stats: Statistics, counter: string, each: number): number | undefined {
  const count = stats.get(counter);
  return count === undefined || each === 0 ? undefined : count / each;
}

interface Timer {
  readonly intervalUs: Micros;
  /** Counts `each` a round. */
  readonly counter: string;
  readonly each: (start: Statistics) => number;
}

function timerOf(cluster: Cluster): Timer | undefined {
  const prefix = `cluster.${cluster.name}.`;
  const [check, ...more] = cluster.healthChecks;
  if (check !== undefined) {
    const isEven = more.length === 0 && check.interval === check.noTrafficInterval;
    if (!isEven) return undefined;
    return {
      intervalUs: check.interval,
      counter: `${prefix}health_check.attempt`,
      each: (start) => start.get(`${prefix}membership_total`) ?? 0,
    };
  }
  if (cluster.type !== 'STRICT_DNS' && cluster.type !== 'LOGICAL_DNS') return undefined;
  if (cluster.respectDnsTtl || cluster.dnsFailureRefreshRate !== undefined) return undefined;
  const names = (cluster.loadAssignment?.endpoints ?? []).reduce((sum, { lbEndpoints }) => sum + lbEndpoints.length, 0);
  return { intervalUs: cluster.dnsRefreshRate, counter: `${prefix}update_attempt`, each: () => names };
}
