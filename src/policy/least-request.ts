import { LB_DEFAULTS } from '../core/defaults.js';
import { type Runtime, runtimeDouble, type RuntimeDouble, runtimeGuard } from '../core/environment.js';
import { quirksOf } from '../core/version.js';
import { mod } from '../core/u64.js';
import type { Host } from '../host/host.js';
import { peek, pick } from '../schedule/edf.js';
import type { Random64 } from '../random/random64.js';
import { FACTS } from './generated/policy-facts.js';
import type { DecisionTrace, HostIndex, HostList, ListPickInput, ProxyListPolicy } from './policy-kinds.js';
import { fewestInputs, scheduleStep } from './policy-kinds.js';
import { slowStartWeight } from './slow-start.js';
import type { WeightedList, WeightedLists, WeightedListsConfig } from './weighted-lists.js';
import { hostsAdded, listOf, refreshList, startWeightedLists, turnsOf } from './weighted-lists.js';

export interface LeastRequestConfig {
  readonly choiceCount: number;
  /** Exponent of (active + 1), ≥ 0; default 1. */
  readonly activeRequestBias: RuntimeDouble;
  readonly selectionMethod: 'N_CHOICES' | 'FULL_SCAN';
}

/** The proxy's defaults: two choices, weights divided by active requests. */
export const TWO_CHOICES: LeastRequestConfig = {
  choiceCount: LB_DEFAULTS.choiceCount,
  activeRequestBias: { defaultValue: 1, runtimeKey: '' },
  selectionMethod: 'N_CHOICES',
};

export interface LeastRequestSettings extends WeightedListsConfig {
  readonly leastRequest: LeastRequestConfig;
}

export interface LeastRequestState extends WeightedLists<LeastRequestList> {
  readonly config: LeastRequestConfig;
  readonly runtime: Runtime;
  /** Requests that wait for a connection count as active. Read at updates only, as the bias is. */
  countPending: boolean;
}

interface LeastRequestList extends WeightedList {
  bias: number;
  countPending: boolean;
}

/** The modern proxy's guard for counting pending requests too, off by default. */
const COUNT_PENDING = 'envoy.reloadable_features.least_request_lb_count_pending_requests';

/**
 * LEAST_REQUEST: the host with the fewest requests in flight wins.
 * With equal weights: of `choiceCount` hosts drawn with replacement, the one with the fewest active requests, the first
 * drawn on a tie (the power of two choices). FULL_SCAN looks at all hosts instead and draws among those that tie. With
 * different weights an earliest-deadline-first schedule picks by weight / (active + 1)^bias, the active requests taken when
 * a host is queued again, just before the new request counts.
 * Draws: one at the start (the seed). Per pick: `choiceCount`, even for a single host; FULL_SCAN one per tie met; none from
 * the schedule or an empty list. Source: the proxy's least request balancer; Mitzenmacher, "The power of two choices in
 * randomized load balancing", IEEE TPDS 2001.
 */
export const leastRequest: ProxyListPolicy<LeastRequestSettings, LeastRequestState> = {
  ...FACTS.LEAST_REQUEST,

  start: (config, random) => ({
    ...startWeightedLists<LeastRequestList>(config, random),
    config: config.leastRequest,
    runtime: config.runtime,
    countPending: false,
  }),

  refresh(state, source, hosts, whole) {
    // Most lists of degraded hosts never have any.
    if (hosts.length === 0 && state.lists[source] === undefined) return;
    const wanted = runtimeDouble(state.runtime, state.config.activeRequestBias);
    const bias = wanted >= 0 ? wanted : 1.0;
    const countPending = quirksOf(state.version).countsPendingRequests && runtimeGuard(state.runtime, COUNT_PENDING);
    const list = (state.lists[source] ??= {
      hosts,
      schedule: undefined,
      slowStart: state.slowStart,
      bias,
      countPending,
    });
    list.bias = bias;
    list.countPending = countPending;
    state.countPending = countPending;
    refreshList(state, list, hosts, hostWeight, whole);
  },

  hostsAdded,

  turns: (state, source) => turnsOf(state.lists[source]),

  choose(state, source, hosts, input) {
    if (hosts.length === 0) return -1;
    const list = listOf(state, source);
    if (list.schedule !== undefined) {
      if (input.peeks === true) return peek(list.schedule, hostWeight, list);
      const due = pick(list.schedule, hostWeight, list);
      if (input.trace !== undefined) input.trace(scheduleStep(hosts, due, 'weight_over_load'));
      return due;
    }
    // By its next pick others may have fewer requests.
    if (input.peeks === true) return -1;
    return state.config.selectionMethod === 'FULL_SCAN'
      ? chooseByFullScan(hosts, state.countPending, input)
      : chooseOfSome(hosts, state.config.choiceCount, state.countPending, input.random, input.trace);
  },
};

function chooseOfSome(
  hosts: HostList,
  choiceCount: number,
  countPending: boolean,
  random: Random64,
  trace: DecisionTrace | undefined,
): HostIndex {
  const size = hosts.length;
  let best = -1;
  let fewest = Infinity;
  for (let choice = 0; choice < choiceCount; choice++) {
    random.next();
    const index = mod(random.hi, random.lo, size);
    const active = activeRequests(hosts[index] as Host, countPending);
    if (trace !== undefined) {
      const before = fewest === Infinity ? null : fewest;
      trace({ kind: 'candidate', inputs: { ...fewestInputs(hosts, index, active), fewest: before } });
    }
    if (active < fewest) {
      best = index;
      fewest = active;
    }
  }
  trace?.({ kind: 'fewest', inputs: { ...fewestInputs(hosts, best, fewest), drawn: choiceCount } });
  return best;
}

function chooseByFullScan(hosts: HostList, countPending: boolean, { random, trace }: ListPickInput): HostIndex {
  let best = -1;
  let fewest = Infinity;
  let tied = 0;
  for (let index = 0; index < hosts.length; index++) {
    const active = activeRequests(hosts[index] as Host, countPending);
    if (active < fewest) {
      best = index;
      fewest = active;
      tied = 1;
    } else if (active === fewest) {
      // Reservoir sampling: each of the hosts that tie ends up chosen with the same probability.
      tied++;
      random.next();
      if (mod(random.hi, random.lo, tied) === 0) best = index;
    }
  }
  if (trace !== undefined) trace({ kind: 'scan', inputs: { ...fewestInputs(hosts, best, fewest), tied } });
  return best;
}

const activeRequests = (host: Host, countPending: boolean): number =>
  countPending ? host.activeRequests + host.pendingRequests : host.activeRequests;

function hostWeight(list: LeastRequestList, entry: number): number {
  const host = list.hosts[entry] as Host;
  const weight = biasedWeight(host.weight, activeRequests(host, list.countPending) + 1, list.bias);
  return list.slowStart === undefined ? weight : slowStartWeight(list.slowStart, weight, host);
}

/** The two common exponents are computed without `pow`, as in the proxy: its last bit would differ. */
function biasedWeight(weight: number, requests: number, bias: number): number {
  if (bias === 1.0) return weight / requests;
  return bias === 0.0 ? weight : weight / Math.pow(requests, bias);
}
