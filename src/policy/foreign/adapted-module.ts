import { present, type Struct } from '../../core/values.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import type { Host } from '../../host/host.js';
import type { PolicyEvent } from '../answers.js';
import * as lists from '../policy-kinds.js';
import * as modules from './policy-module.js';
import { type SlowStart, slowStartWeight, startSlowStart } from '../slow-start.js';
import { hostsAdded, type WeightedListsConfig } from '../weighted-lists.js';
import { described, isPromise } from '../../core/printable.js';

/** What a balancer passes to a list module, besides what all policies get. */
export interface ModuleListConfig extends WeightedListsConfig {
  readonly settings: Struct;
  readonly count: modules.ModuleConfig['count'];
}

type ModuleState<State> = Readonly<{ own: State; slowStart: SlowStart | undefined }>;

/** A policy module adapted to balancers. What it does is checked: exceptions and invalid results are reported. */
export type AdaptedList = lists.ProxyListPolicy<ModuleListConfig, ModuleState<unknown>>;
export type AdaptedTable = lists.ProxyTablePolicy<{ readonly settings?: Struct | undefined }, Struct, ModuleTable>;

export function adaptModule(module: modules.PolicyModule): AdaptedList | AdaptedTable {
  const facts = {
    name: module.name,
    usesWeights: module.usesWeights ?? false,
    looksAtLoad: module.looksAtLoad ?? false,
    drawsHosts: module.drawsHosts ?? false,
    readsRequests: module.readsRequests,
    hears: heardBy(module),
  };
  return module.kind === 'list' ? { ...facts, ...adaptList(module) } : { ...facts, ...adaptTable(module) };
}

type WithoutFacts<Policy> = Omit<Policy, keyof (Omit<lists.PolicyFacts, 'kind'> & { readonly name: string })>;

const heardBy = ({ answered, reported, probed }: lists.Hearing<never>): PolicyEvent[] =>
  present([answered && 'answers', reported && 'load_reports', probed && 'probes']);

// --- lists -----------------------------------------------------------------------------------------------------------

function adaptList(module: modules.ListPolicyModule<unknown>): WithoutFacts<AdaptedList> {
  const { name } = module;
  return {
    kind: 'list',
    firstPriorityOnly: module.firstPriorityOnly,
    start: ({ settings, clock, runtime, version, slowStart: slowStartConfig, count: counted }, random) => {
      const slowStart = startSlowStart(slowStartConfig, runtime, clock);
      const weightOf = (host: Host): number =>
        slowStart === undefined ? host.weight : slowStartWeight(slowStart, host.weight, host);
      const known = new Set(module.statistics ?? []);
      const count = (statistic: string, by = 1): void => {
        if (!known.has(statistic))
          throw new modules.PolicyFailure({ kind: 'unknown_statistic', policy: name, statistic: described(statistic) });
        if (!Number.isFinite(by))
          throw new modules.PolicyFailure({ kind: 'no_number', policy: name, statistic, value: described(by) });
        counted(statistic, by);
      };
      const config = { settings, clock, runtime, version, weightOf, count };
      return { own: returned(name, 'start', () => module.start(config, random)), slowStart };
    },
    refresh: (state, source, hosts) => {
      hostsAdded(state, hosts);
      guarded(name, 'refresh', () => module.refresh(state.own, source, hosts));
    },
    hostsAdded: (state, hosts) => {
      hostsAdded(state, hosts);
      guarded(name, 'hostsAdded', () => module.hostsAdded?.(state.own, hosts));
    },
    choose: (state, source, hosts, input) => {
      if (hosts.length === 0) return -1;
      let index: lists.HostIndex;
      try {
        index = module.choose(state.own, source, hosts, input);
      } catch (error) {
        throw failure(name, 'choose', error);
      }
      // Fast path for whole numbers: one comparison.
      if (index >>> 0 !== index || index >= hosts.length) index = checkedIndex(name, index, hosts.length);
      if (input.trace !== undefined) {
        const active = hosts[index]?.activeRequests ?? 0;
        input.trace({ kind: 'own', inputs: { ...lists.fewestInputs(hosts, index, active), policy: name } });
      }
      return index;
    },
    ...hearing(name, module, ({ own }: ModuleState<unknown>) => own),
  };
}

/** What a module has of the members that are called for what it hears. */
function hearing<State, Own>(
  name: string,
  module: lists.Hearing<Own>,
  ownOf: (state: State) => Own,
): lists.Hearing<State> {
  const all: Required<lists.Hearing<State>> = {
    answered: (state, host, latencyUs, outcome) => {
      try {
        module.answered?.(ownOf(state), host, latencyUs, outcome);
      } catch (error) {
        throw failure(name, 'answered', error);
      }
    },
    reported: (state, host, report) => guarded(name, 'reported', () => module.reported?.(ownOf(state), host, report)),
    probes: (state, source, hosts, input) => {
      if (hosts.length === 0) return [];
      const found = guarded(name, 'probes', () => module.probes?.(ownOf(state), source, hosts, input));
      return checkedProbes(name, found, hosts.length);
    },
    probed: (state, host, answer) => guarded(name, 'probed', () => module.probed?.(ownOf(state), host, answer)),
  };
  return Object.fromEntries(Object.entries(all).filter(([member]) => module[member as keyof typeof all] !== undefined));
}

// --- tables ----------------------------------------------------------------------------------------------------------

/** A table of a module, as far as it can be inspected from outside. */
export interface ModuleTable extends lists.PolicyTable {
  readonly own: unknown;
  hostOf(hashHi: number, hashLo: number): lists.HostIndex;
}

/** Number of hashes looked up to measure how a table divides them: shares are then known to 0.2 percent points. */
const PROBES = 65_536;

let probeHashes: Uint32Array | undefined;

/** The hashes that are looked up, two halves each: the same for all tables, so that two of them can be compared. */
function probes(): Uint32Array {
  if (probeHashes !== undefined) return probeHashes;
  const hashes = new Uint32Array(2 * PROBES);
  for (let probe = 0; probe < PROBES; probe++) {
    const { hi, lo } = xxhash64String(`probe-${probe}`);
    hashes[2 * probe] = hi;
    hashes[2 * probe + 1] = lo;
  }
  return (probeHashes = hashes);
}

function probe(look: (hashHi: number, hashLo: number) => void): void {
  const hashes = probes();
  for (let at = 0; at < hashes.length; at += 2) look(hashes[at] as number, hashes[at + 1] as number);
}

/** The part of all hashes, 0–1, whose hosts in two tables are the same by `isSame`. */
export function keptProbes(
  before: Pick<ModuleTable, 'hostOf'>,
  after: Pick<ModuleTable, 'hostOf'>,
  isSame: (hostBefore: lists.HostIndex, hostAfter: lists.HostIndex) => boolean,
): number {
  let kept = 0;
  probe((hi, lo) => {
    if (isSame(before.hostOf(hi, lo), after.hostOf(hi, lo))) kept++;
  });
  return kept / PROBES;
}

function adaptTable(module: modules.TablePolicyModule<unknown>): WithoutFacts<AdaptedTable> {
  const { name } = module;
  const look = (hosts: number, ...of: Parameters<typeof module.choose>) => {
    if (hosts === 0) return -1;
    // A closure for each pick, as `guarded` takes it, would cost a tenth of a run.
    try {
      return checkedIndex(name, module.choose(...of), hosts);
    } catch (error) {
      throw failure(name, 'choose', error);
    }
  };
  return {
    kind: 'table',
    noun: 'table',
    entriesVary: true,
    hashFunctions: [],
    statNames: {},
    configOf: ({ settings }) => settings ?? {},
    // It was not probed yet.
    ignoresHostOrder: () => false,
    hashFunction: () => 'XX_HASH',
    tableBytes: () => 0,
    build: (hosts, settings) => {
      const own = returned(name, 'build', () => module.build(hosts, settings));
      if (typeof own !== 'object' || own === null)
        throw new modules.PolicyFailure({ kind: 'no_table', policy: name, value: described(own) });
      const { length } = hosts.keys;
      const hostOf = (hi: number, lo: number): lists.HostIndex => look(length, own, hi, lo, 0);
      return { own, size: 0, entriesPerHost: new Uint32Array(length), gauges: undefined, hostOf };
    },
    choose: ({ own, entriesPerHost }, ...of) => look(entriesPerHost.length, own, ...of),
    keyShares: (table) => {
      const shares = new Float64Array(table.entriesPerHost.length);
      if (shares.length === 0) return shares;
      probe((hi, lo) => {
        const host = table.hostOf(hi, lo);
        if (host >= 0) shares[host] = (shares[host] as number) + 1 / PROBES;
      });
      return shares;
    },
    entries: () => [],
    ...hearing(name, module, (memory: lists.TableMemory) => memory),
  };
}

function checkedIndex(policy: string, index: unknown, hosts: number): lists.HostIndex {
  if (typeof index === 'number' && Number.isInteger(index) && index >= -1 && index < hosts) return index;
  const value = described(index);
  throw new modules.PolicyFailure({ kind: 'no_index', policy, value, hosts, is_promise: isPromise(index) });
}

function checkedProbes(policy: string, found: unknown, hosts: number): readonly lists.HostIndex[] {
  if (!Array.isArray(found))
    throw new modules.PolicyFailure({ kind: 'no_list_of_probes', policy, value: described(found) });
  const stranger: unknown = found.find((index) => !Number.isInteger(index) || index < 0 || index >= hosts);
  if (stranger === undefined) return found as readonly lists.HostIndex[];
  throw new modules.PolicyFailure({ kind: 'no_probe_index', policy, value: described(stranger), hosts });
}

/** What a member made, which nothing waits for. */
function returned(policy: string, member: string, make: () => unknown): unknown {
  const value = guarded(policy, member, make);
  if (isPromise(value)) throw new modules.PolicyFailure({ kind: 'promise', policy, member });
  return value;
}

/** @throws PolicyFailure for what a member of a module throws. */
export function guarded<Value>(policy: string, member: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw failure(policy, member, error);
  }
}

function failure(policy: string, member: string, error: unknown): modules.PolicyFailure {
  if (error instanceof modules.PolicyFailure) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : described(error);
  return new modules.PolicyFailure({ kind: 'threw', policy, member, error: text }, '', { cause: error });
}
