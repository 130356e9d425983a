import { type Micros, MICROS_PER_SECOND } from '../core/units.js';
import type { LoadReport } from '../policy/load-report.js';

/** A host measures its load second by second and reports the last whole one. */
const WINDOW_US = MICROS_PER_SECOND;

/** Parts of a report that are not measured here. */
const UNMEASURED = { memUtilization: 0, applicationUtilization: 0, namedMetrics: {}, utilization: {} } as const;

/**
 * A simulated host that measures its own load, second by second: answers and errors a second, and the average part of its
 * `concurrency` in use. A host without a limit reports a utilisation of 0.
 */
export class MeasuredLoad {
  private windowUs: Micros = 0;
  private answers = 0;
  private errors = 0;
  private busyUs = 0;
  private sinceUs: Micros = 0;
  private last: LoadReport | undefined;

  answered(error: boolean): void {
    this.answers++;
    if (error) this.errors++;
  }

  /** The load of the last whole second; undefined before one is over. */
  report(inService: number, nowUs: Micros, concurrency: number): LoadReport | undefined {
    this.busy(inService, nowUs, concurrency);
    return this.last;
  }

  /** Adds the time since the last change, with this many requests in service. */
  busy(inService: number, nowUs: Micros, concurrency: number): void {
    for (let endUs = this.windowUs + WINDOW_US; endUs <= nowUs; endUs = this.windowUs + WINDOW_US) {
      this.busyUs += inService * (endUs - this.sinceUs);
      this.sinceUs = endUs;
      this.last = {
        ...UNMEASURED,
        cpuUtilization: concurrency === Infinity ? 0 : this.busyUs / WINDOW_US / concurrency,
        rps: this.answers,
        eps: this.errors,
      };
      this.busyUs = 0;
      this.answers = 0;
      this.errors = 0;
      // After several idle seconds the exact number does not matter.
      this.windowUs = Math.max(endUs, nowUs - (nowUs % WINDOW_US) - WINDOW_US);
      this.sinceUs = Math.max(this.sinceUs, this.windowUs);
    }
    this.busyUs += inService * (nowUs - this.sinceUs);
    this.sinceUs = nowUs;
  }
}
