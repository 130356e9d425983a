import type { Host } from '../host/host.js';

export type FoundHost = Readonly<{ host: Host; priority: number }>;

/**
 * The hosts of a cluster by address, over all priorities, as a modern proxy finds them.
 * An address has the host that was added first, and loses it when a host of this address leaves the priority of that one.
 * Priorities of an update take their turns, removals first. So a host that takes the place of one at a later priority, which
 * leaves only then, is not found; nor is one that comes while another of its address stays. Source: watched, see
 * `findsFirstOfAddress` in `quirks.txt`.
 */
export class HostsByAddress {
  private constructor(private readonly found: Map<string, FoundHost>) {}

  /** @param levels by priority. */
  static of(levels: readonly (readonly Host[])[]): HostsByAddress {
    const hosts = new HostsByAddress(new Map());
    for (const [priority, added] of levels.entries()) hosts.change(priority, added, []);
    return hosts;
  }

  copy(): HostsByAddress {
    return new HostsByAddress(new Map(this.found));
  }

  get size(): number {
    return this.found.size;
  }

  find(address: string): FoundHost | undefined {
    return this.found.get(address);
  }

  change(priority: number, added: readonly Host[], removed: readonly Host[]): void {
    const { found } = this;
    for (const { address } of removed) if (found.get(address)?.priority === priority) found.delete(address);
    for (const host of added) {
      const before = found.get(host.address);
      if (before === undefined || before.host === host) found.set(host.address, { host, priority });
    }
  }
}
