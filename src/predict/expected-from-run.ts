import { discoveryType } from '../config/cluster/discovery.js';
import { microsToSeconds } from '../core/units.js';
import type { KeyHasher } from '../hash/request-key.js';
import type { ExpectedCluster, ExpectedSplit } from '../result/expected.js';
import type { HostRows } from '../result/phase-hosts.js';
import type { Scenario } from '../scenario/model.js';
import type { WorldSettings } from '../settings/world.js';
import { neverPredictable } from './obstacles.js';
import type { ClusterPredictor } from './cluster-predictor.js';
import { portion, rowPortion } from './host-columns.js';
import { drops, DROPS, PredictionSetup } from './prediction-setup.js';
import { type DeliveredHosts, ProxyClusterView } from './proxy-view.js';
import { TimerQueue } from './timer-queue.js';
import { isObstacle } from './obstacle.js';

/** The hosts of a run at its start. */
export interface RunHosts {
  /** @param cluster by its place in the scenario */
  rowsOf(cluster: number): HostRows;
  /** As the first proxy of a specification knows them. */
  hostsOf(cluster: number, proxy: number): DeliveredHosts;
}

/**
 * Whether a prediction has the hosts that the run starts with, all the time: there is no timeline, no assignment expires, no
 * host is named by DNS or health checked, and no cluster routes by the zones of another one.
 */
export function keepsFirstHosts({ timeline, clusters, proxies, assignments }: Scenario): boolean {
  return (
    timeline.length === 0 &&
    proxies.every(({ localClusterName }) => localClusterName === undefined) &&
    [...assignments.values()].every(({ policy }) => policy?.endpointStaleAfter === undefined) &&
    clusters.every((cluster) => {
      const type = discoveryType(cluster);
      const isAssigned = type === 'STATIC' || type === 'EDS';
      return neverPredictable(cluster) !== undefined || (isAssigned && cluster.healthChecks.length === 0);
    })
  );
}

/**
 * The expected shares of a run that {@link keepsFirstHosts}, by the cluster's place in the scenario, from its own hosts
 * before the first request: a prediction without what reports of a run do not show. undefined: there is none, or reports
 * leave the cluster out.
 */
export function expectedFromRun(
  scenario: Scenario,
  settings: WorldSettings,
  hasher: KeyHasher,
  hosts: RunHosts,
): readonly (ExpectedCluster | undefined)[] {
  // Only models ask who shares hosts.
  const setup = new PredictionSetup(scenario, settings, hasher, { exactOnly: true, sharesHosts: () => true });
  const timers = new TimerQueue();
  const { reported } = scenario.origin;
  // One after the other, so that only one cluster's intermediate data is in memory.
  return settings.clusters.map(({ name }, index) => {
    if (reported?.has(name) === false) return undefined;
    const predictor = setup.predictor(index, hosts.rowsOf(index));
    if (predictor.obstacles.always !== undefined) return undefined;
    predictor.views = scenario.proxies.map((spec, proxy) => {
      const delivered = hosts.hostsOf(index, proxy);
      return new ProxyClusterView(predictor, timers, spec, setup.runtimeOf(proxy), () => undefined, delivered);
    });
    const { kind, serviceName } = predictor.settings;
    const first = kind === 'EDS' ? settings.assignments.get(serviceName) : undefined;
    if (first !== undefined && drops(first)) predictor.obstacles.lose(DROPS);
    for (const view of predictor.views) view.settle();
    return expectedOf(predictor, setup);
  });
}

function expectedOf(predictor: ClusterPredictor, { end }: PredictionSetup): ExpectedCluster | undefined {
  const rows = predictor.rows.rows.length;
  const requests = predictor.untilEnd(end.beforeUs);
  const outcome = requests.combined(rows);
  if (isObstacle(outcome)) return undefined;
  const portions = outcome.byRow(rows);
  const whole: ExpectedSplit = {
    rows: () => (row) => rowPortion(portions, row),
    noHost: portion(outcome.none, outcome.noneSecond, outcome.noneGranularitySquared),
  };
  const endS = microsToSeconds(end.atUs);
  const isPhase = endS > 0 || requests.requests !== 0;
  return {
    whole,
    // The prediction ends with the traffic, the run with the last answer.
    between: (fromS, toS) => (isPhase && fromS === 0 && toS >= endS ? whole : undefined),
  };
}
