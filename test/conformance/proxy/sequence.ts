import { rotationStart, scheduleStart } from '../../../src/analysis/verify/judge.js';
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
