import type { Clock, Runtime } from '../../../src/core/environment.js';
import type { Struct } from '../../../src/core/values.js';
import type { U64 } from '../../../src/core/u64.js';
import { parse } from '../../../src/core/u64.js';
import type { Locality } from '../../../src/host/host.js';
import { HealthFlag, Host, NOWHERE } from '../../../src/host/host.js';
import type { HostSet, LocalityGroup } from '../../../src/hostset/host-set.js';
import { asString, Fields, FormatError } from '../fields.js';

/** Which lists of its level a host stands in; LISTED_ONLY: in none but the list of all. */
type Listing = 'HEALTHY' | 'DEGRADED' | 'UNHEALTHY' | 'LISTED_ONLY';

interface ListedHost {
  readonly host: Host;
  readonly listing: Listing;
}

/** Hosts by address: a host that an update names again is the same object. */
export class HostTable {
  private readonly hosts = new Map<string, Host>();

  /** @throws FormatError for an address that no fixture has named. */
  byAddress(address: string): Host {
    const host = this.hosts.get(address);
    if (host === undefined) throw new FormatError(`unknown address ${JSON.stringify(address)}`);
    return host;
  }

  /** Reads one level with the lists as the vector states them, without deriving them from health flags. */
  hostSet(priority: number, fields: Fields): HostSet {
    const level = fields.objects('hosts').map((host) => this.listed(host));
    const byAddress = new Map(level.map((entry) => [entry.host.address, entry]));
    const groups = (fields.optionalList('hosts_per_locality') ?? []).map((group, index) =>
      this.group(group, `${fields.path}.hosts_per_locality[${index}]`, byAddress),
    );
    const hostSet: HostSet = {
      priority,
      overprovisioningFactor: 140,
      weightedPriorityHealth: false,
      ...lists(level),
      localities: groups,
      hasLocalLocality: fields.optionalBoolean('has_local_locality') ?? true,
      localityWeights: fields.optionalNumbers('locality_weights'),
    };
    fields.end();
    return hostSet;
  }

  private group(value: unknown, path: string, byAddress: ReadonlyMap<string, ListedHost>): LocalityGroup {
    if (!Array.isArray(value)) throw new FormatError(`${path}: expected a list`);
    const members = value.map((entry: unknown): ListedHost => {
      if (typeof entry !== 'string') return this.listed(Fields.of(entry, path));
      const member = byAddress.get(entry);
      if (member === undefined) throw new FormatError(`${path}: ${entry} is not among the hosts`);
      return member;
    });
    return { locality: members[0]?.host.locality ?? NOWHERE, ...lists(members) };
  }

  private listed(fields: Fields): ListedHost {
    const address = fields.string('address');
    const listing = listingOf(fields.optionalString('health') ?? 'HEALTHY');
    const weight = fields.optionalNumber('weight') ?? 1;
    const metadata = lbMetadata(fields.optionalObject('metadata'));
    const locality = localityOf(fields.optionalObject('locality'));
    const hostname = fields.optionalString('hostname') ?? '';
    const failed = fields.optionalBoolean('failed_active_hc') ?? false;
    fields.end();

    let host = this.hosts.get(address);
    if (host === undefined) {
      host = new Host({ address, hostname, locality });
      this.hosts.set(address, host);
    }
    host.weight = weight;
    host.metadata = metadata;
    host.flags = (failed ? HealthFlag.FAILED_ACTIVE_HC : 0) | flagsOf(listing);
    return { host, listing };
  }
}

function lists(entries: readonly ListedHost[]): Pick<HostSet, 'hosts' | 'healthy' | 'degraded' | 'excluded'> {
  const of = (listing: Listing): Host[] => entries.filter((entry) => entry.listing === listing).map(({ host }) => host);
  return {
    hosts: entries.map(({ host }) => host),
    healthy: of('HEALTHY'),
    degraded: of('DEGRADED'),
    excluded: [],
  };
}

function listingOf(text: string): Listing {
  if (text === 'HEALTHY' || text === 'DEGRADED' || text === 'UNHEALTHY' || text === 'LISTED_ONLY') return text;
  throw new FormatError(`unknown health ${JSON.stringify(text)}`);
}

function flagsOf(listing: Listing): number {
  if (listing === 'UNHEALTHY') return HealthFlag.FAILED_EDS_HEALTH;
  return listing === 'DEGRADED' ? HealthFlag.DEGRADED_EDS_HEALTH : 0;
}

export function lbMetadata(fields: Fields | undefined): Struct {
  if (fields === undefined) return {};
  const name = fields.has('proxy.lb') ? 'proxy.lb' : 'envoy.lb';
  const metadata = fields.unknown(name);
  fields.end();
  return (metadata ?? {}) as Struct;
}

function localityOf(fields: Fields | undefined): Locality {
  if (fields === undefined) return NOWHERE;
  const locality: Locality = {
    region: fields.optionalString('region') ?? '',
    zone: fields.optionalString('zone') ?? '',
    subZone: fields.optionalString('sub_zone') ?? '',
  };
  fields.end();
  return locality;
}

/** @throws FormatError unless `value` is a decimal string of 0 … 2⁶⁴ − 1. */
export function u64Of(value: unknown, path: string): U64 {
  const parsed = parse(asString(value, path));
  if (parsed === undefined) throw new FormatError(`${path}: ${JSON.stringify(value)} is no 64-bit integer`);
  return parsed;
}

/** Runtime overrides: numbers, and booleans as 0 and 1. */
export class RuntimeTable implements Runtime {
  private readonly values = new Map<string, number>();

  set(fields: Fields | undefined): void {
    for (const key of fields?.keys ?? []) {
      const value = fields?.unknown(key);
      if (typeof value === 'boolean') this.values.set(key, value ? 1 : 0);
      else if (typeof value === 'number') this.values.set(key, value);
      else throw new FormatError(`${key}: expected a number or a boolean`);
    }
  }

  number(key: string): number | undefined {
    return this.values.get(key);
  }
}

export class ManualClock implements Clock {
  nowUs = 0;
}
