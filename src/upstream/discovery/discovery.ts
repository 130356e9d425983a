/** How one proxy keeps up with the hosts of one cluster by itself: by asking a resolver, or from the requests. */
export interface Discovery {
  /** The cluster is there; its first answers come at once. */
  start(): void;
  /** The cluster is replaced or removed: nothing more is asked. */
  stop(): void;
}

/** Calls back at a virtual time, in µs. */
export type Schedule = (timeUs: number, callback: () => void) => void;
