import type { ProxyVersion } from '../../core/version.js';
import { atLeast } from '../../core/version.js';
import type { Assignment, EndpointState } from '../assignment.js';
import type { MembershipStats } from '../membership-stats.js';
import type { Discovery } from './discovery.js';
import type { DnsEnvironment, DnsSettings } from './dns-query.js';
import { DnsQuery } from './dns-query.js';
import { dnsTarget, resolvedEndpoint } from './dns-target.js';
import { describeChange } from './describe-change.js';
import type { Lookup } from './resolver.js';

export interface StrictDnsOptions extends DnsSettings {
  readonly version: ProxyVersion;
  /** Endpoints are names. */
  readonly assignment: Assignment;
  /** Asked for at each answer. */
  readonly stats: () => MembershipStats;
}

export interface StrictDnsEvents {
  /**
   * One name was answered: these are all hosts of the cluster now.
   *
   * @param cause what the answer changed, for people; undefined: nothing.
   */
  readonly resolved: (name: string, assignment: Assignment, cause: string | undefined) => void;
  /** An answer that is of no use. */
  readonly answeredInVain: (name: string) => void;
}

/**
 * STRICT_DNS: every address that a name resolves to is a host.
 *
 * Each name is resolved, and its answer taken in, by itself: what the others found stays. Two names that share an address
 * are two hosts. A failed query keeps the hosts there are; an empty answer takes them all, except before 1.14, where it
 * counts as a failure.
 */
export class StrictDnsDiscovery implements Discovery {
  private readonly queries: DnsQuery[] = [];
  /** What each endpoint of the assignment resolves to, by group and place. */
  private readonly found: (readonly EndpointState[])[][];

  constructor(
    private readonly options: StrictDnsOptions,
    env: DnsEnvironment,
    private readonly events: StrictDnsEvents,
  ) {
    this.found = options.assignment.groups.map((group) => group.endpoints.map(() => []));
    for (const [group, { endpoints }] of options.assignment.groups.entries()) {
      for (const [place, endpoint] of endpoints.entries()) {
        const { name } = dnsTarget(endpoint);
        this.queries.push(new DnsQuery(name, options, env, (lookup) => this.answered(group, place, endpoint, lookup)));
      }
    }
  }

  start(): void {
    for (const query of this.queries) query.start();
  }

  stop(): void {
    for (const query of this.queries) query.stop();
  }

  private answered(group: number, place: number, endpoint: EndpointState, lookup: Lookup): boolean {
    const { version } = this.options;
    const stats = this.options.stats();
    stats.updateAttempt++;
    const target = dnsTarget(endpoint);
    const failed = lookup.kind === 'failure' || (lookup.addresses.length === 0 && !atLeast(version, '1.14'));
    if (failed) {
      stats.updateFailure++;
      this.events.answeredInVain(target.name);
      return false;
    }
    stats.updateSuccess++;
    const hosts = lookup.addresses.map((ip) => resolvedEndpoint(endpoint, target, ip));
    const places = this.found[group] as (readonly EndpointState[])[];
    const before = places[place] as readonly EndpointState[];
    places[place] = hosts;
    this.events.resolved(target.name, this.assignment(), describeChange(target.name, before, hosts));
    return true;
  }

  private assignment(): Assignment {
    const { assignment } = this.options;
    const groups = assignment.groups.map((group, index) => ({
      ...group,
      endpoints: (this.found[index] as (readonly EndpointState[])[]).flat(),
    }));
    return { ...assignment, groups };
  }
}
