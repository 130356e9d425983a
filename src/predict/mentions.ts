import { addressText } from '../config/address.js';
import { metadataEntry } from '../config/core.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../config/types.js';
import type { Struct } from '../core/json.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { localityKey, NOWHERE } from '../host/host.js';
import type { Selector } from '../scenario/model.js';
import { LB_NAMESPACE } from '../scenario/metadata.js';
import { hostPredicate } from '../scenario/selector.js';

/** A locality, numbered. */
export interface Place {
  readonly id: number;
  readonly key: string;
  readonly locality: Locality;
}

/** One mention of an endpoint in what discovery says now. */
export interface Mention {
  readonly address: string;
  readonly hostname: string;
  weight: number;
  status: HealthStatus;
  metadata: Struct;
}

export interface MentionGroup {
  readonly priority: number;
  readonly place: Place;
  /** Only an entry with a `locality` message has a weight that counts. */
  readonly placed: boolean;
  readonly weight: number | undefined;
  mentions: Mention[];
}

/** What discovery says of one cluster's endpoints, in its order, whoever has heard of it. */
export class Mentions {
  groups: readonly MentionGroup[] = [];
  overprovisioningFactor = 140;
  weightedPriorityHealth = false;
  private readonly places = new Map<string, Place>();
  /** Made when an address is first looked for; undefined once endpoints come or go. */
  private byAddress: ReadonlyMap<string, readonly Found[]> | undefined;

  constructor(private readonly cluster: string) {}

  /** A whole assignment replaces what was known. */
  assign({ policy, endpoints }: ClusterLoadAssignment): void {
    this.overprovisioningFactor = policy?.overprovisioningFactor ?? 140;
    this.weightedPriorityHealth = policy?.weightedPriorityHealth ?? false;
    this.setGroups(
      endpoints.map((group) => ({
        priority: group.priority,
        place: this.placeOf(group.locality ?? NOWHERE),
        placed: group.locality !== undefined,
        weight: group.loadBalancingWeight,
        mentions: group.lbEndpoints.map(mention),
      })),
    );
  }

  add(priority: number, locality: Locality | undefined, endpoints: readonly LbEndpoint[]): void {
    const place = this.placeOf(locality ?? NOWHERE);
    const mentions = endpoints.map(mention);
    const group = this.groups.find((known) => known.priority === priority && known.place === place);
    if (group !== undefined) {
      group.mentions.push(...mentions);
      this.setGroups(this.groups);
    } else {
      const placed = locality !== undefined;
      this.setGroups([...this.groups, { priority, place, placed, weight: undefined, mentions }]);
    }
  }

  /** @returns whether there was anybody to remove. */
  remove(selector: Selector): boolean {
    const gone = new Set(this.select(selector));
    if (gone.size === 0) return false;
    for (const group of this.groups) group.mentions = group.mentions.filter((endpoint) => !gone.has(endpoint));
    this.setGroups(this.groups);
    return true;
  }

  select(selector: Selector): Mention[] {
    const means = hostPredicate(selector);
    const cluster = this.cluster;
    const found: Mention[] = [];
    const visit = ({ priority, place: { locality } }: MentionGroup, endpoint: Mention): void => {
      const { address, hostname, metadata } = endpoint;
      if (means({ address, hostname, cluster, priority, locality, metadata })) found.push(endpoint);
    };
    // Most timelines name one host of many again and again.
    const named = selector.address === undefined ? undefined : this.addresses().get(selector.address);
    if (named !== undefined) for (const { group, mention: endpoint } of named) visit(group, endpoint);
    else for (const group of this.groups) for (const endpoint of group.mentions) visit(group, endpoint);
    return found;
  }

  private setGroups(groups: readonly MentionGroup[]): void {
    this.groups = groups;
    this.byAddress = undefined;
  }

  private addresses(): ReadonlyMap<string, readonly Found[]> {
    if (this.byAddress !== undefined) return this.byAddress;
    const byAddress = new Map<string, Found[]>();
    for (const group of this.groups) {
      for (const endpoint of group.mentions) {
        const known = byAddress.get(endpoint.address);
        if (known === undefined) byAddress.set(endpoint.address, [{ group, mention: endpoint }]);
        else known.push({ group, mention: endpoint });
      }
    }
    this.byAddress = byAddress;
    return byAddress;
  }

  private placeOf(locality: Locality): Place {
    const key = localityKey(locality);
    let place = this.places.get(key);
    if (place === undefined) {
      place = { id: this.places.size, key, locality };
      this.places.set(key, place);
    }
    return place;
  }
}

interface Found {
  readonly group: MentionGroup;
  readonly mention: Mention;
}

function mention(endpoint: LbEndpoint): Mention {
  const { address } = endpoint.endpoint;
  return {
    address: addressText(address),
    hostname: endpoint.endpoint.hostname,
    weight: endpoint.loadBalancingWeight ?? 1,
    status: endpoint.healthStatus,
    metadata: metadataEntry(endpoint.metadata, LB_NAMESPACE),
  };
}
