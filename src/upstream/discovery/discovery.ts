/** How one proxy finds the hosts of one cluster itself: from a resolver, or from the requests. */
export interface Discovery {
  /** The cluster starts; its first answers come at once. */
  start(): void;
  /** The cluster is replaced or removed: resolution stops. */
  stop(): void;
}

/** Calls back at a virtual time, in µs. */
export type Schedule = (timeUs: number, callback: () => void) => void;
