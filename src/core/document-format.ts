/** The version of the form of every JSON document: a field that is added leaves it; one that goes or changes its meaning raises it. */
export const FORMAT = 1;

export interface Versioned {
  /** The version of the form of this document. */
  readonly format: typeof FORMAT;
}

/** What an answer about a scenario begins with. */
export interface ScenarioAnswer extends Versioned {
  readonly scenario: string;
  /** What its settings do in a proxy and not in a simulation; absent: nothing. */
  readonly input?: readonly string[];
}
