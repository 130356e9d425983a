import { quirksOf } from '../core/version.js';
import type { Micros } from '../core/units.js';
import { ScriptedRandom } from '../random/random64.js';
import { firstNotBelow } from '../core/values.js';
import type { DnsAnswer } from '../settings/world.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import { discoverByDns, type DnsEnvironment } from '../upstream/discovery/dns-discovery.js';
import { Resolver } from '../upstream/discovery/resolver.js';
import type { ManagedCluster } from '../upstream/cluster-manager.js';
import { type ClusterPredictor, isSame } from './cluster-predictor.js';
import type { ProxyClusterView, TimerQueue } from './proxy-view.js';
import type { Obstacle } from './obstacle.js';

/**
 * Hosts of DNS clusters by the proxy's own discovery code, without queries whose answer cannot have changed.
 * @param changesUs when the resolver's answers change, ascending.
 */
export function dnsHosts(answers: ReadonlyMap<string, DnsAnswer>, changesUs: readonly Micros[], timers: TimerQueue) {
  const resolver = new Resolver(answers);
  const answered = new Set<ClusterPredictor>();
  /** Nothing is recorded as an event. */
  let isStarting = false;
  const env: DnsEnvironment = {
    resolver,
    clock: timers,
    schedule: scheduleQuery,
    // Refresh rates that depend on a draw are not predicted.
    random: () => new ScriptedRandom([]),
  };

  function discovery(predictor: ClusterPredictor, cluster: ManagedCluster, view: ProxyClusterView): Discovery {
    const { upstream } = view;
    const lose = (why: Obstacle): void => {
      predictor.obstacles.lose(why);
      predictor.stale = true;
      queries.stop();
    };
    const queries = discoverByDns(cluster, () => upstream, quirksOf(view.version), env, {
      answeredInVain: () => {
        upstream.setInitialised();
        if (cluster.settings.dns.failure !== undefined) lose({ kind: 'dns_retry_drawn' });
      },
      found: (cause, apply) => {
        apply();
        answered.add(predictor);
        if (cause === undefined || isStarting) return;
        // All proxies get the same answers at the same time.
        if (predictor.causesDelivered || !predictor.causes.some((known) => isSame(known, cause)))
          predictor.addCause(cause);
      },
      moved: () => lose({ kind: 'dns_moves' }),
    });
    return queries;
  }

  /** Until the resolver's answers change, a name gets the same answer: only the first query after a change matters. */
  function scheduleQuery(timeUs: Micros, callback: () => void): void {
    const { nowUs } = timers;
    // A change at this very instant does not affect a query answered just before.
    const changeUs = changesUs[firstNotBelow(changesUs, nowUs)];
    if (changeUs === undefined) return;
    const waitUs = timeUs - nowUs;
    if (waitUs <= 0) return;
    timers.at(nowUs + waitUs * (Math.floor((changeUs - nowUs) / waitUs) + 1), callback);
  }

  return {
    replace: (newer: ReadonlyMap<string, DnsAnswer>): void => resolver.replace(newer),
    /** All proxies start their queries, at an instant without any query so far. */
    follow: (predictor: ClusterPredictor, cluster: ManagedCluster): void => {
      isStarting = true;
      const { type } = cluster;
      if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS')
        for (const view of predictor.views) discovery(predictor, cluster, view).start();
      isStarting = false;
    },
    /** @param deliverTo called where answers of this instant may have changed a cluster's hosts. */
    deliverAnswers: (deliverTo: (predictor: ClusterPredictor) => void): void => {
      for (const predictor of answered) deliverTo(predictor);
      answered.clear();
    },
  };
}
