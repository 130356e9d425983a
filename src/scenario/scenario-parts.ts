import type { Cluster } from '../config/cluster/cluster.js';
import type { Path } from '../config/reader.js';
import type { DocumentKind } from '../config/validate.js';
import type { Measure } from '../settings/measure.js';
import type { ExpectationWithoutText } from './fields/expectation.js';
import type { Sourced } from './assemble/each-cluster.js';
import { NamedHosts } from './assemble/named-hosts.js';
import type { BehaviorRule } from '../settings/behavior.js';
import type { ExplicitRequest, ProxySpec } from '../settings/world.js';
import type { Scenario } from './model.js';
import type { WrittenEntry } from './fields/timeline.js';
import type { WrittenWorkload } from './fields/workload.js';
import type { SourceNode } from '../config/source/document.js';
import { isMap, itemsOf, textOf } from '../config/source/trees.js';

/** The value of `cluster:` in an entry, and its path. */
interface ClusterReference {
  readonly cluster: string;
  readonly path: Path;
}

/** Not searched: proxy configuration, and maps with free keys. */
const FOREIGN = new Set(['update_cluster', 'assign', 'metadata', 'metadata_match', 'headers', 'dns', 'set_runtime']);

/** The clusters named in an entry with errors: a typo in its rate must not hide one in its cluster. */
export function clusterReferences(node: SourceNode | undefined, path: Path): readonly ClusterReference[] {
  const items = itemsOf(node);
  if (items.length > 0) return items.flatMap((item, index) => clusterReferences(item, [...path, index]));
  if (!isMap(node)) return [];
  return node.entries.flatMap(({ key, value }) => {
    if (FOREIGN.has(key)) return [];
    const cluster = key === 'cluster' ? textOf(value) : undefined;
    return cluster === undefined ? clusterReferences(value, [...path, key]) : [{ cluster, path: [...path, key] }];
  });
}

/**
 * A scenario as far as it could be read: lists are parallel to the lists of the file, undefined where an entry has errors
 * of its own. Everything that can be checked is checked, so that one typo does not hide the next.
 */
export interface ScenarioParts extends Pick<
  Scenario,
  'description' | 'seed' | 'durationUs' | 'warmupUs' | 'assignments' | 'dns'
> {
  readonly kind: DocumentKind;
  readonly name: string | undefined;
  readonly clusters: readonly (Cluster | undefined)[];
  readonly clusterPath: (index: number) => Path;
  /** Of all clusters that have one, readable or not, and of those that `update_cluster` brings. */
  readonly clusterNames: readonly string[];
  /** The name of each entry of `clusters`, be the rest of it readable or not; undefined where it has none. */
  readonly writtenNames: readonly (string | undefined)[];
  /** Every cluster has a name that could be read: one that is not among `clusterNames` does not exist. */
  readonly clustersNamed: boolean;
  /** Keys of `endpoints`. */
  readonly endpointNames: readonly string[];
  /** Clusters whose `endpoints` could not all be read: they have further hosts. */
  readonly faultyHosts: ReadonlySet<string>;
  /** `endpoints`, `assignments` and `dns` could be read whole. */
  readonly hostsRead: boolean;
  readonly proxies: readonly (ProxySpec | undefined)[];
  /** Where `proxies[index]` is written. */
  readonly proxyPath: (index: number) => Path;
  /** `behavior`, or `hosts` if the file uses that word. */
  readonly behaviorField: string;
  readonly behavior: readonly (BehaviorRule | undefined)[];
  readonly workloads: readonly (Sourced<WrittenWorkload> | undefined)[];
  readonly requests: readonly (ExplicitRequest | undefined)[];
  readonly timeline: readonly (WrittenEntry | undefined)[];
  readonly question: readonly (Measure | undefined)[];
  readonly expect: readonly (Sourced<ExpectationWithoutText> | undefined)[];
  /** Clusters named in entries with errors. */
  readonly unreadReferences: readonly ClusterReference[];
  /** `duration` has errors: its absence is not reported. */
  readonly durationWrong: boolean;
}

/** Every host the file names; undefined if a source of hosts could not be read. */
export function namedHosts(parts: ScenarioParts): NamedHosts | undefined {
  const clusters = readable(parts.clusters);
  const timeline = readable(parts.timeline);
  const whole = clusters.length === parts.clusters.length && timeline.length === parts.timeline.length;
  if (!whole || !parts.hostsRead) return undefined;
  return new NamedHosts({ clusters, assignments: parts.assignments, dns: parts.dns, timeline });
}

/** The entries that could be read, each with its index in the list. */
export function readableEntries<T>(list: readonly (T | undefined)[]): readonly (readonly [index: number, entry: T])[] {
  return list.flatMap((entry, index) => (entry === undefined ? [] : [[index, entry] as const]));
}

/** The entries that could be read. */
export function readable<T>(list: readonly (T | undefined)[]): readonly T[] {
  return list.filter((item) => item !== undefined);
}
