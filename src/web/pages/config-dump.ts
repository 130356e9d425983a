import type { ApiVersion } from '../../config/api/api.js';
import { defaultOf } from '../../core/defaults.js';
import { Bootstrap } from '../../config/bootstrap.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { ClusterLoadAssignment } from '../../config/assignment-rules.js';
import { Node } from '../../config/core.js';
import { messageOf } from '../../config/to-settings.js';
import { addressJson, encode } from '../../config/write.js';
import { clusterJson, needsV3 } from '../../config/write-cluster.js';
import { StatsConfig, StatsSink } from '../../config/metrics.js';
import type { JsonValue } from '../../core/values.js';
import type { Host } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import type { ProxySpec } from '../../settings/world.js';
import { messageWithoutSecrets } from '../../scenario/secrets.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { filled, isFromApi, type JsonObject, localityJson } from './clusters.js';

/**
 * `/config_dump`: the proxy's admin.v3.ConfigDump of a simulated proxy's bootstrap and clusters (as v2 messages, as v3
 * where a cluster has what v3 alone can say; defaults left out), and with `endpoints` the hosts with their current health.
 * @param startedAt when the run began, RFC 3339.
 */
export function configDump(proxy: Proxy, startedAt: string, endpoints: boolean): JsonValue {
  const present = proxy.clusters
    .filter(({ world }) => world.present)
    .sort(({ name: a }, { name: b }) => (a < b ? -1 : 1));
  const version: ApiVersion = present.some(({ world }) => needsV3(messageOf(world.settings))) ? 'v3' : 'v2';
  const statics = present.filter((cluster) => !isFromApi(cluster));
  const dynamic = present.filter(isFromApi);
  return {
    configs: [
      {
        '@type': 'type.googleapis.com/proxy.admin.v3.BootstrapConfigDump',
        bootstrap: messageWithoutSecrets(bootstrap(proxy.spec, statics, version), Bootstrap, version),
        last_updated: startedAt,
      },
      filled({
        '@type': 'type.googleapis.com/proxy.admin.v3.ClustersConfigDump',
        static_clusters: some(statics, (cluster) => ({
          cluster: clusterAny(cluster, version),
          last_updated: startedAt,
        })),
        dynamic_active_clusters: some(dynamic, (cluster) => ({ cluster: clusterAny(cluster, version) })),
      }),
      ...(endpoints ? [endpointsDump(present, version)] : []),
    ],
  };
}

const endpointsDump = (clusters: readonly ProxyCluster[], version: ApiVersion): JsonObject =>
  filled({
    '@type': 'type.googleapis.com/proxy.admin.v3.EndpointsConfigDump',
    static_endpoint_configs: some(clusters, (cluster) => ({ endpoint_config: assignment(cluster, version) })),
  });

/** A list, if there is anything in it. */
const some = <Item>(list: readonly Item[], written: (item: Item) => JsonValue): readonly JsonValue[] | undefined =>
  list.length === 0 ? undefined : list.map(written);

function clusterAny({ world }: ProxyCluster, version: ApiVersion): JsonObject {
  const name = version === 'v3' ? 'config.cluster.v3.Cluster' : 'api.v2.Cluster';
  return {
    '@type': `type.googleapis.com/proxy.${name}`,
    ...(messageWithoutSecrets(clusterJson(messageOf(world.settings), version), Cluster, version) as JsonObject),
  };
}

function bootstrap(spec: ProxySpec, clusters: readonly ProxyCluster[], version: ApiVersion): JsonObject {
  const { node, statsConfig, statsSinks, localClusterName, runtime } = spec;
  const isLayered = Object.keys(runtime).length > 0;
  return filled({
    node: node && encode(Node, node),
    static_resources: filled({
      clusters: some(clusters, ({ world }) => clusterJson(messageOf(world.settings), version)),
    }),
    cluster_manager: localClusterName === undefined ? undefined : { local_cluster_name: localClusterName },
    stats_sinks: some(statsSinks, (sink) => encode(StatsSink, sink)),
    stats_config: statsConfig && encode(StatsConfig, statsConfig),
    stats_flush_interval: `${spec.statsFlushIntervalUs / 1e6}s`,
    layered_runtime: isLayered ? { layers: [{ name: 'scenario', static_layer: runtime }] } : undefined,
  });
}

/** A ClusterLoadAssignment of the hosts that the proxy has now. */
function assignment(cluster: ProxyCluster, version: ApiVersion): JsonValue {
  const { settings } = cluster.world;
  const levels = cluster.upstream.priorities.hostSets.filter((level) => level !== undefined);
  const usual = defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor');
  const message = filled({
    cluster_name: settings.serviceName,
    endpoints: some(levels.flatMap(localities), (locality) => locality),
    policy: { overprovisioning_factor: levels[0]?.overprovisioningFactor ?? usual },
  });
  const name = version === 'v3' ? 'config.endpoint.v3' : 'api.v2';
  const own = clusterJson(messageOf(settings), version);
  const safe = messageWithoutSecrets(message, ClusterLoadAssignment, version, own);
  return { '@type': `type.googleapis.com/proxy.${name}.ClusterLoadAssignment`, ...(safe as JsonObject) };
}

const localities = (level: HostSet): JsonObject[] =>
  level.localities.map(({ locality, hosts }, index) =>
    filled({
      locality: locality.region + locality.zone + locality.subZone === '' ? undefined : localityJson(locality),
      lb_endpoints: hosts.map(endpoint),
      load_balancing_weight: level.localityWeights?.[index] ?? 0,
      priority: level.priority || undefined,
    }),
  );

function healthCheckJson(port: Host['healthCheckPort']): JsonObject {
  if (port === 'none') return { disable_active_health_check: true };
  return port === undefined ? {} : { port_value: port };
}

function endpoint(host: Host): JsonObject {
  const { hostname, healthCheckPort, metadata } = host;
  const address = addressJson(host.address);
  return filled({
    endpoint: filled({ address, health_check_config: healthCheckJson(healthCheckPort), hostname }),
    health_status: host.health.toUpperCase(),
    metadata: Object.keys(metadata).length === 0 ? undefined : { filter_metadata: { 'proxy.lb': metadata } },
    load_balancing_weight: host.weight,
  });
}
