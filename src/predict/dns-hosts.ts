import { quirksOf } from '../core/version.js';
import type { Micros } from '../core/units.js';
import { ScriptedRandom } from '../random/scripted.js';
import { firstNotBelow } from '../core/lists.js';
import type { DnsAnswer } from '../settings/timeline-entry.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import { discoverByDns, type DnsEnvironment } from '../upstream/discovery/dns-discovery.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import type { ManagedCluster } from '../upstream/cluster-manager.js';
import { type ClusterPredictor, isSame } from './cluster-predictor.js';
import type { ProxyClusterView, TimerQueue } from './proxy-view.js';
import type { Obstacle } from './obstacle.js';

/** Called when answers of this instant may have changed a cluster's hosts. */
type DeliverTo = (predictor: ClusterPredictor) => void;

const DRAWN_WAIT: Obstacle = { kind: 'dns_retry_drawn' };
const MOVED: Obstacle = { kind: 'dns_moves' };

/** Hosts of DNS clusters by the proxy's own discovery code, without queries whose answer cannot have changed. */
export class DnsHosts {
  private readonly resolver: Resolver;
  private readonly answered = new Set<ClusterPredictor>();

  /** Nothing is recorded as an event. */
  private isStarting = false;

  /** @param changesUs when the resolver's answers change, ascending. */
  constructor(
    answers: ReadonlyMap<string, DnsAnswer>,
    private readonly changesUs: readonly Micros[],
    private readonly timers: TimerQueue,
  ) {
    this.resolver = new Resolver(answers);
  }

  replace(answers: ReadonlyMap<string, DnsAnswer>): void {
    this.resolver.replace(answers);
  }

  /** All proxies start their queries, at an instant without any query so far. */
  follow(predictor: ClusterPredictor, cluster: ManagedCluster): void {
    this.isStarting = true;
    const { type } = cluster;
    if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS')
      for (const view of predictor.views) this.discovery(predictor, cluster, view).start();
    this.isStarting = false;
  }

  deliverAnswers(deliverTo: DeliverTo): void {
    for (const predictor of this.answered) deliverTo(predictor);
    this.answered.clear();
  }

  private discovery(predictor: ClusterPredictor, cluster: ManagedCluster, view: ProxyClusterView): Discovery {
    const { timers } = this;
    const { upstream } = view;
    const lose = (why: Obstacle): void => {
      predictor.obstacles.lose(why);
      predictor.stale = true;
      discovery.stop();
    };
    const env: DnsEnvironment = {
      resolver: this.resolver,
      clock: timers,
      schedule: (timeUs, callback) => this.scheduleQuery(timeUs, callback),
      // Refresh rates that depend on a draw are not predicted.
      random: () => new ScriptedRandom([]),
    };
    const discovery = discoverByDns(cluster, () => upstream, quirksOf(view.version), env, {
      answeredInVain: () => {
        upstream.setInitialised();
        if (cluster.settings.dns.failure !== undefined) lose(DRAWN_WAIT);
      },
      found: (cause, apply) => {
        apply();
        this.answered.add(predictor);
        if (cause === undefined || this.isStarting) return;
        // All proxies get the same answers at the same time.
        if (predictor.causesDelivered || !predictor.causes.some((known) => isSame(known, cause)))
          predictor.addCause(cause);
      },
      moved: () => lose(MOVED),
    });
    return discovery;
  }

  /** Until the resolver's answers change, a name gets the same answer: only the first query after a change matters. */
  private scheduleQuery(timeUs: Micros, callback: () => void): void {
    const { timers, changesUs } = this;
    const { nowUs } = timers;
    // A change at this very instant does not affect a query answered just before.
    const changeUs = changesUs[firstNotBelow(changesUs, nowUs)];
    if (changeUs === undefined) return;
    const waitUs = timeUs - nowUs;
    if (waitUs <= 0) return;
    timers.at(nowUs + waitUs * (Math.floor((changeUs - nowUs) / waitUs) + 1), callback);
  }
}
