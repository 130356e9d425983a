/** Whose turn it is in one list of hosts, for inspection. Hosts are indices into the list. */
export type Turns =
  /** Hosts of equal weight, one after the other. */
  | { readonly kind: 'rotation'; readonly next: number }
  /** Hosts of different weights: the earliest deadline is next. Deadlines count in turns of weight 1. */
  | {
      readonly kind: 'schedule';
      /** Deadline of the pick before. */
      readonly now: number;
      readonly queue: readonly { readonly host: number; readonly deadline: number }[];
    };
