import type { Scenario } from '../model.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { effectiveAssignment, type ClusterLoadAssignment, type LbEndpoint } from '../../config/assignment-rules.js';
import { aggregated, discoveryType, serviceName } from '../../config/cluster/cluster-shape.js';
import { addTo, groupBy, present, withoutField, jsonText } from '../../core/values.js';
import { ipOf, parseIp, withPort } from '../../core/ip.js';
import { actionsOf, answersEver, canonicalName, type DnsAnswer, ipsIn } from '../../settings/world.js';
import { addressText } from '../../config/address.js';
import { lbMetadata } from '../../settings/assignment.js';
import { type Locality, NOWHERE } from '../../host/host.js';
import { hostPredicate, type SelectableHost, type Selector } from '../../settings/selector.js';
import { printable } from '../../core/printable.js';
import { someOf } from '../../core/words.js';

/**
 * What is known of a cluster's hosts. `hosts`: it has some, now or later. `none`: it is known to have none. `requests`:
 * they come with the requests. `unknown`: they come from `from`, which is in no given file.
 */
export type HostKnowledge =
  | { readonly kind: 'hosts' | 'none' | 'requests' }
  | { readonly kind: 'unknown'; readonly from: string; readonly areMore?: true };

export type HostSources = Pick<Scenario, 'clusters' | 'assignments' | 'dns' | 'timeline'>;

export class HostKnowledgeBase {
  private readonly answers = answersEver(this.definitions);
  /** Clusters and services that the timeline gives hosts. */
  private readonly later = new Set<string>();

  private readonly byName: ReadonlyMap<string, Cluster> = new Map(
    this.definitions.clusters.map((cluster) => [cluster.name, cluster]),
  );

  constructor(private readonly definitions: HostSources) {
    for (const { action } of definitions.timeline) {
      if (action.kind === 'assign') this.later.add(action.assignment.clusterName);
      else if (action.kind === 'add_hosts') this.later.add(action.cluster);
      else if (action.kind === 'update_cluster') this.later.add(action.cluster.name);
    }
  }

  learn(name: string, answer: DnsAnswer): void {
    addTo(this.answers, canonicalName(name), answer);
  }

  of(cluster: Cluster): HostKnowledge {
    if (this.later.has(cluster.name) || this.later.has(serviceName(cluster))) return { kind: 'hosts' };
    switch (discoveryType(cluster)) {
      case 'EDS':
        return this.ofDiscovered(cluster);
      case 'STRICT_DNS':
      case 'LOGICAL_DNS':
        return this.ofResolved(cluster);
      case 'AGGREGATE':
        return this.ofMembers(cluster);
      case 'STATIC':
        return kindOf(effectiveAssignment(cluster));
      // A cluster type that is not simulated finds its hosts itself.
      case undefined:
      case 'ORIGINAL_DST':
        return { kind: 'requests' };
    }
  }

  /** The existing member clusters of an aggregate; none of any other cluster. */
  members(cluster: Cluster): readonly Cluster[] {
    return (aggregated(cluster) ?? []).flatMap((name) => this.byName.get(name) ?? []);
  }

  private ofMembers(cluster: Cluster): HostKnowledge {
    // A proxy accepts no aggregate as a member of an aggregate, but a file may contain one.
    const members = this.members(cluster).filter((member) => aggregated(member) === undefined);
    const known = members.map((member) => this.of(member));
    const some = known.find(({ kind }) => kind === 'hosts') ?? known.find(({ kind }) => kind === 'unknown');
    return some ?? { kind: 'none' };
  }

  unanswered(cluster: Cluster): readonly string[] {
    const type = discoveryType(cluster);
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return [];
    const names = addressesOf(cluster).filter((name) => parseIp(name) === undefined);
    return [...new Set(names)].filter((name) => !this.answers.has(canonicalName(name)));
  }

  private ofDiscovered(cluster: Cluster): HostKnowledge {
    const found = this.definitions.assignments.get(serviceName(cluster));
    if (found === undefined) return { kind: 'unknown', from: 'EDS' };
    const kind = kindOf(found);
    const isElsewhere = found.endpoints.some((group) => group.ledsClusterLocalityConfig !== undefined);
    return kind.kind === 'none' && isElsewhere ? { kind: 'unknown', from: 'LEDS' } : kind;
  }

  private ofResolved(cluster: Cluster): HostKnowledge {
    const addresses = addressesOf(cluster);
    const isAnswered = (name: string): boolean =>
      (this.answers.get(canonicalName(name)) ?? []).some((answer) => ipsIn(answer).length > 0);
    if (addresses.some((name) => parseIp(name) !== undefined || isAnswered(name))) return { kind: 'hosts' };
    const [first, second] = this.unanswered(cluster);
    if (first === undefined) return { kind: 'none' };
    return { kind: 'unknown', from: first, ...(second !== undefined && { areMore: true }) };
  }
}

const addressesOf = (cluster: Cluster): readonly string[] =>
  socketAddresses((effectiveAssignment(cluster)?.endpoints ?? []).flatMap(({ lbEndpoints }) => lbEndpoints));

/** IP addresses and names, without ports. */
export const socketAddresses = (endpoints: readonly LbEndpoint[]): readonly string[] =>
  endpoints.flatMap(({ endpoint }) => endpoint.address.socketAddress?.address ?? []);

const kindOf = (assignment: ClusterLoadAssignment | undefined): HostKnowledge => ({
  kind: assignment?.endpoints.some(({ lbEndpoints }) => lbEndpoints.length > 0) === true ? 'hosts' : 'none',
});

/**
 * One note for each DNS cluster with names that the resolver never answers: those hosts do not exist, as with every DNS
 * cluster pasted from production.
 */
export const unresolvedNotes = (clusters: readonly Cluster[], knowledge: HostKnowledgeBase): readonly string[] =>
  clusters.flatMap((cluster) => {
    const unknown = knowledge.unanswered(cluster);
    const [first] = unknown;
    if (first === undefined) return [];
    const what = unknown.length === 1 ? `${first}, which` : `${unknown.length} names, as ${first}, which`;
    return [`${cluster.name} asks the resolver for ${what} dns does not have: no hosts come of it`];
  });

/** Every host that the file names, at any time: this distinguishes a selector with a typo from one whose hosts come later. */
export class NamedHosts {
  private readonly hosts: SelectableHost[] = [];
  private byAddress: ReadonlyMap<string, readonly SelectableHost[]> | undefined;
  /** Clusters whose hosts come from the requests. */
  private readonly open = new Set<string>();
  private readonly metadataChanges: boolean;
  private readonly answers = answersEver(this.sources);

  constructor(private readonly sources: HostSources) {
    const { clusters, timeline } = sources;
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
          if (serviceName(cluster) === name) this.addAssignment(cluster.name, action.assignment);
      }
    }
    this.metadataChanges = timeline.some(({ action }) => action.kind === 'set_metadata');
  }

  /** False only if no host of the file can ever match. */
  mayMatch(selector: Selector): boolean {
    if (selector.cluster === undefined ? this.open.size > 0 : this.open.has(selector.cluster)) return true;
    const means = hostPredicate(this.metadataChanges ? withoutField(selector, 'metadata') : selector);
    if (selector.address === undefined) return this.hosts.some(means);
    // Most timelines name single hosts, possibly ten thousand times.
    this.byAddress ??= groupBy(this.hosts, (host) => host.address);
    return (this.byAddress.get(selector.address) ?? this.hosts).some(means);
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

  private addCluster(cluster: Cluster): void {
    if (discoveryType(cluster) === 'ORIGINAL_DST') this.open.add(cluster.name);
    const told = this.sources.assignments.get(serviceName(cluster));
    for (const one of present([effectiveAssignment(cluster), told])) this.addAssignment(cluster.name, one);
  }

  private addAssignment(cluster: string, assignment: ClusterLoadAssignment): void {
    for (const group of assignment.endpoints) {
      for (const endpoint of group.lbEndpoints)
        this.addEndpoint(cluster, group.priority, group.locality ?? NOWHERE, endpoint);
    }
  }

  private addEndpoint(cluster: string, priority: number, locality: Locality, { endpoint, metadata }: LbEndpoint): void {
    const address = addressText(endpoint.address);
    const { hostname, healthCheckConfig: { portValue = 0 } = {} } = endpoint;
    const common = { cluster, priority, locality, metadata: lbMetadata(metadata?.filterMetadata) };
    this.hosts.push({ address, hostname, ...common });
    if (portValue > 0) this.hosts.push({ address: withPort(ipOf(address), portValue), hostname, ...common });
    if (this.answers.size === 0) return;
    const split = address.lastIndexOf(':');
    const name = address.slice(0, split);
    for (const ip of (this.answers.get(canonicalName(name)) ?? []).flatMap(ipsIn)) {
      const resolved = withPort(ip, address.slice(split + 1));
      this.hosts.push({ address: resolved, hostname: hostname === '' ? name : hostname, ...common });
    }
  }
}

const few = (names: readonly string[]): string => someOf(names.map(printable), MAX_NAMED);

const MAX_NAMED = 8;
