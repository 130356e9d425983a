import type { Struct } from '../../core/values.js';
import { clusterRules } from './cluster-rules.js';
import { aroundFields, clusterFields, type Cluster as ClusterValue } from './cluster-shape.js';
import { refuseBesides } from '../policy/read.js';
import type { Schema } from '../reader.js';
import { check, message, parseDocument, reading, rule, SourceDocument, readerOf, messageWith } from '../reader.js';
import { string } from '../reader/proto/strings.js';
import type { Messages } from '../api/generated/read-messages.js';
import '../assignment-rules.js';
import './parts.js';

/** Where configuration comes from: files, management servers. The simulation gets assignments from the scenario. */

/** The same in v2 and v3. */
const REST_LEGACY = ['UNSUPPORTED_REST_LEGACY', 'DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE'] as const;
const isLegacy = (type: string): boolean => REST_LEGACY.some((legacy) => legacy === type);

message(
  'core.ApiConfigSource',
  rule(
    'api-config-source',
    ['api_type', 'cluster_names', 'grpc_services', 'refresh_delay'],
    ({ apiType, clusterNames, grpcServices, refreshDelay }, report, _has, api, field) => {
      // A 1.40 checks them only when it connects.
      if (api === 'v3' && ['load_stats_config', 'hds_config'].includes(field)) return;
      if (isLegacy(apiType)) {
        const text = 'REST_LEGACY no longer a supported ApiConfigSource. Please specify an explicit supported api_type';
        report(`${text}: REST, GRPC or DELTA_GRPC`, ['api_type']);
        return;
      }
      if (apiType.startsWith('AGGREGATED_')) {
        report(`Unsupported config source ${apiType}: REST, GRPC or DELTA_GRPC`, ['api_type']);
        return;
      }
      const grpc = apiType === 'GRPC' || apiType === 'DELTA_GRPC';
      if (grpc && grpcServices.length === 0) report(`${apiType} needs grpc_services`);
      if (grpc && grpcServices.length > 1)
        report('(DELTA_)GRPC must have a single gRPC service specified', ['grpc_services', 1]);
      if (grpc && clusterNames.length > 0)
        report(`${apiType} takes grpc_services, not cluster_names`, ['cluster_names']);
      if (!grpc && clusterNames.length !== 1) report('REST needs exactly one of cluster_names', ['cluster_names']);
      if (!grpc && grpcServices.length > 0) report('REST takes cluster_names, not grpc_services', ['grpc_services']);
      if (!grpc && refreshDelay === undefined) report('REST needs refresh_delay', ['api_type']);
    },
  ),
);

const readPath = readerOf(string());

/** A path that the proxy watches. Simulated assignments come from elsewhere, so its absence is no error here. */
const watchedPath = reading<string>('string', (node, walk) => {
  const path = readPath(node, walk);
  if (typeof path === 'string' && !walk.ofScenario && walk.options.fileExists?.(path) === false)
    walk.report('warning', 'file', `${path}: there is no such file here; a proxy does not start without it`, node);
  return path;
});

messageWith('core.ConfigSource', { own: () => ({ path: watchedPath }) });
export type ConfigSource = Messages['core.ConfigSource'];

export type Cluster = ClusterValue;

export const Cluster: Schema<Cluster> = messageWith('Cluster', {
  own: clusterFields,
  around: aroundFields,
  rules: clusterRules,
  before: refuseBesides,
});

/** A cluster of a message of v3; undefined: it is none. */
export function clusterIn(message: Struct): Cluster | undefined {
  const { document } = parseDocument(JSON.stringify(message), 'a cluster');
  if (document === undefined) return undefined;
  const texts = document.texts.map((text) => ({ ...text, api: 'v3' as const }));
  return check(Cluster, new SourceDocument(texts, document.root), { vocabulary: 'proxy', forRun: true }).value;
}

/** The name in statistics: `alt_stat_name` if there is one; `:` would end a name in some sinks. */
export const statName = (cluster: Pick<Cluster, 'name' | 'altStatName'>): string =>
  (cluster.altStatName === '' ? cluster.name : cluster.altStatName).replaceAll(':', '_');
