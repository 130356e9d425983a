import { sum } from '../core/lists.js';
import { microsToSeconds } from '../core/units.js';
import { type Host, HealthFlag } from '../host/host.js';
import { factsAcross, type SplitFact } from '../hostset/split-facts.js';
import type { Scenario } from '../scenario/model.js';
import type { HostRow } from '../result/phase-hosts.js';
import { type Balancer, isHashPolicy, pickByDrawnHash, pickFromLists, type PickContext } from './balancer.js';
import type { End } from './cluster-prediction.js';
import type { ClusterPredictor } from './cluster-predictor.js';
import { rowOrder, type RowOrder } from './host-columns.js';
import { isObstacle, type Obstacle } from './obstacle.js';
import { splitOf } from './mixture.js';
import { Outcome } from './outcome.js';
import { predictorsAtEnd } from './predict.js';
import type { PredictedSplit } from './prediction.js';
import type { ProxyClusterView } from './proxy-view.js';

/** How a cluster's requests split after a loss. */
export interface SplitAtRest {
  /** Part of the requests by row, 0–1. */
  readonly share: Float64Array;
  /** Part that finds no host. */
  readonly none: number;
  /** Requests reach a priority that is in panic. */
  readonly panic: boolean;
  /** Of each proxy that requests go through, why the split is what it is. */
  readonly facts: () => readonly SplitFact[];
  readonly split: () => PredictedSplit;
}

/** One of the balancers among which the requests are divided. */
export interface AskedBalancer {
  readonly balancer: Balancer;
  readonly view: ProxyClusterView;
  /** Balancers of one name at proxies that are alike are alike. */
  readonly name: string;
  /** Part of all requests that it is asked with first, 0–1. */
  readonly portion: number;
  /** Others may be asked where it finds no host. */
  readonly isChain: boolean;
  /** It takes its first host, whatever its health. */
  readonly singleHost: boolean;
}

/** One cluster of a scenario as it stands in the end: any of its hosts can be lost, and its split follows at once. */
export class ClusterAtRest {
  /** Every host that there is: one row each. */
  readonly rows: readonly HostRow[];
  /** Length of the traffic in seconds. */
  readonly seconds: number;
  /** As the first proxy lists them with nothing lost. */
  readonly hosts: readonly { readonly host: Host; readonly priority: number }[];
  private order: RowOrder | undefined;
  /** By proxy specification and priority, with nothing lost. */
  private readonly listed: readonly (readonly { readonly hosts: readonly Host[]; readonly flags: Int32Array }[])[];

  private constructor(
    private readonly predictor: ClusterPredictor,
    private readonly end: End,
    private readonly scenario: Scenario,
  ) {
    this.rows = predictor.rows.rows;
    this.hosts = [...predictor.hosts()];
    this.seconds = microsToSeconds(end.atUs);
    this.listed = predictor.views.map(({ upstream }) =>
      upstream.priorities.levels.map(({ listed, hosts }) => ({
        hosts: listed ?? hosts,
        flags: Int32Array.from(listed ?? hosts, ({ flags }) => flags),
      })),
    );
  }

  /** All clusters of a scenario, by name. */
  static async all(scenario: Scenario): Promise<(cluster: string) => ClusterAtRest | undefined> {
    const { predictors, end } = await predictorsAtEnd(scenario);
    return (cluster) => {
      const predictor = predictors.get(cluster);
      return predictor && new ClusterAtRest(predictor, end, scenario);
    };
  }

  /** Expected number; null: it depends on how the run goes. */
  get requests(): number | null {
    return this.predictor.untilEnd(this.end.beforeUs).requests;
  }

  /** Hosts, by row, are unhealthy, or no longer listed; all others are as they were. */
  lose(unhealthy: readonly number[], gone: readonly number[]): void {
    const { views, kinds } = this.predictor;
    // Where no weight is left to speak of, priorities keep the loads that they had: what was there before matters.
    if (views.some(({ levels }) => levels.some(({ weightedPriorityHealth }) => weightedPriorityHealth))) {
      for (const view of views) view.forget();
      this.relist([], []);
      for (const view of views) for (const { metadataMatch } of kinds) view.chain(metadataMatch);
    }
    this.relist(unhealthy, gone);
  }

  private relist(unhealthy: readonly number[], gone: readonly number[]): void {
    const ill = markedRows(this.rows.length, unhealthy);
    const lost = markedRows(this.rows.length, gone);
    for (const [index, view] of this.predictor.views.entries()) {
      const lists = (this.listed[index] ?? []).map(({ hosts, flags }) => {
        for (const [at, host] of hosts.entries()) {
          const own = flags[at] as number;
          host.flags = ill[host.index] === 1 ? own | HealthFlag.FAILED_EDS_HEALTH : own;
        }
        return gone.length === 0 ? hosts : hosts.filter((host) => lost[host.index] !== 1);
      });
      view.upstream.relist(lists, 0);
      view.settle();
    }
  }

  /** The split as it is now. @returns why there is none. */
  split(): SplitAtRest | Obstacle {
    const { predictor, scenario } = this;
    const mixed = predictor.untilEnd(this.end.beforeUs).mixed(this.rows.length);
    const { outcome } = mixed;
    if (isObstacle(outcome)) return outcome;
    const { views } = predictor;
    return {
      share: outcome.byRow(this.rows.length).share,
      none: outcome.none,
      panic: this.panics(),
      facts: () =>
        factsAcross(new Map(views.map((view, proxy) => [scenario.proxies[proxy]?.name ?? '', view.facts(scenario)]))),
      split: () => splitOf({}, mixed, (this.order ??= rowOrder(this.rows)), [predictor.statesNow()]),
    };
  }

  /**
   * The balancers that requests are divided among, with nothing said of those that none reaches.
   *
   * @param isGone lost hosts are no longer listed: a subset without hosts is none, and requests fall back.
   */
  asked(isGone: boolean): AskedBalancer[] {
    const likeness = this.scenario.proxies.map(({ version, runtime, node, localClusterName }) =>
      JSON.stringify([version, runtime, localClusterName, node?.locality ?? null]),
    );
    return this.streams().flatMap(({ view, proxy, kind, portion }) => {
      const [first, ...others] = view.chain(kind.metadataMatch);
      if (first === undefined) return [];
      const { balancer, singleHost } = first;
      const isChain = others.length > 0 || (isGone && first.name !== undefined);
      const name = `${likeness[proxy] ?? ''} ${first.name ?? ''}`;
      return [{ balancer, view, name, portion, isChain, singleHost }];
    });
  }

  /** Requests of one kind through one proxy, and their part of all, 0–1; those that never come are left out. */
  private streams() {
    const { views, kinds } = this.predictor;
    const all = views.flatMap((view, proxy) =>
      kinds.map((kind) => {
        const portion = kind.portions[proxy] ?? 0;
        return { view, proxy, kind, portion, count: (kind.before(this.end.beforeUs) ?? NaN) * portion };
      }),
    );
    const streams = all.filter(({ portion }) => portion > 0);
    const whole = sum(streams.map(({ count }) => count));
    // Where some number is not known, all kinds of requests count as those that never come do.
    if (!(whole > 0)) {
      const idle = sum(streams.map(({ portion }) => portion));
      return streams.map((one) => ({ ...one, portion: one.portion / idle }));
    }
    return streams.filter(({ count }) => count > 0).map((one) => ({ ...one, portion: one.count / whole }));
  }

  /** Whether requests reach a priority in panic: a balancer further on in a chain, where those before it have no host. */
  private panics(): boolean {
    return this.streams().some(({ view, kind }) => {
      const chain = view.chain(kind.metadataMatch);
      for (const { balancer, singleHost } of chain) {
        const { state, slices, levels } = balancer;
        if (singleHost) return false;
        const isPanic = (priority: number): boolean =>
          state.panic[priority] === true && (levels[priority]?.hosts.length ?? 0) > 0;
        if (slices.some(({ priority }) => isPanic(priority))) return true;
        if (chain.length === 1 || !leavesSome(balancer, view.context(undefined))) return false;
      }
      return false;
    });
  }
}

/** By row: 1 for those in the lists. There may be a million, and a set of them takes long. */
export function markedRows(size: number, ...lists: readonly (readonly number[])[]): Uint8Array {
  const marks = new Uint8Array(size);
  for (const rows of lists) for (const row of rows) marks[row] = 1;
  return marks;
}

function leavesSome(balancer: Balancer, context: PickContext): boolean {
  const answer = new Outcome();
  if (isHashPolicy(balancer.config)) pickByDrawnHash(balancer, answer);
  else pickFromLists(balancer, context, answer);
  return answer.none > 0;
}
