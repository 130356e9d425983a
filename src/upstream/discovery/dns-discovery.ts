import type { MembershipStats } from '../../stats/membership-stats.js';
import type { Assignment, EndpointGroup, EndpointState } from '../../settings/assignment.js';
import type { Discovery } from './discovery.js';
import { type DnsEnvironment, DnsQuery, type QuerySettings } from './dns-query.js';
import { dnsTarget, type DnsTarget, resolvedEndpoint } from './dns-target.js';
import type { Lookup } from './resolver.js';

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
