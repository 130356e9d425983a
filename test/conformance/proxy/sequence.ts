import type { RunResult } from '../../../src/result/run-result.js';
import type { Check } from '../check.js';
import type { Recording } from './recording.js';
import type { Run } from './replay.js';

/**
 * Compares pick orders, each priority's by itself: which priority a request goes to is a random draw, the rotation
 * inside it is not.
 */
export function compareSequences(check: Check, recording: Recording, sequence: readonly number[], run: Run): void {
  const hosts = recording.sequenceHosts;
  const levels = levelsOf(hosts, run.result);
  for (const [level, rows] of levels) {
    if (!hasOrder(rows)) continue;
    const inLevel = (index: number): boolean => levels.size === 1 || rows.some((row) => row.address === hosts[index]);
    const recorded = sequence.filter(inLevel);
    const ours = run.requests.map((request) => hosts.indexOf(request.host ?? '')).filter((i) => i >= 0 && inLevel(i));
    const weighted = rows.some((row) => row.weight !== rows[0]?.weight);
    const start = weighted ? scheduleStart(recorded, ours, hosts.length) : rotationStart(recorded, ours);
    check.that('sequence', start >= 0, () => {
      return `priority ${level}: the recorded ${weighted ? 'schedule' : 'rotation'} is no part of ours`;
    });
  }
}

interface SequenceRow {
  readonly address: string;
  readonly weight: number;
  readonly policy: string;
}

/** The hosts of a sequence by priority; one group where an address is in several. */
function levelsOf(hosts: readonly string[], result: RunResult): ReadonlyMap<number, readonly SequenceRow[]> {
  const levels = new Map<number, SequenceRow[]>();
  const seen = new Map<string, number>();
  let mixed = false;
  for (const cluster of Object.values(result.clusters)) {
    for (const { address, weight, priority } of cluster.hosts) {
      if (!hosts.includes(address)) continue;
      mixed ||= (seen.get(address) ?? priority) !== priority;
      seen.set(address, priority);
      const row = { address, weight, policy: cluster.policy };
      const level = levels.get(priority);
      if (level === undefined) levels.set(priority, [row]);
      else level.push(row);
    }
  }
  return mixed ? new Map([[0, [...levels.values()].flat()]]) : levels;
}

/** Round robin has an order, and least request where its weights differ; the other policies draw each pick. */
function hasOrder(rows: readonly SequenceRow[]): boolean {
  const policy = rows[0]?.policy;
  if (policy === 'ROUND_ROBIN') return true;
  return policy === 'LEAST_REQUEST' && rows.some((row) => row.weight !== rows[0]?.weight);
}

/**
 * Whether a recorded rotation is part of ours: equal from some start. Where a rotation starts is a random number that
 * the recording does not know.
 */
export function rotationStart(recorded: readonly number[], ours: readonly number[]): number {
  return firstStart(recorded, ours, (start) => {
    for (let i = 0; i < recorded.length; i++) if (ours[start + i] !== recorded[i]) return false;
    return true;
  });
}

/**
 * Where ours has to start so that after each pick no host has been picked more than once more, or less, than recorded;
 * -1 if nowhere. Weighted schedules break their ties by rounding, so picks may swap with their neighbours.
 *
 * @param hosts number of hosts; picks are indices below it.
 */
export function scheduleStart(recorded: readonly number[], ours: readonly number[], hosts: number): number {
  const lead = new Int32Array(hosts);
  return firstStart(recorded, ours, (start) => {
    lead.fill(0);
    for (let i = 0; i < recorded.length; i++) {
      const theirs = recorded[i] as number;
      const mine = ours[start + i] as number;
      lead[theirs] = (lead[theirs] as number) + 1;
      lead[mine] = (lead[mine] as number) - 1;
      if (Math.abs(lead[theirs]) > 1 || Math.abs(lead[mine]) > 1) return false;
    }
    return true;
  });
}

function firstStart(recorded: readonly number[], ours: readonly number[], fits: (start: number) => boolean): number {
  for (let start = 0; start + recorded.length <= ours.length; start++) if (fits(start)) return start;
  return -1;
}
