import { printable } from '../core/printable.js';
import type { ExpectationResult, RunResult } from '../result/run-result.js';
import type { Expectation } from '../scenario/model.js';
import { answer } from './answer.js';
import { clusterSection, proxyTable } from './cluster-section.js';
import { eventSection } from './event-section.js';
import { counted, decimal, millis, seconds, versionsText } from './format.js';
import type { ReportLayout } from './host-table.js';
import { inputLines } from './input-lines.js';
import { leading, linesOfText, wrap } from './layout.js';

export interface TextReportOptions extends ReportLayout {
  /** The scenario's expectations, in the order of the result's: they tell the unit of what was measured. */
  readonly expectations?: readonly Expectation[];
  /** Seconds of real time that the run took; only for a reader who watches, since it differs every time. */
  readonly elapsedS?: number;
}

/**
 * A run for people: what was run, the answer in a sentence or two, then the evidence. No line is longer than `width`
 * (60 or more); narrower tables lose their bars first and never a number.
 */
export function textReport(result: RunResult, options: TextReportOptions): string {
  return [...textPieces(result, options)].join('');
}

/** The same line by line: with every host of every phase it may be longer than a string allows. */
export function textPieces(result: RunResult, options: TextReportOptions): Generator<string> {
  return linesOfText(reportLines(result, options));
}

function* reportLines(result: RunResult, options: TextReportOptions): Generator<string> {
  const { width } = options;
  yield* header(result, options);
  yield* inputLines(result.input, width);
  yield '';
  const told = withoutUnknown(result);
  for (const paragraph of answer(told)) yield* wrap(paragraph, width);
  yield '';
  const clusters = Object.entries(told.clusters);
  const run = { proxies: Object.keys(result.proxies).length > 1, clusters: clusters.length > 1 };
  for (const [name, cluster] of clusters) yield* clusterSection(name, cluster, options, run);
  yield* eventSection(result, options);
  yield* proxyTable(result.proxies, options);
  yield* expectations(result.expect, options);
  for (const note of result.notes) yield* wrap(printable(note), width, 'note      ', '          ');
}

/** Without clusters of which the first lines have said that nothing is known: nothing happened to them. */
function withoutUnknown(result: RunResult): RunResult {
  const { clusters, unknown_hosts: names = [] } = result;
  if (names.length === 0) return result;
  const unknown = new Set(names);
  const told = Object.entries(clusters).filter(
    ([name, { hosts, requests }]) => !unknown.has(name) || requests > 0 || hosts.length > 0,
  );
  return told.length === 0 ? result : { ...result, clusters: Object.fromEntries(told) };
}

function header(result: RunResult, options: TextReportOptions): string[] {
  const { width, paint, elapsedS } = options;
  const name = printable(result.scenario);
  const took = elapsedS === undefined ? '' : ` (simulated in ${elapsedS.toFixed(2)} s)`;
  const facts = [
    `seed ${printable(result.seed)}`,
    `behaves as proxy ${versionsText(result)}`,
    `${seconds(result.duration_s)}, ${counted(result.totals.requests, 'request')}${took}`,
  ];
  const lines = leading(name, facts, width, paint);
  if (result.partial === true) {
    const text = `PARTIAL: interrupted at ${seconds(result.duration_s)} of simulated time; this is what was known by then.`;
    lines.push(...wrap(text, width).map(paint.bad));
  }
  return lines;
}

function expectations(results: readonly ExpectationResult[], options: TextReportOptions): string[] {
  if (results.length === 0) return [];
  const lines = results.flatMap((result, index) => {
    const measured = actual(result.actual, options.expectations?.[index]);
    const verdict = result.passed ? 'ok' : 'FAILED';
    // No-break spaces keep the verdict in one piece.
    const end = `${verdict} (${measured})`.replaceAll(' ', '\u00a0');
    const text = `${printable(result.expectation)}  ${end}`;
    const paint = result.passed ? options.paint.good : options.paint.bad;
    return wrap(text, options.width, 'expect    ', '          ').map((line) =>
      line.replace(/\b(ok|FAILED) \(/, (found) => `${paint(found.slice(0, -2))} (`),
    );
  });
  return [...lines, ''];
}

/** What was measured, in the unit of its subject. */
function actual(value: ExpectationResult['actual'], expectation: Expectation | undefined): string {
  if (value === null) return expectation?.subject.kind === 'decision' ? 'no host' : 'nothing to measure';
  if (typeof value === 'string') return printable(value);
  switch (expectation?.subject.kind) {
    case 'share':
    case 'no_host':
    case 'success_rate':
      return finePercent(value);
    case 'latency':
      return millis(value * 1000);
    case 'stat':
    case 'decision':
    case undefined:
      return decimal(value, 6);
  }
}

/** Finer than in the tables: bounds are often given to a hundredth of a percent. */
function finePercent(share: number): string {
  return share > 0 && share < 0.00005 ? '<0.01 %' : `${decimal(share * 100, 2)} %`;
}
