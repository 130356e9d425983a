/** What a host is when none is taken. */
export type Taken = string | null;

/** One step of a policy: its kind, and the numbers that it looked at. */
export type PolicyStep =
  /** Hosts of equal weight take turns. */
  | Step<'turn', { turn: string; hosts: number; index: number; host: Taken }>
  /** Hosts of different weights are scheduled; weights of few hosts. */
  | Step<
      'schedule',
      {
        hosts: number;
        index: number;
        host: Taken;
        weight: number;
        active: number;
        by: 'weight' | 'weight_over_load';
        weights?: readonly number[];
      }
    >
  /** One of those that are drawn; `fewest`: active requests of the best before it, null of the first. */
  | Step<'candidate', FewestInputs & { fewest: number | null }>
  | Step<'fewest', FewestInputs & { drawn: number }>
  /** All hosts are looked at; `tied` of them have as few. */
  | Step<'scan', FewestInputs & { tied: number }>
  /** Any host; `reused`: by the value that has chosen the priority. */
  | Step<'drawn', { value: string; hosts: number; index: number; host: Taken; reused: boolean }>
  /** By a policy whose reasons are its own. */
  | Step<'own', FewestInputs & { policy: string }>
  /** Prequal: of `pool` hosts that answered `cold` have few requests. */
  | Step<'probes', { pool: number; cold: number; in_flight: number; latency_us: number; host: string }>
  | Step<'slot', { slot: number; slots: number }>
  /** `wrapped`: the hash lies after the last entry. */
  | Step<'ring', { entry: number; entries: number; position: string; wrapped: boolean }>;

export type FewestInputs = Readonly<{ hosts: number; index: number; host: Taken; active_requests: number }>;

export type Step<Kind extends string, Inputs> = Readonly<{ kind: Kind; inputs: Readonly<Inputs> }>;

/** Called with each step. Without a listener it is undefined, and no step is described. */
export type DecisionTrace = (step: PolicyStep) => void;
