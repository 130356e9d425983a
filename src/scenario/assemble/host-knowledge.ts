import type { TimelineEntry } from '../model.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { aggregated, discoveryType } from '../../config/cluster/discovery.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../../config/endpoint.js';
import { addTo } from '../../core/lists.js';
import { parseIp } from '../../core/ip.js';
import { canonicalName, type DnsAnswer } from '../../settings/timeline-entry.js';
import { type HostSources, namesOf } from './named-hosts.js';

/**
 * What is known of a cluster's hosts.
 *
 * `hosts`: it has some, now or later. `none`: it is known to have none. `requests`: they come with the requests. `unknown`:
 * they come from `from`, which is in no given file.
 */
export type HostKnowledge =
  | { readonly kind: 'hosts' | 'none' | 'requests' }
  | { readonly kind: 'unknown'; readonly from: string; readonly areMore?: true };

/** The parts of a file that may define hosts. */
export interface HostDefinitions extends Omit<HostSources, 'timeline'> {
  readonly timeline: readonly Pick<TimelineEntry, 'action'>[];
}

export class HostKnowledgeBase {
  /** Every answer that the resolver ever has, by the name as it compares. */
  private readonly answers = new Map<string, DnsAnswer[]>();
  /** Clusters and services that the timeline gives hosts. */
  private readonly later = new Set<string>();

  private readonly byName: ReadonlyMap<string, Cluster>;

  constructor(private readonly definitions: HostDefinitions) {
    this.byName = new Map(definitions.clusters.map((cluster) => [cluster.name, cluster]));
    for (const [name, answer] of definitions.dns) this.learn(name, answer);
    for (const { action } of definitions.timeline) {
      if (action.kind === 'dns') {
        for (const [name, answer] of action.answers) this.learn(name, answer);
      } else if (action.kind === 'assign') this.later.add(action.assignment.clusterName);
      else if (action.kind === 'add_hosts') this.later.add(action.cluster);
      else if (action.kind === 'update_cluster') this.later.add(action.cluster.name);
    }
  }

  /** The resolver has answers for its names, too. */
  learn(name: string, answer: DnsAnswer): void {
    addTo(this.answers, canonicalName(name), answer);
  }

  of(cluster: Cluster): HostKnowledge {
    if (this.later.has(cluster.name) || namesOf(cluster).some((name) => this.later.has(name))) return { kind: 'hosts' };
    switch (discoveryType(cluster)) {
      case 'EDS':
        return this.ofDiscovered(cluster);
      case 'STRICT_DNS':
      case 'LOGICAL_DNS':
        return this.ofResolved(cluster);
      case 'ORIGINAL_DST':
        return { kind: 'requests' };
      case 'AGGREGATE':
        return this.ofMembers(cluster);
      case 'STATIC':
        return kindOf(effectiveAssignment(cluster));
      case undefined:
        // A cluster type that is not simulated finds its hosts itself.
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

  /** The names of a cluster that the resolver never answers. */
  unanswered(cluster: Cluster): readonly string[] {
    const type = discoveryType(cluster);
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return [];
    const names = addressesOf(cluster).filter((name) => parseIp(name) === undefined);
    return [...new Set(names)].filter((name) => !this.answers.has(canonicalName(name)));
  }

  private ofDiscovered(cluster: Cluster): HostKnowledge {
    const assignments = namesOf(cluster).map((name) => this.definitions.assignments.get(name));
    const found = assignments.find((one) => one !== undefined);
    if (found === undefined) return { kind: 'unknown', from: 'EDS' };
    const kind = kindOf(found);
    const isElsewhere = found.endpoints.some((group) => group.ledsClusterLocalityConfig !== undefined);
    return kind.kind === 'none' && isElsewhere ? { kind: 'unknown', from: 'LEDS' } : kind;
  }

  private ofResolved(cluster: Cluster): HostKnowledge {
    const addresses = addressesOf(cluster);
    const resolved = addresses.some((name) => parseIp(name) !== undefined || this.isAnswered(name));
    if (resolved) return { kind: 'hosts' };
    const [first, second] = this.unanswered(cluster);
    if (first === undefined) return { kind: 'none' };
    return { kind: 'unknown', from: first, ...(second !== undefined && { areMore: true }) };
  }

  private isAnswered(name: string): boolean {
    const answers = this.answers.get(canonicalName(name)) ?? [];
    return answers.some((answer) => !('fail' in answer) && answer.addresses.length > 0);
  }
}

function addressesOf(cluster: Cluster): readonly string[] {
  const endpoints = effectiveAssignment(cluster)?.endpoints ?? [];
  return socketAddresses(endpoints.flatMap(({ lbEndpoints }) => lbEndpoints));
}

/** IP addresses and names, without ports. */
export function socketAddresses(endpoints: readonly LbEndpoint[]): readonly string[] {
  return endpoints.flatMap(({ endpoint }) => endpoint.address.socketAddress?.address ?? []);
}

function kindOf(assignment: ClusterLoadAssignment | undefined): HostKnowledge {
  return { kind: assignment?.endpoints.some(({ lbEndpoints }) => lbEndpoints.length > 0) === true ? 'hosts' : 'none' };
}

/**
 * One note for each DNS cluster with names that the resolver never answers: those hosts do not exist, as with every DNS
 * cluster pasted from production.
 */
export function unresolvedNotes(clusters: readonly Cluster[], knowledge: HostKnowledgeBase): readonly string[] {
  return clusters.flatMap((cluster) => {
    const unknown = knowledge.unanswered(cluster);
    const [first] = unknown;
    if (first === undefined) return [];
    const what = unknown.length === 1 ? `${first}, which` : `${unknown.length} names, as ${first}, which`;
    return [`${cluster.name} asks the resolver for ${what} dns does not have: no hosts come of it`];
  });
}
