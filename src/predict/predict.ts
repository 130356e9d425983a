import { type Struct, entryOf } from '../core/values.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import { compileKernel } from '../hash/kernel/kernel.js';
import * as worlds from '../settings/world.js';
import { Behaviors, servesAlike } from '../settings/behavior.js';
import { RuntimeValues } from '../core/runtime-values.js';
import { worldOf } from '../scenario/world-of.js';
import type { Scenario } from '../scenario/model.js';
import type { CauseResult } from '../result/happenings.js';
import type { Cause } from '../upstream/cause.js';
import { ClusterManager, type ClusterManagerListener, ManagedCluster } from '../upstream/cluster-manager.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import { TimerQueue, ProxyClusterView } from './proxy-view.js';
import { buildPrediction, type ClusterForecast, forecastOf } from './cluster-prediction.js';
import type { ClusterPredictor } from './cluster-predictor.js';
import { dnsHosts } from './dns-hosts.js';
import type { DeliveredLevel } from './delivered-level.js';
import type { ClusterPrediction, Prediction } from './generated/prediction.js';
import { drops, DROPS, type PredictionSetup, setUp } from './prediction-setup.js';
import { demand, FLAG, optionsOf, SCENARIO } from '../core/arguments.js';
import type { Obstacle } from './obstacle.js';

/**
 * What a scenario's split must be, without words. The hosts and their deliveries come from the same code as in a run, and so do the rules that draw nothing: the loads of
 * priorities, panic, zones, tables. The shares are computed here, so that a run and its prediction check each other. Least
 * request among busy hosts comes from a model, with an estimate of its error.
 */
export async function predict(scenario: Scenario, options: PredictOptions = {}): Promise<Prediction> {
  demand('predict', ['scenario', scenario, SCENARIO], ['options', options, OPTIONS]);
  const { forecasts, end } = await predicted(scenario, options.exactOnly);
  return buildPrediction(scenario, forecasts, end);
}

/** Forecasts; the predictors of clusters, by name, after all that happens in the scenario, and when its traffic ends. */
export async function predicted(scenario: Scenario, exactOnly = false) {
  await compileKernel();
  const settings = worldOf(scenario);
  const setup = setUp(scenario, settings);
  const predictor = new Predictor(scenario, settings, setup, exactOnly);
  return { forecasts: predictor.run(), predictors: predictor.predictorOf, end: setup.end };
}

/** Exact shares by cluster index. Clusters unrelated to others are predicted when asked for, which saves memory. */
export class Forecasts {
  private readonly setup: PredictionSetup = setUp(this.scenario, this.settings);
  private readonly known = new Map<number, ClusterForecast | undefined>();
  private all: readonly ClusterForecast[] | undefined;
  private whole: Prediction | undefined;

  constructor(
    private readonly scenario: Scenario,
    private readonly settings: worlds.WorldSettings,
  ) {
    const { timeline, proxies } = scenario;
    const areApart = timeline.length === 0 && proxies.every(({ localClusterName }) => localClusterName === undefined);
    if (!areApart) this.all = this.predicted();
  }

  /** @param cluster its number in the run, which has clusters of updates and of routes alone after those of the scenario. */
  of(cluster: number): ClusterForecast | undefined {
    if (cluster >= this.scenario.clusters.length) return undefined;
    return this.all === undefined
      ? entryOf(this.known, cluster, () => this.predicted([cluster])[0])
      : this.all[cluster];
  }

  /** Of one cluster, as {@link Forecasts.of}. */
  predictionOf(cluster: number): ClusterPrediction | undefined {
    const { scenario, setup } = this;
    const forecast = this.of(cluster);
    return forecast && buildPrediction(scenario, [forecast], setup.end).clusters[forecast.name];
  }

  get prediction(): Prediction {
    this.all ??= this.predicted();
    return (this.whole ??= buildPrediction(this.scenario, this.all, this.setup.end));
  }

  private predicted(clusters?: readonly number[]): readonly ClusterForecast[] {
    return new Predictor(this.scenario, this.settings, this.setup, true, clusters).run();
  }
}

export interface PredictOptions {
  /** Say nothing of least request among busy hosts, of which a model tells (`approximate`). Default false. */
  readonly exactOnly?: boolean | undefined;
}

const OPTIONS = optionsOf<PredictOptions>({ exactOnly: FLAG });

type ScheduledEntry = Readonly<{ atUs: Micros; entry: worlds.TimelineEntry }>;

const ZONE_KEYS = ['upstream.zone_routing.enabled', 'upstream.healthy_panic_threshold'];

class Predictor implements ClusterManagerListener<ManagedCluster> {
  private readonly behaviors = new Behaviors(this.scenario.behavior);
  /** By proxy specification. */
  private readonly runtimes = this.scenario.proxies.map(({ runtime }) => new RuntimeValues(runtime));
  private readonly predictors: readonly ClusterPredictor[];
  readonly predictorOf: ReadonlyMap<string, ClusterPredictor>;
  /** Discovery, which sends the same to all proxies. */
  private readonly manager: ClusterManager<ManagedCluster>;
  /** The ends of merge windows, which come before those of assignments. */
  private readonly merges = new TimerQueue();
  private readonly expiries = new TimerQueue();
  private readonly dns: ReturnType<typeof dnsHosts>;
  private isStarting = true;
  private readonly occasions: readonly ScheduledEntry[];

  constructor(
    private readonly scenario: Scenario,
    settings: worlds.WorldSettings,
    private readonly setup: PredictionSetup,
    exactOnly: boolean,
    /** Those that have to do with no other one; default: all. */
    clusters: readonly number[] = [...settings.clusters.keys()],
  ) {
    const sharesHosts = (one: ClusterPredictor): boolean => this.sharesHosts(one);
    this.predictors = clusters.map((index) => setup.predictor(index, this.behaviors, { exactOnly, sharesHosts }));
    this.predictorOf = new Map(this.predictors.map((predictor) => [predictor.name, predictor]));
    for (const predictor of this.predictors) {
      if (predictor.obstacles.always !== undefined) continue;
      predictor.views = scenario.proxies.map((spec, index) => {
        const { localClusterName: local } = spec;
        const localLevel = (): DeliveredLevel | undefined =>
          local === undefined ? undefined : this.predictorOf.get(local)?.views[index]?.levels[0];
        return new ProxyClusterView(predictor, this.merges, spec, this.runtimes[index] as RuntimeValues, localLevel);
      });
    }
    this.manager = new ClusterManager(
      // Clusters added later have no prediction, nor have those that no proxy knows.
      { ...settings, clusters: this.predictors.map((one) => one.settings), absentClusters: [], timeline: [] },
      (...cluster) => new ManagedCluster(...cluster),
      this.expiries,
      (timeUs, callback) => this.expiries.at(timeUs, callback),
      this,
    );
    this.occasions = settings.timeline
      .flatMap((entry) => worlds.occurrences(entry, setup.end.beforeUs).map((atUs) => ({ atUs, entry })))
      .sort((a, b) => a.atUs - b.atUs);
    const changesUs = this.occasions.filter(({ entry }) => entry.action.kind === 'dns').map(({ atUs }) => atUs);
    this.dns = dnsHosts(scenario.dns, changesUs, this.expiries);
  }

  run(): readonly ClusterForecast[] {
    const { end } = this.setup;
    this.start();
    let next = 0;
    for (;;) {
      const entryUs = this.occasions[next]?.atUs ?? Infinity;
      const nowUs = Math.min(entryUs, this.merges.nextUs, this.expiries.nextUs);
      if (nowUs === Infinity || nowUs > end.beforeUs) break;
      this.merges.nowUs = nowUs;
      this.expiries.nowUs = nowUs;
      // Timers come before the timeline, and the timeline before the deliveries of discovery.
      this.merge();
      this.expiries.run();
      this.deliverDns();
      const instant: worlds.TimelineEntry[] = [];
      for (; this.occasions[next]?.atUs === nowUs; next++) instant.push((this.occasions[next] as ScheduledEntry).entry);
      // Within one update of discovery, a whole assignment comes before edits of it.
      for (const entry of [...instant].sort((a, b) => rank(a.action) - rank(b.action))) this.act(entry);
      this.manager.deliverChanged();
      for (const predictor of this.predictors) predictor.refresh(nowUs);
    }
    for (const predictor of this.predictors) predictor.closeSegment(end.beforeUs);
    return this.predictors.map((predictor) => forecastOf(predictor, end));
  }

  /** Proxies, or clusters with traffic, share hosts. */
  private sharesHosts(one: ClusterPredictor): boolean {
    if (this.scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1) return true;
    const asked = worlds.clustersAsked(this.scenario);
    const own = new Set([...one.hosts()].map(({ host }) => host.address));
    return this.predictors.some(
      (other) => other !== one && asked.has(other.name) && [...other.hosts()].some(({ host }) => own.has(host.address)),
    );
  }

  private start(): void {
    for (const [index, predictor] of this.predictors.entries()) {
      const managed = this.manager.clusters[index] as ManagedCluster;
      if (this.manager.isUnassigned(managed)) for (const { upstream } of predictor.views) upstream.setInitialised();
      else this.manager.deliver(managed);
      if (managed.type === 'EDS' && drops(managed.assignment)) predictor.obstacles.lose(DROPS);
      this.dns.follow(predictor, managed);
    }
    this.deliverDns();
    for (const predictor of this.predictors) {
      for (const view of predictor.views) view.localDelivered();
      predictor.startPhase(0, [{ kind: 'start' }]);
    }
    this.isStarting = false;
    for (const predictor of this.predictors) predictor.refresh(0);
  }

  private merge(): void {
    if (!this.merges.run()) return;
    for (const predictor of this.predictors) {
      const late = predictor.causes.map((fact): CauseResult => ({ ...fact, late: true }));
      this.delivered(predictor, settled(predictor), late.length === 0 ? [{ kind: 'merged_update' }] : late);
    }
  }

  private act({ action, label }: worlds.TimelineEntry): void {
    const at_s = microsToSeconds(this.merges.nowUs);
    if (action.kind === 'assign' && drops(action.assignment)) {
      for (const [index, predictor] of this.predictors.entries())
        if (this.manager.clusters[index]?.serviceName === action.name) predictor.obstacles.lose(DROPS);
    }
    if (action.kind === 'set_runtime') this.setRuntime(action.values, label);
    else if (action.kind === 'set_behavior') this.behave(action, label);
    else if (action.kind === 'update_cluster') this.lose(action.cluster.name, { kind: 'cluster_updated', at_s });
    else if (action.kind === 'remove_cluster') this.lose(action.name, { kind: 'cluster_removed', at_s });
    // Proxies see it with their next query.
    else if (action.kind === 'dns') this.dns.replace(action.answers);
    else if (action.kind !== 'set_rate' && action.kind !== 'note') this.manager.act(action, label);
  }

  /** A phase begins in every cluster with a server that from now on gives users something else. */
  private behave({ hosts, behavior }: Extract<worlds.Action, { kind: 'set_behavior' }>, label: string): void {
    const { behaviors } = this;
    const before = new Map(this.predictors.flatMap((predictor) => predictor.hostsMeantBy(hosts)));
    behaviors.add({ hosts, behavior });
    const served = new Set<string>();
    for (const [host, known] of before) if (!servesAlike(behaviors.of([host]), known)) served.add(host.address);
    for (const predictor of this.predictors) {
      predictor.stale = true;
      if (!predictor.rows.rows.some(({ address }) => served.has(address))) continue;
      predictor.startPhase(this.merges.nowUs, [{ kind: 'timeline', entry: label }]);
    }
  }

  private setRuntime(values: Struct, label: string): void {
    const matters = ZONE_KEYS.some((key) => key in values);
    for (const runtime of this.runtimes) runtime.set(values);
    if (!matters) return;
    for (const predictor of this.predictors) {
      if (!predictor.views.some((view) => view.knowsZones)) continue;
      predictor.stale = true;
      predictor.startPhase(this.merges.nowUs, [{ kind: 'timeline', entry: label }]);
    }
  }

  private lose(name: string, why: Obstacle): void {
    for (const predictor of this.predictors) {
      if (predictor.name !== name) continue;
      predictor.obstacles.lose(why);
      predictor.stale = true;
    }
  }

  assigned(cluster: ManagedCluster, causes: readonly Cause[]): void {
    this.notify(cluster, causes, (upstream) => upstream.apply(cluster.assignment, this.merges.nowUs));
  }

  expired(cluster: ManagedCluster, causes: readonly Cause[]): void {
    this.notify(cluster, causes, (upstream) => upstream.expire(this.merges.nowUs));
  }

  private notify(
    { index, assignment }: ManagedCluster,
    causes: readonly Cause[],
    change: (upstream: UpstreamCluster) => void,
  ): void {
    const predictor = this.predictors[index] as ClusterPredictor;
    const { cluster, views } = predictor;
    for (const { fact } of causes) predictor.addCause(fact);
    const rejecting = predictor.rejecting(assignment);
    if (rejecting === 'some') this.loseRejected(predictor);
    if (rejecting === 'all') predictor.causes = [];
    const moves = (): number => views.reduce((sum, { upstream }) => sum + upstream.membership.membershipChange, 0);
    const before = moves();
    for (const { upstream } of views) change(upstream);
    this.applied(predictor, cluster.healthChecks.length > 0 && moves() > before);
  }

  private deliverDns(): void {
    this.dns.deliverAnswers((predictor) => this.applied(predictor, predictor.cluster.healthChecks.length > 0));
  }

  /** @param unchecked hosts came or went that health checks have to check first. */
  private applied(predictor: ClusterPredictor, unchecked: boolean): void {
    const reached = settled(predictor);
    if (predictor.noteMembers() && !this.isStarting) predictor.stale = true;
    if (this.isStarting) return;
    if (unchecked) predictor.obstacles.lose({ kind: 'new_hosts_checked' });
    this.delivered(predictor, reached, [...predictor.causes]);
  }

  private loseRejected(predictor: ClusterPredictor): void {
    for (const other of this.predictors) {
      const routesByIt = other.views.some(({ knowsZones }, index) => {
        return knowsZones && this.scenario.proxies[index]?.localClusterName === predictor.name;
      });
      if (other !== predictor && !routesByIt) continue;
      other.obstacles.lose({ kind: 'rejected_by_some' });
      other.stale = true;
    }
  }

  /** @param reached by proxy: whether its balancers have new lists. */
  private delivered(predictor: ClusterPredictor, reached: readonly boolean[], causes: readonly CauseResult[]): void {
    if (!reached.includes(true)) return;
    predictor.stale = true;
    predictor.causesDelivered = true;
    predictor.startPhase(this.merges.nowUs, causes);
    // New lists of the local cluster matter to all other clusters of that proxy.
    for (const [proxy, spec] of this.scenario.proxies.entries()) {
      if (reached[proxy] !== true || spec.localClusterName !== predictor.name) continue;
      for (const other of this.predictors) {
        const view = other.views[proxy];
        if (other === predictor || view === undefined || !view.knowsZones) continue;
        view.localDelivered();
        other.stale = true;
        other.startPhase(this.merges.nowUs, causes);
      }
    }
  }
}

const rank = (action: worlds.Action): number => (action.kind === 'assign' ? 0 : 1);

/** @returns by proxy: whether its balancers have new lists. */
const settled = ({ views }: ClusterPredictor): boolean[] => views.map((view) => view.settle());
