import type { EndpointGroup, EndpointState, NameAnswer } from '../../settings/assignment.js';
import type { Happening } from '../cause.js';
import { changedAddresses, DnsDiscovery, type DnsEvents, type DnsOptions } from './dns-discovery.js';
import type { DnsEnvironment } from './dns-query.js';

export interface LogicalDnsEvents extends DnsEvents {
  /**
   * The cluster has a new host: its first, or one that replaces it.
   *
   * @param cause what the answer changed.
   */
  readonly found: (answer: NameAnswer, cause: Happening) => void;
  /** The addresses are those that were known: the proxy makes a host of them, and lets it go again. */
  readonly known?: (answer: NameAnswer) => void;
  /** New connections of the existing host go to another address from now on. */
  readonly moved: (address: string, cause: Extract<Happening, { kind: 'other_first' }>) => void;
}

/**
 * LOGICAL_DNS: one logical host at the first address of the newest answer to its one name.
 *
 * Up to 1.38 the host never leaves: its new connections go to the new first address, and existing ones stay. Since 1.39 an
 * answer with any other list of addresses, even with the same one first, makes a new host, and the connections of the old
 * one are closed. After a failed query, or an empty answer, nothing changes. The priority is always 0.
 */
export class LogicalDnsDiscovery extends DnsDiscovery {
  /** The last usable answer. */
  private known: readonly EndpointState[] = [];

  constructor(
    options: DnsOptions,
    env: DnsEnvironment,
    private readonly events: LogicalDnsEvents,
  ) {
    super(options, env, events, false);
  }

  protected take(group: EndpointGroup, endpoint: EndpointState, name: string, endpoints: EndpointState[]): void {
    const { assignment, quirks } = this.options;
    const { known } = this;
    const [before, first] = [known[0], endpoints[0] as EndpointState];
    this.known = endpoints;
    const replaces = quirks.logicalDnsReplacesHost;
    const answer = { assignment, group, name: endpoint, endpoints: [first] };
    if (before === undefined || (replaces && !sameAddresses(known, endpoints))) {
      const cause =
        changedAddresses(name, known.slice(0, 1), [first]) ??
        ({ kind: 'same_first', name, address: first.address } as const);
      this.events.found(answer, cause);
      return;
    }
    if (replaces) this.events.known?.(answer);
    else if (before.address !== first.address) {
      this.events.moved(first.address, { kind: 'other_first', name, address: first.address, before: before.address });
    }
  }
}

function sameAddresses(a: readonly EndpointState[], b: readonly EndpointState[]): boolean {
  return a.length === b.length && a.every(({ address }, index) => b[index]?.address === address);
}
