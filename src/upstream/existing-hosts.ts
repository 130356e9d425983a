import type { Host, Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';
import { addTo } from '../core/lists.js';

/** Where nobody checks, it does not matter on which port. */
export const ANY_PORT = 'any';

export interface ExistingHost {
  readonly host: Host;
  readonly priority: number;
}

/** What a host is known by. */
interface HostIdentity {
  readonly address: string;
  readonly locality: Locality;
  readonly checkPort: number | undefined | typeof ANY_PORT;
}

/** The hosts there are, by address; each is found once, first where it is wanted. */
export class ExistingHosts {
  /** How many of each level were taken in its order, before anybody was looked for elsewhere. */
  private readonly taken: number[];
  /** Those that nobody took, made when somebody is not found where he was. */
  private byAddress: Map<string, ExistingHost[]> | undefined;

  constructor(private readonly levels: readonly (readonly Host[])[]) {
    this.taken = levels.map(() => 0);
  }

  /** The hosts of a level of which nobody was looked for elsewhere yet; all of them are taken then. */
  takeLevel(priority: number): void {
    this.taken[priority] = this.levels[priority]?.length ?? 0;
  }

  /** Hosts were looked for in other places than their own. */
  get isSearched(): boolean {
    return this.byAddress !== undefined;
  }

  /** The next host of the level, if it is the one that is wanted: most updates move nobody. */
  takeInPlace(
    address: string,
    locality: Locality,
    checkPort: HostIdentity['checkPort'],
    priority: number,
  ): Host | undefined {
    if (this.byAddress !== undefined) return undefined;
    const place = this.taken[priority] ?? 0;
    const host = this.levels[priority]?.[place];
    if (host?.address !== address || !fits(host, locality, checkPort)) return undefined;
    this.taken[priority] = place + 1;
    return host;
  }

  /** One that is not in its place. A host that changed its locality, or the port of its health checks, is a new host. */
  take({ address, locality, checkPort }: HostIdentity, priority: number): ExistingHost | undefined {
    const list = this.index().get(address);
    if (list === undefined) return undefined;
    let at = list.findIndex((entry) => entry.priority === priority && fits(entry.host, locality, checkPort));
    if (at === -1) at = list.findIndex(({ host }) => fits(host, locality, checkPort));
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  /** A host of this address that nobody took. */
  find(address: string): Host | undefined {
    return this.index().get(address)?.[0]?.host;
  }

  private index(): ReadonlyMap<string, ExistingHost[]> {
    if (this.byAddress !== undefined) return this.byAddress;
    const byAddress = new Map<string, ExistingHost[]>();
    for (const [priority, hosts] of this.levels.entries()) {
      for (const host of hosts.slice(this.taken[priority])) {
        addTo(byAddress, host.address, { host, priority });
      }
    }
    this.byAddress = byAddress;
    return byAddress;
  }
}

export function fits(host: Host, locality: Locality, checkPort: HostIdentity['checkPort']): boolean {
  return (
    (host.locality === locality || localityKey(host.locality) === localityKey(locality)) &&
    (checkPort === ANY_PORT || host.healthCheckPort === checkPort)
  );
}
