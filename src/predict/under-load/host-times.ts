import { type Micros, microsToSeconds } from '../../core/units.js';
import { longestOf, meanOf } from '../../random/distributions.js';
import type { Behavior } from '../../settings/behavior.js';
import type { HostClass } from './supermarket.js';
import type { Obstacle } from '../obstacle.js';

/** How long a host keeps its requests, as far as a model of busy hosts can use it. */
export interface HostTimes extends Omit<HostClass, 'count'> {
  /** All times are exponential; else their form matters a little to a schedule. */
  readonly exponential: boolean;
  readonly constant: boolean;
}

/** Hosts that are alike in all of this. */
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
