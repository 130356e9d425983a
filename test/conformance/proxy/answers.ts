import type { RequestRecord } from '../../../src/result/request-record.js';
import { MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { Check } from '../check.js';
import { show } from '../check.js';
import { asList, asNumber, asString, FormatError } from '../fields.js';
import { NEAR_US } from './replay.js';
import { count, fateOf } from './request-log.js';
import { sameShare } from './share-rule.js';
import { SPLIT_ERRORS } from './splits.js';

/** What became of one explicit request. */
export interface RecordedAnswer {
  /** When it was really sent. */
  readonly tUs: number;
  /** Who answered; null: the proxy itself. */
  readonly host: string | null;
  /** Why the proxy answered itself; null: a host did. */
  readonly fate: string | null;
  readonly status: number;
  readonly attempts: number;
  readonly latencyUs: number;
}

/** Rows `[t, host or !kind, status, attempts, latency_s]`. */
export function readAnswers(rows: readonly unknown[], path: string): readonly RecordedAnswer[] {
  return rows.map((row, index) => {
    const at = `${path}[${index}]`;
    const [t, end, status, attempts, latency, ...rest] = asList(row, at);
    if (rest.length > 0) throw new FormatError(`${at}: more than a latency at its end`);
    const answer = asString(end, `${at}[1]`);
    const fate = answer.startsWith('!') ? answer.slice(1) : null;
    return {
      tUs: asNumber(t, `${at}[0]`) * MICROS_PER_SECOND,
      host: fate === null ? answer : null,
      fate,
      status: asNumber(status, `${at}[2]`),
      attempts: asNumber(attempts, `${at}[3]`),
      latencyUs: asNumber(latency, `${at}[4]`) * MICROS_PER_SECOND,
    };
  });
}

/** A host of a recording answers a little later than it was told to. */
const LATE = 0.05;

/**
 * Compares what became of each explicit request. Which request of one instant fares how is chance, so those of one
 * instant are compared together: their outcomes to the last one; their hosts to the last one where there is only one host,
 * else as shares of the same hosts, since where a rotation starts is not known.
 *
 * @param eventsUs when the scenario changes.
 */
export function compareAnswers(
  check: Check,
  recorded: readonly RecordedAnswer[],
  ours: readonly RequestRecord[],
  eventsUs: readonly number[],
): void {
  check.equal('requests', ours.length, recorded.length, 'number of requests');
  const rows = [...recorded].sort((a, b) => a.tUs - b.tUs);
  for (let from = 0; from < ours.length;) {
    const atUs = (ours[from] as RequestRecord).tUs;
    const isLater = (request: RequestRecord): boolean => request.tUs > atUs;
    const later = ours.findIndex(isLater);
    const to = later === -1 ? ours.length : later;
    const group = rows.slice(from, to);
    const near = eventsUs.some((eventUs) => group.some(({ tUs }) => Math.abs(tUs - eventUs) <= NEAR_US));
    if (!near) compareInstant(check, `${atUs / MICROS_PER_SECOND} s`, group, ours.slice(from, to));
    from = to;
  }
}

function compareInstant(
  check: Check,
  at: string,
  recorded: readonly RecordedAnswer[],
  ours: readonly RequestRecord[],
): void {
  const theirs = counts(recorded, ({ fate, status, attempts }) => outcome(fate, status, attempts));
  const mine = counts(ours, (one) => {
    return outcome(one.outcome === 'answered' ? null : fateOf(one.outcome), one.status, one.attempts);
  });
  check.equal('requests: outcomes', sorted(mine), sorted(theirs), `requests at ${at}`);
  compareLatencies(check, at, recorded, ours);

  const theirHosts = counts(recorded, ({ host }) => host ?? undefined);
  const ourHosts = counts(ours, ({ host }) => host ?? undefined);
  if (ourHosts.size <= 1) {
    check.equal('requests: hosts', sorted(theirHosts), sorted(ourHosts), `hosts of requests at ${at}`);
    return;
  }
  for (const host of new Set([...theirHosts.keys(), ...ourHosts.keys()])) {
    const k = theirHosts.get(host) ?? 0;
    const k2 = ourHosts.get(host) ?? 0;
    const same = k > 0 && k2 > 0 && sameShare(k, recorded.length, k2, ours.length, { errors: SPLIT_ERRORS });
    check.that('requests: hosts', same, () => `requests at ${at}: ${show(host)} recorded ${k} times, simulated ${k2}`);
  }
}

/** The quickest with the quickest, and so on. */
function compareLatencies(
  check: Check,
  at: string,
  recorded: readonly RecordedAnswer[],
  ours: readonly RequestRecord[],
): void {
  const theirs = recorded.map(({ latencyUs }) => latencyUs).sort((a, b) => a - b);
  const mine = ours.map(({ latencyUs }) => latencyUs).sort((a, b) => a - b);
  check.loose(`answers come up to 50 ms and ${LATE * 100} % of their time later in real time`, 'requests: latency');
  for (const [index, latencyUs] of theirs.entries()) {
    const mineUs = mine[index] ?? Infinity;
    const close = Math.abs(latencyUs - mineUs) <= NEAR_US + LATE * mineUs;
    check.that('requests: latency', close, () => {
      return `requests at ${at}: recorded ${latencyUs / 1000} ms, simulated ${mineUs / 1000} ms`;
    });
  }
}

function outcome(fate: string | null, status: number, attempts: number): string {
  return `${fate ?? 'answered'} ${status} after ${attempts}`;
}

function counts<T>(list: readonly T[], keyOf: (one: T) => string | undefined): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const one of list) {
    const key = keyOf(one);
    if (key !== undefined) count(found, key);
  }
  return found;
}

function sorted(found: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
