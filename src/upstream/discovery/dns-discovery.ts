import type { MembershipStats } from '../../stats/membership-stats.js';
import type { Assignment, EndpointGroup, EndpointState } from '../../settings/assignment.js';
import type { Discovery } from './discovery.js';
import { type DnsEnvironment, DnsQuery, type QuerySettings } from './dns-query.js';
import type { Lookup } from './resolver.js';
import { type Happening, someHosts } from '../cause.js';
import { formatIpPort, parseIp } from '../../core/ip.js';

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

/** What an answer changed; undefined where nothing did. */
export function changedAddresses(
  name: string,
  before: readonly EndpointState[],
  after: readonly EndpointState[],
): Happening | undefined {
  const old = new Set(before.map(({ address }) => address));
  const now = new Set(after.map(({ address }) => address));
  const added = [...now].filter((address) => !old.has(address));
  const gone = [...old].filter((address) => !now.has(address));
  if (added.length === 0 && gone.length === 0) return undefined;
  return { kind: 'addresses', name, added: someHosts(added), gone: someHosts(gone), left: now.size };
}

export interface DnsOptions extends QuerySettings {
  /** Endpoints are names. */
  readonly assignment: Assignment;
  /** Read at each answer. */
  readonly stats: () => MembershipStats;
}

export interface DnsEvents {
  /** A usable answer, whatever it contains. */
  readonly answered?: (name: string) => void;
  /** An answer that cannot be used. */
  readonly answeredInVain: (name: string) => void;
}

/** Resolves the names of a cluster, each by itself. */
export abstract class DnsDiscovery implements Discovery {
  private readonly queries: readonly DnsQuery[];

  /** @param usesEmpty whether an answer without addresses is one. */
  constructor(
    protected readonly options: DnsOptions,
    env: DnsEnvironment,
    private readonly answers: DnsEvents,
    private readonly usesEmpty: boolean,
  ) {
    this.queries = options.assignment.groups.flatMap((group) =>
      group.endpoints.map((endpoint) => {
        const target = dnsTarget(endpoint);
        return new DnsQuery(target.name, options, env, (lookup) => this.answered(group, endpoint, target, lookup));
      }),
    );
  }

  start(): void {
    for (const query of this.queries) query.start();
  }

  stop(): void {
    for (const query of this.queries) query.stop();
  }

  /** The name of `endpoint` resolves to these. */
  protected abstract take(group: EndpointGroup, endpoint: EndpointState, name: string, found: EndpointState[]): void;

  private answered(group: EndpointGroup, endpoint: EndpointState, target: DnsTarget, lookup: Lookup): boolean {
    const stats = this.options.stats();
    stats.updateAttempt++;
    if (lookup.kind === 'failure' || (lookup.addresses.length === 0 && !this.usesEmpty)) {
      stats.updateFailure++;
      this.answers.answeredInVain(target.name);
      return false;
    }
    stats.updateSuccess++;
    this.answers.answered?.(target.name);
    const found = lookup.addresses.map((ip) => resolvedEndpoint(endpoint, target, ip));
    this.take(group, endpoint, target.name, found);
    return true;
  }
}
