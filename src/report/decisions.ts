import { printableJson } from '../core/printable.js';
import type { DecisionRecord } from '../result/decision-record.js';
import { microsToSeconds } from '../core/units.js';

/** One decision, as `run --decisions` writes it. */
export interface DecisionLine extends Omit<DecisionRecord, 'tUs' | 'member'> {
  /** Seconds of virtual time. */
  readonly t: number;
}

/** One decision as a line of JSON, with its newline; the order of the fields is the documented one. */
export function decisionLine(record: DecisionRecord): string {
  const { request, attempt, tUs, ...rest } = record;
  const { proxy, worker, workload, cluster, hash, host, priority, locality, subset, panic } = rest;
  const t = microsToSeconds(tUs);
  const line: DecisionLine = {
    request,
    attempt,
    t,
    proxy,
    worker,
    workload,
    cluster,
    hash,
    host,
    priority,
    locality,
    subset,
    panic,
  };
  return `${printableJson(JSON.stringify(line))}\n`;
}
