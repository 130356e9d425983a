import { entryOf } from '../../core/lists.js';
import { quirksOf } from '../../core/quirks.js';
import { count } from '../../core/words.js';
import { factsOf } from '../../policy/registry.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterRun } from './run-reason.js';

/** With more hosts or phases than this they are not compared. */
const MAX_ROWS = 100_000;
/** A host that gets less than this part of its share by weight counts as starved. */
const PASSED_OVER = 0.5;

/**
 * With different weights a schedule picks, which restarts with every update: a host of small weight, whose first turn is
 * late, may never get it.
 */
export function restartedTurns({ result, world, clusters }: ClusterRun): string[] {
  const facts = factsOf(result.policy);
  const [cluster] = clusters;
  if (facts?.kind !== 'list' || !facts.usesWeights || facts.drawsHosts || cluster === undefined) return [];
  if (quirksOf(cluster.version).schedulesFromSeed || result.phases.length < 2) return [];
  if (result.phases.length * world.rows.rows.length > MAX_ROWS) return [];
  const passed = new Map<string, { got: number; due: number; firstTurn: number; longest: number }>();
  for (const phase of result.phases) {
    const hosts = [...hostsOf(phase)].filter(({ health }) => health === 'healthy');
    const weights = hosts.reduce((sum, { weight }) => sum + weight, 0);
    for (const { address, weight, requests } of hosts) {
      if (phase.priorities.length > 1 || weight * hosts.length >= weights) continue;
      const own = entryOf(passed, address, () => ({ got: 0, due: 0, firstTurn: 0, longest: 0 }));
      own.got += requests;
      own.due += (phase.requests * weight) / weights;
      own.firstTurn = Math.max(own.firstTurn, Math.floor(weights / weight));
      own.longest = Math.max(own.longest, phase.requests);
    }
  }
  return [...passed]
    .filter(([, { got, due, firstTurn, longest }]) => due >= 5 && got < PASSED_OVER * due && firstTurn > longest)
    .slice(0, 1)
    .map(
      ([address, { got, due, firstTurn, longest }]) =>
        `each update begins the turns anew: that of ${address} comes after about ${count(firstTurn - 1)} others, and between two updates there are ${count(longest)} at most; it got ${count(got)} instead of ${count(due)}`,
    );
}
