import { createLoadBalancer } from '../../src/hostset/create-load-balancer.js';
import type { Host } from '../../src/host/host.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import type { AnswerOutcome } from '../../src/policy/answers.js';
import type { TablePolicy, WeightedHosts } from '../../src/policy/policy-kinds.js';
import { toBigInt } from '../../src/core/u64.js';
import { xxhash64 } from '../../src/hash/text-hashes.js';
import { utf8 } from '../../src/hash/bytes.js';
import {
  type BalancerUnderTest,
  builtInPolicy,
  type ListPolicy,
  listPolicyUnderTest,
} from '../../src/testing/index.js';
import { below } from './plain-lists.js';

/** Balancers as strangers write them, from the sources that they name, and the mistakes that are made on the way. */

type Plain<State> = ListPolicy<unknown, State>;

export const around = <State>(policy: Plain<State>): BalancerUnderTest => listPolicyUnderTest(policy);

// --- loads -----------------------------------------------------------------------------------------------------------

/** Of two different hosts the one with fewer requests, by how a mistaken one reads them. Source: Finagle, P2C. */
export function leastOfTwo(read: (host: Host) => number | string): BalancerUnderTest {
  return around<null>({
    name: 'LEAST_OF_TWO',
    start: () => null,
    refresh: () => undefined,
    choose: (_state, _source, hosts, { random }) => {
      if (hosts.length < 2) return hosts.length - 1;
      const one = below(random, hosts.length);
      const drawn = below(random, hosts.length - 1);
      const other = drawn < one ? drawn : drawn + 1;
      return read(hosts[other] as Host) < read(hosts[one] as Host) ? other : one;
    },
  });
}

/** Of one host drawn and the last one taken that with fewer requests. Source: Mitzenmacher, Prabhakar and Shah, FOCS 2002. */
export const remembers = (byPlace: boolean): BalancerUnderTest =>
  around<Map<number, { readonly place: number; readonly host: Host }>>({
    name: 'REMEMBERS',
    start: () => new Map(),
    refresh: () => undefined,
    choose: (state, source, hosts, { random }) => {
      if (hosts.length === 0) return -1;
      const drawn = below(random, hosts.length);
      const { place = -1, host } = state.get(source) ?? {};
      const last = byPlace || host === undefined ? place : hosts.indexOf(host);
      const active = (host ?? hosts[0])?.activeRequests ?? 0;
      const taken = last >= 0 && active < (hosts[drawn]?.activeRequests ?? 0) ? last : drawn;
      state.set(source, { place: taken, host: hosts[taken] ?? (hosts[0] as Host) });
      return taken;
    },
  });

interface Counted {
  readonly open: Map<Host, number>;
}

/** The same, by its own count of what it sent and what came back; @param hears which ends it hears of. */
export function countsItself(hears: (outcome: AnswerOutcome) => boolean = () => true): BalancerUnderTest {
  return around<Counted>({
    name: 'COUNTS_ITSELF',
    start: () => ({ open: new Map() }),
    refresh: () => undefined,
    choose: ({ open }, _source, hosts, { random }) => {
      if (hosts.length === 0) return -1;
      const one = below(random, hosts.length);
      const drawn = below(random, hosts.length - 1);
      const other = hosts.length === 1 ? one : drawn < one ? drawn : drawn + 1;
      const [first, second] = [hosts[one] as Host, hosts[other] as Host];
      const taken = (open.get(second) ?? 0) < (open.get(first) ?? 0) ? other : one;
      const host = hosts[taken] as Host;
      open.set(host, (open.get(host) ?? 0) + 1);
      return taken;
    },
    answered: ({ open }, host, _latencyUs, outcome) => {
      if (hears(outcome)) open.set(host, (open.get(host) ?? 0) - 1);
    },
  });
}

/** Loads as they were at the last update. */
export const staleLoads: BalancerUnderTest = around<Map<number, readonly number[]>>({
  name: 'STALE_LOADS',
  start: () => new Map(),
  refresh: (state, source, hosts) =>
    void state.set(
      source,
      hosts.map(({ activeRequests }) => activeRequests),
    ),
  choose: (state, source, hosts, { random }) => {
    const [one, other] = [below(random, hosts.length), below(random, hosts.length)];
    const loads = state.get(source) ?? [];
    if (hosts.length === 0) return -1;
    return (loads[other] ?? 0) < (loads[one] ?? 0) ? other : one;
  },
});

/** Of all hosts the one with the fewest requests for its weight, in turns among equals. Source: HAProxy, leastconn. */
export const leastConnections: BalancerUnderTest = around<{ readonly since: Map<Host, number>; turn: number }>({
  name: 'LEASTCONN',
  start: () => ({ since: new Map(), turn: 0 }),
  refresh: () => undefined,
  choose: (state, _source, hosts) => {
    const score = (host: Host): number => (host.activeRequests + 1) / host.weight;
    const best = [...hosts].sort(
      (a, b) => score(a) - score(b) || (state.since.get(a) ?? 0) - (state.since.get(b) ?? 0),
    )[0];
    if (best !== undefined) state.since.set(best, ++state.turn);
    return best === undefined ? -1 : hosts.indexOf(best);
  },
});

/** Where weights differ, deadlines by weight / (requests + 1), by the requests of @param read. Source: the proxy, LEAST_REQUEST. */
export function weighedRequests(read: 'at each pick' | 'at the update'): BalancerUnderTest {
  type Lists = { now: number; due: Map<Host, number>; seen: Map<Host, number> }[];
  return around<Lists>({
    name: 'WEIGHED_REQUESTS',
    start: () => [],
    refresh: (lists, source, hosts) => {
      const seen = new Map(hosts.map((host) => [host, host.activeRequests]));
      lists[source] = { now: 0, due: new Map(hosts.map((host) => [host, 1 / host.weight])), seen };
    },
    choose: (lists, source, hosts) => {
      const list = lists[source];
      const [host] = [...hosts].sort((a, b) => (list?.due.get(a) ?? 0) - (list?.due.get(b) ?? 0));
      if (list === undefined || host === undefined) return -1;
      list.now = list.due.get(host) ?? 0;
      const requests = read === 'at each pick' ? host.activeRequests : (list.seen.get(host) ?? 0);
      list.due.set(host, list.now + (requests + 1) / host.weight);
      return hosts.indexOf(host);
    },
  });
}

/** Of all hosts the one that was served least for its weight, in its life or in that of the one that was served least: a newcomer's. */
export function fewestServed(life: 'its own' | 'the newest'): BalancerUnderTest {
  return around<Map<Host, number>>({
    name: 'FEWEST_SERVED',
    start: () => new Map(),
    refresh: (served, _source, hosts) => {
      const known = hosts.flatMap((host) => served.get(host) ?? []);
      const from = life === 'the newest' && known.length > 0 ? Math.min(...known) : 0;
      for (const host of hosts) if (!served.has(host)) served.set(host, from);
    },
    choose: (served, _source, hosts) => {
      const due = (host: Host): number => (served.get(host) ?? 0) + 1 / host.weight;
      let best = -1;
      hosts.forEach((host, index) => {
        if (best < 0 || due(host) < due(hosts[best] as Host)) best = index;
      });
      const host = hosts[best];
      if (host !== undefined) served.set(host, due(host));
      return best;
    },
  });
}

// --- weights ---------------------------------------------------------------------------------------------------------

interface Credits {
  readonly lists: { credits: Map<Host, number>; weights: number[] }[];
}

export interface WeightMistakes {
  readonly read?: (weight: number) => number;
  /** Weights stand by index, and where a list gets shorter the last ones are cut off. */
  readonly byIndex?: boolean;
}

/** Source: nginx, smooth weighted round robin. */
export function smoothTurns({ read = (weight) => weight, byIndex = false }: WeightMistakes = {}): BalancerUnderTest {
  return around<Credits & { readonly skip: number }>({
    name: 'SMOOTH_TURNS',
    start: (_config, random) => ({ lists: [], skip: below(random, 60) }),
    refresh: ({ lists, skip }, source, hosts) => {
      const known = lists[source];
      const weights = hosts.map(({ weight }) => read(weight));
      if (byIndex && known !== undefined && known.weights.length > hosts.length) known.weights.length = hosts.length;
      else if (known !== undefined) known.weights = weights;
      else {
        const list = { credits: new Map<Host, number>(), weights };
        lists[source] = list;
        for (let turn = 0; turn < skip; turn++) smoothNext(list, hosts);
      }
    },
    choose: ({ lists }, source, hosts) => smoothNext(lists[source] ?? { credits: new Map(), weights: [] }, hosts),
  });
}

function smoothNext({ credits, weights }: Credits['lists'][number], hosts: readonly Host[]): number {
  let [best, most, all] = [-1, -Infinity, 0];
  hosts.forEach((host, index) => {
    const credit = (credits.get(host) ?? 0) + (weights[index] ?? 0);
    credits.set(host, credit);
    all += weights[index] ?? 0;
    if (credit > most) [best, most] = [index, credit];
  });
  const host = hosts[best];
  if (host !== undefined) credits.set(host, most - all);
  return best;
}

/**
 * A static stride: in turn k a host is due if k · weight passes a multiple of the largest one. Source: gRPC, static_stride_scheduler,
 * without its bounds of weights. @param bits of a scaled weight. @param offset each host begins half a turn after the one before.
 */
export function staticStride(bits = 16, offset = true): BalancerUnderTest {
  const most = 2 ** bits - 1;
  return around<{ next: number[] }>({
    name: 'STATIC_STRIDE',
    start: (_config, random) => ({ next: [below(random, 2 ** 20)] }),
    refresh: ({ next }, source) => void (next[source] ??= next[0] ?? 0),
    choose: ({ next }, source, hosts) => {
      if (hosts.length === 0) return -1;
      const largest = Math.max(...hosts.map(({ weight }) => weight));
      for (;;) {
        const sequence = next[source] ?? 0;
        next[source] = sequence + 1;
        const index = sequence % hosts.length;
        const generation = Math.floor(sequence / hosts.length);
        const weight = Math.max(1, Math.round(((hosts[index]?.weight ?? 0) / largest) * most));
        const shift = offset ? Math.floor((most / 2) * index) : 0;
        if ((weight * generation + shift) % most >= most - weight) return index;
      }
    },
  });
}

// --- tables ----------------------------------------------------------------------------------------------------------

interface Listed {
  readonly keys: readonly string[];
  /** Of hashes, how often they were looked up. */
  readonly seen: Map<string, number>;
}

export interface JumpMistakes {
  readonly sorted?: boolean;
  /** A key that was looked up so often goes to the next host, to be fair. */
  readonly wearsOutAfter?: number;
}

/** Source: Lamping and Veach, "A fast, minimal memory, consistent hash algorithm" (2014); hosts in the order of their keys. */
export function jump({ sorted = true, wearsOutAfter = Infinity }: JumpMistakes = {}): TablePolicy<null, Listed> & {
  readonly order: (hosts: WeightedHosts) => number[];
} {
  const order = ({ keys }: WeightedHosts): number[] => {
    const indices = [...keys.keys()];
    return sorted ? indices.sort((a, b) => ((keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1)) : indices;
  };
  const orders = new WeakMap<Listed, number[]>();
  return {
    name: 'JUMP',
    order,
    build: (hosts) => {
      const table = { keys: hosts.keys, seen: new Map<string, number>() };
      orders.set(table, order(hosts));
      return table;
    },
    choose: (table, hi, lo, attempt) => {
      const hash = toBigInt({ hi, lo });
      const times = wearsOutAfter === Infinity ? 0 : (table.seen.get(String(hash)) ?? 0);
      if (wearsOutAfter < Infinity) table.seen.set(String(hash), times + 1);
      const bucket = jumpTo(hash + BigInt(attempt), table.keys.length);
      const worn = times >= wearsOutAfter ? 1 : 0;
      return bucket < 0 ? -1 : (orders.get(table)?.[(bucket + worn) % table.keys.length] ?? -1);
    },
  };
}

function jumpTo(hash: bigint, buckets: number): number {
  let [bucket, next, key] = [-1, 0, BigInt.asUintN(64, hash)];
  while (next < buckets) {
    bucket = next;
    key = BigInt.asUintN(64, key * 2862933555777941757n + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / Number((key >> 33n) + 1n)));
  }
  return bucket;
}

/** Source: Appleton and O'Reilly, "Multi-probe consistent hashing" (2015): of some points of the key the nearest host after one. */
export const multiProbe: TablePolicy<null, { readonly points: readonly bigint[] }> = {
  name: 'MULTI_PROBE',
  build: ({ keys }) => ({ points: keys.map((key) => toBigInt(xxhash64(utf8(key)))) }),
  choose: ({ points }, hi, lo, attempt) => {
    let [best, nearest] = [-1, 2n ** 64n];
    for (let probe = 0; probe < 21; probe++) {
      const at = toBigInt(xxhash64(utf8(`${hi}-${lo}-${attempt}-${probe}`)));
      points.forEach((point, host) => {
        const distance = BigInt.asUintN(64, point - at);
        if (distance < nearest) [best, nearest] = [host, distance];
      });
    }
    return best;
  },
};

// --- around ----------------------------------------------------------------------------------------------------------

/** A hash stays with its host for as long as that is there; @param looks at its health, too. */
export function sticky(looks: boolean): BalancerUnderTest {
  return {
    ...builtInPolicy('RING_HASH', '1.40'),
    create: (config, env): LoadBalancer => {
      const inner = createLoadBalancer(config, env);
      const kept = new Map<string, Host>();
      const levels = new Map<number, readonly Host[]>();
      return {
        update: (hostSet, added, removed, more) => {
          levels.set(hostSet.priority, hostSet.hosts);
          inner.update(hostSet, added, removed, more);
        },
        updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
        choose: (request, decision) => {
          inner.choose(request, decision);
          const key = `${request.hashHi}/${request.hashLo}`;
          const before = kept.get(key);
          const isThere = before !== undefined && levels.get(decision.priority)?.includes(before) === true;
          if (looks || !request.hasHash) return;
          if (isThere) decision.host = before;
          else if (decision.host !== undefined) kept.set(key, decision.host);
        },
        describe: () => inner.describe(),
      };
    },
  };
}

/** Zone-aware routing that wants one host more than `min_cluster_size`. */
export const oneHostMore: BalancerUnderTest = {
  ...builtInPolicy('ROUND_ROBIN', '1.40'),
  create: (policy, env) =>
    createLoadBalancer(
      policy.kind === 'hosts'
        ? { ...policy, zoneAware: { ...policy.zoneAware, minClusterSize: policy.zoneAware.minClusterSize + 1 } }
        : policy,
      env,
    ),
};
