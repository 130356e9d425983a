import { formatIpPort, parseIp } from '../../core/ip.js';
import type { EndpointState } from '../../settings/assignment.js';

/** The name and the port of an endpoint that DNS has to find: `backend.local:80`, `10.0.0.1:80`, `[::1]:80`. */
export interface DnsTarget {
  readonly name: string;
  readonly port: number;
}

export function dnsTarget(endpoint: EndpointState): DnsTarget {
  const at = endpoint.address.lastIndexOf(':');
  const port = Number(endpoint.address.slice(at + 1));
  return {
    name: endpoint.address.slice(0, at).replace(/^\[(.*)\]$/, '$1'),
    // A named port is for resolvers that know names; DNS answers with addresses only.
    port: Number.isInteger(port) ? port : 0,
  };
}

/** A host that was found: it keeps the name it was found by, unless the endpoint has a hostname of its own. */
export function resolvedEndpoint(endpoint: EndpointState, target: DnsTarget, ip: string): EndpointState {
  const parsed = parseIp(ip);
  return {
    ...endpoint,
    address: parsed === undefined ? `${ip}:${target.port}` : formatIpPort(parsed, target.port),
    hostname: endpoint.hostname === '' ? target.name : endpoint.hostname,
  };
}
