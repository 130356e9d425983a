import type { JsonValue } from '../core/json-value.js';

/** One step of a decision, described by the code that takes it. */
export interface DecisionStep {
  /** A word for it: priority, panic, zone … */
  readonly step: string;
  /** Its inputs. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** The rule, as it holds for every request. */
  readonly rule: string;
  /** The outcome for this request. */
  readonly outcome: string;
}

/** Called with each step. Without a listener it is undefined, and no step is described. */
export type DecisionTrace = (step: DecisionStep) => void;
