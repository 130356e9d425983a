import { present, sum } from '../core/values.js';
import { microsToSeconds } from '../core/units.js';
import { RuntimeValues } from '../core/runtime-values.js';
import { quirksOf } from '../core/version.js';
import { HealthFlag, Host, localityKey } from '../host/host.js';
import { aggregateLevels } from '../hostset/aggregate.js';
import { Levels } from '../hostset/levels.js';
import type { SplitFact } from '../hostset/generated/split-facts.js';
import { factsAcross, splitFacts } from '../hostset/split-facts.js';
import type { Scenario } from '../scenario/model.js';
import type { HostRow } from '../result/phase-hosts.js';
import * as balancers from './balancer.js';
import type { End } from './cluster-prediction.js';
import { aggregated, type Cluster } from '../config/cluster/cluster-shape.js';
import { hashesItself } from '../config/policy/policy.js';
import { policyOf } from '../config/policy/of-cluster.js';
import { clustersAsked, type ProxySpec } from '../settings/world.js';
import { clusterInfo } from '../upstream/cluster-info.js';
import type { ClusterPredictor } from './cluster-predictor.js';
import { slicesOf } from './list-shares.js';
import { isObstacle, type Obstacle } from './obstacle.js';
import { Outcome } from './outcome.js';
import type { ChainLink, ProxyClusterView } from './proxy-view.js';
import { predicted } from './predict.js';
import { hashesIn, type KindOutcome } from './request-outcome.js';
import type { RequestKind } from './traffic.js';

/** How a cluster's requests split after a loss. */
export interface SplitAtRest {
  /** Part of the requests that one host of a row gets, 0–1; then, from {@link ClusterAtRest.lostRow} on, one that is unhealthy. */
  readonly share: Float64Array;
  /** Part that finds no host. */
  readonly none: number;
  /** Requests reach a priority that is in panic. */
  readonly panic: boolean;
  /** Of each proxy that requests go through, why the split is what it is. */
  readonly facts: () => readonly SplitFact[];
}

export type AskedBalancer = ReturnType<ClusterAtRest['asked']>[number];

/** A host, as it is with nothing lost, and one as it is when it is lost. */
type ListedHost = Readonly<{ host: Host; flags: number; lost: Host }>;

/**
 * One cluster of a scenario as it stands in the end: any of its hosts can be lost, and its split follows at once. One host may
 * stand for many that are alike, and is in lists as often as there are.
 */
export class ClusterAtRest {
  /** One each for every host that there is. */
  readonly rows: readonly HostRow[] = (this.homes[0] ?? this.predictor).rows.rows;
  /** Length of the traffic in seconds. */
  readonly seconds: number = microsToSeconds(this.end.atUs);
  /** As the first proxy lists them with nothing lost. */
  readonly hosts: readonly { readonly host: Host; readonly priority: number; readonly cluster: string }[] =
    this.homes.flatMap((home) => Array.from(home.hosts(), (at) => ({ ...at, cluster: home.name })));
  /** Those that have its hosts: itself, or the clusters of an aggregate. */
  readonly clusters: readonly Cluster[] = this.homes.map(({ cluster }) => cluster);
  private readonly views: readonly ProxyClusterView[] = this.homes.flatMap(({ views }) => views);
  private readonly isAggregate: boolean = this.homes[0] !== this.predictor;
  /** By view and priority, with nothing lost. */
  private readonly listed: readonly (readonly Readonly<{
    hosts: readonly ListedHost[];
    rows: ReadonlySet<number>;
  }>[])[];
  private readonly copiesOf = Int32Array.from(this.rows, ({ address }) => this.alike.get(address)?.length ?? 1);
  /** What is lost, by row: a list of which nothing else is lost stays as it is. undefined: it is not known. */
  private before: Int32Array | undefined;

  private constructor(
    private readonly predictor: ClusterPredictor,
    private readonly homes: readonly ClusterPredictor[],
    private readonly end: End,
    private readonly scenario: Scenario,
    /** How many hosts one stands for, by its address. Default: one. */
    private readonly alike: ReadonlyMap<string, { readonly length: number }>,
  ) {
    this.listed = this.views.map(({ upstream }) =>
      upstream.priorities.levels.map(({ listed, hosts: all }) => {
        const hosts = (listed ?? all).map((host) => this.listedHost(host));
        return { hosts, rows: new Set(hosts.map(({ host }) => host.index)) };
      }),
    );
    if (this.isAggregate) predictor.passesOn = (kind, proxy) => this.passedOn(kind, proxy);
  }

  /** All clusters of a scenario, by name. @param alike see the constructor. */
  static async all(
    scenario: Scenario,
    alike: (cluster: string) => ReadonlyMap<string, { readonly length: number }> = () => new Map(),
  ): Promise<(cluster: string) => ClusterAtRest | undefined> {
    const { predictors, end } = await predicted(scenario, true);
    const asked = clustersAsked(scenario);
    return (cluster) => {
      const predictor = predictors.get(cluster);
      const names = predictor && asked.has(cluster) ? (aggregated(predictor.cluster) ?? []) : [];
      // One that is an aggregate itself is passed over.
      const members = present(names.map((name) => predictors.get(name))).filter((one) => !aggregated(one.cluster));
      const homes = members.length === 0 && predictor ? [predictor] : members;
      return predictor && new ClusterAtRest(predictor, homes, end, scenario, alike(cluster));
    };
  }

  private listedHost(host: Host): ListedHost {
    const { address, hostname, weight, locality, metadata, flags, activeRequests, index } = host;
    if (this.copies(index) === 1) return { host, flags, lost: host };
    const lost = new Host({ address, hostname, weight, locality, metadata, flags: flags | LOST });
    lost.activeRequests = activeRequests;
    lost.index = this.lostRow(index);
    return { host, flags, lost };
  }

  /** At so many proxies each host is listed. */
  get proxies(): number {
    return this.views.length / this.homes.length;
  }

  /** How many hosts a row stands for. */
  copies(row: number): number {
    return this.copiesOf[row] ?? 1;
  }

  /** Where the share of one that is unhealthy stands. */
  lostRow(row: number): number {
    return this.copies(row) === 1 ? row : this.rows.length + row;
  }

  /** Expected number; null: it depends on how the run goes. */
  get requests(): number | null {
    return this.predictor.untilEnd(this.end.beforeUs).requests;
  }

  /** Open requests that circuit breakers admit, of all proxies; null: they are of several kinds, or requests of several priorities. */
  get admitted(): number | null {
    const { kinds, settings } = this.predictor;
    const [proxy, ...others] = this.scenario.proxies;
    const [priority, ...more] = new Set(kinds.map(({ spec }) => spec.priority));
    if (proxy === undefined || priority === undefined || others.length + more.length > 0) return null;
    if (this.isAggregate) return null;
    const { maxRequests, maxConnections } = settings.breakers[priority];
    if (settings.connections.http2) return proxy.count * maxRequests;
    return (
      proxy.count * (quirksOf(proxy.version).poolsAreAlike ? Math.min(maxRequests, maxConnections) : maxConnections)
    );
  }

  /**
   * Hosts are unhealthy, or no longer listed; all others are as they were.
   *
   * @param unhealthy how many, by row.
   * @param gone      the same, of rows that stand for one host.
   */
  lose(unhealthy: ArrayLike<number>, gone: ArrayLike<number>): void {
    const { views } = this;
    // Where no weight is left to speak of, priorities keep loads and panic that they had: what was there before matters.
    if (
      this.isAggregate ||
      views.some(({ levels }) => levels.some(({ weightedPriorityHealth }) => weightedPriorityHealth))
    ) {
      for (const view of views) view.forget();
      this.before = undefined;
      this.relist([], []);
      for (const view of views) for (const { metadataMatch } of this.predictor.kinds) view.chain(metadataMatch);
    }
    this.relist(unhealthy, gone);
  }

  private relist(unhealthy: ArrayLike<number>, gone: ArrayLike<number>): void {
    const now = new Int32Array(2 * this.rows.length);
    const changed: number[] = [];
    for (let row = 0; row < this.rows.length; row++) {
      const [ill, lost] = [unhealthy[row] ?? 0, gone[row] ?? 0];
      if (ill !== this.before?.[2 * row] || lost !== this.before[2 * row + 1]) changed.push(row);
      now[2 * row] = ill;
      now[2 * row + 1] = lost;
    }
    this.before = now;
    for (const [index, view] of this.views.entries()) {
      const lists = (this.listed[index] ?? []).map((level) => {
        if (!changed.some((row) => level.rows.has(row))) return undefined;
        const list: Host[] = [];
        for (const { host, flags, lost } of level.hosts) {
          const ill = unhealthy[host.index] ?? 0;
          if (host === lost) {
            host.flags = ill > 0 ? flags | LOST : flags;
            if ((gone[host.index] ?? 0) === 0) list.push(host);
            continue;
          }
          const from = list.length;
          list.length += this.copies(host.index);
          list.fill(lost, from, from + ill).fill(host, from + ill);
        }
        return list;
      });
      view.upstream.relist(lists, 0);
      view.settle();
    }
  }

  /** The split as it is now. @returns why there is none. */
  split(): SplitAtRest | Obstacle {
    const rows = this.rows.length * (this.alike.size > 0 ? 2 : 1);
    const { outcome } = this.predictor.untilEnd(this.end.beforeUs).mixed(rows);
    if (isObstacle(outcome)) return outcome;
    return {
      share: outcome.byRow(rows).share,
      none: outcome.none,
      panic: this.panics(),
      facts: () => this.facts(),
    };
  }

  /** An aggregate at one proxy: its levels, each of which is a priority of one of its clusters. */
  private aggregateAt(proxy: number) {
    const { homes, predictor, scenario } = this;
    const members = homes.flatMap((home) => {
      const view = home.views[proxy];
      return view === undefined ? [] : [{ home, view, hostSets: view.levels }];
    });
    const levels = aggregateLevels(members);
    const { lb } = clusterInfo(predictor.settings, scenario.proxies[proxy] as ProxySpec);
    const hostSets = levels.map(({ hostSet }) => hostSet);
    return { levels, lb, state: new Levels(lb, members[0]?.view.runtime ?? new RuntimeValues({}), hostSets) };
  }

  /** Balancers that requests of a kind meet at one proxy, and the part of them that does. */
  private waysOf({ metadataMatch }: RequestKind, proxy: number) {
    if (!this.isAggregate)
      return present([this.views[proxy]]).map((view) => {
        return { home: this.predictor, view, part: 1, chain: view.chain(metadataMatch) };
      });
    const { levels, state } = this.aggregateAt(proxy);
    return slicesOf(state.state.load).flatMap(({ priority: level, degraded, from, to }) => {
      const { member, priority } = levels[level] ?? {};
      // On the level that was drawn; a policy that hashes chooses again.
      const slices = [{ priority: priority ?? 0, degraded, from: 0, to: 100 }];
      const chain = member?.view.chain(metadataMatch).map(({ balancer, ...link }): ChainLink => {
        return { ...link, balancer: balancers.isHashPolicy(balancer.config) ? balancer : { ...balancer, slices } };
      });
      return member === undefined || chain === undefined ? [] : [{ ...member, part: (to - from) / 100, chain }];
    });
  }

  private facts(): readonly SplitFact[] {
    const { scenario, isAggregate, predictor } = this;
    if (!isAggregate) return predictor.facts();
    const of = (proxy: number): SplitFact[] => {
      const { levels, state, lb } = this.aggregateAt(proxy);
      const aggregate = levels.map(({ member, priority }) => ({ cluster: member.home.name, priority }));
      return splitFacts({ ...state.describe(), zone: undefined, aggregate }, lb);
    };
    return factsAcross(new Map(scenario.proxies.map(({ name }, proxy) => [name, of(proxy)])));
  }

  private passedOn(kind: RequestKind, proxy: number): KindOutcome {
    if (this.clusters.some((cluster) => hashesItself(policyOf(cluster))))
      return Outcome.without({ kind: 'hashes_more' });
    const parts = this.waysOf(kind, proxy).map(({ home, view, part, chain }) => {
      return { part, outcome: home.outcomeInside(kind, view, chain) };
    });
    return (fromUs, toUs) => {
      const whole = new Outcome();
      for (const { part, outcome } of parts)
        whole.mix(typeof outcome === 'function' ? outcome(fromUs, toUs) : outcome, part);
      if (parts.length === 0) whole.addNone(1);
      return whole;
    };
  }

  /**
   * The balancers that requests are divided among, with nothing said of those that none reaches.
   *
   * @param gone    clusters whose lost hosts are no longer listed: a subset without hosts is none, and requests fall back.
   * @param losable rows of hosts that may still be lost: with none of them, a balancer that finds no host is passed over.
   */
  asked(gone: ReadonlySet<string>, losable?: ReadonlySet<number>) {
    const { scenario, homes, isAggregate } = this;
    return this.streams().flatMap(({ proxy, kind, portion }) => {
      const { version, runtime, node, localClusterName } = scenario.proxies[proxy] as ProxySpec;
      const keys = (): ReturnType<typeof hashesIn> | undefined =>
        kind.hash.kind === 'none' ? undefined : hashesIn(kind.hash, 0, this.end.beforeUs);
      const asked = homes.flatMap((home, at) => {
        const view = home.views[proxy];
        const chain = view?.chain(kind.metadataMatch) ?? [];
        const isSpent = ({ balancer: { levels }, singleHost }: ChainLink): boolean =>
          !singleHost &&
          losable !== undefined &&
          !levels.some(({ hosts }) => hosts.some((one) => losable.has(one.index)));
        const used = chain.findIndex((link) => !isSpent(link) || (view && leaves(link.balancer, view) < 1));
        const [first, ...others] = chain.slice(used);
        if (view === undefined || first === undefined) return [];
        // A single host: it takes its first one, whatever its health.
        const { balancer, singleHost } = first;
        /** Others may be asked where it finds no host. */
        const isGone = gone.has(home.name);
        const isChain = others.length > 0 || (isGone ? first.name !== undefined : singleHost && view.readsHealthLive);
        // Balancers of one name at proxies that are alike are alike.
        const place = view.knowsZones && node?.locality ? localityKey(node.locality) : undefined;
        const isRouted = balancer.zones !== undefined && 'local' in balancer.zones.finding;
        const unplaced = JSON.stringify([at, first.name, version, runtime, localClusterName]);
        const name = JSON.stringify([unplaced, isRouted ? true : place]);
        const isSubset = first.name !== undefined;
        const parts = [{ portion, keys }];
        return [{ home, balancer, view, unplaced, name, place, portion, isChain, isGone, isSubset, singleHost, parts }];
      });
      const whole = isAggregate ? this.aggregateAt(proxy) : undefined;
      const threshold = whole?.state.threshold;
      /** Where levels of an aggregate ask; -1: their cluster has no balancer for such requests. */
      const homeOf = (own: ClusterPredictor): number => asked.findIndex(({ home }) => home === own);
      const divided = whole && {
        state: whole.state.state,
        config: whole.lb,
        places: whole.levels.map(({ member, priority }) => ({ home: homeOf(member.home), priority })),
      };
      const group = asked.map(({ name }) => name).join();
      // Requests are divided among the hosts that levels of an aggregate count.
      const isWhole = asked.length === homes.length && asked.every(({ isSubset }) => !isSubset);
      return asked.map((one, at) => ({ ...one, at, group, threshold, divided, isWhole }));
    });
  }

  /** Requests of one kind through one proxy, and their part of all, 0–1; those that never come are left out. */
  private streams() {
    const all = this.scenario.proxies.flatMap((_, proxy) =>
      this.predictor.kinds.map((kind) => {
        const portion = kind.portions[proxy] ?? 0;
        return { proxy, kind, portion, count: (kind.before(this.end.beforeUs) ?? NaN) * portion };
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

  /** Whether some of a kind have a hash with one of these residues: others never reach that priority. */
  private reach({ hash }: RequestKind, residues: Uint8Array): boolean {
    if (hash.kind === 'none') return true;
    const { hashes, portions } = hashesIn(hash, 0, this.end.beforeUs);
    return portions.some((portion, at) => portion > 0 && residues[hashes.residues[at] as number] === 1);
  }

  /** Whether requests reach a priority in panic: a balancer further on in a chain, where those before it have no host. */
  private panics(): boolean {
    return this.streams().some(({ proxy, kind }) =>
      this.waysOf(kind, proxy).some(({ view, chain }) => {
        for (const { balancer, singleHost } of chain) {
          const { state, slices, levels } = balancer;
          if (singleHost) return false;
          const isPanic = (priority: number): boolean =>
            state.panic[priority] === true && (levels[priority]?.hosts.length ?? 0) > 0;
          const meets = (priority: number): boolean =>
            !balancers.isHashPolicy(balancer.config) || this.reach(kind, balancers.residuesOf(slices, priority));
          if (slices.some(({ priority }) => isPanic(priority) && meets(priority))) return true;
          if (chain.length === 1 || leaves(balancer, view) === 0) return false;
        }
        return false;
      }),
    );
  }
}

const LOST = HealthFlag.FAILED_EDS_HEALTH;

/** The part of its requests for which a balancer finds no host. */
function leaves(balancer: balancers.Balancer, view: ProxyClusterView): number {
  const answer = new Outcome();
  if (balancers.isHashPolicy(balancer.config)) balancers.pickByDrawnHash(balancer, answer);
  else balancers.pickFromLists(balancer, view.context(undefined), answer);
  return answer.none;
}
