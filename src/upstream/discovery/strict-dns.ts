import type { Assignment, EndpointGroup, EndpointState, NameAnswer } from '../assignment.js';
import type { MembershipStats } from '../../stats/membership-stats.js';
import type { Discovery } from './discovery.js';
import type { DnsEnvironment, DnsSettings } from './dns-query.js';
import { DnsQuery } from './dns-query.js';
import { dnsTarget, resolvedEndpoint } from './dns-target.js';
import { describeChange } from './describe-change.js';
import type { Lookup } from './resolver.js';

export interface StrictDnsOptions extends DnsSettings {
  /** Endpoints are names. */
  readonly assignment: Assignment;
  /** Read at each answer. */
  readonly stats: () => MembershipStats;
}

export interface StrictDnsEvents {
  /**
   * One name was answered.
   *
   * @param cause what the answer changed, for people; undefined: nothing.
   */
  readonly resolved: (name: string, answer: NameAnswer, cause: string | undefined) => void;
  /** An answer that cannot be used. */
  readonly answeredInVain: (name: string) => void;
}

/**
 * STRICT_DNS: every address that a name resolves to is a host.
 *
 * Each name is resolved, and its answer applied, by itself: the hosts of the other names stay, and an address that two
 * names share is two hosts, each with its own health. A failed query keeps the hosts; an empty answer removes them all,
 * except before 1.14, where it counts as a failure.
 */
export class StrictDnsDiscovery implements Discovery {
  private readonly queries: DnsQuery[] = [];
  /** What the names of the assignment resolve to, by their endpoints there. */
  private readonly found = new Map<EndpointState, readonly EndpointState[]>();

  constructor(
    private readonly options: StrictDnsOptions,
    env: DnsEnvironment,
    private readonly events: StrictDnsEvents,
  ) {
    for (const group of options.assignment.groups) {
      for (const endpoint of group.endpoints) {
        const { name } = dnsTarget(endpoint);
        this.queries.push(new DnsQuery(name, options, env, (lookup) => this.answered(group, endpoint, lookup)));
      }
    }
  }

  start(): void {
    for (const query of this.queries) query.start();
  }

  stop(): void {
    for (const query of this.queries) query.stop();
  }

  private answered(group: EndpointGroup, endpoint: EndpointState, lookup: Lookup): boolean {
    const { assignment, quirks } = this.options;
    const stats = this.options.stats();
    stats.updateAttempt++;
    const target = dnsTarget(endpoint);
    const failed = lookup.kind === 'failure' || (lookup.addresses.length === 0 && !quirks.emptyDnsAnswerCounts);
    if (failed) {
      stats.updateFailure++;
      this.events.answeredInVain(target.name);
      return false;
    }
    stats.updateSuccess++;
    const endpoints = lookup.addresses.map((ip) => resolvedEndpoint(endpoint, target, ip));
    const change = describeChange(target.name, this.found.get(endpoint) ?? [], endpoints);
    this.found.set(endpoint, endpoints);
    this.events.resolved(target.name, { assignment, group, name: endpoint, endpoints }, change);
    return true;
  }
}
