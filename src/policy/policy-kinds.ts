import type { Struct } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { Random64 } from '../random/random64.js';
import type { AnswerOutcome, PolicyEvent, ProbeAnswer } from './answers.js';
import type { LoadReport } from './load-report.js';
import type { FewestInputs, PolicyStep } from './generated/policy-steps.js';
import type { Turns } from './turns.js';
import type { ProxyVersion } from '../core/version.js';
import type { HashFunction } from '../hash/text-hashes.js';

/**
 * Names one list of hosts for the life of a balancer: (priority; all, healthy or degraded; whole level or one locality)
 * mapped to a small dense integer, so that a policy keeps its state per source in an array.
 */
export type SourceId = number;

export type HostList = readonly Host[];

/** Position in the given list; -1 where it is empty. */
export type HostIndex = number;

/** What the rest of the engine needs to know of a policy, so that it need not know which one it is. */
export interface PolicyFacts {
  /** `list`: picks inside one list of hosts. `table`: looks the hash of a request up in a table of hosts. */
  readonly kind: 'list' | 'table';
  /** Host weights matter. */
  readonly usesWeights: boolean;
  /** The active requests of each host matter. */
  readonly looksAtLoad: boolean;
  /** Each pick draws its host, instead of taking turns or looking it up. */
  readonly drawsHosts: boolean;
  /** It looks at requests: their keys are kept, which nobody else needs. Default: it gets no more than their hashes. */
  readonly readsRequests?: boolean | undefined;
  /** What it is told of besides its hosts; it is called for nothing else. */
  readonly hears: readonly PolicyEvent[];
}

/**
 * A policy that picks inside one list of hosts and keeps state per list: round robin, least request, random.
 *
 * `Config` is the policy's own settings, `State` plain data owned by the caller.
 */
export interface ListPolicy<Config, State> {
  readonly name: string;
  /** It gets the healthy hosts of the first priority, whatever panic, zones and weighted localities say. */
  readonly firstPriorityOnly?: boolean | undefined;
  /** It knows which hosts it will pick next, and tells where `peeks` is set. */
  readonly peeks?: true | undefined;
  /** Once per balancer; the policy's header says which values it draws. */
  start(config: Config, random: Random64): State;
  /** The list of `source` was updated. Draws nothing. @param whole has all of these hosts, and was updated just before. */
  refresh(state: State, source: SourceId, hosts: HostList, whole?: SourceId): void;
  /** These hosts are new to the cluster; called after the refreshes of the update that brought them. Draws nothing. */
  hostsAdded?(state: State, hosts: HostList): void;
  /**
   * Changes only `state`, and draws only from `input.random`.
   *
   * @returns index into `hosts`, the list last given to `refresh` for `source`; -1 if it is empty.
   */
  choose(state: State, source: SourceId, hosts: HostList, input: ListPickInput): HostIndex;
  /** Whose turn it is in the list of `source`; undefined: no host's. Changes nothing, and draws nothing. */
  turns?(state: State, source: SourceId): Turns | undefined;
  /** An attempt at a host that this policy picked has ended, see {@link AnswerListener}. Draws nothing. */
  answered?(state: State, host: Host, latencyUs: Micros, outcome: AnswerOutcome): void;
  /** The answer of a host carried a report of its load. Draws nothing. */
  reported?(state: State, host: Host, report: LoadReport): void;
  /**
   * After each pick, with the same arguments: which hosts to ask how busy they are. Changes only `state`, and draws only from
   * `input.random`.
   *
   * @returns indices into `hosts`.
   */
  probes?(state: State, source: SourceId, hosts: HostList, input: ListPickInput): readonly HostIndex[];
  /** A host that was asked has answered; it may have left the cluster since. Draws nothing. */
  probed?(state: State, host: Host, answer: ProbeAnswer): void;
}

export type ProxyListPolicy<Config, State> = ListPolicy<Config, State> & PolicyFacts & { readonly kind: 'list' };

/** The request of a pick, as its route has it. One object is reused for all requests. */
export interface PickedRequest {
  /** False: the route computes no hash. */
  readonly hasHash: boolean;
  readonly hashHi: number;
  readonly hashLo: number;
  /** The text that was hashed; absent unless the policy's `readsRequests` asks for it. */
  readonly key?: string | undefined;
  /** Names in lower case; hash policies and named hosts are read from them, too. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The route's metadata criteria. */
  readonly metadataMatch: Struct | undefined;
  /** Times the work of a plain request; absent: it is one. */
  readonly size?: number | undefined;
  /** 0: the first one; a retry has the next number. */
  readonly attempt?: number | undefined;
  /** Hosts of earlier attempts, as far as a retry policy has them kept. */
  readonly tried?: readonly Host[] | undefined;
}

/** Called with each step. Without a listener it is undefined, and no step is described. */
export type DecisionTrace = (step: PolicyStep) => void;

/** What a list policy may look at in one pick. One object is reused for all picks. */
export interface ListPickInput {
  readonly random: Random64;
  /** Absent where a policy picks alone, without a balancer around it. */
  readonly request?: PickedRequest | undefined;
  /** The value that chose the priority (modern RANDOM uses it again). */
  readonly priorityHi: number;
  readonly priorityLo: number;
  /** Called with every step; absent: no trace. */
  readonly trace?: DecisionTrace | undefined;
  /** Asks for the host after those asked for already: the next picks are these, in the same order. */
  readonly peeks?: boolean | undefined;
}

/** Of a step: null where no host was taken. */
export const addressAt = (hosts: HostList, index: HostIndex): string | null => hosts[index]?.address ?? null;

export function fewestInputs(hosts: HostList, index: HostIndex, active: number): FewestInputs {
  return { hosts: hosts.length, index, host: addressAt(hosts, index), active_requests: active };
}

/** Weights of more hosts than this are not listed. */
const LISTED_WEIGHTS = 12;

/** @param by what the deadlines follow. */
export const scheduleStep = (hosts: HostList, index: HostIndex, by: 'weight' | 'weight_over_load'): PolicyStep => ({
  kind: 'schedule',
  inputs: {
    hosts: hosts.length,
    index,
    host: addressAt(hosts, index),
    weight: hosts[index]?.weight ?? 0,
    active: hosts[index]?.activeRequests ?? 0,
    by,
    ...(hosts.length <= LISTED_WEIGHTS && { weights: hosts.map(({ weight }) => weight) }),
  },
});

/** Hosts of one table, in the proxy's order, with their share of it (normalised weights). */
export interface WeightedHosts {
  /** What is hashed for each host: address, hostname or the metadata's `hash_key`. */
  readonly keys: readonly string[];
  /** Normalised weights, parallel to `keys`; they sum to 1, or to less where a weighted locality has no host. */
  readonly weights: Float64Array;
  /** min(1, all weights). */
  readonly minWeight: number;
  /** max(0, all weights). */
  readonly maxWeight: number;
}

/**
 * What a table policy may look at in one pick: the hosts of the table, with loads and health of this moment, and what it has
 * heard, which is absent where it hears nothing. One object is reused.
 */
export type TableInput = Readonly<{ hosts: HostList; nowUs: Micros; memory?: TableMemory | undefined }>;

/** What one balancer keeps of what its policy hears, empty at first: tables are shared, and stay as they were built. */
export type TableMemory = Map<unknown, unknown>;

/** A policy that owns one table per priority, looked up by hash: ring hash, Maglev. */
export interface TablePolicy<Config, Table> {
  readonly name: string;
  /** Pure: the same hosts and configuration give an equal table. Draws nothing. */
  build(hosts: WeightedHosts, config: Config): Table;
  /**
   * @param attempt 0 for the first try; a retry walks on from the same hash.
   * @param trace called with the place in the table; absent: no trace.
   * @param input absent where nothing is picked: predictions, and keys that move, look at a table by itself.
   * @returns index into the hosts the table was built from; -1 if it is empty.
   */
  choose(table: Table, hi: number, lo: number, attempt: number, trace?: DecisionTrace, input?: TableInput): HostIndex;
  /** As that of a {@link ListPolicy}. */
  answered?(memory: TableMemory, host: Host, latencyUs: Micros, outcome: AnswerOutcome): void;
  /** As that of a {@link ListPolicy}. */
  reported?(memory: TableMemory, host: Host, report: LoadReport): void;
}

/** The members of a policy that are called for what it hears. */
export type Hearing<State> = Pick<ListPolicy<never, State>, 'answered' | 'reported' | 'probes' | 'probed'>;

/** A table as reports and gauges show it, whatever its policy. */
export interface PolicyTable {
  /** Entries that were planned; rounding may add one. */
  readonly size: number;
  /** Shape [hosts]: how many entries each host has. */
  readonly entriesPerHost: Uint32Array;
  /** undefined without hosts: the proxy then leaves the gauges as they were. */
  readonly gauges: TableGauges | undefined;
}

export type TableGauges = Readonly<{ size: number; minPerHost: number; maxPerHost: number }>;

/** One entry of a table, for people. */
export interface TableEntry {
  /** Its position: a hash, or the number of a slot. */
  readonly position: string;
  readonly host: HostIndex;
}

/** A table policy of the proxy, as the registry holds it. `Settings` are a cluster's settings of all table policies. */
export interface ProxyTablePolicy<Settings, Config, Table extends PolicyTable>
  extends TablePolicy<Config, Table>, PolicyFacts {
  readonly kind: 'table';
  /** Its own part of the settings. Equal texts of it as JSON build equal tables. */
  configOf(settings: Settings, version: ProxyVersion): Config;
  /** The order in which hosts are listed affects only rounding. */
  ignoresHostOrder(config: Config): boolean;
  /** Under which names its gauges are shown. */
  readonly statNames: Readonly<Partial<Record<keyof TableGauges, string>>>;
  readonly noun: 'ring' | 'table';
  /** The part that one entry owns is random, so that more entries make the shares more even. */
  readonly entriesVary: boolean;
  /** Which function places keys; more than one may be chosen. */
  readonly hashFunctions: readonly HashFunction[];
  hashFunction(config: Config): HashFunction;
  /** Approximate memory of a table. */
  tableBytes(config: Config): number;
  /** The part of all 2⁶⁴ hashes that each host owns, 0–1; all 0 for an empty table. Shape [hosts]. */
  keyShares(table: Table): Float64Array;
  /** In table order. */
  entries(table: Table): Iterable<TableEntry>;
}
