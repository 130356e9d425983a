import { microsToSeconds } from '../core/units.js';
import { entryOf, own } from '../core/values.js';
import { type DurationDistribution, meanOf } from '../random/distributions.js';
import { type Behavior, IDEAL_BEHAVIOR } from './generated/behavior-fields.js';
import { hostPredicate, type SelectableHost, type Selector } from './selector.js';

export { type Behavior, IDEAL_BEHAVIOR } from './generated/behavior-fields.js';

export type Duration = DurationDistribution;

export type ZoneLatency = NonNullable<Behavior['zoneLatency']>;
export type ConnectionEnd = Behavior['closes'];
export type HealthCheckAnswer = Behavior['healthCheck'];

export type BehaviorRule = Readonly<{ hosts: Selector; behavior: Partial<Behavior> }>;

/** How hosts behave, as far as it can change where requests go. */
export class Behaviors {
  /** Addresses that rules are for. */
  readonly addresses = new Set<string | undefined>();
  private rules: { readonly means: (host: SelectableHost) => boolean; readonly behavior: Partial<Behavior> }[] = [];
  version = 0;

  constructor(rules: readonly BehaviorRule[]) {
    for (const rule of rules) this.add(rule);
  }

  add({ hosts, behavior }: BehaviorRule): void {
    this.addresses.add(hosts.address);
    this.rules.push({ means: hostPredicate(hosts), behavior });
    this.version++;
  }

  /** Later rules override earlier ones, field by field. @param hosts of one address: one that matches is enough. */
  of(hosts: readonly SelectableHost[]): Behavior {
    let behavior = IDEAL_BEHAVIOR;
    for (const rule of this.rules) if (hosts.some(rule.means)) behavior = { ...behavior, ...rule.behavior };
    return behavior;
  }

  get isIdeal(): boolean {
    return this.rules.length === 0;
  }
}

const seen = new WeakMap<Behavior, Map<string, Behavior>>();

/** The behaviour as a proxy in a zone meets it at a host in another: the same object as long as it is the same. */
export function seenFrom(behavior: Behavior, from: string, to: string): Behavior {
  const { zoneLatency } = behavior;
  if (zoneLatency === undefined) return behavior;
  const views = entryOf(seen, behavior, () => new Map<string, Behavior>());
  return entryOf(views, `${from}\0${to}`, () => {
    const between = (one: string, other: string): Duration | undefined => own(own(zoneLatency, one) ?? {}, other);
    const networkLatency = between(from, to) ?? between(to, from) ?? behavior.networkLatency;
    return { ...behavior, networkLatency, zoneLatency: undefined };
  });
}

/** Answers take time, so that requests are open while others arrive. */
export function takesTime(behavior: Behavior): boolean {
  const { down, serviceTime, networkLatency, connectTime } = behavior;
  if (down === 'hang' || behavior.zoneLatency !== undefined) return true;
  return [serviceTime, networkLatency, connectTime].some((time) => meanOf(time) > 0);
}

export const mayFail = (behavior: Behavior): boolean =>
  behavior.down !== 'none' || behavior.errorRate > 0 || behavior.connectFailureRate > 0 || resetRateOf(behavior) > 0;

/** The part of requests that have no answer, since their connection or stream ends in its place. */
export const resetRateOf = ({ closes, closeRate }: Behavior): number =>
  closes === 'instead' || closes === 'refused' ? closeRate : 0;

export const mayFailChecks = (behavior: Behavior): boolean =>
  behavior.down !== 'none' || behavior.healthCheck !== 'ok' || behavior.immediateHealthCheckFail;

/**
 * Whether users get the same of a host: answers, failures, and their times. Which error it is makes no difference to them, and
 * what it tells health checks they do not see.
 */
export const servesAlike = (one: Behavior, other: Behavior): boolean => served(one) === served(other);

function served(behavior: Behavior): string {
  const { serviceTime, connectTime, networkLatency, errorRate, connectFailureRate, down } = behavior;
  // Infinity is no JSON.
  const limits = [behavior.concurrency, behavior.discipline, behavior.queueLimit].map(String);
  const wire = [networkLatency, behavior.zoneLatency, behavior.closes, behavior.closeRate];
  return JSON.stringify([serviceTime, connectTime, wire, errorRate, connectFailureRate, down, limits]);
}

/** How long a request is open at a host that is not busy, on average. */
export const secondsOf = ({ serviceTime, networkLatency }: Behavior): number =>
  microsToSeconds(meanOf(serviceTime) + meanOf(networkLatency));

/** Requests a second that a host can serve: as many at once as it takes, each for its mean service time; Infinity: any. */
export function capacityOf({ serviceTime, concurrency }: Behavior): number {
  const meanUs = meanOf(serviceTime);
  return meanUs === 0 ? Infinity : concurrency / microsToSeconds(meanUs);
}
