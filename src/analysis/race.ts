import { FORMAT } from '../core/document-format.js';
import { type ClusterRuns, type ComparedSide, type RanSides, runSides } from './compare/cluster-runs.js';
import { compareStretch, comparisonOf } from './compare/compare.js';
import type { SideStretch } from './compare/compare.js';
import type { ClusterComparison } from './compare/generated/comparison.js';
import { sumOfTallies } from './compare/tally.js';
import { CompareOptions } from './generated/options.js';
import type { Behind, Race, RaceEntry } from './generated/experiments.js';
import { type Interval, meanInterval } from './interval.js';
import { demand, SIDES } from '../core/arguments.js';
import { optionsIn } from '../core/options.js';
import { inputOf } from '../scenario/origin.js';

/**
 * Lets policies run one scenario under the same seeds, and puts them in order.
 *
 * @param sides one policy each, which is its name.
 * @throws UnsupportedError as `runScenario` does.
 */
export async function race(sides: readonly ComparedSide[], options: CompareOptions = {}): Promise<Race> {
  demand('race', ['sides', sides, SIDES], ['options', options, optionsIn(CompareOptions)]);
  return raceOf(await runSides(sides, options), sides, options);
}

export async function raceOf(ran: RanSides, sides: readonly ComparedSide[], options: CompareOptions): Promise<Race> {
  const { runs, seeds, clusters, notes } = await comparisonOf(ran, sides, { ...options, singleHostFailures: true });
  return {
    format: FORMAT,
    scenario: sides[0]?.scenario.name ?? '',
    ...inputOf(...sides.map(({ scenario }) => scenario)),
    runs,
    seeds,
    clusters: Object.fromEntries(
      ran.clusters.flatMap((own) => {
        const cluster = clusters[own.name];
        return cluster === undefined ? [] : [[own.name, finishOf(cluster, own, sides)]];
      }),
    ),
    notes,
  };
}

function finishOf(cluster: ClusterComparison, ran: ClusterRuns, sides: readonly ComparedSide[]): readonly RaceEntry[] {
  const order = sides
    .map(({ name }, side) => ({ side, entry: entryOf(cluster, name, side, ran.loads[side] ?? []) }))
    .sort((a, b) => byFinish(a.entry, b.entry));
  const first = order[0]?.side ?? 0;
  return order.map(({ side, entry }) => ({ ...entry, behind: side === first ? null : behindOf(ran, first, side) }));
}

function behindOf({ tallies, hosts }: ClusterRuns, first: number, side: number): Behind {
  const whole = (of: number): SideStretch => ({ tallies: (tallies[of] ?? []).map(sumOfTallies), exact: undefined });
  const { failed, latency_ms: latency } = compareStretch([whole(first), whole(side)], hosts);
  const difference = ({ change }: { readonly change: readonly (Interval | null)[] }): Interval | null =>
    change[0] ?? null;
  return { failed: difference(failed), latency_ms: { mean: difference(latency.mean), p99: difference(latency.p99) } };
}

function entryOf({ whole, keys }: ClusterComparison, policy: string, side: number, loads: readonly (number | null)[]) {
  const { failed, latency_ms: latency, imbalance, hosts } = whole;
  const at = ({ mean }: { readonly mean: readonly (number | null)[] }): number | null => mean[side] ?? null;
  const lost = keys?.single_host_failures?.[side] ?? null;
  return {
    policy,
    failed: at(failed),
    latency_ms: { mean: at(latency.mean), p50: at(latency.p50), p99: at(latency.p99) },
    imbalance: { peak_to_mean: at(imbalance.peak_to_mean), jain: at(imbalance.jain), cov: at(imbalance.cov) },
    load: meanInterval(loads.filter((load) => load !== null))?.mean ?? null,
    moved_keys: lost === null ? null : { moved: lost.moved, minimum: lost.minimum },
    hosts: hosts.map((host) => ({ address: host.address, share: at(host) })),
  };
}

type Finish = Pick<RaceEntry, 'failed' | 'latency_ms'>;

/** Those that measure the same keep their order. */
function byFinish(a: Finish, b: Finish): number {
  const most = Number.MAX_VALUE;
  const latency = (of: 'p99' | 'mean'): number => (a.latency_ms[of] ?? most) - (b.latency_ms[of] ?? most);
  return (a.failed ?? 1) - (b.failed ?? 1) || latency('p99') || latency('mean');
}
