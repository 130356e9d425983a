/** Which hosts of a cluster may be picked: priorities and their load, panic, zones. */
import * as args from '../core/arguments.js';
import { type Host, localityKey } from '../host/host.js';
import { buildHostSet } from '../hostset/build-host-set.js';
import type { HostSet } from '../hostset/host-set.js';
import { LbStats } from '../hostset/lb-stats.js';
import { emptyPriorityState, panicThreshold, priorityState, type PriorityState } from '../hostset/priority-load.js';
import { chooseZone as chooseZoneCounting, computeZoneRouting, type ZoneRouting } from '../hostset/zone-aware.js';
import type { Random64 } from '../random/random64.js';
import { LB_DEFAULTS } from '../core/defaults.js';
import { optionsIn } from '../core/options.js';
import { LevelOptions, PriorityOptions, ZoneOptions } from './generated/picker-options.js';
import { HOSTS, IS_LEVEL, type Rules, RULES, rulesOf, SOURCE } from './rules.js';

/** Sorts the hosts of one priority into its lists, by their current health. Linear in the hosts. */
export function level(hosts: readonly Host[], options: LevelOptions = {}): HostSet {
  args.demand('level', ['hosts', hosts, HOSTS], ['options', options, optionsIn(LevelOptions)]);
  const weights = options.localityWeights?.map(({ locality, weight }) => [localityKey(locality), weight] as const);
  return buildHostSet({
    priority: options.priority ?? 0,
    hosts,
    overprovisioningFactor: options.overprovisioningFactor ?? LB_DEFAULTS.overprovisioningFactor,
    weightedPriorityHealth: options.weightedPriorityHealth ?? false,
    nodeLocality: options.nodeLocality,
    localityWeights: weights === undefined ? undefined : new Map(weights),
    keepsRows: false,
  });
}

/**
 * How load is spread over priorities, in whole percent, and which of them are in panic.
 *
 * @param levels by priority, 0 first.
 * @throws RangeError where a level's `priority` is not its index in the list.
 */
export function priorityLoad(levels: readonly HostSet[], options: PriorityOptions = {}): PriorityState {
  args.demand(
    'priorityLoad',
    ['levels', levels, args.listOf(IS_LEVEL, 'a list of what level returns')],
    ['options', options, optionsIn({ ...RULES, ...PriorityOptions })],
  );
  const { version, runtime } = rulesOf(options);
  const misplaced = levels.findIndex(({ priority }, index) => priority !== index);
  if (misplaced >= 0)
    throw new RangeError(`level ${misplaced} says that its priority is ${levels[misplaced]?.priority}`);
  const threshold = panicThreshold(runtime, options.healthyPanicThreshold ?? LB_DEFAULTS.healthyPanicThreshold);
  return levels.reduce(
    (state, { priority }) => priorityState(state, levels, priority, threshold, version),
    emptyPriorityState(),
  );
}

/**
 * How traffic is kept in the caller's zone: not at all, all of it, or a part.
 *
 * @param upstream priority 0 of the cluster that is called, with `nodeLocality`.
 * @param local priority 0 of the cluster that the caller belongs to, with the same.
 * @param options `minClusterSize` is 6 by default: fewer healthy hosts are not routed by zone.
 */
export const zoneRouting = args.checked(
  'zoneRouting',
  (upstream: HostSet, local: HostSet, options: ZoneOptions = {}): ZoneRouting => {
    const { version, runtime } = rulesOf(options);
    const { forceLocalZone, localityBasis } = options;
    const { routingEnabled, minClusterSize } = { ...LB_DEFAULTS, ...options };
    const config = { routingEnabled, minClusterSize, forceLocalZone, localityBasis };
    return computeZoneRouting({ upstream, local, config, version, runtime, stats: new LbStats() });
  },
  { upstream: IS_LEVEL, local: IS_LEVEL, options: optionsIn({ ...RULES, ...ZoneOptions }) },
);

const ROUTING = args.madeBy('zoneRouting', 'state');

/**
 * The zone of one pick. Draws: none where all stays; otherwise one, and one more where the pick leaves the zone.
 *
 * @returns index into the upstream level's localities; -1: routing is off, so choose among all hosts.
 */
export const chooseZone = args.checked(
  'chooseZone',
  (routing: ZoneRouting, random: Random64, rules: Rules = {}): number =>
    routing.state === 'none' ? -1 : chooseZoneCounting(routing, random, new LbStats(), rulesOf(rules).version),
  { routing: ROUTING, random: SOURCE, rules: args.optionsOf(RULES) },
);
