import { entryOf } from '../core/lists.js';
import type { Micros } from '../core/units.js';

/** Answers that are remembered. */
const RECENT = 100;
/** Of them, those that count: the ones that came when about as much was to do. */
const NEAREST = 9;

/**
 * What a host knows of its own latency: for a number of requests in flight, the median of the latest answers to requests that
 * came when about as many were.
 *
 * Source: Wydrowski et al., "Load is not what you should balance: Introducing Prequal", NSDI 2024, which does not say how many
 * answers count as the latest, nor how near is near: here they are the 9 nearest of 100.
 */
export class LatencyByLoad {
  private readonly latencies = new Float64Array(RECENT);
  private readonly inFlight = new Int32Array(RECENT);
  private count = 0;
  /** What {@link near} has said since the last answer, by the number of requests in flight. */
  private readonly known = new Map<number, Micros>();

  /** @param inFlight requests at the host when it came, without itself. */
  answered(inFlight: number, latencyUs: Micros): void {
    const index = this.count++ % RECENT;
    this.latencies[index] = latencyUs;
    this.inFlight[index] = inFlight;
    this.known.clear();
  }

  /** 0: it has answered nothing yet. */
  near(inFlight: number): Micros {
    return entryOf(this.known, inFlight, () => this.median(inFlight));
  }

  private median(inFlight: number): Micros {
    const size = Math.min(this.count, RECENT);
    if (size === 0) return 0;
    // Places by how near they are, the nearest first; of two that are equally near, the later one.
    const nearest: number[] = [];
    const apart = (index: number): number => Math.abs((this.inFlight[index] as number) - inFlight);
    for (let ago = 0; ago < size; ago++) {
      const index = (this.count - 1 - ago) % RECENT;
      const own = apart(index);
      let at = nearest.length;
      if (at === NEAREST && own >= apart(nearest[NEAREST - 1] as number)) continue;
      while (at > 0 && apart(nearest[at - 1] as number) > own) at--;
      nearest.splice(at, 0, index);
      if (nearest.length > NEAREST) nearest.pop();
    }
    const sorted = nearest.map((index) => this.latencies[index] as number).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] as number;
  }
}
