import type { Struct } from '../../core/json-value.js';
import { clusterRules } from './cluster-rules.js';
import { aroundFields, clusterFields, type Cluster as ClusterValue } from './cluster-shape.js';
import { refuseBesides } from '../policy/read.js';
import { check, parseDocument, type Schema, SourceDocument } from '../reader.js';
import { messageWith } from '../reader/message.js';
import '../config-source.js';
import '../endpoint.js';
import './parts.js';

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
  const api = new SourceDocument(
    document.texts.map((text) => ({ ...text, api: 'v3' as const })),
    document.root,
  );
  return check(Cluster, api, { vocabulary: 'proxy', forRun: true }).value;
}

/** The name in statistics: `alt_stat_name` if there is one; `:` would end a name in some sinks. */
export function statName(cluster: Pick<Cluster, 'name' | 'altStatName'>): string {
  return (cluster.altStatName === '' ? cluster.name : cluster.altStatName).replaceAll(':', '_');
}
