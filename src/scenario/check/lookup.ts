import type { Cluster } from '../../config/cluster/cluster.js';
import { checkAssignment } from '../../config/assignment-rules.js';
import { discoveryType } from '../../config/cluster/discovery.js';
import type { ClusterLoadAssignment } from '../../config/endpoint.js';
import type { Path } from '../../config/reader.js';
import { noSuch } from '../../config/reader/error-words.js';
import type { ProblemRule, Severity } from '../../core/problem.js';
import type { Micros } from '../../core/units.js';
import type { NamedHosts } from '../assemble/named-hosts.js';
import { actionsOf } from '../../settings/timeline-entry.js';
import type { Selector } from '../../settings/selector.js';
import { instanceNames } from '../fields/proxies.js';
import { namedHosts, readable, type ScenarioParts } from '../scenario-parts.js';
import { describeSelector } from '../selector.js';
import { formatDuration } from '../fields/units.js';

export type ReportAt = (severity: Severity, path: Path, rule: ProblemRule, message: string) => void;

/** Looks up names and times that entries refer to; unknown ones are reported. */
export class References {
  readonly byName: ReadonlyMap<string, Cluster>;
  /** Clusters that the timeline adds. */
  readonly updates: readonly Cluster[];
  private readonly clusterNames: ReadonlySet<string>;
  private known: NamedHosts | 'unknown' | undefined;
  private readonly proxyNames: readonly string[];
  private readonly instances: readonly string[];

  constructor(
    readonly parts: ScenarioParts,
    readonly report: ReportAt,
  ) {
    this.byName = new Map(readable(parts.clusters).map((cluster) => [cluster.name, cluster]));
    this.clusterNames = new Set(parts.clusterNames);
    this.updates = actionsOf(readable(parts.timeline), 'update_cluster').map(({ cluster }) => cluster);
    this.proxyNames = readable(parts.proxies).map((proxy) => proxy.name);
    this.instances = readable(parts.proxies).flatMap((proxy) => (proxy.count > 1 ? instanceNames(proxy) : []));
  }

  clusterKnown(name: string, path: Path): boolean {
    const { clusterNames, clustersNamed } = this.parts;
    if (this.clusterNames.has(name) || !clustersNamed) return true;
    this.report('error', path, 'unknown-cluster', noSuch('cluster', name, clusterNames));
    return false;
  }

  /** @param single whether the name of one of several instances is allowed: `edge-2`. */
  proxyKnown(name: string, path: Path, single: boolean): boolean {
    if (this.parts.proxies.includes(undefined)) return true;
    const names = single ? [...this.proxyNames, ...this.instances] : this.proxyNames;
    if (names.includes(name)) return true;
    if (this.instances.includes(name)) {
      const text = `${name} is one instance of a proxy: a workload names the proxy and is dealt out to all its instances`;
      this.report('error', path, 'unknown-proxy', text);
      return false;
    }
    this.report('error', path, 'unknown-proxy', noSuch('proxy', name, names, this.proxyNames));
    return false;
  }

  checkSelector(selector: Selector, path: Path): void {
    if (selector.cluster !== undefined && !this.clusterKnown(selector.cluster, [...path, 'cluster'])) return;
    // Made on demand: most files select no hosts.
    const known = (this.known ??= namedHosts(this.parts) ?? 'unknown');
    if (known === 'unknown' || known.mayMatch(selector)) return;
    this.report('warning', path, 'no-such-host', `no host is ever ${describeSelector(selector)}`);
  }

  notAfterEnd(timeUs: Micros, path: Path, consequence: string): void {
    const { durationUs } = this.parts;
    if (durationUs === undefined || timeUs < durationUs) return;
    const text = `${formatDuration(timeUs)} is past the end of the run (${formatDuration(durationUs)}): ${consequence}`;
    this.report('warning', path, 'past-end', text);
  }

  /** Discovery actions are for clusters whose hosts come from discovery. */
  discovers(name: string | undefined, path: Path): boolean {
    const cluster = name === undefined ? undefined : this.byName.get(name);
    const type = cluster === undefined ? undefined : discoveryType(cluster);
    const dns = type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    if (!dns && type !== 'ORIGINAL_DST') return true;
    const source = dns ? 'DNS: change them with dns' : 'the requests themselves';
    this.report('error', path, 'discovery-type', `the hosts of ${name ?? ''} come from ${source}`);
    return false;
  }

  checkAssignment(cluster: Cluster, assignment: ClusterLoadAssignment, path: Path): void {
    checkAssignment(cluster, assignment, (message, at = [], severity = 'error') => {
      this.report(severity, [...path, ...at], 'assignment', message);
    });
  }
}
