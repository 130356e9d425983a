import type { Micros } from '../../../src/core/units.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { Reading, Run } from './replay.js';
import type { Split } from './request-log.js';
import { splitOf } from './request-log.js';
import type { Range } from './share-rule.js';

/**
 * The runs that one recording is compared with: one to begin with, and where that does not agree, several that differ in
 * their seed and in what the wire takes. Shares are then the means of all seeds, and may be anything between those with
 * and without a wire.
 */
export class Evidence {
  constructor(readonly runs: readonly Run[]) {}

  /** The scenario as it stands, with its own seed. */
  get first(): Run {
    return this.runs[0] as Run;
  }

  /** Requests of one run. */
  get n(): number {
    return this.first.requests.length;
  }

  /** When the last request was sent. */
  get lastUs(): Micros {
    return this.first.requests.at(-1)?.tUs ?? 0;
  }

  /** Counts of the requests that are chosen. */
  splits(chosen: (request: RequestRecord) => boolean = () => true): Splits {
    return new Splits(this.runs.map((run) => [run, splitOf(run.requests.filter(chosen))]));
  }

  /** What a number of each run is: the mean of all seeds, between the wires. */
  mean(valueOf: (run: Run) => number): Range {
    return meanOf(this.runs.map((run) => [run, valueOf(run)]));
  }

  /** What was read at the end of phase `index`, or at the end of all: the mean of all seeds, around the moment. */
  meanReading(index: number, valueOf: (run: Run, stats: Reading[number]) => number): Range {
    const moments = (this.first.readings[index] ?? []).map((_, moment) =>
      this.mean((run) => valueOf(run, run.readings[index]?.[moment] ?? run.result.stats)),
    );
    return { low: Math.min(...moments.map(({ low }) => low)), high: Math.max(...moments.map(({ high }) => high)) };
  }

  /** The least and the greatest value of any run at or around that moment. */
  span(index: number, valueOf: (run: Run, stats: Reading[number]) => number): Range {
    const values = this.runs.flatMap((run) => (run.readings[index] ?? []).map((stats) => valueOf(run, stats)));
    return { low: Math.min(...values), high: Math.max(...values) };
  }

  /** How much of the time from `fromUs` to `toUs` lies within `nearUs` of a change, 0–1. */
  unsettled(fromUs: Micros, toUs: Micros, nearUs: Micros): number {
    let unsettledUs = 0;
    let untilUs = fromUs;
    for (const changeUs of [...this.first.changesUs].sort((a, b) => a - b)) {
      const beginUs = Math.max(untilUs, changeUs - nearUs);
      const endUs = Math.min(toUs, changeUs + nearUs);
      if (endUs <= beginUs) continue;
      unsettledUs += endUs - beginUs;
      untilUs = endUs;
    }
    return toUs > fromUs ? unsettledUs / (toUs - fromUs) : 0;
  }
}

/** The counts of a group of requests in several runs. */
export class Splits {
  constructor(private readonly each: readonly (readonly [Run, Split])[]) {}

  /** Requests of one run. */
  get n(): number {
    return this.total(({ n }) => n) / this.each.length;
  }

  total(countOf: (split: Split) => number): number {
    return this.each.reduce((sum, [, split]) => sum + countOf(split), 0);
  }

  mean(countOf: (split: Split) => number): Range {
    return meanOf(this.each.map(([run, split]) => [run, countOf(split)]));
  }

  /** Every name that any run counts. */
  names(countsOf: (split: Split) => ReadonlyMap<string, number>): readonly string[] {
    return [...new Set(this.each.flatMap(([, split]) => [...countsOf(split).keys()]))];
  }
}

function meanOf(values: readonly (readonly [Run, number])[]): Range {
  const byWire = new Map<number, number[]>();
  for (const [{ assumptions }, value] of values) {
    const same = byWire.get(assumptions.wireUs);
    if (same === undefined) byWire.set(assumptions.wireUs, [value]);
    else same.push(value);
  }
  const means = [...byWire.values()].map((all) => all.reduce((sum, value) => sum + value, 0) / all.length);
  return { low: Math.min(...means), high: Math.max(...means) };
}
