import { messageOf } from '../../config/to-settings.js';
import { breakersOf } from '../../analysis/inspect/inspector.js';
import { defined, type JsonValue } from '../../core/values.js';
import { printable } from '../../core/printable.js';
import { HealthFlag, type Host } from '../../host/host.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { ErrorOrigin } from '../../upstream/cause.js';
import { addressJson } from '../../config/write.js';
import { FLAGS } from './generated/flags.js';

type Flag = Readonly<{ flag: keyof typeof HealthFlag; json?: string; discovery?: string }>;

/** Those that are set, in the order in which the proxy lists them. */
const flagsOf = ({ flags }: Host): readonly Flag[] => FLAGS.filter(({ flag }) => (flags & HealthFlag[flag]) !== 0);

const clustersOf = (proxy: Proxy, filter: (name: string) => boolean): readonly ProxyCluster[] =>
  proxy.clusters.filter(({ world, name }) => world.present && filter(name));

/** Its configuration changed since the start, as by CDS. */
export const isFromApi = (cluster: ProxyCluster): boolean => cluster.world.generation > 0;

function observabilityName({ world: { settings } }: ProxyCluster): string {
  const { altStatName, name } = messageOf(settings);
  return altStatName === '' ? name : altStatName;
}

/** `/clusters`: a line per fact, `cluster::host::fact::value`. */
export function clustersText(proxy: Proxy, filter: (name: string) => boolean): string {
  let text = '';
  for (const cluster of clustersOf(proxy, filter)) {
    for (const [fact, value] of factsOf(cluster)) text += `${printable(`${cluster.name}::${fact}::${value}`)}\n`;
  }
  return text;
}

type Fact = readonly [string, string | number | boolean];

function* factsOf(cluster: ProxyCluster): Iterable<Fact> {
  yield ['observability_name', observabilityName(cluster)];
  const detector = cluster.parts.outliers?.detector;
  if (detector !== undefined) {
    for (const origin of ['external', 'local'] as const) {
      const prefix = origin === 'local' ? 'local_origin_' : '';
      const { mean, threshold } = detector.clusterRates[origin];
      yield [`outlier::${prefix}success_rate_average`, mean];
      yield [`outlier::${prefix}success_rate_ejection_threshold`, threshold];
    }
  }
  for (const priority of ['DEFAULT', 'HIGH'] as const) {
    for (const [name, value] of Object.entries(thresholds(cluster, priority)))
      yield [`${priority.toLowerCase()}_priority::${name}`, value];
  }
  yield ['added_via_api', isFromApi(cluster)];
  for (const { host, priority } of cluster.upstream.priorities.hosts())
    for (const [name, value] of hostFacts(cluster, host, priority)) yield [`${host.address}::${name}`, value];
}

function* hostFacts(cluster: ProxyCluster, host: Host, priority: number): Iterable<Fact> {
  const { hostname, weight, canary } = host;
  const { region, zone, subZone: sub_zone } = host.locality;
  const flags = flagsOf(host).map(({ flag }) => `/${flag.toLowerCase()}`);
  const health_flags = flags.join('') || 'healthy';
  yield* Object.entries({ ...countersOf(host), ...gaugesOf(host) }).sort(([a], [b]) => (a < b ? -1 : 1));
  yield* Object.entries({ hostname, health_flags, weight, region, zone, sub_zone, canary, priority });
  yield ['success_rate', successRate(cluster, host, 'external')];
  yield ['local_origin_success_rate', successRate(cluster, host, 'local')];
}

function countersOf({ stats }: Host): Readonly<Record<string, number>> {
  const { cxConnectFail, cxTotal, rqError, rqSuccess, rqTimeout, rqTotal } = stats;
  const requests = { rq_error: rqError, rq_success: rqSuccess, rq_timeout: rqTimeout, rq_total: rqTotal };
  return { cx_connect_fail: cxConnectFail, cx_total: cxTotal, ...requests };
}

const gaugesOf = ({ stats, activeRequests, pendingRequests }: Host): Readonly<Record<string, number>> => ({
  cx_active: stats.cxActive,
  rq_active: activeRequests,
  rq_pending_active: pendingRequests,
});

/** Percent; −1 where it was not computed. */
const successRate = (cluster: ProxyCluster, host: Host, origin: ErrorOrigin): number =>
  cluster.parts.outliers?.detector.monitor(host)?.[origin].successRate ?? -1;

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** `/clusters?format=json`: the proxy's admin.v3.Clusters. */
export const clustersJson = (proxy: Proxy, filter: (name: string) => boolean): JsonValue => ({
  cluster_statuses: clustersOf(proxy, filter).map(clusterStatus),
});

function clusterStatus(cluster: ProxyCluster): JsonObject {
  const rates = cluster.parts.outliers?.detector.clusterRates;
  const hosts = [...cluster.upstream.priorities.hosts()];
  return filled({
    name: cluster.name,
    added_via_api: isFromApi(cluster) || undefined,
    success_rate_ejection_threshold: percent(rates?.external.threshold),
    local_origin_success_rate_ejection_threshold: percent(rates?.local.threshold),
    host_statuses: hosts.map(({ host, priority }) => hostStatus(cluster, host, priority)),
    circuit_breakers: {
      thresholds: [thresholds(cluster, 'DEFAULT'), { priority: 'HIGH', ...thresholds(cluster, 'HIGH') }],
    },
    observability_name: observabilityName(cluster),
  });
}

const thresholds = (cluster: ProxyCluster, priority: 'DEFAULT' | 'HIGH'): Readonly<Record<string, number>> =>
  Object.fromEntries(breakersOf(cluster, priority).map(({ limit, max }) => [limit, max]));

const hostStatus = (cluster: ProxyCluster, host: Host, priority: number): JsonObject =>
  filled({
    address: addressJson(host.address),
    stats: [
      ...Object.entries(countersOf(host)).map(counter),
      ...Object.entries(gaugesOf(host)).map((gauge) => ({ type: 'GAUGE', ...counter(gauge) })),
    ],
    health_status: healthStatus(host),
    success_rate: percent(successRate(cluster, host, 'external')),
    local_origin_success_rate: percent(successRate(cluster, host, 'local')),
    weight: host.weight,
    hostname: host.hostname,
    priority: priority || undefined,
    locality: localityJson(host.locality),
  });

const counter = ([name, value]: readonly [string, number]): JsonObject => ({
  ...(value === 0 ? {} : { value: String(value) }),
  name,
});

const percent = (value = -1): JsonObject | undefined => (value < 0 ? undefined : { value });

/** Without what is empty or undefined. */
export const filled = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(defined(fields)).filter(([, value]) => value !== ''));

export const localityJson = ({ region, zone, subZone }: Host['locality']): JsonObject =>
  filled({ region, zone, sub_zone: subZone });

/** The host's health, and its status from discovery. */
function healthStatus(host: Host): JsonObject {
  const flags = flagsOf(host);
  const said = Object.fromEntries(flags.flatMap(({ json }) => (json === undefined ? [] : [[json, true]])));
  return { ...said, eds_health_status: flags.find(({ discovery }) => discovery)?.discovery ?? 'HEALTHY' };
}
