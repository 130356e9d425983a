import { microsToSeconds } from '../core/units.js';
import { entryOf, own } from '../core/values.js';
import type { LoadReport } from '../policy/load-report.js';
import { type DurationDistribution, meanOf } from '../random/distributions.js';
import { hostPredicate, type SelectableHost, type Selector } from './selector.js';

export type Duration = DurationDistribution;

/** By the proxy's zone and the host's: time on the wire, the same in the other direction unless that is given, too. */
export type ZoneLatency = Readonly<Record<string, Readonly<Record<string, Duration>>>>;

export interface Behavior {
  readonly serviceTime: Duration;
  /** Infinity: unlimited. */
  readonly concurrency: number;
  /** How requests above `concurrency` are served: after the others, or together with them, each more slowly. */
  readonly discipline: Discipline;
  /** Infinity: unlimited. */
  readonly queueLimit: number;
  readonly errorRate: number;
  readonly errorStatus: number;
  /** Headers of error answers; names in lower case. */
  readonly errorHeaders: Readonly<Record<string, string>>;
  /** How the host ends connections, and at which part of its requests, 0–1. */
  readonly closes: ConnectionEnd;
  readonly closeRate: number;
  readonly connectTime: Duration;
  readonly connectFailureRate: number;
  readonly networkLatency: Duration;
  /** Of the zones that it names; undefined: of none. */
  readonly zoneLatency: ZoneLatency | undefined;
  readonly down: 'none' | 'refuse' | 'hang';
  readonly healthCheck: HealthCheckAnswer;
  readonly immediateHealthCheckFail: boolean;
  readonly initialActiveRequests: number;
  /** The load report of answers; `measured`: see `simulation/servers/server.ts`. */
  readonly loadReport: LoadReport | 'none' | 'measured';
}

export type Discipline = 'first_come_first_served' | 'processor_sharing';

/**
 * `announced`: after an answer, with `connection: close` or a GOAWAY; `silent`: after it without a word; `early`: by a GOAWAY
 * before it, as far as HTTP/2 goes; `instead`: in place of an answer; `refused`: not at all, HTTP/2 refuses the stream, HTTP/1 as
 * `instead`.
 */
export type ConnectionEnd = 'never' | 'announced' | 'silent' | 'early' | 'instead' | 'refused';

/** An HTTP status is a number: 503. */
export type HealthCheckAnswer = 'ok' | 'degraded' | 'hang' | 'refuse' | number;

export const IDEAL_BEHAVIOR: Behavior = {
  serviceTime: { kind: 'constant', value: 0 },
  concurrency: Infinity,
  discipline: 'first_come_first_served',
  queueLimit: Infinity,
  errorRate: 0,
  errorStatus: 503,
  errorHeaders: {},
  closes: 'never',
  closeRate: 1,
  connectTime: { kind: 'constant', value: 0 },
  connectFailureRate: 0,
  networkLatency: { kind: 'constant', value: 0 },
  zoneLatency: undefined,
  down: 'none',
  healthCheck: 'ok',
  immediateHealthCheckFail: false,
  initialActiveRequests: 0,
  loadReport: 'none',
};

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
