import { fill } from '../../core/fill.js';
import { FAULTS, type PolicyFault } from './generated/faults.js';
import type { Clock, Runtime } from '../../core/environment.js';
import type { Struct } from '../../core/values.js';
import type { ProxyVersion } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import type { HostIndex, ListPolicy, PolicyFacts, TablePolicy } from '../policy-kinds.js';

/** One setting of a policy. Required without a default. */
export type SettingSchema = { readonly description?: string } & (
  | {
      /** A duration is written as `250ms` and passed as µs, and so are its default and its bounds. */
      readonly type: 'number' | 'integer' | 'duration';
      readonly default?: number;
      readonly minimum?: number;
      readonly exclusiveMinimum?: number;
      readonly maximum?: number;
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

/** Facts that are left out are false. */
export interface ModuleFacts extends Partial<
  Pick<PolicyFacts, 'usesWeights' | 'looksAtLoad' | 'drawsHosts' | 'readsRequests'>
> {
  /** Its name in reports: `PEAK_EWMA`. */
  readonly name: string;
  /** Its source, in a line. */
  readonly source?: string;
  readonly settings?: SettingsSchema;
}

/** A policy that picks inside one list of hosts. */
export interface ListPolicyModule<State> extends ModuleFacts, ListPolicy<ModuleConfig, State> {
  readonly kind: 'list';
  /** Names of its statistics. */
  readonly statistics?: readonly string[];
}

/** A policy that looks the hash of a request up in a table of hosts. Its only state is the memory of what it hears. */
export interface TablePolicyModule<Table> extends ModuleFacts, TablePolicy<Struct, Table> {
  readonly kind: 'table';
  /** For `lbsim bench`: the table after the loss of a host, where the others keep their indices. Absent: it is built anew. */
  without?(table: Table, host: HostIndex): Table;
  /** For `lbsim bench`: of rings that hash keys themselves. Absent: `choose` gets the xxHash64 of the key. */
  lookUp?(table: Table, key: string): HostIndex;
}

/** The default export of a policy module; see {@link ListPolicyModule} and {@link TablePolicyModule}. */
export type PolicyModule = ListPolicyModule<unknown> | TablePolicyModule<unknown>;

/** A custom policy violated its interface; the message names the violation and the decision. */
export class PolicyFailure extends Error {
  override readonly name = 'PolicyFailure';

  constructor(
    readonly fault: PolicyFault,
    readonly decision = '',
    options?: ErrorOptions,
  ) {
    super(decision === '' ? faultText(fault) : `${faultText(fault)} (${decision})`, options);
  }

  /** The same, with the decision that it was about. */
  at(decision: string): PolicyFailure {
    return this.decision === '' ? new PolicyFailure(this.fault, decision, { cause: this.cause }) : this;
  }
}

/** For the author of the policy. */
const faultText = (fault: PolicyFault): string =>
  fill(FAULTS[fault.kind], { ...fault, last: 'hosts' in fault ? fault.hosts - 1 : undefined });
