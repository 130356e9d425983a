import type { Micros } from '../../../src/core/units.js';

/** A recording whose course is one of several that the same behaviour takes, and not the usual one. */
export interface KnownNoise {
  readonly why: string;
  /** When the timers of that proxy began, before time 0, where the usual times are not it. */
  readonly timersAheadUs?: Micros;
  /** Statistics that say nothing of the scenario's version; `*` is anything. */
  readonly notCompared?: readonly string[];
}

const FIRST_OF_TWO =
  'two hosts fail (or return) at once: whichever check ends first goes out at once, the other waits for the merge window';

/**
 * By the name of the case. No bound is wider for them: one of several runs, with requests and messages as uneven as those
 * of a real machine, has to agree with everything that was recorded, within the bounds that hold for all.
 */
export const KNOWN_NOISE: ReadonlyMap<string, KnownNoise> = new Map<string, KnownNoise>([
  [
    'fresh-timeline-023',
    {
      why: 'two hosts hang at once, and the one with 30 of 33 of the weight was noticed last; who gets the retries of requests that overlap is a matter of fractions of a millisecond',
    },
  ],
  ['fresh-timeline-085', { why: FIRST_OF_TWO }],
  [
    'fresh-timeline-253',
    {
      why: 'a host in slow start enters the schedule anywhere in its first turn, which at 1 % of its weight is 1,000 requests long: here late',
    },
  ],
  ['fresh-timeline-285', { why: FIRST_OF_TWO }],
  [
    'fresh-timeline-292',
    {
      why: 'a check was answered 4 ms before its host began to fail, so that the host was noticed a whole interval later; which of the weighted picks are retries depends on fractions of a millisecond',
      timersAheadUs: 455_000,
    },
  ],
  ['timeline-68-hc-merge-burst-default', { why: FIRST_OF_TWO }],
  [
    'timeline-89-od-non-consecutive',
    {
      why: 'half of a host’s answers fail by chance, so whether five in a row have just ejected it at the end is chance',
    },
  ],
  [
    'timeline-66-v2merge-metadata-2s',
    {
      why: 'recorded with a 1.40 whose guards made it merge updates as 1.17 does; no guard takes back that it chooses sockets anew with new metadata',
      notCompared: ['cluster.c.default.total_match_count'],
    },
  ],
]);
