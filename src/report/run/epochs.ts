import { panicsUnderLoad } from '../../result/cluster-overview.js';
import { sumOfFailures } from '../../result/failures.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, PhaseResult } from '../../result/run-result.js';
import { type Grouping, groupsOf, type HostRow } from './groups.js';

/** With more changes than this, only the tables show them. */
export const MAX_EPOCHS = 6;

/**
 * Phases with requests; consecutive ones with an equal split (except for chance) are merged. If there are too many to
 * describe, the rest is not examined.
 */
export function epochs(cluster: ClusterResult, grouping: Grouping | undefined): PhaseResult[] {
  const merged: PhaseResult[] = [];
  for (const phase of cluster.phases) {
    if (phase.requests === 0) continue;
    if (merged.length > MAX_EPOCHS) break;
    const last = merged[merged.length - 1];
    if (last !== undefined && alike(last, phase, grouping)) merged[merged.length - 1] = joined(last, phase);
    else merged.push(phase);
  }
  return merged;
}

const rowKey = (row: HostRow): string => JSON.stringify([row.priority, row.locality, row.address]);

function isSameRow(a: HostRow, b: HostRow): boolean {
  const [one, other] = [a.locality, b.locality];
  return (
    a.address === b.address &&
    a.priority === b.priority &&
    (one === other || (one.zone === other.zone && one.region === other.region && one.sub_zone === other.sub_zone))
  );
}

/** The common case: the same rows in the same order. */
function haveSameRows(one: readonly HostRow[], other: readonly HostRow[]): boolean {
  return one.length === other.length && one.every((row, index) => isSameRow(row, other[index] as HostRow));
}

/** Whether a sentence would describe both alike: the same hosts and health, the same priorities in panic. */
function haveOneOutlook(one: PhaseResult, other: PhaseResult, grouping: Grouping | undefined): boolean {
  const panics = ({ priorities }: PhaseResult): string => JSON.stringify(priorities.map(panicsUnderLoad));
  if (panics(one) !== panics(other)) return false;
  if (grouping !== undefined) return true;
  return inPairs(one, other, (row, its) => row.health === its.health && row.truth === its.truth && isSameRow(row, its));
}

/** Whether two phases have equally many hosts, and a condition holds for each pair of the same index. */
function inPairs(one: PhaseResult, other: PhaseResult, holds: (row: HostRow, its: HostRow) => boolean): boolean {
  const others = hostsOf(other)[Symbol.iterator]();
  for (const row of hostsOf(one)) {
    const next = others.next();
    if (next.done === true || !holds(row, next.value)) return false;
  }
  return others.next().done === true;
}

function alike(one: PhaseResult, other: PhaseResult, grouping: Grouping | undefined): boolean {
  if (!haveOneOutlook(one, other, grouping)) return false;
  const same = (a: number, b: number): boolean => {
    const share = (a * one.requests + b * other.requests) / (one.requests + other.requests);
    const error = Math.sqrt((share * (1 - share) * (one.requests + other.requests)) / (one.requests * other.requests));
    return Math.abs(a - b) <= Math.max(4 * error, 1 / Math.min(one.requests, other.requests));
  };
  return (
    shareAlike(one, other, grouping, same) &&
    same(one.no_host.share, other.no_host.share) &&
    same(one.overflow.share, other.overflow.share)
  );
}

/** Without a grouping both have the same rows. */
function shareAlike(
  one: PhaseResult,
  other: PhaseResult,
  grouping: Grouping | undefined,
  same: (a: number, b: number) => boolean,
): boolean {
  if (grouping === undefined) return inPairs(one, other, (row, its) => same(row.share, its.share));
  const [left, right] = [one, other].map(
    (phase) => new Map(groupsOf(hostsOf(phase), grouping).map((group) => [group.name, group.share])),
  ) as [Map<string, number>, Map<string, number>];
  return [...new Set([...left.keys(), ...right.keys()])].every((name) =>
    same(left.get(name) ?? 0, right.get(name) ?? 0),
  );
}

/** Both phases merged; a host has its state of the later one. */
function joined(one: PhaseResult, other: PhaseResult): PhaseResult {
  const total = one.requests + other.requests;
  const portion = (a = 0, b = 0): { requests: number; share: number } => ({ requests: a + b, share: (a + b) / total });
  return {
    ...other,
    from_s: one.from_s,
    requests: total,
    hosts: haveSameRows(one.hosts, other.hosts)
      ? other.hosts.map((row, index) => withPortion(row, portion(row.requests, one.hosts[index]?.requests)))
      : joinedRows(one.hosts, other.hosts, portion),
    no_host: portion(one.no_host.requests, other.no_host.requests),
    overflow: portion(one.overflow.requests, other.overflow.requests),
    failed: one.failed + other.failed,
    failures: sumOfFailures(one.failures, other.failures),
  };
}

/** No sentence uses predictions. */
function withPortion(row: HostRow, { requests, share }: { requests: number; share: number }): HostRow {
  const { address, priority, locality, weight, health } = row;
  return { address, priority, locality, weight, health, requests, share };
}

/** Hosts that are gone come last. */
function joinedRows(
  one: PhaseResult['hosts'],
  other: PhaseResult['hosts'],
  portion: (a: number, b?: number) => { requests: number; share: number },
): PhaseResult['hosts'] {
  const before = new Map(one.map((row) => [rowKey(row), row]));
  const after = new Set(other.map(rowKey));
  const gone = one.filter((row) => !after.has(rowKey(row)));
  return [
    ...other.map((row) => withPortion(row, portion(row.requests, before.get(rowKey(row))?.requests))),
    ...gone.map((row) => withPortion(row, portion(row.requests))),
  ];
}
