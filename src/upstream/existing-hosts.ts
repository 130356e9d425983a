import { type HealthCheckPort, type Host, type Locality, localityKey } from '../host/host.js';
import { addTo } from '../core/lists.js';
import type { HostsByAddress } from '../hostset/hosts-by-address.js';

/** Without health checks the port of the checks does not matter. */
export const ANY_PORT = 'any';

export interface ExistingHost {
  readonly host: Host;
  readonly priority: number;
}

interface HostIdentity {
  readonly address: string;
  readonly locality: Locality;
  readonly checkPort: HealthCheckPort | typeof ANY_PORT;
}

/** The hosts of a cluster before an update. Each can be taken once; those of the wanted priority are preferred. */
export class ExistingHosts {
  /** By priority: how many were taken in order, before any host was looked for by address. */
  private readonly taken: number[];
  /** Hosts not taken yet; built when a host is first not found in order. */
  private byAddress: Map<string, ExistingHost[]> | undefined;
  /** A host of {@link find} was asked for: another has its address from now on. */
  isReplaced = false;

  /** @param found these alone are known; absent: all hosts are. */
  constructor(
    private readonly levels: readonly (readonly Host[])[],
    found?: HostsByAddress,
  ) {
    this.taken = levels.map(() => 0);
    if (found !== undefined) this.byAddress = this.indexOf((host) => found.find(host.address)?.host === host);
  }

  /** All hosts of a priority, as long as none was looked for by address; they are taken then. */
  takeLevel(priority: number): void {
    this.taken[priority] = this.levels[priority]?.length ?? 0;
  }

  /** Hosts were looked for by address. */
  get isSearched(): boolean {
    return this.byAddress !== undefined;
  }

  /** The next host of the priority in order, if it is the wanted one: most updates move no host. */
  takeInPlace(
    address: string,
    locality: Locality,
    checkPort: HostIdentity['checkPort'],
    priority: number,
  ): Host | undefined {
    if (this.byAddress !== undefined) return undefined;
    const next = this.taken[priority] ?? 0;
    const host = this.levels[priority]?.[next];
    if (host?.address !== address || !fits(host, locality, checkPort)) return undefined;
    this.taken[priority] = next + 1;
    return host;
  }

  /** Takes a host by address. A host whose locality changed, or the port of its health checks, counts as a new host. */
  take({ address, locality, checkPort }: HostIdentity, priority: number): ExistingHost | undefined {
    const list = this.index().get(address);
    if (list === undefined) return undefined;
    let at = list.findIndex((entry) => entry.priority === priority && fits(entry.host, locality, checkPort));
    if (at === -1) at = list.findIndex(({ host }) => fits(host, locality, checkPort));
    return at === -1 ? undefined : list.splice(at, 1)[0];
  }

  /** A host of this address that is not taken yet, to make another of. */
  find(address: string): Host | undefined {
    const host = this.index().get(address)?.[0]?.host;
    if (host !== undefined) this.isReplaced = true;
    return host;
  }

  private index(): ReadonlyMap<string, ExistingHost[]> {
    return (this.byAddress ??= this.indexOf(() => true));
  }

  private indexOf(isKnown: (host: Host) => boolean): Map<string, ExistingHost[]> {
    const byAddress = new Map<string, ExistingHost[]>();
    for (const [priority, hosts] of this.levels.entries()) {
      for (const host of hosts.slice(this.taken[priority])) {
        if (isKnown(host)) addTo(byAddress, host.address, { host, priority });
      }
    }
    return byAddress;
  }
}

export function fits(host: Host, locality: Locality, checkPort: HostIdentity['checkPort']): boolean {
  return (
    (host.locality === locality || localityKey(host.locality) === localityKey(locality)) &&
    (checkPort === ANY_PORT || host.healthCheckPort === checkPort)
  );
}
