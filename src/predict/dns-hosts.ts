import type { Micros } from '../core/units.js';
import { ScriptedRandom } from '../random/scripted.js';
import { countBelow } from '../scenario/expected-arrivals.js';
import type { DnsAnswer } from '../scenario/model.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';
import { dnsSettings } from '../upstream/discovery/dns-settings.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import { StrictDnsDiscovery } from '../upstream/discovery/strict-dns.js';
import type { ManagedCluster } from '../upstream/managed-cluster.js';
import type { ClusterPredictor } from './cluster-predictor.js';
import type { ProxyClusterView } from './proxy-view.js';
import type { TimerQueue } from './timer-queue.js';

/** Called when answers of this instant may have changed a cluster's hosts. */
type Told = (predictor: ClusterPredictor) => void;

const DRAWN_WAIT = 'how soon a failed DNS query is repeated is drawn by chance; simulate it';
const MOVED = 'connections that are open stay with the address that DNS gave before; simulate it';

/**
 * The hosts of DNS clusters, as every proxy learns of them: their names are asked for when a proxy asks, and answered as
 * the scenario says.
 *
 * What answers mean is the proxy's own machinery. An answer that is known to be as the one before is not asked for.
 */
export class DnsHosts {
  private readonly resolver: Resolver;
  /** Clusters that an answer of this instant was about. */
  private readonly answered = new Set<ClusterPredictor>();

  /** What is learnt is no news. */
  private isStarting = false;

  /** @param changesUs when the resolver's answers become others, ascending. */
  constructor(
    answers: ReadonlyMap<string, DnsAnswer>,
    private readonly changesUs: readonly Micros[],
    private readonly timers: TimerQueue,
  ) {
    this.resolver = new Resolver(answers);
  }

  /** The resolver says something else from now on. */
  replace(answers: ReadonlyMap<string, DnsAnswer>): void {
    this.resolver.replace(answers);
  }

  /** All proxies begin to ask, at an instant at which nobody has asked yet. */
  follow(predictor: ClusterPredictor, cluster: ManagedCluster): void {
    this.isStarting = true;
    for (const view of predictor.views) this.discovery(predictor, cluster, view)?.start();
    this.isStarting = false;
  }

  /** What the answers of this instant come to. */
  tell(told: Told): void {
    for (const predictor of this.answered) told(predictor);
    this.answered.clear();
  }

  private discovery(predictor: ClusterPredictor, cluster: ManagedCluster, view: ProxyClusterView): Discovery | undefined {
    const { timers } = this;
    const { upstream } = view;
    const { config, assignment } = cluster;
    const settings = dnsSettings(config, view.version);
    const options = { ...settings, assignment, stats: () => upstream.membership };
    const stoppable: { discovery: Discovery | undefined } = { discovery: undefined };
    const lose = (why: string): void => {
      predictor.obstacles.lose(why);
      predictor.stale = true;
      stoppable.discovery?.stop();
    };
    const env: DnsEnvironment = {
      resolver: this.resolver,
      clock: timers,
      schedule: (timeUs, callback) => this.askAgain(timeUs, callback),
      // Nothing that is drawn is followed.
      random: () => new ScriptedRandom([]),
    };
    const note = (cause: string | undefined): void => {
      this.answered.add(predictor);
      if (cause === undefined || this.isStarting) return;
      // Proxies find out the same at the same time.
      if (predictor.causesDelivered || !predictor.causes.includes(cause)) predictor.addCause(cause);
    };
    const answeredInVain = (): void => {
      upstream.setInitialised();
      if (settings.failure !== undefined) lose(DRAWN_WAIT);
    };
    switch (cluster.type) {
      case 'STRICT_DNS':
        stoppable.discovery = new StrictDnsDiscovery(options, env, {
          answeredInVain,
          resolved: (_name, answer, cause) => {
            upstream.applyName(answer, timers.nowUs);
            note(cause);
          },
        });
        break;
      case 'LOGICAL_DNS':
        stoppable.discovery = new LogicalDnsDiscovery(options, env, {
          answeredInVain,
          found: (answer, cause) => {
            upstream.setLogicalHost(answer, timers.nowUs);
            note(cause);
          },
          moved: () => lose(MOVED),
        });
        break;
      case 'STATIC':
      case 'EDS':
      case 'ORIGINAL_DST':
      case 'AGGREGATE':
        break;
    }
    return stoppable.discovery;
  }

  /** Until the resolver says something else, a name is answered as before: the first query after that counts. */
  private askAgain(timeUs: Micros, callback: () => void): void {
    const { timers, changesUs } = this;
    const { nowUs } = timers;
    // What changes at this very instant, the query that was just answered has not heard of.
    const changeUs = changesUs[countBelow(changesUs, nowUs)];
    if (changeUs === undefined) return;
    const waitUs = timeUs - nowUs;
    if (waitUs <= 0) return;
    timers.at(nowUs + waitUs * (Math.floor((changeUs - nowUs) / waitUs) + 1), callback);
  }
}
