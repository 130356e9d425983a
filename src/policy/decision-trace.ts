import type { JsonValue } from '../core/json-value.js';

/** One step of a decision, told by the code that takes it. */
export interface DecisionStep {
  /** A word for it: priority, panic, zone … */
  readonly step: string;
  /** What it goes by. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** What holds for every request. */
  readonly rule: string;
  /** What that comes to for this one. */
  readonly outcome: string;
}

/** Hears of each step. Without a listener it is undefined, and nothing is told. */
export type DecisionTrace = (step: DecisionStep) => void;
