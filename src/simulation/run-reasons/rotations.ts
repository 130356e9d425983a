import { groupBy } from '../../core/lists.js';
import { count, counted, decimal } from '../../core/words.js';
import { factsOf } from '../../policy/registry.js';
import type { PhaseResult } from '../../result/run-result.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterRun } from './run-reason.js';

/** With more hosts than this they are not compared. */
const MAX_HOSTS = 1000;
/** Counts that differ by less than this part of their mean look equal. */
const EVEN = 0.1;

/** Each worker of each proxy has its own rotation with its own start: with few requests for each the counts differ. */
export function severalRotations({ proxies, world, result }: ClusterRun): string[] {
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
  const { least, most, mean } = worst;
  const who = busy.length === 1 ? 'worker' : 'worker of every proxy';
  const each = `each ${who} takes turns by itself, from a start drawn by the seed`;
  const far = `${count(rotations)} rotations may differ by ${counted(rotations, 'request')} a host`;
  return [
    `${each}: ${far}, and here equal hosts get ${count(least)} to ${count(most)} around a mean of ${decimal(mean, 1)}`,
  ];
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
