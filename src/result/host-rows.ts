import type { Struct } from '../core/json-value.js';
import { entryOf } from '../core/lists.js';
import { type Health, type Host, type Locality, localityKey } from '../host/host.js';
import type { Micros } from '../core/units.js';

/** A row of the report: one (priority, locality, address) of a cluster, whichever proxy saw it. */
export interface HostRow {
  readonly address: string;
  readonly hostname: string;
  readonly priority: number;
  readonly locality: Locality;
  /** The load balancer's metadata, as it was when the host appeared. */
  readonly metadata: Struct;
  weight: number;
  health: Health;
  /** The name of its transport socket match. */
  transportSocket: string;
  /** Set once no proxy lists the host any more. */
  removedAtUs: Micros | undefined;
}

/** All rows a cluster ever had, numbered in the order in which they appeared. */
export class HostRows {
  readonly rows: HostRow[] = [];
  private readonly byKey = new Map<string, number>();

  /** The row of `host` at `priority`; made where there is none. The same address twice in one locality shares a row. */
  indexOf(host: Host, priority: number): number {
    const key = `${priority}\u0000${host.address}\u0000${localityKey(host.locality)}`;
    return entryOf(this.byKey, key, () => this.rows.push(rowOf(host, priority)) - 1);
  }
}

function rowOf(
  { address, hostname, locality, metadata, weight, health, transportSocket }: Host,
  priority: number,
): HostRow {
  return { address, hostname, priority, locality, metadata, weight, health, transportSocket, removedAtUs: undefined };
}
