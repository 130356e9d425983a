import type { Micros } from '../core/units.js';
import type { RequestOrigin } from './request-record.js';
import type { LocalityResult } from './run-result.js';

/** One decision: which host an attempt of a request was sent to, as `run --decisions` writes it. */
export interface DecisionRecord extends RequestOrigin {
  /** 0 for the first try, then one more for each retry. */
  readonly attempt: number;
  readonly tUs: Micros;
  /** null where no host was chosen; priority and locality are then null too. */
  readonly host: string | null;
  readonly priority: number | null;
  readonly locality: LocalityResult | null;
  /** null outside subsets. */
  readonly subset: string | null;
  /** True where the priority that was chosen from was in panic. */
  readonly panic: boolean;
  /** Where `cluster` is an aggregate: which of its members chose. */
  readonly member?: string;
}
