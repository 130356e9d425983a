import { entryOf } from '../../core/lists.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { Behavior } from '../../settings/behavior.js';
import { DEFAULT_LIMITS } from '../../config/to-settings.js';
import { busyShares, type BusyShares, type BusyClass, hostTimes, type HostTimes, timesKey } from './busy-shares.js';
import { type HostGroup, rowsOf } from '../delivered-level.js';
import type { BusyHosts, ListSplit } from '../list-shares.js';
import { mixed } from '../mixture.js';
import { Outcome } from '../outcome.js';
import { byLists } from '../request-outcome.js';
import { type LoadedCluster, type SteadyFlow, steadyFlows } from './attempt-chances.js';
import type { RequestKind } from '../traffic.js';
import { isObstacle, type Obstacle } from '../obstacle.js';

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

interface FlowOutcome {
  readonly flow: SteadyFlow;
  readonly outcome: Outcome;
}

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
    const { leastRequest } = cluster.view.config;
    const model = busyShares(classes, { ...flow, rate: flow.rate * portion }, leastRequest, bias);
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
  const metadata = new Set(own.map((kind) => JSON.stringify(kind.metadataMatch)));
  if (metadata.size > 1) return { kind: 'other_subsets_busy' };
  return new Set(times).size > 1 ? { kind: 'several_timeouts' } : (times[0] ?? 0);
}
