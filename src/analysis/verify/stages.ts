import { isStruct, type Struct } from '../../core/json-value.js';
import type { DnsAnswer } from '../../settings/timeline-entry.js';
import type { Traffic } from './situations.js';

/** Requests, and what discovery says before them. */
export interface Stage {
  /** Whole assignments of clusters, v3. */
  readonly updates: readonly Struct[];
  /** What names are answered from now on; absent: no cluster has names. */
  readonly answers?: ReadonlyMap<string, DnsAnswer> | undefined;
  readonly traffic: readonly Traffic[];
  /** Clusters that get requests; absent: all. */
  readonly asked?: ReadonlySet<string>;
  /** Before the requests, in milliseconds: what follows from requests of before has come into force by then. Default 0. */
  readonly waitMs?: number;
}

export function isAsked({ asked }: Stage, { cluster }: Traffic): boolean {
  return asked === undefined || asked.has(cluster);
}

/** Where the proxy reads the assignment of a cluster from, beside its bootstrap: a file has one, or is rejected. */
export function assignmentFile(cluster: string): string {
  return `./${encodeURIComponent(cluster)}.assignment.json`;
}

/** Clusters whose hosts files name, as far as updates come for them. */
export interface AssignedByFile {
  readonly clusters: readonly Struct[];
  /** What the files say first. */
  readonly first: readonly Struct[];
}

/** Clusters that get updates become those of EDS, of {@link assignmentFile}; the others stay as they are. */
export function assignedByFile(clusters: readonly Struct[], stages: readonly Stage[]): AssignedByFile {
  const updated = new Set(stages.flatMap(({ updates }) => updates.map(clusterNameOf)));
  const first: Struct[] = [];
  const changed = clusters.map((cluster) => {
    const { load_assignment: assignment, ...others } = cluster;
    if (assignment === undefined || !isStruct(assignment) || !updated.has(clusterNameOf(assignment))) return cluster;
    first.push(assignment);
    const source = {
      path_config_source: { path: assignmentFile(clusterNameOf(assignment)) },
      resource_api_version: 'V3',
    };
    return { ...others, type: 'EDS', eds_cluster_config: { eds_config: source } };
  });
  return { clusters: changed, first };
}

/** The file that says so. */
export function assignmentMessage(assignment: Struct, version: number): Struct {
  const type = 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment';
  return { version_info: String(version), resources: [{ '@type': type, ...assignment }] };
}

export function clusterNameOf({ cluster_name: name }: Struct): string {
  return typeof name === 'string' ? name : '';
}
