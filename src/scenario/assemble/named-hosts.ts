import { addressText } from '../../config/address.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { discoveryType } from '../../config/cluster/discovery.js';
import { metadataEntry } from '../../config/core.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../../config/endpoint.js';
import { type Locality, NOWHERE } from '../../host/host.js';
import { withoutField } from '../../core/defined.js';
import { withPort } from '../../core/ip.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { actionsOf, type DnsAnswer } from '../../settings/timeline-entry.js';
import type { Scenario } from '../model.js';
import { hostPredicate, type SelectableHost, type Selector } from '../../settings/selector.js';
import { jsonText } from '../../core/json-value.js';
import { groupBy } from '../../core/lists.js';
import { printable } from '../../core/printable.js';
import { someOf } from '../../core/words.js';

/** The parts of a scenario that define hosts, as far as they could be read. */
export type HostSources = Pick<Scenario, 'clusters' | 'assignments' | 'dns' | 'timeline'>;

/**
 * Every host that the file names, at any time: this distinguishes a selector with a typo from one whose hosts come later.
 */
export class NamedHosts {
  private readonly hosts: SelectableHost[] = [];
  /** Made on demand. */
  private byAddress: ReadonlyMap<string, readonly SelectableHost[]> | undefined;
  /** Clusters whose hosts come from the requests. */
  private readonly open = new Set<string>();
  private readonly metadataChanges: boolean;
  /** Every answer that the resolver ever has. */
  private readonly maps: readonly ReadonlyMap<string, DnsAnswer>[];

  constructor(private readonly sources: HostSources) {
    const { clusters, timeline } = sources;
    const later = actionsOf(timeline, 'dns').map(({ answers }) => answers);
    this.maps = [sources.dns, ...later].filter(({ size }) => size > 0);
    const all = [...clusters, ...actionsOf(timeline, 'update_cluster').map(({ cluster }) => cluster)];
    for (const cluster of all) this.addCluster(cluster);
    for (const { action } of timeline) {
      if (action.kind === 'add_hosts') {
        const locality = action.locality ?? NOWHERE;
        for (const endpoint of action.endpoints) this.addEndpoint(action.cluster, action.priority, locality, endpoint);
      }
      if (action.kind === 'assign') {
        const name = action.assignment.clusterName;
        for (const cluster of all)
          if (namesOf(cluster).includes(name)) this.addAssignment(cluster.name, action.assignment);
      }
    }
    this.metadataChanges = timeline.some(({ action }) => action.kind === 'set_metadata');
  }

  /** False only if no host of the file can ever match. */
  mayMatch(selector: Selector): boolean {
    if (selector.cluster === undefined ? this.open.size > 0 : this.open.has(selector.cluster)) return true;
    const means = hostPredicate(this.metadataChanges ? withoutField(selector, 'metadata') : selector);
    // Most timelines name single hosts, possibly ten thousand times.
    const named = selector.address === undefined ? undefined : this.at(selector.address);
    return (named ?? this.hosts).some(means);
  }

  /** What there is of the kind that a selector asks for: "there are the zones a and b". */
  alternatives({ locality, metadata }: Selector): string {
    if (this.hosts.length === 0) return 'no host is known';
    if (locality !== undefined) {
      const level = (['zone', 'region', 'subZone'] as const).find((name) => locality[name] !== undefined) ?? 'zone';
      const values = [...new Set(this.hosts.map((host) => host.locality[level]))].filter((name) => name !== '').sort();
      const plural = { zone: 'zones', region: 'regions', subZone: 'sub-zones' }[level];
      return values.length === 0 ? `no host has a ${plural.slice(0, -1)}` : `there are the ${plural} ${few(values)}`;
    }
    const labels = metadata === undefined ? [] : this.hosts.flatMap((host) => Object.entries(host.metadata));
    const words = labels.map(([key, value]) => `${key}=${jsonText(value)}`);
    if (words.length > 0) return `there is the metadata ${few([...new Set(words)])}`;
    return `there are the hosts ${few([...new Set(this.hosts.map(({ address }) => address))])}`;
  }

  /** undefined: no host has exactly this address. */
  private at(address: string): readonly SelectableHost[] | undefined {
    this.byAddress ??= groupBy(this.hosts, (host) => host.address);
    return this.byAddress.get(address);
  }

  private addCluster(cluster: Cluster): void {
    if (discoveryType(cluster) === 'ORIGINAL_DST') this.open.add(cluster.name);
    const own = effectiveAssignment(cluster);
    if (own !== undefined) this.addAssignment(cluster.name, own);
    for (const name of namesOf(cluster)) {
      const assignment = this.sources.assignments.get(name);
      if (assignment !== undefined) this.addAssignment(cluster.name, assignment);
    }
  }

  private addAssignment(cluster: string, assignment: ClusterLoadAssignment): void {
    for (const group of assignment.endpoints) {
      for (const endpoint of group.lbEndpoints) {
        this.addEndpoint(cluster, group.priority, group.locality ?? NOWHERE, endpoint);
      }
    }
  }

  private addEndpoint(cluster: string, priority: number, locality: Locality, { endpoint, metadata }: LbEndpoint): void {
    const address = addressText(endpoint.address);
    const { hostname } = endpoint;
    const common = { cluster, priority, locality, metadata: metadataEntry(metadata, LB_NAMESPACE) };
    this.hosts.push({ address, hostname, ...common });
    if (this.maps.length === 0) return;
    const split = address.lastIndexOf(':');
    const name = address.slice(0, split);
    for (const ip of this.answers(name)) {
      const resolved = withPort(ip, address.slice(split + 1));
      this.hosts.push({ address: resolved, hostname: hostname === '' ? name : hostname, ...common });
    }
  }

  /** Every address that the resolver ever has for a name. */
  private answers(name: string): readonly string[] {
    return this.maps.flatMap((map) => {
      const answer = map.get(name);
      return answer === undefined || 'fail' in answer ? [] : answer.addresses;
    });
  }
}

/** The first of many names. */
function few(names: readonly string[]): string {
  return someOf(names.map(printable), MAX_NAMED);
}

const MAX_NAMED = 8;

/** The names under which a cluster's assignment may come. */
export function namesOf(cluster: Cluster): readonly string[] {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? [cluster.name] : [cluster.name, service];
}
