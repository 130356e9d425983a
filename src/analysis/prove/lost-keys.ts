import { sum } from '../../core/values.js';
import { type Runtime } from '../../core/environment.js';
import { createPolicyBalancer } from '../../hostset/create-load-balancer.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import { LbStats } from '../../hostset/lb-stats.js';
import type { Host } from '../../host/host.js';
import { ScriptedRandom } from '../../random/random64.js';
import { type HostIds, keyMapOf, movedKeys } from '../key-map.js';
import type { Pause } from '../pause.js';
import type { Losses } from './losses.js';
import type { Lose, LossSummary } from './generated/findings.js';

/** A balancer with tables, and the lists that it has with nothing lost. */
export interface TableLists {
  readonly config: LoadBalancerConfig;
  readonly runtime: Runtime;
  readonly hostSets: readonly HostSet[];
}

/**
 * The keys that move when the hosts of a loss become unhealthy, all at once; one loss after the other.
 *
 * @param losses hosts by the name of what is lost. @returns null: nothing can be lost.
 */
export async function lostKeys(
  { config, runtime, hostSets }: TableLists,
  losses: ReadonlyMap<string, readonly Host[]>,
  ids: HostIds,
  pause: Pause,
): Promise<LossSummary | null> {
  const balancer = createPolicyBalancer(config, {
    random: new ScriptedRandom([]),
    runtime,
    clock: { nowUs: 0 },
    stats: new LbStats(),
    hasLocalCluster: false,
    initial: hostSets,
    activity: { upstreamRqActive: 0 },
  });
  const intact = keyMapOf(balancer.describe(), ids);
  const outcomes: LossOutcome[] = [];
  for (const [lost, hosts] of losses) {
    for (const level of hostSets) balancer.update(without(level, new Set(hosts)), [], []);
    const moved = movedKeys(intact, keyMapOf(balancer.describe(), ids), ids);
    if (moved !== null) outcomes.push({ lost, ...moved });
    if (outcomes.length % PAUSE_EVERY === 0) await pause(outcomes.length / losses.size);
  }
  return summary(outcomes);
}

/** The same of each unit of loss of a cluster; undefined: it has no table of its own. */
export async function lostKeysOf(losses: Losses, lose: Lose, pause: Pause): Promise<LossSummary | null | undefined> {
  losses.apply([]);
  const [first] = losses.rest.asked(losses.gone);
  if (!losses.isTable || first === undefined || !first.isWhole || first.threshold !== undefined) return undefined;
  const { config, runtime, levels } = first.view;
  const hosts = new Map(losses.hosts.map(({ host }) => [host.index, host]));
  const units = losses.units(lose).map(({ name, rows }): [string, readonly Host[]] => {
    return [name, rows.flatMap((row) => hosts.get(row) ?? [])];
  });
  return lostKeys({ config, runtime, hostSets: levels }, new Map(units), new Map(), pause);
}

function summary(losses: readonly LossOutcome[]): LossSummary | null {
  const [first] = losses;
  if (first === undefined) return null;
  const mean = (of: (loss: LossOutcome) => number): number => sum(losses.map(of)) / losses.length;
  const needless = ({ moved, orphaned }: LossOutcome): number => moved - orphaned;
  const worst = losses.reduce((most, loss) => (needless(loss) > needless(most) ? loss : most), first);
  return {
    moved: mean(({ moved }) => moved),
    minimum: mean(({ minimum }) => minimum),
    orphaned: mean(({ orphaned }) => orphaned),
    worst: needless(worst) > 0 ? worst.lost : null,
    losses,
  };
}

type LossOutcome = LossSummary['losses'][number];

const PAUSE_EVERY = 8;

/** The lists of a level in which some hosts are unhealthy. */
function without({ rows: _, ...level }: HostSet, lost: ReadonlySet<Host>): HostSet {
  const thinned = <Lists extends Pick<LocalityGroup, 'healthy' | 'degraded'>>(lists: Lists): Lists => ({
    ...lists,
    healthy: lists.healthy.filter((host) => !lost.has(host)),
    degraded: lists.degraded.filter((host) => !lost.has(host)),
  });
  return { ...thinned(level), localities: level.localities.map(thinned) };
}
