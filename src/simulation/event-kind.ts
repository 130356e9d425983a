/** Events of one instant are handled in this order, ties as scheduled; `arrivals` are further ordered by workload, in file order. */
export const EventKind = {
  /** Intervals, merge windows, time-outs. */
  timer: 0,
  timeline: 1,
  delivery: 2,
  healthResult: 3,
  /** A host is done with a request. */
  response: 4,
  hostArrival: 5,
  arrival: 6,
  /** A connection is made: only after all requests of an instant have arrived, so that a burst finds none. */
  connected: 7,
  /** A probe reaches a host or comes back: it counts all requests of the instant. */
  probe: 7,
} as const;

export type EventKind = (typeof EventKind)[keyof typeof EventKind];
