import type { Host, Locality } from '../host/host.js';
import { DEGRADED, EXCLUDED, HEALTHY } from './host-changes.js';
import type { LocalityGroup } from './host-set.js';

/** The lists of a level, or of one locality of it, while they are built. */
export class HostLists {
  readonly hosts: Host[] = [];
  readonly healthy: Host[] = [];
  readonly degraded: Host[] = [];
  readonly excluded: Host[] = [];

  /** @param kind bits of the host's class. */
  add(host: Host, kind: number): void {
    this.hosts.push(host);
    this.classify(host, kind);
  }

  /** The same where the list of all hosts exists already. */
  classify(host: Host, kind: number): void {
    if ((kind & HEALTHY) !== 0) this.healthy.push(host);
    if ((kind & DEGRADED) !== 0) this.degraded.push(host);
    if ((kind & EXCLUDED) !== 0) this.excluded.push(host);
  }

  group(locality: Locality, hosts: readonly Host[] = this.hosts): LocalityGroup {
    const { healthy, degraded, excluded } = this;
    return { locality, hosts, healthy, degraded, excluded };
  }
}
