import { entryOf, groupBy } from '../../core/lists.js';
import { quirksOf } from '../../core/quirks.js';
import { factsOf } from '../../policy/registry.js';
import type { RunFact } from '../../result/facts.js';
import type { PhaseResult } from '../../result/run-result.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterRun } from './cluster-run.js';

/** With more hosts than this they are not compared. */
const MAX_HOSTS = 1000;
/** Counts that differ by less than this part of their mean look equal. */
const EVEN = 0.1;

/** Each worker of each proxy has its own rotation with its own start: with few requests for each the counts differ. */
export function severalRotations({ proxies, world, result }: ClusterRun): RunFact[] {
  const facts = factsOf(result.policy);
  if (facts?.kind !== 'list' || facts.drawsHosts || facts.looksAtLoad) return [];
  const busy = proxies.filter((proxy) =>
    proxy.clusterAt(world.index).recorder.phases.some(({ requests }) => requests > 0),
  );
  const rotations = busy.reduce((sum, { spec }) => sum + spec.workers, 0);
  if (rotations < 2 || world.rows.rows.length > MAX_HOSTS) return [];
  const uneven = result.phases.flatMap((phase) => unevenness(phase, rotations));
  const [worst] = uneven.sort((a, b) => b.most - b.least - (a.most - a.least));
  if (worst === undefined) return [];
  return [{ kind: 'several_rotations', rotations, proxies: busy.length, ...worst }];
}

/** Equal hosts with different counts, within the range of the rotations. */
function unevenness(phase: PhaseResult, rotations: number): { least: number; most: number; mean: number }[] {
  const healthy = [...hostsOf(phase)].filter(({ health }) => health === 'healthy');
  const equal = groupBy(healthy, ({ priority, locality, weight }) => JSON.stringify([priority, locality, weight]));
  return [...equal.values()].flatMap((hosts) => {
    const counts = hosts.map(({ requests }) => requests);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
    // A single rotation leaves a difference of at most one.
    return most - least > 1 && most - least <= rotations && most - least > EVEN * mean ? [{ least, most, mean }] : [];
  });
}

/** With more hosts or phases than this they are not compared. */
const MAX_ROWS = 100_000;
/** A host that gets less than this part of its share by weight counts as starved. */
const PASSED_OVER = 0.5;

/** A schedule by weight restarts with every update: a host of small weight, whose turn is late, may never get it. */
export function restartedTurns({ result, world, clusters }: ClusterRun): RunFact[] {
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
    .map(([host, { got, due, firstTurn, longest }]) => ({
      kind: 'restarted_turns',
      host,
      before: firstTurn - 1,
      longest,
      got,
      due,
    }));
}
