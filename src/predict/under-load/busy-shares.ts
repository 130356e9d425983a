import type { LeastRequestConfig } from '../../policy/least-request.js';
import type { SteadyFlow } from './attempt-chances.js';
import { equilibriumOf, type HostClass } from './supermarket.js';
import { weightedShares } from './weighted-load.js';
import type { Obstacle } from '../obstacle.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { longestOf, meanOf } from '../../random/distributions.js';
import type { Behavior } from '../../settings/behavior.js';

export interface HostTimes extends Omit<HostClass, 'count'> {
  /** All times are exponential; else their form matters a little to a schedule. */
  readonly exponential: boolean;
  readonly constant: boolean;
}

export interface BusyClass extends HostTimes {
  readonly count: number;
  readonly weight: number;
}

/** @returns the obstacle, where no model fits. */
export function hostTimes(behavior: Behavior, timeoutUs: Micros): HostTimes | Obstacle {
  const { serviceTime, networkLatency, connectTime, concurrency, down, connectFailureRate } = behavior;
  const held = behavior.initialActiveRequests;
  const still = { held, wire: 0, servers: Infinity, exponential: false, constant: true };
  if (down === 'refuse') return { ...still, service: 0 };
  if (meanOf(connectTime) > 0 || connectFailureRate > 0) return { kind: 'new_connections' };
  if (down === 'hang') {
    if (timeoutUs === 0) return { kind: 'open_for_ever' };
    return { ...still, service: microsToSeconds(timeoutUs) };
  }
  const heavy = [serviceTime, networkLatency].some((time) => time.kind === 'pareto' && time.shape <= 2);
  if (heavy) return { kind: 'heavy_tail' };
  const longest = longestOf(serviceTime) + longestOf(networkLatency);
  if (timeoutUs > 0 && longest > timeoutUs) return { kind: 'late_answers' };
  const [service, wire] = [microsToSeconds(meanOf(serviceTime)), microsToSeconds(meanOf(networkLatency))];
  const kinds = [...(service > 0 ? [serviceTime.kind] : []), ...(wire > 0 ? [networkLatency.kind] : [])];
  const exponential = kinds.length === 1 && kinds[0] === 'exponential';
  const constant = kinds.every((kind) => kind === 'constant');
  if (service === 0 || concurrency === Infinity) {
    return { held, wire, service, servers: Infinity, exponential, constant };
  }
  if (serviceTime.kind !== 'exponential') return { kind: 'queue_not_exponential' };
  if (behavior.queueLimit < Infinity) return { kind: 'queue_refuses' };
  return { held, wire, service, servers: concurrency, exponential, constant };
}

/** The same for behaviours that keep requests equally long. */
export function timesKey(behavior: Behavior): string {
  const { serviceTime, networkLatency, connectTime, concurrency, queueLimit, down, connectFailureRate } = behavior;
  const limits = [String(concurrency), String(queueLimit)];
  return JSON.stringify([
    [serviceTime, networkLatency, connectTime, limits, down, connectFailureRate],
    behavior.initialActiveRequests,
  ]);
}

/** Shares of one list by class, with their error. */
export interface BusyShares {
  readonly shares: readonly number[];
  /** The same while no host is busy. */
  readonly idle: readonly number[];
  /** The largest share of a host that has just come, and has nothing to do. */
  readonly most: number;
  /** Estimate of the largest error of a share, 0–1. */
  readonly error: number;
  /** Mean number of open requests, of all hosts together. */
  readonly open: number;
  /** Time until the initial state of hosts no longer matters, s. */
  readonly settlesS: number;
}

/** More classes than this take too long to follow a schedule. */
const MOST_SCHEDULED = 200;

/** @returns the obstacle, where no model fits. */
export function busyShares(
  classes: readonly BusyClass[],
  flow: Pick<SteadyFlow, 'rate' | 'pace'>,
  config: LeastRequestConfig,
  bias: number,
): BusyShares | Obstacle {
  if (flow.pace === 'unsteady') return { kind: 'unsteady_load' };
  const scheduled = classes.some(({ weight }) => weight !== classes[0]?.weight);
  if (scheduled) return ofSchedule(classes, flow, bias);
  if (config.selectionMethod === 'FULL_SCAN') return { kind: 'full_scan_busy' };
  return ofChoices(classes, flow, config.choiceCount);
}

/**
 * The power of d choices. The error is the change that the finite number of hosts makes to the shares of the model with
 * infinitely many, the term that is corrected for: what is neglected is smaller. Besides, of the deviation D that load
 * makes from even shares: D / 2n before queues, where n hosts are less independent of each other; D / n where arrivals
 * come at equal distances instead of at random, and more than that where less than one request is open on average, up
 * to all of it.
 */
function ofChoices(
  classes: readonly BusyClass[],
  { rate, pace }: Pick<SteadyFlow, 'rate' | 'pace'>,
  choices: number,
): BusyShares | Obstacle {
  const hosts = classes.reduce((sum, { count }) => sum + count, 0);
  const finite = equilibriumOf(classes, rate, choices, true);
  if (finite === undefined) return { kind: 'overload' };
  const infinite = equilibriumOf(classes, rate, choices, false);
  const { shares } = finite;
  const deviation = largest(shares, (share) => share - 1 / hosts);
  // Where very many requests are open for few hosts, the model of infinitely many takes too long to settle.
  const corrected =
    infinite === undefined
      ? deviation / hosts
      : largest(shares, (share, index) => share - (infinite.shares[index] as number));
  let open = 0;
  let settlesS = 0;
  for (const [index, one] of classes.entries()) {
    const own = (finite.open[index] as Float64Array).reduce((sum, part, k) => sum + part * k, 0);
    const arrivals = rate * (shares[index] as number);
    const idle = 1 - (arrivals * one.service) / one.servers;
    open += own * one.count;
    const stay = arrivals > 0 ? own / arrivals : 0;
    settlesS = Math.max(settlesS, stay / Math.max(idle, 1e-3), one.wire + one.service);
  }
  const queues = classes.some(({ servers }) => servers < Infinity) ? deviation / (2 * hosts) : 0;
  const spacing = pace === 'even' ? deviation * Math.min(1, Math.max(1, 1 / open) / hosts) : 0;
  return {
    shares,
    idle: shares.map(() => 1 / hosts),
    most: Math.min(1, choices / hosts),
    error: corrected + queues + spacing + ROUNDING,
    open,
    settlesS: 2 * settlesS,
  };
}

const ROUNDING = 1e-9;

/**
 * A schedule by weight and open requests. The error is a part of the deviation that load makes from shares by weight
 * alone: 1/n for n hosts and, where times are not exponential, at least a fifth; half of it, or where times are
 * constants all of it, where arrivals come at equal distances: a schedule draws nothing, so that who is busy then
 * follows a pattern.
 */
function ofSchedule(
  classes: readonly BusyClass[],
  { rate, pace }: Pick<SteadyFlow, 'rate' | 'pace'>,
  bias: number,
): BusyShares | Obstacle {
  if (classes.some(({ servers }) => servers < Infinity)) {
    return { kind: 'queues_of_schedule' };
  }
  if (classes.length > MOST_SCHEDULED) return { kind: 'too_many_classes' };
  const opens = classes.map(({ wire, service }) => wire + service);
  const shares = weightedShares(
    classes.map((one, index) => ({ ...one, open: opens[index] as number })),
    rate,
    bias,
  );
  if (shares === undefined) return { kind: 'too_many_open' };
  const hosts = classes.reduce((sum, { count }) => sum + count, 0);
  const weightOf = ({ weight, held }: BusyClass): number => weight / Math.pow(held + 1, bias);
  const weights = classes.reduce((sum, one) => sum + one.count * weightOf(one), 0);
  const idle = classes.map((one) => weightOf(one) / weights);
  const deviation = largest(shares, (share, index) => share - (idle[index] as number));
  const byForm = classes.every(({ exponential }) => exponential) ? 1 / hosts : Math.max(0.2, 1 / hosts);
  const byPattern = classes.every(({ constant }) => constant) ? 1 : Math.max(0.5, byForm);
  return {
    shares,
    idle,
    // Its first pick comes no later than that of an idle host, the next ones as those of others.
    most: Math.min(1, 2 * Math.max(...idle)),
    error: deviation * (pace === 'even' ? byPattern : byForm) + ROUNDING,
    open: classes.reduce(
      (sum, { count }, index) => sum + count * rate * (shares[index] as number) * (opens[index] as number),
      0,
    ),
    settlesS: 2 * Math.max(...opens),
  };
}

function largest(shares: readonly number[], of: (share: number, index: number) => number): number {
  return shares.reduce((most, share, index) => Math.max(most, Math.abs(of(share, index))), 0);
}
