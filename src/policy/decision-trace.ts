/** What a host is when none is taken. */
export type Taken = string | null;

/** One step of a policy: its kind, and the numbers that it looked at. */
export type PolicyStep =
  /** Hosts of equal weight take turns. */
  | Step<'turn', { readonly turn: string; readonly hosts: number; readonly index: number; readonly host: Taken }>
  /** Hosts of different weights are scheduled; weights of few hosts. */
  | Step<
      'schedule',
      {
        readonly hosts: number;
        readonly index: number;
        readonly host: Taken;
        readonly weight: number;
        readonly active: number;
        readonly by: 'weight' | 'weight_over_load';
        readonly weights?: readonly number[];
      }
    >
  /** One of those that are drawn; `fewest`: active requests of the best before it, null of the first. */
  | Step<
      'candidate',
      {
        readonly index: number;
        readonly hosts: number;
        readonly host: Taken;
        readonly active_requests: number;
        readonly fewest: number | null;
      }
    >
  | Step<'fewest', FewestInputs & { readonly drawn: number }>
  /** All hosts are looked at; `tied` of them have as few. */
  | Step<'scan', FewestInputs & { readonly tied: number }>
  /** Any host; `reused`: by the value that has chosen the priority. */
  | Step<
      'drawn',
      {
        readonly value: string;
        readonly hosts: number;
        readonly index: number;
        readonly host: Taken;
        readonly reused: boolean;
      }
    >
  /** By a policy whose reasons are its own. */
  | Step<'own', FewestInputs & { readonly policy: string }>
  /** Prequal: of `pool` hosts that answered `cold` have few requests. */
  | Step<
      'probes',
      {
        readonly pool: number;
        readonly cold: number;
        readonly in_flight: number;
        readonly latency_us: number;
        readonly host: string;
      }
    >
  | Step<'slot', { readonly slot: number; readonly slots: number }>
  /** `wrapped`: the hash lies after the last entry. */
  | Step<
      'ring',
      { readonly entry: number; readonly entries: number; readonly position: string; readonly wrapped: boolean }
    >;

export interface FewestInputs {
  readonly hosts: number;
  readonly index: number;
  readonly host: Taken;
  readonly active_requests: number;
}

export interface Step<Kind extends string, Inputs> {
  readonly kind: Kind;
  readonly inputs: Inputs;
}

/** Called with each step. Without a listener it is undefined, and no step is described. */
export type DecisionTrace = (step: PolicyStep) => void;
