import { defaultOf } from '../config/defaults.js';
import { addAll } from '../core/lists.js';
import { addressText } from '../config/address.js';
import { metadataEntry } from '../config/core.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../config/types.js';
import type { Struct } from '../core/json.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { localityKey, NOWHERE } from '../host/host.js';
import type { Selector } from '../scenario/model.js';
import { LB_NAMESPACE } from '../scenario/metadata.js';
import { hostPredicate } from '../scenario/selector.js';
import type { Member, Place } from './member.js';

/** One mention of an endpoint in what discovery says now. */
export interface Mention {
  readonly address: string;
  /** Mentions of one address have one number. */
  readonly addressNumber: number;
  readonly hostname: string;
  readonly priority: number;
  readonly place: Place;
  weight: number;
  status: HealthStatus;
  metadata: Struct;
  /** The host that discovery made of it; undefined: none yet, or another mention of the address comes before it. */
  member: Member | undefined;
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
  private readonly numberOfAddress = new Map<string, number>();
  /** By the address's number; made when an address is first looked for. */
  private byAddress: Mention[][] | undefined;

  constructor(private readonly cluster: string) {}

  /** How many different addresses were ever mentioned. */
  get addressCount(): number {
    return this.numberOfAddress.size;
  }

  /** A whole assignment replaces what was known. */
  assign({ policy, endpoints }: ClusterLoadAssignment): void {
    this.overprovisioningFactor =
      policy?.overprovisioningFactor ?? defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor');
    this.weightedPriorityHealth = policy?.weightedPriorityHealth ?? false;
    this.byAddress = undefined;
    this.groups = endpoints.map((group) => {
      const place = this.placeOf(group.locality ?? NOWHERE);
      return {
        priority: group.priority,
        place,
        placed: group.locality !== undefined,
        weight: group.loadBalancingWeight,
        mentions: group.lbEndpoints.map((endpoint) => this.mention(endpoint, group.priority, place)),
      };
    });
  }

  add(priority: number, locality: Locality | undefined, endpoints: readonly LbEndpoint[]): void {
    const place = this.placeOf(locality ?? NOWHERE);
    const mentions = endpoints.map((endpoint) => this.mention(endpoint, priority, place));
    const group = this.groups.find((known) => known.priority === priority && known.place === place);
    if (group !== undefined) addAll(group.mentions, mentions);
    else
      this.groups = [...this.groups, { priority, place, placed: locality !== undefined, weight: undefined, mentions }];
    if (this.byAddress !== undefined) for (const mention of mentions) enter(this.byAddress, mention);
  }

  /** @returns whether there was anybody to remove. */
  remove(selector: Selector): boolean {
    const gone = new Set(this.select(selector));
    if (gone.size === 0) return false;
    for (const group of this.groups) group.mentions = group.mentions.filter((endpoint) => !gone.has(endpoint));
    for (const { addressNumber } of gone) {
      const known = this.byAddress?.[addressNumber];
      if (known === undefined || this.byAddress === undefined) continue;
      this.byAddress[addressNumber] = known.filter((mention) => !gone.has(mention));
    }
    return true;
  }

  select(selector: Selector): Mention[] {
    const means = hostPredicate(selector);
    const cluster = this.cluster;
    const found: Mention[] = [];
    const visit = (mention: Mention): void => {
      const { address, hostname, priority, place, metadata } = mention;
      if (means({ address, hostname, cluster, priority, locality: place.locality, metadata })) found.push(mention);
    };
    // Most timelines name one host of many again and again.
    const number = selector.address === undefined ? undefined : this.numberOfAddress.get(selector.address);
    if (number !== undefined) for (const mention of this.addresses()[number] ?? []) visit(mention);
    else for (const { mentions } of this.groups) mentions.forEach(visit);
    return found;
  }

  private addresses(): readonly (readonly Mention[])[] {
    if (this.byAddress !== undefined) return this.byAddress;
    const byAddress = Array.from(this.numberOfAddress.values(), (): Mention[] => []);
    for (const { mentions } of this.groups) for (const mention of mentions) enter(byAddress, mention);
    this.byAddress = byAddress;
    return byAddress;
  }

  private mention(
    { endpoint, loadBalancingWeight, healthStatus, metadata }: LbEndpoint,
    priority: number,
    place: Place,
  ): Mention {
    const address = addressText(endpoint.address);
    let addressNumber = this.numberOfAddress.get(address);
    if (addressNumber === undefined) {
      addressNumber = this.numberOfAddress.size;
      this.numberOfAddress.set(address, addressNumber);
    }
    return {
      address,
      addressNumber,
      hostname: endpoint.hostname,
      priority,
      place,
      weight: loadBalancingWeight ?? 1,
      status: healthStatus,
      metadata: metadataEntry(metadata, LB_NAMESPACE),
      member: undefined,
    };
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

function enter(byAddress: Mention[][], mention: Mention): void {
  const known = byAddress[mention.addressNumber];
  if (known === undefined) byAddress[mention.addressNumber] = [mention];
  else known.push(mention);
}
