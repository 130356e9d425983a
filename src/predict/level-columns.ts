import type { Struct } from '../core/json-value.js';
import type { Host } from '../host/host.js';
import type { HostSet } from '../hostset/host-set.js';
import { classesOf, groupsOf, weightsOf } from '../hostset/subset/subset-level.js';
import { sameItems } from '../core/lists.js';

/**
 * The hosts of one priority as they were delivered, in columns, one position each. Columns are immutable: the same column
 * has the same values.
 */
export interface LevelColumns {
  readonly hostSet: HostSet;
  readonly hosts: readonly Host[];
  readonly rows: Uint32Array;
  /** Two hosts have one row: the same address twice in one locality. */
  readonly sharesRows: boolean;
  /** 0, 1, 2 … */
  readonly allPositions: Uint32Array;
  /** The class of each host, as bits of the host set's columns. */
  readonly classes: Uint8Array;
  /** Weights at the delivery: those of the hosts may have changed since. */
  readonly weights: Float64Array;
  /** All weights are the same. */
  readonly evenWeights: boolean;
  readonly metadata: readonly Struct[];
  /** Index into the localities of the host set. */
  readonly groups: Int32Array;
}

/** @param before the columns of the delivery before: unchanged ones are shared. */
export function columnsOf(hostSet: HostSet, before: LevelColumns | undefined): LevelColumns {
  const { hosts, hostChanges, changes } = hostSet;
  const stays = before?.hosts === hosts ? before : undefined;
  const rows = stays?.rows ?? Uint32Array.from(hosts, ({ index }) => index);
  // The log describes only the last lists.
  const known = hostChanges?.changed.length === changes ? hostChanges : undefined;
  const weights = known?.weights.slice() ?? weightsOf(hosts);
  const metadata = known?.metadata ?? hosts.map((host) => host.metadata);
  return {
    hostSet,
    hosts,
    rows,
    sharesRows: stays?.sharesRows ?? hasTwice(rows),
    allPositions: stays?.allPositions ?? rows.map((_, position) => position),
    classes: known?.classes.slice() ?? classesOf(hostSet),
    weights,
    evenWeights: weights.every((weight) => weight === weights[0]),
    metadata: stays !== undefined && sameItems(metadata, stays.metadata) ? stays.metadata : [...metadata],
    groups: stays?.groups ?? groupsOf(hostSet),
  };
}

function hasTwice(rows: Uint32Array): boolean {
  const seen = new Uint8Array(rows.reduce((highest, row) => Math.max(highest, row), 0) + 1);
  return rows.some((row) => {
    const isKnown = seen[row] === 1;
    seen[row] = 1;
    return isKnown;
  });
}
