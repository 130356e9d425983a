import type { Clock, Runtime } from '../core/environment.js';
import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { Random64 } from '../random/random64.js';
import type { AnswerOutcome, ProbeAnswer } from './answers.js';
import type { DecisionTrace } from './decision-trace.js';
import type { HostIndex, HostList, ListPickInput, SourceId } from './list-policy.js';
import type { LoadReport } from './load-report.js';
import type { WeightedHosts } from './table-policy.js';

/** One setting of a policy. Required without a default. */
export type SettingSchema = { readonly description?: string } & (
  | {
      readonly type: 'number' | 'integer';
      readonly default?: number;
      readonly minimum?: number;
      readonly exclusiveMinimum?: number;
      readonly maximum?: number;
    }
  | {
      /** Written as `250ms`, passed as µs, and so are the default and the bounds. */
      readonly type: 'duration';
      readonly default?: Micros;
      readonly minimum?: Micros;
      readonly exclusiveMinimum?: Micros;
      readonly maximum?: Micros;
    }
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: 'string'; readonly default?: string; readonly enum?: readonly string[] }
);

/** The settings of a policy, by name. */
export type SettingsSchema = Readonly<Record<string, SettingSchema>>;

/** The environment of a list policy: one object per balancer, so per worker and subset. */
export interface ModuleConfig {
  /** Settings by its schema, with defaults. */
  readonly settings: Struct;
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly version: ProxyVersion;
  /** The weight of a host at this moment: less than its own while it is in slow start. */
  readonly weightOf: (host: Host) => number;
  /** Counts for one of the policy's statistics, `cluster.<name>.lb_policy.<statistic>`. */
  readonly count: (statistic: string, by?: number) => void;
}

interface ModuleFacts {
  /** Its name in reports: `PEAK_EWMA`. */
  readonly name: string;
  /** Its source, in a line. */
  readonly source?: string;
  /** Host weights matter. Default: false. */
  readonly usesWeights?: boolean;
  /** The active requests of each host matter. Default: false. */
  readonly looksAtLoad?: boolean;
  /** Each pick draws its host anew, instead of taking turns or looking it up. Default: false. */
  readonly drawsHosts?: boolean;
  readonly settings?: SettingsSchema;
}

/** A policy that picks inside one list of hosts. */
export interface ListPolicyModule<State> extends ModuleFacts {
  readonly kind: 'list';
  /** It gets the healthy hosts of the first priority, whatever panic, zones and weighted localities say. Default: false. */
  readonly firstPriorityOnly?: boolean;
  /** Names of its statistics. */
  readonly statistics?: readonly string[];
  /** Once per balancer. */
  start(config: ModuleConfig, random: Random64): State;
  /** The list behind `source`, a small whole number, was updated. */
  refresh(state: State, source: SourceId, hosts: HostList): void;
  /** These hosts are new to the cluster; called after the refreshes of the update that brought them. */
  hostsAdded?(state: State, hosts: HostList): void;
  /** @returns index into `hosts`; -1: none of them. */
  choose(state: State, source: SourceId, hosts: HostList, input: ListPickInput): HostIndex;
  /** An attempt at a host that it picked has ended. */
  answered?(state: State, host: Host, latencyUs: Micros, outcome: AnswerOutcome): void;
  /** An answer carried a report of the host's load. */
  reported?(state: State, host: Host, report: LoadReport): void;
  /** After each pick: indices into `hosts` of those to ask how busy they are. Goes with `probed`. */
  probes?(state: State, source: SourceId, hosts: HostList, input: ListPickInput): readonly HostIndex[];
  /** A host that was asked has answered, a round trip later; one that is down does not. */
  probed?(state: State, host: Host, answer: ProbeAnswer): void;
}

/** A policy that looks the hash of a request up in a table of hosts. It has no other state, and gets no other events. */
export interface TablePolicyModule<Table> extends ModuleFacts {
  readonly kind: 'table';
  /** Pure: the same hosts and settings give an equal table. */
  build(hosts: WeightedHosts, settings: Struct): Table;
  /** @returns index into the hosts that the table was built of; -1: there are none. */
  choose(table: Table, hashHi: number, hashLo: number, attempt: number, trace?: DecisionTrace): HostIndex;
}

/** The default export of a policy module; see {@link ListPolicyModule} and {@link TablePolicyModule}. */
export type PolicyModule = ListPolicyModule<unknown> | TablePolicyModule<unknown>;

/** A custom policy violated its interface; the message names the violation and the decision. */
export class PolicyFailure extends Error {
  override readonly name = 'PolicyFailure';

  /** @param decision the decision, if there was one. */
  constructor(
    readonly what: string,
    readonly decision = '',
    options?: ErrorOptions,
  ) {
    super(decision === '' ? what : `${what} (${decision})`, options);
  }

  /** The same, with the decision that it was about. */
  at(decision: string): PolicyFailure {
    return this.decision === '' ? new PolicyFailure(this.what, decision, { cause: this.cause }) : this;
  }
}
