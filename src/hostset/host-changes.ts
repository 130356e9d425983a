import type { Struct } from '../core/json-value.js';
import type { Host } from '../host/host.js';

/** Bits of a host's class: healthy, degraded, excluded. */
export const HEALTHY = 1;
export const DEGRADED = 2;
export const EXCLUDED = 4;

/**
 * The hosts of one priority in columns, as of the last build of their lists, and a log of the changes since. Host sets
 * of the same hosts share it: a balancer that has seen one finds the changes to the next without comparing every host.
 */
export class HostChanges {
  readonly classes: Uint8Array;
  readonly weights: Float64Array;
  readonly metadata: Struct[];
  /** Rows, in the order of the builds. */
  readonly changed: number[] = [];

  constructor(hosts: readonly Host[]) {
    this.classes = Uint8Array.from(hosts, classOf);
    this.weights = Float64Array.from(hosts, ({ weight }) => weight);
    this.metadata = hosts.map(({ metadata }) => metadata);
  }

  /** @param kind its {@link classOf}. */
  note(row: number, { weight, metadata }: Host, kind: number): void {
    if (kind === this.classes[row] && weight === this.weights[row] && metadata === this.metadata[row]) return;
    this.classes[row] = kind;
    this.weights[row] = weight;
    this.metadata[row] = metadata;
    this.changed.push(row);
  }

  /** A log longer than a comparison of all hosts is of no use. */
  get isTooLong(): boolean {
    return this.changed.length > this.classes.length + 64;
  }
}

export function classOf({ health, excluded }: Host): number {
  return (health === 'healthy' ? HEALTHY : health === 'degraded' ? DEGRADED : 0) | (excluded ? EXCLUDED : 0);
}
