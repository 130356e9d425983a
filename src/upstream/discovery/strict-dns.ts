import type { EndpointGroup, EndpointState, NameAnswer } from '../../settings/assignment.js';
import type { Happening } from '../cause.js';
import { changedAddresses, DnsDiscovery, type DnsEvents, type DnsOptions } from './dns-discovery.js';
import type { DnsEnvironment } from './dns-query.js';

export interface StrictDnsEvents extends DnsEvents {
  /** One name was answered. @param cause what the answer changed; undefined: nothing. */
  readonly resolved: (answer: NameAnswer, cause: Happening | undefined) => void;
}

/**
 * STRICT_DNS: every address that a name resolves to is a host.
 *
 * Each name is resolved, and its answer applied, by itself: the hosts of the other names stay, and an address that two
 * names share is two hosts, each with its own health. A failed query keeps the hosts; an empty answer removes them all,
 * except before 1.14, where it counts as a failure.
 */
export class StrictDnsDiscovery extends DnsDiscovery {
  /** What the names of the assignment resolve to, by their endpoints there. */
  private readonly found = new Map<EndpointState, readonly EndpointState[]>();

  constructor(
    options: DnsOptions,
    env: DnsEnvironment,
    private readonly events: StrictDnsEvents,
  ) {
    super(options, env, events, options.quirks.emptyDnsAnswerCounts);
  }

  protected take(group: EndpointGroup, endpoint: EndpointState, name: string, endpoints: EndpointState[]): void {
    const change = changedAddresses(name, this.found.get(endpoint) ?? [], endpoints);
    this.found.set(endpoint, endpoints);
    this.events.resolved({ assignment: this.options.assignment, group, name: endpoint, endpoints }, change);
  }
}
