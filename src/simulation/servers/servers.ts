import { type BehaviorRule, Behaviors } from '../../settings/behavior.js';
import type { RandomStreams } from '../../random/streams.js';
import { hostPredicate, type SelectableHost } from '../../settings/selector.js';
import { Server } from './server.js';

/** One address is one server, in however many clusters and priorities; a behaviour rule applies if it matches any of its hosts. */
export class Servers {
  private readonly servers: Server[] = [];
  private readonly byAddress = new Map<string, Server>();
  private readonly hosts: SelectableHost[][] = [];
  readonly behaviors: Behaviors;

  constructor(
    rules: readonly BehaviorRule[],
    private readonly streams: RandomStreams,
  ) {
    this.behaviors = new Behaviors(rules);
  }

  all(): readonly Server[] {
    return this.servers;
  }

  /** The server at the address of `host`, which is recorded as one more host of it. */
  of(host: SelectableHost): Server {
    const known = this.byAddress.get(host.address);
    if (known === undefined) {
      const server = new Server(this.servers.length, host.address, this.behaviors.of([host]), this.streams);
      this.byAddress.set(host.address, server);
      this.hosts.push([host]);
      this.servers.push(server);
      return server;
    }
    const hosts = this.hosts[known.index] as SelectableHost[];
    hosts.push(host);
    known.behavior = this.behaviors.of(hosts);
    return known;
  }

  /** Adds a rule; returns the servers that it changes. It also applies to hosts that come later. */
  addRule(rule: BehaviorRule): readonly Server[] {
    this.behaviors.add(rule);
    const means = hostPredicate(rule.hosts);
    const changed: Server[] = [];
    for (const [index, server] of this.servers.entries()) {
      const hosts = this.hosts[index] as SelectableHost[];
      if (!hosts.some(means)) continue;
      server.behavior = { ...server.behavior, ...rule.behavior };
      changed.push(server);
    }
    return changed;
  }
}
