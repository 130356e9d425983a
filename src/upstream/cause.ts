/** Why the lists of balancers changed. */
export interface Cause {
  readonly text: string;
  /** The proxy whose balancers it reached; undefined: those of all proxies. */
  readonly proxy?: string | undefined;
  /** It waited for the merge window. */
  readonly late?: boolean;
  /** If it waited: the cause as it was when the wait began. */
  readonly source?: Cause;
}

export const NO_CAUSES: readonly Cause[] = [];
