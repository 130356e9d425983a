/** Why balancers hold other lists. */
export interface Cause {
  readonly text: string;
  /** The proxy whose balancers it reached; undefined: everybody's. */
  readonly proxy?: string | undefined;
  /** It waited for the merge window. */
  readonly late?: boolean;
  /** Of one that waited: what it was when it began to. */
  readonly source?: Cause;
}

export const NO_CAUSES: readonly Cause[] = [];
