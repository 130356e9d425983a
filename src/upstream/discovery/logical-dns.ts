import type { Assignment, EndpointGroup, EndpointState, NameAnswer } from '../assignment.js';
import type { MembershipStats } from '../../stats/membership-stats.js';
import { describeChange } from './describe-change.js';
import type { Discovery } from './discovery.js';
import type { DnsEnvironment, DnsSettings } from './dns-query.js';
import { DnsQuery } from './dns-query.js';
import { dnsTarget, resolvedEndpoint } from './dns-target.js';
import type { Lookup } from './resolver.js';

export interface LogicalDnsOptions extends DnsSettings {
  /** One endpoint, which is a name. */
  readonly assignment: Assignment;
  /** Read at each answer. */
  readonly stats: () => MembershipStats;
}

export interface LogicalDnsEvents {
  /**
   * The cluster has a new host: its first, or one that replaces it.
   *
   * @param cause what the answer changed, for people.
   */
  readonly found: (answer: NameAnswer, cause: string) => void;
  /** New connections of the existing host go to another address from now on. */
  readonly moved: (address: string, cause: string) => void;
  /** A usable answer, whatever it contains. */
  readonly answered?: (name: string) => void;
  /** An answer that cannot be used. */
  readonly answeredInVain: (name: string) => void;
}

/**
 * LOGICAL_DNS: one logical host at the first address of the newest answer.
 *
 * Up to 1.38 the host never leaves: its new connections go to the new first address, and existing ones stay. Since 1.39 an
 * answer with any other list of addresses, even with the same one first, makes a new host, and the connections of the old
 * one are closed. After a failed query, or an empty answer, nothing changes. The priority is always 0.
 */
export class LogicalDnsDiscovery implements Discovery {
  private readonly query: DnsQuery | undefined;
  /** The last usable answer. */
  private known: readonly EndpointState[] = [];

  constructor(
    private readonly options: LogicalDnsOptions,
    env: DnsEnvironment,
    private readonly events: LogicalDnsEvents,
  ) {
    const [group] = options.assignment.groups;
    const [endpoint] = group?.endpoints ?? [];
    if (group === undefined || endpoint === undefined) return;
    const { name } = dnsTarget(endpoint);
    this.query = new DnsQuery(name, options, env, (lookup) => this.answered(group, endpoint, lookup));
  }

  start(): void {
    this.query?.start();
  }

  stop(): void {
    this.query?.stop();
  }

  private answered(group: EndpointGroup, endpoint: EndpointState, lookup: Lookup): boolean {
    const stats = this.options.stats();
    const target = dnsTarget(endpoint);
    stats.updateAttempt++;
    const ips = lookup.kind === 'success' ? lookup.addresses : [];
    const endpoints = ips.map((ip) => resolvedEndpoint(endpoint, target, ip));
    const [first] = endpoints;
    if (first === undefined) {
      stats.updateFailure++;
      this.events.answeredInVain(target.name);
      return false;
    }
    stats.updateSuccess++;
    this.events.answered?.(target.name);
    this.take(group, endpoint, target.name, endpoints, first);
    return true;
  }

  private take(
    group: EndpointGroup,
    endpoint: EndpointState,
    name: string,
    endpoints: readonly EndpointState[],
    first: EndpointState,
  ): void {
    const { assignment, quirks, stats } = this.options;
    const { known } = this;
    const [before] = known;
    this.known = endpoints;
    const replaces = quirks.logicalDnsReplacesHost;
    if (before === undefined || (replaces && !sameAddresses(known, endpoints))) {
      const cause =
        describeChange(name, known.slice(0, 1), [first]) ??
        `${name}: other addresses, with ${first.address} first as before`;
      this.events.found({ assignment, group, name: endpoint, endpoints: [first] }, cause);
      return;
    }
    if (replaces) stats().updateNoRebuild++;
    else if (before.address !== first.address) {
      this.events.moved(first.address, `${name}: ${first.address} instead of ${before.address}`);
    }
  }
}

function sameAddresses(a: readonly EndpointState[], b: readonly EndpointState[]): boolean {
  return a.length === b.length && a.every(({ address }, index) => b[index]?.address === address);
}
