/** Policies that pick from a list of hosts, alone. */
import * as args from '../core/arguments.js';
import { defined, without, type Writable } from '../core/values.js';
import { leastRequest, TWO_CHOICES } from '../policy/least-request.js';
import type { HostIndex, HostList, ListPickInput, ListPolicy } from '../policy/policy-kinds.js';
import { random } from '../policy/random.js';
import { roundRobin } from '../policy/round-robin.js';
import type { Random64 } from '../random/random64.js';
import { optionsIn } from '../core/options.js';
import { LeastRequestOptions, WeightedPickerOptions } from './generated/picker-options.js';
import { HOSTS, type Rules, RULES, rulesOf, SOURCE } from './rules.js';

/** Picks from one list of hosts. */
export interface ListPicker {
  /** @returns index into the hosts; -1: there are none. */
  pick(): HostIndex;
  /** Sets the hosts; call it also after a weight has changed. A rotation continues, as far as the policy keeps it. */
  update(hosts: HostList): void;
}

/**
 * A picker of any list policy, ours or your own, over one list.
 *
 * Draws: as the policy says, from `source`; and one before each pick of its own, as a balancer draws the priority.
 */
export function listPicker<Config, State>(
  policy: ListPolicy<Config, State>,
  config: Config,
  hosts: HostList,
  source: Random64,
): ListPicker {
  args.demand(
    'listPicker',
    ['policy', policy, args.withFunctions('start', 'refresh', 'choose')],
    ['hosts', hosts, HOSTS],
    ['source', source, SOURCE],
  );
  const state = policy.start(config, source);
  const input: Writable<ListPickInput> = { random: source, priorityHi: 0, priorityLo: 0 };
  let list = hosts;
  policy.refresh(state, 0, list);
  policy.hostsAdded?.(state, list);
  return {
    pick: () => {
      source.next();
      input.priorityHi = source.hi;
      input.priorityLo = source.lo;
      return policy.choose(state, 0, list, input);
    },
    update: (next) => {
      const before = list;
      list = next;
      policy.refresh(state, 0, next);
      policy.hostsAdded?.(state, without(next, before));
    },
  };
}

const WEIGHTED = { ...RULES, ...WeightedPickerOptions };

const demandPicker = (call: string, hosts: HostList, source: Random64, options: unknown, check: args.Check): void =>
  args.demand(call, ['hosts', hosts, HOSTS], ['source', source, SOURCE], ['options', options, check]);

/**
 * ROUND_ROBIN: each host in its turn, as often as its weight says; starts at a random index.
 *
 * Source: the proxy's round robin balancer; weights by an earliest-deadline-first schedule.
 */
export function roundRobinPicker(hosts: HostList, source: Random64, options: WeightedPickerOptions = {}): ListPicker {
  demandPicker('roundRobinPicker', hosts, source, options, optionsIn(WEIGHTED));
  const { slowStart, ...rules } = options;
  return listPicker(roundRobin, { ...rulesOf(rules), slowStart }, hosts, source);
}

/**
 * LEAST_REQUEST: of `choiceCount` hosts drawn with replacement, the one with the fewest active requests, which are read
 * from the hosts at every pick; where weights differ, a schedule of weight / active requests.
 *
 * Source: Mitzenmacher, "The power of two choices in randomized load balancing", IEEE TPDS 2001; the schedule is the
 * proxy's.
 */
export function leastRequestPicker(
  hosts: HostList,
  source: Random64,
  options: WeightedPickerOptions & LeastRequestOptions = {},
): ListPicker {
  demandPicker('leastRequestPicker', hosts, source, options, optionsIn({ ...WEIGHTED, ...LeastRequestOptions }));
  const { slowStart, choiceCount, selectionMethod, ...rules } = options;
  const own = { ...TWO_CHOICES, ...defined({ choiceCount, selectionMethod }) };
  return listPicker(leastRequest, { ...rulesOf(rules), slowStart, leastRequest: own }, hosts, source);
}

/** RANDOM: any host with the same probability, whatever its weight. Source: the proxy's random balancer. */
export function randomPicker(hosts: HostList, source: Random64, rules: Rules = {}): ListPicker {
  demandPicker('randomPicker', hosts, source, rules, args.optionsOf(RULES));
  return listPicker(random, { version: rulesOf(rules).version }, hosts, source);
}
