import type { ApiVersion } from '../../config/api/api.js';
import { defaultOf } from '../../core/defaults.js';
import { Bootstrap } from '../../config/bootstrap.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { ClusterLoadAssignment } from '../../config/endpoint.js';
import { Node } from '../../config/core.js';
import { messageOf } from '../../config/to-settings.js';
import { addressJson, encode } from '../../config/write.js';
import { clusterJson, needsV3 } from '../../config/write-cluster.js';
import { StatsConfig, StatsSink } from '../../config/metrics.js';
import type { JsonValue } from '../../core/json-value.js';
import type { Host } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import type { ProxySpec } from '../../settings/world.js';
import { messageWithoutSecrets } from '../../scenario/secrets.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { isFromApi, localityJson } from './clusters.js';

type JsonObject = Readonly<Record<string, JsonValue>>;

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
      {
        '@type': 'type.googleapis.com/proxy.admin.v3.ClustersConfigDump',
        ...some(
          'static_clusters',
          statics.map((cluster) => ({ cluster: clusterAny(cluster, version), last_updated: startedAt })),
        ),
        ...some(
          'dynamic_active_clusters',
          dynamic.map((cluster) => ({ cluster: clusterAny(cluster, version) })),
        ),
      },
      ...(endpoints
        ? [
            {
              '@type': 'type.googleapis.com/proxy.admin.v3.EndpointsConfigDump',
              ...some(
                'static_endpoint_configs',
                present.map((cluster) => ({ endpoint_config: assignment(cluster, version) })),
              ),
            },
          ]
        : []),
    ],
  };
}

/** A list, if there is anything in it. */
function some(name: string, list: readonly JsonValue[]): JsonObject {
  return list.length === 0 ? {} : { [name]: list };
}

function clusterAny({ world }: ProxyCluster, version: ApiVersion): JsonObject {
  const name = version === 'v3' ? 'config.cluster.v3.Cluster' : 'api.v2.Cluster';
  return {
    '@type': `type.googleapis.com/proxy.${name}`,
    ...(messageWithoutSecrets(clusterJson(messageOf(world.settings), version), Cluster, version) as JsonObject),
  };
}

function bootstrap(spec: ProxySpec, clusters: readonly ProxyCluster[], version: ApiVersion): JsonObject {
  const { node, statsConfig, statsSinks, localClusterName, runtime } = spec;
  return {
    ...(node === undefined ? {} : { node: encode(Node, node) }),
    static_resources: some(
      'clusters',
      clusters.map(({ world }) => clusterJson(messageOf(world.settings), version)),
    ),
    ...(localClusterName === undefined ? {} : { cluster_manager: { local_cluster_name: localClusterName } }),
    ...some(
      'stats_sinks',
      statsSinks.map((sink) => encode(StatsSink, sink)),
    ),
    ...(statsConfig === undefined ? {} : { stats_config: encode(StatsConfig, statsConfig) }),
    stats_flush_interval: `${spec.statsFlushIntervalUs / 1e6}s`,
    ...(Object.keys(runtime).length === 0
      ? {}
      : { layered_runtime: { layers: [{ name: 'scenario', static_layer: runtime }] } }),
  };
}

/** A ClusterLoadAssignment of the hosts that the proxy has now. */
function assignment(cluster: ProxyCluster, version: ApiVersion): JsonValue {
  const { settings } = cluster.world;
  const levels = cluster.upstream.priorities.hostSets.filter((level) => level !== undefined);
  const message = {
    cluster_name: settings.serviceName,
    ...some('endpoints', levels.flatMap(localities)),
    policy: {
      overprovisioning_factor:
        levels[0]?.overprovisioningFactor ?? defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'),
    },
  };
  const name = version === 'v3' ? 'config.endpoint.v3' : 'api.v2';
  const safe = messageWithoutSecrets(
    message,
    ClusterLoadAssignment,
    version,
    clusterJson(messageOf(settings), version),
  );
  return { '@type': `type.googleapis.com/proxy.${name}.ClusterLoadAssignment`, ...(safe as JsonObject) };
}

function localities(level: HostSet): JsonObject[] {
  return level.localities.map(({ locality, hosts }, index) => ({
    ...(locality.region + locality.zone + locality.subZone === '' ? {} : { locality: localityJson(locality) }),
    lb_endpoints: hosts.map(endpoint),
    load_balancing_weight: level.localityWeights?.[index] ?? 0,
    ...(level.priority === 0 ? {} : { priority: level.priority }),
  }));
}

function healthCheckJson(port: Host['healthCheckPort']): JsonObject {
  if (port === 'none') return { disable_active_health_check: true };
  return port === undefined ? {} : { port_value: port };
}

function endpoint(host: Host): JsonObject {
  const metadata = Object.keys(host.metadata).length === 0 ? {} : { filter_metadata: { 'proxy.lb': host.metadata } };
  const { hostname, healthCheckPort } = host;
  return {
    endpoint: {
      address: addressJson(host.address),
      health_check_config: healthCheckJson(healthCheckPort),
      ...(hostname === '' ? {} : { hostname }),
    },
    health_status: host.health.toUpperCase(),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    load_balancing_weight: host.weight,
  };
}
