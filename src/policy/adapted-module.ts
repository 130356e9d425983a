import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import { xxhash64String } from '../hash/xxhash64.js';
import type { Host } from '../host/host.js';
import type { Random64 } from '../random/random64.js';
import type { AnswerOutcome } from './answers.js';
import type { DecisionTrace } from './decision-trace.js';
import type { PolicyFacts } from './facts.js';
import type { HostIndex, HostList, ListPickInput, ProxyListPolicy, SourceId } from './list-policy.js';
import type { LoadReport } from './load-report.js';
import { described } from './module-shape.js';
import { chosenStep } from './pick-steps.js';
import type { ListPolicyModule, ModuleConfig, PolicyModule, TablePolicyModule } from './policy-module.js';
import { PolicyFailure } from './policy-module.js';
import type { SlowStart } from './slow-start.js';
import { noteHosts, slowStartWeight, startSlowStart } from './slow-start.js';
import type { PolicyTable, ProxyTablePolicy, WeightedHosts } from './table-policy.js';
import type { WeightedListsConfig } from './weighted-lists.js';

/** What a balancer passes to a list module, besides what all policies get. */
export interface ModuleListConfig extends WeightedListsConfig {
  readonly settings: Struct;
  readonly count: ModuleConfig['count'];
}

/** A policy's own state, and the balancer's data for it. */
interface ModuleState<State> {
  readonly own: State;
  readonly slowStart: SlowStart | undefined;
}

/** A policy module adapted to balancers. Foreign modules are checked: exceptions and invalid results are reported. */
export type AdaptedList = ProxyListPolicy<ModuleListConfig, ModuleState<unknown>>;
export type AdaptedTable = ProxyTablePolicy<{ readonly settings?: Struct | undefined }, Struct, ModuleTable>;

/** @param isForeign foreign code, which may do anything. */
export function adaptModule(module: PolicyModule, isForeign: boolean): AdaptedList | AdaptedTable {
  return module.kind === 'list'
    ? adaptList(isForeign ? watchedList(module) : module)
    : adaptTable(isForeign ? watchedTable(module) : module);
}

function factsOf(module: PolicyModule): Omit<PolicyFacts, 'kind'> & { readonly name: string } {
  const hears = module.kind === 'list' ? [module.answered && 'answers', module.reported && 'load_reports'] : [];
  return {
    name: module.name,
    usesWeights: module.usesWeights ?? false,
    looksAtLoad: module.looksAtLoad ?? false,
    drawsHosts: module.drawsHosts ?? false,
    hears: hears.filter((each): each is 'answers' | 'load_reports' => each !== undefined),
  };
}

// --- lists -----------------------------------------------------------------------------------------------------------

function adaptList(module: ListPolicyModule<unknown>): AdaptedList {
  return {
    ...factsOf(module),
    kind: 'list',
    start: ({ settings, clock, runtime, version, slowStart: slowStartConfig, count }, random) => {
      const slowStart = startSlowStart(slowStartConfig, runtime, clock);
      const weightOf = (host: Host): number =>
        slowStart === undefined ? host.weight : slowStartWeight(slowStart, host.weight, host);
      return { own: module.start({ settings, clock, runtime, version, weightOf, count }, random), slowStart };
    },
    refresh: (state, source, hosts) => {
      if (state.slowStart !== undefined) noteHosts(state.slowStart, hosts);
      module.refresh(state.own, source, hosts);
    },
    hostsAdded: (state, hosts) => {
      if (state.slowStart !== undefined) noteHosts(state.slowStart, hosts);
      module.hostsAdded?.(state.own, hosts);
    },
    choose: (state, source, hosts, input) => {
      if (hosts.length === 0) return -1;
      const index = module.choose(state.own, source, hosts, input);
      if (input.trace !== undefined) input.trace(chosenStep(hosts, index, module.name));
      return index;
    },
    ...(module.answered !== undefined && {
      answered: (state: ModuleState<unknown>, host: Host, latencyUs: Micros, outcome: AnswerOutcome) =>
        module.answered?.(state.own, host, latencyUs, outcome),
    }),
    ...(module.reported !== undefined && {
      reported: (state: ModuleState<unknown>, host: Host, report: LoadReport) =>
        module.reported?.(state.own, host, report),
    }),
  };
}

function watchedList(module: ListPolicyModule<unknown>): ListPolicyModule<unknown> {
  const { name } = module;
  return {
    ...memberless(module),
    kind: 'list',
    statistics: module.statistics ?? [],
    start: (config: ModuleConfig, random: Random64) => {
      const known = new Set(module.statistics ?? []);
      const count = (statistic: string, by = 1): void => {
        if (!known.has(statistic))
          throw new PolicyFailure(`${name} counts ${described(statistic)}, which is not among its statistics`);
        if (!Number.isFinite(by)) throw new PolicyFailure(`${name} counts ${described(by)} of ${statistic}: no number`);
        config.count(statistic, by);
      };
      const state = guarded(name, 'start', () => module.start({ ...config, count }, random));
      return noPromise(name, 'start', state);
    },
    refresh: (state: unknown, source: SourceId, hosts: HostList) =>
      guarded(name, 'refresh', () => module.refresh(state, source, hosts)),
    ...(module.hostsAdded !== undefined && {
      hostsAdded: (state: unknown, hosts: HostList) =>
        guarded(name, 'hostsAdded', () => module.hostsAdded?.(state, hosts)),
    }),
    choose: (state: unknown, source: SourceId, hosts: HostList, input: ListPickInput) => {
      let index: HostIndex;
      try {
        index = module.choose(state, source, hosts, input);
      } catch (error) {
        throw failure(name, 'choose', error);
      }
      // Fast path for whole numbers: one comparison.
      if (index >>> 0 === index && index < hosts.length) return index;
      return checkedIndex(name, index, hosts.length);
    },
    ...(module.answered !== undefined && {
      answered: (state: unknown, host: Host, latencyUs: Micros, outcome: AnswerOutcome) => {
        try {
          module.answered?.(state, host, latencyUs, outcome);
        } catch (error) {
          throw failure(name, 'answered', error);
        }
      },
    }),
    ...(module.reported !== undefined && {
      reported: (state: unknown, host: Host, report: LoadReport) =>
        guarded(name, 'reported', () => module.reported?.(state, host, report)),
    }),
  };
}

// --- tables ----------------------------------------------------------------------------------------------------------

/** A table of a module, as far as it can be inspected from outside. */
export interface ModuleTable extends PolicyTable {
  readonly own: unknown;
  /** The host of a hash, by its index. */
  hostOf(hashHi: number, hashLo: number): HostIndex;
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

/** Calls `look` with the host of each hash that is looked up, in two tables at once. */
export function probePairs(
  before: Pick<ModuleTable, 'hostOf'>,
  after: Pick<ModuleTable, 'hostOf'>,
  isSame: (hostBefore: HostIndex, hostAfter: HostIndex) => boolean,
): number {
  const hashes = probes();
  let same = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    const [hi, lo] = [hashes[2 * probe] as number, hashes[2 * probe + 1] as number];
    if (isSame(before.hostOf(hi, lo), after.hostOf(hi, lo))) same++;
  }
  return same / PROBES;
}

function adaptTable(module: TablePolicyModule<unknown>): AdaptedTable {
  return {
    ...factsOf(module),
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
      const own = module.build(hosts, settings);
      return {
        own,
        size: 0,
        entriesPerHost: new Uint32Array(hosts.keys.length),
        gauges: undefined,
        hostOf: (hi, lo) => (hosts.keys.length === 0 ? -1 : module.choose(own, hi, lo, 0)),
      };
    },
    choose: (table: ModuleTable, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace) =>
      table.entriesPerHost.length === 0 ? -1 : module.choose(table.own, hashHi, hashLo, attempt, trace),
    keyShares: (table) => {
      const shares = new Float64Array(table.entriesPerHost.length);
      if (shares.length === 0) return shares;
      probePairs(table, table, (host) => {
        if (host >= 0) shares[host] = (shares[host] as number) + 1 / PROBES;
        return true;
      });
      return shares;
    },
    entries: () => [],
  };
}

function watchedTable(module: TablePolicyModule<unknown>): TablePolicyModule<unknown> {
  const { name } = module;
  /** Number of hosts of each table. */
  const sizes = new WeakMap<object, number>();
  return {
    ...memberless(module),
    kind: 'table',
    build: (hosts: WeightedHosts, settings: Struct) => {
      const table = noPromise(
        name,
        'build',
        guarded(name, 'build', () => module.build(hosts, settings)),
      );
      if (typeof table !== 'object' || table === null) {
        throw new PolicyFailure(`${name}.build returned ${described(table)}: a table has to be an object`);
      }
      sizes.set(table, hosts.keys.length);
      return table;
    },
    choose: (table: unknown, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace) => {
      let index: HostIndex;
      try {
        index = module.choose(table, hashHi, hashLo, attempt, trace);
      } catch (error) {
        throw failure(name, 'choose', error);
      }
      return checkedIndex(name, index, sizes.get(table as object) ?? 0);
    },
  };
}

// --- what may go wrong -----------------------------------------------------------------------------------------------

function memberless({ name, usesWeights, looksAtLoad, drawsHosts, settings }: PolicyModule): {
  readonly name: string;
  readonly usesWeights: boolean;
  readonly looksAtLoad: boolean;
  readonly drawsHosts: boolean;
} & Pick<PolicyModule, 'settings'> {
  return {
    name,
    usesWeights: usesWeights ?? false,
    looksAtLoad: looksAtLoad ?? false,
    drawsHosts: drawsHosts ?? false,
    ...(settings !== undefined && { settings }),
  };
}

function checkedIndex(policy: string, index: unknown, hosts: number): HostIndex {
  if (typeof index === 'number' && Number.isInteger(index) && index >= -1 && index < hosts) return index;
  const range = `it has to be a whole number from 0 to ${hosts - 1}, or -1 for no host`;
  const found = described(index);
  const why = found === 'a promise' ? '; a request waits for its host, so choose cannot be async' : '';
  throw new PolicyFailure(`${policy}.choose returned ${found} for ${hosts} hosts: ${range}${why}`);
}

function noPromise<Value>(policy: string, member: string, value: Value): Value {
  if (described(value) === 'a promise') {
    throw new PolicyFailure(`${policy}.${member} returned a promise: nothing in a run waits, so it cannot be async`);
  }
  return value;
}

function guarded<Value>(policy: string, member: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw failure(policy, member, error);
  }
}

function failure(policy: string, member: string, error: unknown): PolicyFailure {
  if (error instanceof PolicyFailure) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : described(error);
  return new PolicyFailure(`${policy}.${member} threw ${text}`, '', { cause: error });
}
