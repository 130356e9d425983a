import { entryOf, firstWhere } from '../../core/values.js';
import type { Micros } from '../../core/units.js';
import type { DecisionRecord, PhaseHostResult } from '../../result/run-result.js';
import { DurationRecorder } from '../../result/latency.js';
import { latencyOf, type RequestRecord } from '../../result/request-record.js';

/** A stretch of virtual time, half-open. */
export type Window = Readonly<{ fromUs: Micros; toUs: Micros }>;

export type HostKey = Readonly<Pick<PhaseHostResult, 'address' | 'priority' | 'locality'>>;

export const hostKeyText = ({ address, priority, locality: { region, zone, sub_zone: subZone } }: HostKey): string =>
  `${priority}\u0000${region}\u0000${zone}\u0000${subZone}\u0000${address}`;

/** The host of a decision, as {@link hostKeyText} writes it; undefined: none. */
export const chosenHost = ({ host: address, priority, locality }: DecisionRecord): string | undefined =>
  address !== null && priority !== null && locality !== null ? hostKeyText({ address, priority, locality }) : undefined;

/** The clusters that a decision or a request is counted in: that of the route and, of an aggregate, the member. */
export const countedIn = ({ cluster, member }: { readonly cluster: string; readonly member?: string }): string[] =>
  member === undefined ? [cluster] : [cluster, member];

/** Of one run and cluster, within one window. */
export type WindowTally = Readonly<ReturnType<typeof nothingCounted>>;

const nothingCounted = () => ({
  /** Attempts: decisions of the cluster. */
  decisions: 0,
  /** Decisions by {@link hostKeyText}. */
  hosts: new Map<string, number>(),
  noHost: 0,
  /** Requests that arrived. */
  requests: 0,
  failed: 0,
  latency: new DurationRecorder(),
});

/** When it arrived, its latency as `latencyOf` has it, and whether it failed. */
export function endedRequest({ tUs, outcome, latencyUs, status }: RequestRecord) {
  return { tUs, latencyUs: latencyOf(outcome, latencyUs), failed: status >= 500 };
}

const NO_HOST = -1;

type ClusterLog = ReturnType<typeof newLog>;

/** Records every decision and every request of a run, to be counted by window once the windows are known. */
export class RunRecorder {
  /** What happened, request by request, by cluster: plain data, which a thread can hand over. */
  readonly log = new Map<string, ClusterLog>();

  /** @param warmupUs requests that arrive before it are not counted. */
  constructor(private readonly warmupUs: Micros) {}

  readonly onDecision = (record: DecisionRecord): void => {
    if (record.tUs < this.warmupUs) return;
    const host = chosenHost(record);
    for (const name of countedIn(record)) {
      const { decidedUs, decidedRow, rows } = entryOf(this.log, name, newLog);
      decidedUs.push(record.tUs);
      decidedRow.push(host === undefined ? NO_HOST : entryOf(rows, host, () => rows.size));
    }
  };

  readonly onRequest = (record: RequestRecord): void => {
    if (record.tUs < this.warmupUs) return;
    const { tUs, latencyUs = NaN, failed } = endedRequest(record);
    for (const name of countedIn(record)) {
      const log = entryOf(this.log, name, newLog);
      log.arrivedUs.push(tUs);
      log.latencyUs.push(failed ? -latencyUs - 1 : latencyUs);
    }
  };
}

/**
 * `decidedRow`: those of `rows`, which go by host as {@link hostKeyText} writes it, or {@link NO_HOST}. `latencyUs`: negative, less one,
 * where a host answered with a failure; NaN where none answered, which is a failure, too.
 */
function newLog() {
  const [decidedUs, decidedRow, arrivedUs, latencyUs]: [number[], number[], number[], number[]] = [[], [], [], []];
  return { decidedUs, decidedRow, rows: new Map<string, number>(), arrivedUs, latencyUs };
}

/** @param log undefined: the cluster had no traffic. @param windows one after the other, without gaps between them. */
export function countLog(log: ClusterLog | undefined, windows: readonly Window[]): readonly WindowTally[] {
  const counter = new WindowCounter(windows);
  if (log === undefined) return counter.tallies([]);
  const { decidedUs, decidedRow, rows, arrivedUs, latencyUs } = log;
  const texts = [...rows.keys()];
  decidedUs.forEach((tUs, index) => counter.decided(tUs, texts[decidedRow[index] as number]));
  arrivedUs.forEach((tUs, index) => {
    const written = latencyUs[index] as number;
    if (Number.isNaN(written)) counter.ended({ tUs, latencyUs: undefined, failed: true });
    else counter.ended({ tUs, latencyUs: written < 0 ? -written - 1 : written, failed: written < 0 });
  });
  return counter.tallies(texts);
}

/** Counts decisions and requests of one cluster by windows that are known in advance: nothing is kept of each. */
export class WindowCounter {
  private readonly counts = this.windows.map(nothingCounted);

  /** @param windows one after the other, without gaps between them. */
  constructor(private readonly windows: readonly Window[]) {}

  /** @param host as {@link hostKeyText} writes it; undefined: none. */
  decided(tUs: Micros, host: string | undefined): void {
    const count = this.counts[windowAt(this.windows, tUs)];
    if (count === undefined) return;
    count.decisions++;
    if (host === undefined) count.noHost++;
    else count.hosts.set(host, (count.hosts.get(host) ?? 0) + 1);
  }

  ended({ tUs, latencyUs, failed }: ReturnType<typeof endedRequest>): void {
    const count = this.counts[windowAt(this.windows, tUs)];
    if (count === undefined) return;
    count.requests++;
    if (failed) count.failed++;
    if (latencyUs !== undefined) count.latency.record(latencyUs);
  }

  /** @param hosts that there are, so that those without decisions have a count of 0. */
  tallies(hosts: readonly string[]): readonly WindowTally[] {
    return this.counts.map((count) => ({
      ...count,
      hosts: new Map(hosts.map((text) => [text, count.hosts.get(text) ?? 0])),
    }));
  }
}

/** The window of a moment; -1: none. */
function windowAt(windows: readonly Window[], atUs: Micros): number {
  const found = firstWhere(0, windows.length, (at) => atUs < (windows[at] as Window).toUs);
  return atUs >= (windows[found]?.fromUs ?? Infinity) ? found : -1;
}

export function sumOfTallies(tallies: readonly WindowTally[]): WindowTally {
  const all = { ...nothingCounted(), latency: DurationRecorder.sum(tallies.map(({ latency }) => latency)) };
  for (const tally of tallies) {
    for (const count of ['decisions', 'noHost', 'requests', 'failed'] as const) all[count] += tally[count];
    for (const [text, count] of tally.hosts) all.hosts.set(text, (all.hosts.get(text) ?? 0) + count);
  }
  return all;
}
