import type { Host, Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';

/** Where nobody checks, it does not matter on which port. */
export const ANY_PORT = 'any';

export interface KnownHost {
  readonly host: Host;
  readonly priority: number;
}

/** The hosts there are, by address; each is found once, first where it is wanted. */
export class KnownHosts {
  private readonly byAddress = new Map<string, KnownHost[]>();

  constructor(levels: readonly (readonly Host[])[]) {
    for (const [priority, hosts] of levels.entries()) {
      for (const host of hosts) {
        const entry = { host, priority };
        const list = this.byAddress.get(host.address);
        if (list === undefined) this.byAddress.set(host.address, [entry]);
        else list.push(entry);
      }
    }
  }

  /**
   * A host that changed its locality, or the port of its health checks, is a new host.
   *
   * @param hostname tells hosts of one address apart, which then stay in their priority; undefined: it does not.
   */
  take(
    address: string,
    priority: number,
    locality: Locality,
    checkPort: number | undefined | typeof ANY_PORT,
    hostname: string | undefined,
  ): KnownHost | undefined {
    const list = this.byAddress.get(address);
    if (list === undefined) return undefined;
    const key = localityKey(locality);
    const fits = ({ host }: KnownHost): boolean =>
      localityKey(host.locality) === key &&
      (checkPort === ANY_PORT || host.healthCheckPort === checkPort) &&
      (hostname === undefined || host.hostname === hostname);
    let at = list.findIndex((entry) => entry.priority === priority && fits(entry));
    if (at === -1 && hostname === undefined) at = list.findIndex(fits);
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  /** A host of this address that nobody took. */
  find(address: string): Host | undefined {
    return this.byAddress.get(address)?.[0]?.host;
  }
}
