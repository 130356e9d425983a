import { inCidr, ipOf, parseCidr, parseIp, withPort } from '../core/ip.js';
import { sameJson, type Struct } from '../core/values.js';
import type { Locality } from '../host/host.js';
import { hasEntries } from './assignment.js';

/** A selector of hosts: all given parts must match; without parts it matches every host. */
export interface Selector {
  /** `ip:port`, `ip` or CIDR, canonical. */
  readonly address?: string;
  readonly hostname?: string;
  readonly cluster?: string;
  readonly priority?: number;
  readonly locality?: { readonly region?: string; readonly zone?: string; readonly subZone?: string };
  /** Entries under `proxy.lb`. */
  readonly metadata?: Struct;
}

export interface SelectableHost {
  /** Canonical `ip:port`, IPv6 in brackets. */
  readonly address: string;
  readonly hostname: string;
  readonly cluster: string;
  readonly priority: number;
  readonly locality: Locality;
  /** Entries under `proxy.lb`. */
  readonly metadata: Struct;
}

export const selectableHost = (
  { address, hostname, locality, metadata }: Omit<SelectableHost, 'cluster' | 'priority'>,
  cluster: string,
  priority: number,
): SelectableHost => ({ address, hostname, cluster, priority, locality, metadata });

/** All given parts must match; a selector without parts matches every host. CIDR blocks are read once. */
export function hostPredicate(selector: Selector): (host: SelectableHost) => boolean {
  const addressed = selector.address === undefined ? undefined : addressPredicate(selector.address);
  return (host) =>
    (addressed === undefined || addressed(host.address)) &&
    (selector.hostname === undefined || selector.hostname === host.hostname) &&
    (selector.cluster === undefined || selector.cluster === host.cluster) &&
    (selector.priority === undefined || selector.priority === host.priority) &&
    (selector.locality === undefined || inLocality(selector.locality, host.locality)) &&
    (selector.metadata === undefined || hasEntries(host.metadata, selector.metadata, sameJson));
}

/** Whether an address, `ip:port`, is one of those that a selector means: that one, all of an IP address, or of a block. */
export function addressPredicate(wanted: string): (address: string) => boolean {
  const cidr = parseCidr(wanted);
  if (cidr !== undefined) {
    return (address) => {
      const ip = parseIp(ipOf(address));
      return ip !== undefined && inCidr(cidr, ip);
    };
  }
  if (parseIp(wanted) === undefined) return (address) => address === wanted;
  const start = withPort(wanted, '');
  return (address) => address.startsWith(start);
}

const inLocality = (wanted: NonNullable<Selector['locality']>, locality: Locality): boolean =>
  (wanted.region === undefined || wanted.region === locality.region) &&
  (wanted.zone === undefined || wanted.zone === locality.zone) &&
  (wanted.subZone === undefined || wanted.subZone === locality.subZone);
