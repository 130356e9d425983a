import { entryOf, sum } from '../../core/values.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { Behavior } from '../../settings/behavior.js';
import { DEFAULT_LIMITS } from '../../config/to-settings.js';
import { type HostGroup, rowsOf } from '../delivered-level.js';
import type { BusyHosts, ListSplit } from '../list-shares.js';
import { mixed } from '../mixture.js';
import { Outcome } from '../outcome.js';
import { byLists } from '../request-outcome.js';
import { type LoadedCluster, type SteadyFlow, steadyFlows } from './attempt-chances.js';
import type { RequestKind } from '../traffic.js';
import { isObstacle, type Obstacle } from '../obstacle.js';
import type { LeastRequestConfig } from '../../policy/least-request.js';
import { equilibriumOf, type HostClass } from './supermarket.js';
import { weightedShares } from './weighted-load.js';
import { longestOf, meanOf } from '../../random/distributions.js';

/** Hosts of one list by how long they keep their requests; as they were when the list was delivered. */
interface BusyList {
  /** Row and class of each position. */
  readonly rows: readonly number[];
  readonly classOf: readonly number[];
  /** The obstacle, where one of several fits no model. */
  readonly classes: readonly BusyClass[] | Obstacle;
}

type Work = (busy: (portion: number) => BusyHosts) => Outcome;

/** A part of this size that rests on the state before is too much. */
const MOST_UNSETTLED = 0.05;

/**
 * Least request among busy hosts: what the hosts of one cluster are sent by one proxy while no rate changes, from
 * models of their open requests ({@link busyShares}). It goes from stretch to stretch in the order of time, and knows
 * the shares of the one before.
 */
export class BusyLists {
  /** Shares by row at the end of the last stretch; undefined: no host was busy. */
  private before: ReadonlyMap<number, number> | undefined;
  private last: { readonly fromUs: Micros; readonly outcomes: readonly FlowOutcome[] } | undefined;

  /** Most hosts behave as they did in the phase before. */
  private readonly keys = new WeakMap<Behavior, string>();

  constructor(private readonly cluster: LoadedCluster) {}

  /** The outcome of requests of `kind` in a stretch of time. @param underLoad why there is none without a model. */
  over(kind: RequestKind, underLoad: Obstacle): (fromUs: Micros, toUs: Micros) => Outcome {
    const { view } = this.cluster;
    const chain = view.chain(kind.metadataMatch);
    const context = view.context(underLoad);
    const work: Work = (busy) => byLists(chain, context, busy);
    // Lists are read now: the behaviour of their hosts may change later.
    const lists = new Map<readonly Host[], BusyList | Obstacle>();
    const timeoutUs = commonTimeout(this.cluster);
    work(() => ({
      split: (group) => {
        lists.set(group.hosts, isObstacle(timeoutUs) ? timeoutUs : this.busyList(group, timeoutUs));
        return { share: 1 / group.hosts.length, drawn: true, granularity: 0, errorRequests: 0 };
      },
    }));
    return (fromUs, toUs) => combined(this.outcomes(work, lists, context.bias, fromUs, toUs), kind);
  }

  /** Once for all kinds of request. */
  private outcomes(
    work: Work,
    lists: ReadonlyMap<readonly Host[], BusyList | Obstacle>,
    bias: number,
    fromUs: Micros,
    toUs: Micros,
  ): readonly FlowOutcome[] {
    if (this.last?.fromUs === fromUs) return this.last.outcomes;
    const outcomes = steadyFlows(this.cluster, fromUs, toUs).flatMap((flow): FlowOutcome[] => {
      if (flow.rate === 0 && flow.pace !== 'unsteady') {
        this.before = undefined;
        return [];
      }
      const stretch = new Stretch(flow, this.cluster, bias, lists, this.before);
      const outcome = work((portion) => ({ split: (group, part) => stretch.split(group, portion * part) }));
      this.before = stretch.shares;
      return [{ flow, outcome }];
    });
    this.last = { fromUs, outcomes };
    return outcomes;
  }

  private busyList({ hosts, level }: HostGroup, timeoutUs: Micros): BusyList | Obstacle {
    const { delivered, priority } = level;
    if (delivered.sharesRows) return { kind: 'listed_twice' };
    const indices = new Map<string, number>();
    const found: { readonly behavior: Behavior; readonly weight: number; count: number }[] = [];
    const classOf: number[] = [];
    for (const host of hosts) {
      const behavior = this.cluster.behaviorOf(host, priority);
      const weight = delivered.weightOf(host);
      const key = `${weight} ${entryOf(this.keys, behavior, () => timesKey(behavior))}`;
      const known = entryOf(indices, key, () => found.push({ behavior, weight, count: 0 }) - 1);
      (found[known] as { count: number }).count++;
      classOf.push(known);
    }
    const own = [...rowsOf(hosts)];
    const classes: BusyClass[] = [];
    for (const { behavior, weight, count } of found) {
      const times = hostTimes(behavior, timeoutUs);
      // Equal hosts need no model.
      if (isObstacle(times) && found.length > 1) return { rows: own, classOf, classes: times };
      classes.push({ ...(isObstacle(times) ? ANY_TIMES : times), weight, count });
    }
    return { rows: own, classOf, classes };
  }
}

const ANY_TIMES: HostTimes = { held: 0, wire: 0, service: 0, servers: Infinity, exponential: false, constant: false };

type FlowOutcome = Readonly<{ flow: SteadyFlow; outcome: Outcome }>;

function combined(flows: readonly FlowOutcome[], { before }: RequestKind): Outcome {
  const counted = flows.flatMap(({ flow, outcome }) => {
    const [from, to] = [before(flow.fromUs), before(flow.toUs)];
    const count = from === undefined || to === undefined ? 0 : to - from;
    return count > 0 ? [{ outcome, count }] : [];
  });
  const whole = mixed(counted.length > 0 ? counted : flows.slice(0, 1).map(({ outcome }) => ({ outcome, count: 0 })));
  return isObstacle(whole) ? Outcome.without(whole) : whole;
}

/** Lists are split while one rate holds. */
class Stretch {
  readonly shares = new Map<number, number>();

  constructor(
    private readonly flow: SteadyFlow,
    private readonly cluster: LoadedCluster,
    private readonly bias: number,
    private readonly lists: ReadonlyMap<readonly Host[], BusyList | Obstacle>,
    private readonly before: ReadonlyMap<number, number> | undefined,
  ) {}

  split({ hosts }: HostGroup, portion: number): ListSplit | Obstacle {
    const list = this.lists.get(hosts);
    if (list === undefined) return { kind: 'other_lists' };
    if (isObstacle(list)) return list;
    const { rows, classOf, classes } = list;
    if (rows.some((row) => this.shares.has(row))) return { kind: 'host_in_several_lists' };
    const even = 1 / rows.length;
    if (!isObstacle(classes) && classes.length === 1 && this.wasEven(rows)) {
      for (const row of rows) this.shares.set(row, even);
      // Equal hosts have equal shares, however busy they are.
      return { share: even, drawn: true, granularity: 0, errorRequests: 0 };
    }
    if (isObstacle(classes)) return classes;
    const { flow, bias, cluster } = this;
    if (classes.some(({ servers }) => servers < Infinity) && cluster.isShared()) return { kind: 'hosts_shared' };
    const model = busyShares(classes, { ...flow, rate: flow.rate * portion }, cluster.view.config.leastRequest, bias);
    if (isObstacle(model)) return model;
    if (model.open + 6 * Math.sqrt(model.open) > DEFAULT_LIMITS.maxConnections)
      return { kind: 'beyond_limits', open: model.open, allowed: DEFAULT_LIMITS.maxConnections };
    const share = Float64Array.from(classOf, (index) => model.shares[index] as number);
    const unsettled = this.unsettled(rows, share, classOf, model);
    for (const [position, row] of rows.entries()) this.shares.set(row, share[position] as number);
    if (unsettled > MOST_UNSETTLED) return { kind: 'unsettled', settles_s: model.settlesS };
    return { share, drawn: true, granularity: 0, errorRequests: 0, errorShare: Math.min(1, model.error + unsettled) };
  }

  private wasEven(rows: readonly number[]): boolean {
    const { before } = this;
    if (before === undefined) return true;
    const [first = -1] = rows;
    return rows.length === before.size && rows.every((row) => before.get(row) === before.get(first));
  }

  /** The error of shares because hosts start in the state of the stretch before. */
  private unsettled(
    rows: readonly number[],
    share: Float64Array,
    classOf: readonly number[],
    { idle, most, settlesS }: BusyShares,
  ): number {
    const { before, flow, cluster } = this;
    const off = rows.reduce((largest, row, position) => {
      const own = before === undefined ? idle[classOf[position] as number] : before.get(row);
      // A new host starts idle, and is preferred.
      return Math.max(largest, Math.abs((share[position] as number) - (own ?? most)));
    }, 0);
    const countedFromUs = Math.min(Math.max(flow.fromUs, cluster.warmupUs), flow.toUs);
    const lasts = microsToSeconds(flow.toUs - countedFromUs);
    const early = microsToSeconds(countedFromUs - flow.fromUs);
    if (lasts === 0) return 0;
    return off * Math.min(1, settlesS / lasts) * Math.exp(-early / Math.max(settlesS, 1e-9));
  }
}

/** Time after which a hanging host is given up; it must be the same for all. */
function commonTimeout({ kinds, portionOf }: LoadedCluster): Micros | Obstacle {
  const own = kinds.filter((kind) => portionOf(kind) > 0);
  const times = own.map(({ spec }) => {
    const tries = [spec.timeoutUs, spec.retryPolicy?.perTryTimeoutUs ?? 0].filter((us) => us > 0);
    return tries.length === 0 ? 0 : Math.min(...tries);
  });
  if (own.some(({ spec }) => spec.size !== undefined)) return { kind: 'sized_requests' };
  const metadata = new Set(own.map((kind) => JSON.stringify(kind.metadataMatch)));
  if (metadata.size > 1) return { kind: 'other_subsets_busy' };
  return new Set(times).size > 1 ? { kind: 'several_timeouts' } : (times[0] ?? 0);
}

interface HostTimes extends Omit<HostClass, 'count'> {
  /** All times are exponential; else their form matters a little to a schedule. */
  readonly exponential: boolean;
  readonly constant: boolean;
}

export interface BusyClass extends HostTimes {
  readonly count: number;
  readonly weight: number;
}

/** @returns the obstacle, where no model fits. */
function hostTimes(behavior: Behavior, timeoutUs: Micros): HostTimes | Obstacle {
  const { serviceTime, networkLatency, connectTime, concurrency, down, connectFailureRate } = behavior;
  const held = behavior.initialActiveRequests;
  const still = { held, wire: 0, servers: Infinity, exponential: false, constant: true };
  if (down === 'refuse') return { ...still, service: 0 };
  if (meanOf(connectTime) > 0 || connectFailureRate > 0) return { kind: 'new_connections' };
  if (down === 'hang') {
    if (timeoutUs === 0) return { kind: 'open_for_ever' };
    return { ...still, service: microsToSeconds(timeoutUs) };
  }
  if (serviceTime.kind === 'cached') return { kind: 'cached_service' };
  const heavy = [serviceTime, networkLatency].some((time) => time.kind === 'pareto' && time.shape <= 2);
  if (heavy) return { kind: 'heavy_tail' };
  const longest = longestOf(serviceTime) + longestOf(networkLatency);
  if (timeoutUs > 0 && longest > timeoutUs) return { kind: 'late_answers' };
  const [service, wire] = [microsToSeconds(meanOf(serviceTime)), microsToSeconds(meanOf(networkLatency))];
  const kinds = [...(service > 0 ? [serviceTime.kind] : []), ...(wire > 0 ? [networkLatency.kind] : [])];
  const exponential = kinds.length === 1 && kinds[0] === 'exponential';
  const constant = kinds.every((kind) => kind === 'constant');
  const servers = service === 0 ? Infinity : concurrency;
  // With exponential times as many end, whoever is served: a queue and processor sharing have the same numbers open.
  if (servers < Infinity && serviceTime.kind !== 'exponential') return { kind: 'queue_not_exponential' };
  if (servers < Infinity && behavior.queueLimit < Infinity) return { kind: 'queue_refuses' };
  return { held, wire, service, servers, exponential, constant };
}

/** The same for behaviours that keep requests equally long. */
function timesKey(behavior: Behavior): string {
  const { serviceTime, networkLatency, connectTime, concurrency, queueLimit, down, connectFailureRate } = behavior;
  const limits = [String(concurrency), behavior.discipline, String(queueLimit)];
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
  if (classes.some(({ weight }) => weight !== classes[0]?.weight)) return ofSchedule(classes, flow, bias);
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
  if (classes.some(({ servers }) => servers < Infinity)) return { kind: 'queues_of_schedule' };
  if (classes.length > MOST_SCHEDULED) return { kind: 'too_many_classes' };
  const opens = classes.map(({ wire, service }) => wire + service);
  const loaded = classes.map((one, index) => ({ ...one, open: opens[index] as number }));
  const shares = weightedShares(loaded, rate, bias);
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
    open: sum(loaded.map(({ count, open }, index) => count * rate * (shares[index] as number) * open)),
    settlesS: 2 * Math.max(...opens),
  };
}

const largest = (shares: readonly number[], of: (share: number, index: number) => number): number =>
  shares.reduce((most, share, index) => Math.max(most, Math.abs(of(share, index))), 0);
