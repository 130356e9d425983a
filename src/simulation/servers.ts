import type { RandomStreams } from '../random/streams.js';
import { type Behavior, type BehaviorRule, IDEAL_BEHAVIOR } from '../scenario/model.js';
import { hostPredicate, type SelectableHost } from '../scenario/selector.js';
import { Server } from './server.js';

/**
 * All simulated servers. One address is one server, in however many clusters and priorities it is listed; a behaviour rule
 * applies if it matches any of its hosts.
 */
export class Servers {
  private readonly servers: Server[] = [];
  private readonly indices = new Map<string, number>();
  private readonly hosts: SelectableHost[][] = [];
  private readonly rules: Rule[];

  constructor(
    rules: readonly BehaviorRule[],
    private readonly streams: RandomStreams,
  ) {
    this.rules = rules.map(readRule);
  }

  at(index: number): Server {
    return this.servers[index] as Server;
  }

  all(): readonly Server[] {
    return this.servers;
  }

  /** The server at the address of `host`, which is recorded as one more host of it. */
  indexAt(host: SelectableHost): number {
    const known = this.indices.get(host.address);
    if (known === undefined) {
      const index = this.servers.length;
      this.indices.set(host.address, index);
      this.hosts.push([host]);
      this.servers.push(new Server(index, host.address, this.behaviorOf([host]), this.streams));
      return index;
    }
    const hosts = this.hosts[known] as SelectableHost[];
    hosts.push(host);
    this.at(known).behavior = this.behaviorOf(hosts);
    return known;
  }

  /** Adds a rule; returns the servers that it changes. It also applies to hosts that come later. */
  addRule(rule: BehaviorRule): readonly Server[] {
    const added = readRule(rule);
    this.rules.push(added);
    const changed: Server[] = [];
    for (const [index, server] of this.servers.entries()) {
      const hosts = this.hosts[index] as SelectableHost[];
      if (!hosts.some(added.means)) continue;
      server.behavior = { ...server.behavior, ...rule.behavior };
      changed.push(server);
    }
    return changed;
  }

  private behaviorOf(hosts: readonly SelectableHost[]): Behavior {
    let behavior = IDEAL_BEHAVIOR;
    for (const rule of this.rules) {
      if (hosts.some(rule.means)) behavior = { ...behavior, ...rule.behavior };
    }
    return behavior;
  }
}

interface Rule {
  readonly means: (host: SelectableHost) => boolean;
  readonly behavior: Partial<Behavior>;
}

function readRule(rule: BehaviorRule): Rule {
  return { means: hostPredicate(rule.hosts), behavior: rule.behavior };
}
