/** What a host is when none is taken. */
export type Taken = string | null;

export type FewestInputs = Readonly<{ hosts: number; index: number; host: Taken; active_requests: number }>;

export type Step<Kind extends string, Inputs> = Readonly<{ kind: Kind; inputs: Readonly<Inputs> }>;
