import type { Assignment, EndpointState } from '../assignment.js';
import type { MembershipStats } from '../membership-stats.js';
import type { Discovery } from './discovery.js';
import type { DnsEnvironment, DnsSettings } from './dns-query.js';
import { DnsQuery } from './dns-query.js';
import { dnsTarget, resolvedEndpoint } from './dns-target.js';
import type { Lookup } from './resolver.js';

export interface LogicalDnsOptions extends DnsSettings {
  /** One endpoint, which is a name. */
  readonly assignment: Assignment;
  /** Asked for at each answer. */
  readonly stats: () => MembershipStats;
}

export interface LogicalDnsEvents {
  /** The first usable answer: the cluster has its host, for good. */
  readonly found: (assignment: Assignment) => void;
  /** New connections of that host go to another address from now on. */
  readonly moved: (address: string, cause: string) => void;
  /** An answer that is of use, whatever it says. */
  readonly answered?: (name: string) => void;
  /** An answer that is of no use. */
  readonly answeredInVain: (name: string) => void;
}

/**
 * LOGICAL_DNS: one logical host, whose new connections go to the first address of the newest answer.
 *
 * The host never leaves and its connections are never drained. A failed query, or an empty answer, keeps the address
 * there is. Its priority is always 0.
 */
export class LogicalDnsDiscovery implements Discovery {
  private readonly query: DnsQuery | undefined;
  private current: string | undefined;

  constructor(
    private readonly options: LogicalDnsOptions,
    env: DnsEnvironment,
    private readonly events: LogicalDnsEvents,
  ) {
    const endpoint = options.assignment.groups[0]?.endpoints[0];
    if (endpoint === undefined) return;
    const { name } = dnsTarget(endpoint);
    this.query = new DnsQuery(name, options, env, (lookup) => this.answered(endpoint, lookup));
  }

  start(): void {
    this.query?.start();
  }

  stop(): void {
    this.query?.stop();
  }

  private answered(endpoint: EndpointState, lookup: Lookup): boolean {
    const { assignment } = this.options;
    const stats = this.options.stats();
    const target = dnsTarget(endpoint);
    stats.updateAttempt++;
    const first = lookup.kind === 'success' ? lookup.addresses[0] : undefined;
    if (first === undefined) {
      stats.updateFailure++;
      this.events.answeredInVain(target.name);
      return false;
    }
    stats.updateSuccess++;
    this.events.answered?.(target.name);
    const resolved = resolvedEndpoint(endpoint, target, first);
    const before = this.current;
    this.current = resolved.address;
    if (before === undefined) {
      const groups = assignment.groups.slice(0, 1).map((group) => ({ ...group, priority: 0, endpoints: [resolved] }));
      this.events.found({ ...assignment, groups });
    } else if (before !== resolved.address) {
      this.events.moved(resolved.address, `${target.name}: ${resolved.address} instead of ${before}`);
    }
    return true;
  }
}
