import { aggregated, type Cluster } from '../config/cluster/cluster-shape.js';
import type { Assignment } from '../settings/assignment.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import { clustersAsked, everTakesTime, mayEverFail, type ProxySpec, type WorldSettings } from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import type { Behaviors } from '../settings/behavior.js';
import { HostRows } from '../result/phase-hosts.js';
import type { End } from './cluster-prediction.js';
import { groupBy } from '../core/values.js';
import { ClusterPredictor, type PredictorSurroundings } from './cluster-predictor.js';
import { type RequestKind, requestKinds } from './traffic.js';
import type { Obstacle } from './obstacle.js';

/** The reason of clusters whose assignments drop requests. */
export const DROPS: Obstacle = { kind: 'drop_overloads' };

export type PredictionSetup = ReturnType<typeof setUp>;

/** What predictions of a scenario share: when it ends, and how the predictor of a cluster is made. */
export function setUp(scenario: Scenario, settings: WorldSettings) {
  const { workloads, requests, durationUs, clusters, proxies } = scenario;
  const stopUs = workloads.reduce((last, workload) => Math.max(last, workload.stopUs ?? 0), 0);
  const lastUs = requests.reduce((last, { atUs }) => Math.max(last, atUs), 0);
  const requestsUs = requests.length === 0 ? 0 : lastUs + 1;
  const end: End = {
    atUs: durationUs ?? Math.max(stopUs, lastUs),
    beforeUs: durationUs ?? Math.max(stopUs, requestsUs),
  };
  const kinds = groupBy(requestKinds(scenario, end.beforeUs, everTakesTime(scenario)), ({ cluster }) => cluster);
  const asked = clustersAsked(scenario);
  const passedOn = new Set(clusters.flatMap((one) => (asked.has(one.name) ? (aggregated(one) ?? []) : [])));
  const hostsMayFail = mayEverFail(scenario);
  const rowsPassedOn = new HostRows();
  const predictor = (
    index: number,
    behaviors: Behaviors,
    common: Omit<PredictorSurroundings, 'rowsPassedOn' | 'hostsMayFail'>,
  ): ClusterPredictor => {
    const own = settings.clusters[index] as ClusterSettings;
    const requested = kinds.get(own.name) ?? [defaultRequestKind(own.name, proxies)];
    const rows = passedOn.has(own.name) ? { rowsPassedOn } : {};
    const surroundings = { ...common, ...rows, hostsMayFail };
    return new ClusterPredictor(clusters[index] as Cluster, own, scenario, requested, behaviors, surroundings);
  };
  return { end, predictor };
}

/** A cluster without traffic still has a split: that of a request without hash and metadata. */
const defaultRequestKind = (name: string, proxies: readonly ProxySpec[]): RequestKind => ({
  cluster: name,
  metadataMatch: undefined,
  hash: { kind: 'none' },
  portions: proxies.map(() => 1 / proxies.length),
  before: () => 0,
  retried: false,
  spec: { headers: {}, priority: 'DEFAULT', timeoutUs: 0, retryPolicy: undefined },
  flow: { pace: 'unsteady', changesUs: [], sent: () => 0 },
  scripted: false,
  open: [],
});

/** The assignment has the proxies drop a part of the requests, or it is one that they reject. */
export const drops = ({ dropRatio, isRejected }: Assignment): boolean => dropRatio > 0 || isRejected;
