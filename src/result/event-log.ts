import { type Micros, MICROS_PER_SECOND, microsToSeconds } from '../core/units.js';
import type { Happening } from '../upstream/cause.js';
import type { EventKind, EventResult } from './run-result.js';

export interface RunEvent {
  readonly kind: EventKind;
  readonly fact: Happening;
  /** undefined: it concerns no cluster alone. */
  readonly cluster?: string | undefined;
  /** The proxy that saw or did it; undefined: it happened outside the proxies. */
  readonly proxy?: string | undefined;
  readonly host?: string | undefined;
}

type Entry = ReturnType<typeof begun>;

const begun = (event: RunEvent, fromUs: Micros) => ({ event, fromUs, untilUs: fromUs, times: 1 });

/** The same event again within this time is a repetition. */
const FOLDED_WITHIN_US = MICROS_PER_SECOND;
/** Number of entries kept of the beginning, and as many of the end. */
const KEPT = 2000;

/** In time order, in bounded memory: repetitions within a second are one entry with a count; of very many, first and last are kept. */
export class EventLog {
  private readonly first: Entry[] = [];
  /** A ring; the oldest entry is at `lastFrom`. */
  private readonly last: Entry[] = [];
  private lastFrom = 0;
  /** Entries between the first and the last, which are not kept. */
  omitted = 0;
  private readonly recent = new Map<string, Entry>();

  add(event: RunEvent, nowUs: Micros): void {
    const key = keyOf(event);
    const known = this.recent.get(key);
    if (known !== undefined && nowUs - known.untilUs <= FOLDED_WITHIN_US) {
      known.times++;
      known.untilUs = nowUs;
      return;
    }
    const entry = begun(event, nowUs);
    // An entry dropped here only means that a repetition starts a new one.
    if (this.recent.size >= 2 * KEPT) this.recent.clear();
    this.recent.set(key, entry);
    if (this.first.length < KEPT) this.first.push(entry);
    else if (this.last.length < KEPT) this.last.push(entry);
    else {
      this.last[this.lastFrom] = entry;
      this.lastFrom = (this.lastFrom + 1) % KEPT;
      this.omitted++;
    }
  }

  ended(event: RunEvent, nowUs: Micros): void {
    const known = this.recent.get(keyOf(event));
    if (known !== undefined) known.untilUs = nowUs;
  }

  results(): EventResult[] {
    const entries = [...this.first, ...this.last.slice(this.lastFrom), ...this.last.slice(0, this.lastFrom)];
    return entries.map(({ event, fromUs, untilUs, times }) => ({
      t_s: microsToSeconds(fromUs),
      ...(untilUs > fromUs && { until_s: microsToSeconds(untilUs) }),
      ...(times > 1 && { times }),
      kind: event.kind,
      cluster: event.cluster ?? null,
      proxy: event.proxy ?? null,
      host: event.host ?? null,
      fact: event.fact,
    }));
  }
}

const keyOf = ({ kind, cluster = '', proxy = '', fact }: RunEvent): string =>
  `${kind}\u0000${cluster}\u0000${proxy}\u0000${JSON.stringify(fact)}`;
