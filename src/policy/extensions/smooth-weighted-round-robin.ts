import type { Host } from '../../host/host.js';
import type { HostList } from '../policy-kinds.js';
import type { ListPolicyModule, ModuleConfig } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface Turn {
  /** What it has saved up; the host that has most is next. */
  current: number;
  /** What it earns with each pick: its weight, less after failures. */
  effective: number;
}

interface State {
  readonly config: ModuleConfig;
  readonly maxFails: number;
  /** By source, parallel to the hosts of the list. */
  readonly turns: Turn[][];
  readonly lists: HostList[];
}

/**
 * SMOOTH_WEIGHTED_ROUND_ROBIN: each pick gives every host its weight; who then has most is chosen, and pays the sum of all.
 * A heavy host's turns are spread among the others'. A host that cannot be reached earns less for a while: each failure takes
 * weight / max_fails, each pick gives back one.
 * Example: weights 5, 1, 1 pick 0 0 1 0 2 0 0.
 * Draws: none; all workers begin alike. Source: nginx, `upstream` (smooth weighted balancing, 1.3.1). What takes a host out for
 * `fail_timeout` is outlier detection's business here.
 */
export const smoothWeightedRoundRobin: ListPolicyModule<State> = {
  ...FACTS.SMOOTH_WEIGHTED_ROUND_ROBIN,
  start: (config) => ({ config, maxFails: Number(config.settings['max_fails']), turns: [], lists: [] }),
  refresh: ({ turns, lists }, source, hosts) => {
    const before = new Map((lists[source] ?? []).map((host, index) => [host, turns[source]?.[index]]));
    lists[source] = hosts;
    turns[source] = hosts.map((host) => before.get(host) ?? { current: 0, effective: host.weight });
  },
  choose: ({ config, turns }, source, hosts) => {
    const list = turns[source] as Turn[];
    let best = -1;
    let most = -Infinity;
    let total = 0;
    for (let index = 0; index < hosts.length; index++) {
      const turn = list[index] as Turn;
      const weight = config.weightOf(hosts[index] as Host);
      if (turn.effective > weight) turn.effective = weight;
      turn.current += turn.effective;
      total += turn.effective;
      if (turn.effective < weight) turn.effective = Math.min(weight, turn.effective + 1);
      if (turn.current <= most) continue;
      best = index;
      most = turn.current;
    }
    (list[best] as Turn).current -= total;
    return best;
  },
  answered: ({ config, lists, maxFails, turns }, host, _latencyUs, outcome) => {
    if (maxFails === 0 || outcome === 'success' || outcome === 'error') return;
    for (const [source, hosts] of lists.entries()) {
      const turn = turns[source]?.[hosts.indexOf(host)];
      if (turn !== undefined) turn.effective = Math.max(0, turn.effective - config.weightOf(host) / maxFails);
    }
  },
};
