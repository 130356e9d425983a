import { addTo, groupBy, sum } from '../../core/values.js';
import type { VersionDifference } from '../../predict/other-version.js';
import { type ClusterOverview, clusterOverviews, someClusters } from '../../result/cluster-overview.js';
import type { Fact } from '../../result/generated/facts.js';
import type { ExpectationResult, RunResult } from '../../result/run-result.js';
import { adviceLines } from './advice.js';
import { answer } from './answer.js';
import { tellHeadline } from './headline.js';
import { clusterTable, soleCluster } from './overview.js';
import { barScale } from './host-shares.js';
import { changeLines, eventSection } from './event-section.js';
import { clusterSection, proxyTable } from './cluster-section.js';
import { behavesAs, count, counted, decimal, listed, measuredText, printable, seconds, sentence } from '../format.js';
import { MAX_CLUSTERS, toldClusters } from './groups.js';
import { inputLines, labelled, leading, noteLines, type ReportLayout, textOf, wrap } from '../layout.js';
import { demand, RESULT } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import * as layouts from '../generated/layout-options.js';
import { TextReportOptions } from './generated/text-options.js';
import { causesText } from '../../words/happenings.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { reasonTexts } from '../../words/reasons.js';

const WORDS = SENTENCES.run;

type Clusters = RunResult['clusters'];

/** More than this are left to `--all`: the answer ends here. */
const MAX_SHOWN = 5;

/** A reason of several clusters is written once, with their names. @param told facts that the answer has told. */
function reasonsIn(clusters: Clusters, told: ReadonlySet<Fact> = new Set()): string[] {
  const several = Object.keys(clusters).length > 1;
  const holdsFor = new Map<string, string[]>();
  for (const [name, { facts }] of Object.entries(clusters)) {
    for (const reason of reasonTexts(facts.filter((fact) => !told.has(fact)))) addTo(holdsFor, reason, printable(name));
  }
  return [...holdsFor].map(([reason, names]) => (several ? `${listed(names)}: ` : '') + sentence(reason));
}

const reasonLines = (reason: string, width: number): string[] => wrap(reason, width, '→ ', '  ');

const TEXT_OPTIONS = optionsIn({ ...layouts.ReportLayout, ...TextReportOptions }, 'width', 'paint');

/**
 * A run for people: the scenario, the answer in a few sentences, then the evidence. No line is longer than `width` (60 or
 * more); narrower tables lose their bars first and never a number.
 */
export function textReport(result: RunResult, options: TextReportOptions): string {
  demand('textReport', ['result', result, RESULT], ['options', options, TEXT_OPTIONS]);
  return textOf(textLines(result, options));
}

/** The same line by line: with every host of every phase it may be longer than a string allows. */
export function* textLines(result: RunResult, options: TextReportOptions): Generator<string> {
  const { width, full, all, every, predicted } = options;
  const head = header(result, options);
  yield* [...head, ''];
  const known = withoutUnknown(result);
  // What was asked for is in the full form only.
  if (!(full === true || all || every === true || predicted === true)) {
    yield* shortLines(known, result, options, SHORT - head.length);
    return;
  }
  const shown = all ? known.clusters : worstClusters(known.clusters);
  for (const [index, paragraph] of answer(known, shown).entries())
    yield* wrap(paragraph, width).map(index === 0 ? options.paint.strong : (line) => line);
  if (options.before !== undefined) yield* changeLines(known, options.before, options);
  yield* hiddenClusters(known.clusters, shown, width);
  const reasons = reasonsIn(shown);
  const told = reasons.slice(0, all ? undefined : MAX_SHOWN);
  const more = reasons.length - told.length;
  const whys = [...apartLines(options), ...told.flatMap((reason) => reasonLines(reason, width))];
  yield* [...whys, ...(more > 0 ? [`… ${counted(more, 'more reason')} (--all)`] : [])].map(options.paint.odd);
  yield* otherVersionLines(options.otherVersion, known, width);
  yield* adviceLines(options.advice ?? [], width);
  if ((result.input ?? []).length > 0) yield '';
  yield* inputLines(result.input, width);
  yield '';
  const clusters = Object.entries(shown);
  const run = { proxies: Object.keys(result.proxies).length > 1, clusters: clusters.length > 1 };
  const showsEvents = options.events === true || clusters.every(([, { phases }]) => phases.length === 1);
  const layout = { ...options, events: showsEvents, barScale: barScale(clusters.map(([, cluster]) => cluster)) };
  for (const [name, cluster] of clusters) yield* clusterSection(name, cluster, layout, run);
  if (showsEvents) yield* eventSection(result, layout);
  yield* proxyTable(result.proxies, layout);
  yield* expectations(result.expect, options);
  yield* noteLines(result.notes, width);
  const { events, events_omitted: omitted = 0 } = result;
  if (showsEvents || events.length === 0) return;
  yield* wrap(`${counted(events.length + omitted, 'event')}: --events lists them`, width).map(options.paint.faint);
}

/** A terminal of 24 lines shows all of it. */
const SHORT = 24;
/** Lines of reasons in the short form; none is told in part. */
const SHORT_REASONS = 4;
const SHORT_NOTES = 3;
/** Of more clusters, the table takes what there is. */
const MAX_WANTED = 6;

function* shortLines(known: RunResult, result: RunResult, options: TextReportOptions, room: number): Generator<string> {
  const { width, paint, events } = options;
  const { headline, told } = tellHeadline(known);
  const head = wrap(headline.text, width).map(paint.strong);
  const changes = options.before === undefined ? [] : changeLines(known, options.before, options);
  const input = [...inputLines(result.input, width)].map(paint.faint);
  if (input.length > 0) input.unshift('');
  const shown = worstClusters(known.clusters);
  const notes = result.notes.slice(0, SHORT_NOTES);
  const more = result.notes.length - notes.length;
  const end = [
    ...otherVersionLines(options.otherVersion, known, width),
    ...adviceLines(options.advice ?? [], width),
    ...noteLines(notes, width),
    ...(more > 0 ? [`          … ${counted(more, 'more note')} (--full)`] : []),
    ...verdictLines(result.expect, options),
    paint.faint(wrap('Use --full to see every phase, host, latency and expectation.', width)[0] ?? ''),
  ];
  // Blank ones stand before and behind the table, and below the header.
  const others = [...head, ...changes, ...input, ...end].length + 3;
  const busy = clusterOverviews(known.clusters).filter(([, { requests }]) => requests > 0);
  // Of few clusters, a line for each and their headings; a table of phases takes what there is.
  const wanted = busy.length > MAX_WANTED ? 0 : busy.length + 1;
  const reasons = firstReasons(shown, options, told, room - others - wanted).map(paint.odd);
  const taken = others + reasons.length;
  yield* [...head, ...changes, ...input, ''];
  const overview = overviewTable(known, busy, options, room - taken);
  yield* [...overview, ...whatHappened(shown, width, room - taken - overview.length)];
  if (events === true) yield* ['', ...eventSection(result, options)];
  yield* ['', ...reasons, ...end];
}

/** What began the phases of several clusters, for which the table has no column; none if there is no room for all. */
function whatHappened(clusters: Clusters, width: number, room: number): string[] {
  const all = Object.entries(clusters).filter(([, { requests }]) => requests > 0);
  if (all.length < 2) return [];
  const began = all.flatMap(([name, { phases }]) =>
    phases.slice(1).map((phase) => ({ name, at: phase.from_s, text: causesText(phase.causes) })),
  );
  began.sort((a, b) => a.at - b.at);
  const lines = [...groupBy(began, ({ at }) => at)].flatMap(([at, some]) => {
    const clauses = [...groupBy(some, ({ text }) => text)].map(([text, same]) => {
      const isKnown = same.length === all.length || same.some(({ name }) => text.split(/[\s,;:]+/).includes(name));
      return isKnown ? text : `${listed(same.map(({ name }) => name))}: ${text}`;
    });
    return wrap(printable(`${seconds(at)}: ${clauses.join('; ')}`), width, '  · ', '    ');
  });
  return lines.length <= room ? lines : [];
}

/** What sets clusters apart, and reasons that the answer has not told: none in part, and not so many that the table suffers. */
function firstReasons(clusters: Clusters, options: TextReportOptions, told: ReadonlySet<Fact>, room: number): string[] {
  const lines = [...apartLines(options)];
  const most = Math.min(lines.length + SHORT_REASONS, room);
  for (const reason of reasonsIn(clusters, told).map((text) => reasonLines(text, options.width)))
    if (lines.length + reason.length <= most) lines.push(...reason);
  return lines;
}

/** "edge sets unhealthy_edge_interval: 1s." */
function* apartLines({ settingsApart: apart = {}, width }: TextReportOptions): Generator<string> {
  const settings = Object.entries(apart).flatMap(([cluster, own]) =>
    Object.entries(own).map(([path, value]) => ({ cluster, path, field: path.split('.').pop() ?? '', value })),
  );
  const holders = [...groupBy(settings, ({ path, value }) => `${path}: ${value}`).values()];
  const clauses = [...groupBy(holders, (some) => listed(some.map(({ cluster }) => cluster)))].map(([clusters, all]) => {
    const firsts = all.flatMap(([one]) => one ?? []);
    const values = groupBy(firsts, ({ value }) => value);
    const fields = [...values].map(([value, some]) => `${listed(some.map(({ field }) => field))}: ${value}`);
    return `${clusters} ${all[0]?.length === 1 ? 'sets' : 'set'} ${fields.join(', ')}`;
  });
  if (clauses.length > 0) yield* wrap(printable(`${clauses.join('; ')}.`), width, '→ ', '  ');
}

function overviewTable(
  result: RunResult,
  busy: ReturnType<typeof clusterOverviews>,
  layout: ReportLayout,
  room: number,
): string[] {
  const [[name] = [''], ...more] = busy;
  const only = more.length === 0 ? result.clusters[name] : undefined;
  if (only !== undefined) return soleCluster(name, only, layout, room);
  // A line for the headings, and of many clusters one for those that are counted.
  const most = busy.length < room ? busy.length : Math.max(1, room - 2);
  const worst = new Set(busy.toSorted(([, a], [, b]) => worstFirst(a, b)).slice(0, most));
  const names = busy.flatMap((one) => (worst.has(one) ? [one[0]] : []));
  return clusterTable(names, busy.length - most, result, layout);
}

function verdictLines(results: readonly ExpectationResult[], options: TextReportOptions): string[] {
  if (results.length === 0) return [];
  const held = results.length;
  if (results.some(({ passed }) => !passed))
    return expectations(results, options, ({ passed }) => !passed).filter((line) => line !== '');
  return [options.paint.good(`${count(held)} of ${counted(held, 'expectation')} ${held === 1 ? 'holds' : 'hold'}.`)];
}

const worstFirst = (a: ClusterOverview, b: ClusterOverview): number => b.failed - a.failed || b.requests - a.requests;

/** Of many clusters those with most failed requests, then those with most requests, in their order. */
function worstClusters(clusters: Clusters): Clusters {
  if (Object.keys(clusters).length <= MAX_CLUSTERS) return clusters;
  const names = toldClusters([...clusterOverviews(clusters)], false, worstFirst);
  return someClusters(clusters, (name) => names.has(name));
}

function* hiddenClusters(all: Clusters, shown: Clusters, width: number): Generator<string> {
  if (all === shown) return;
  const hidden = clusterOverviews(all).flatMap(([name, overview]) => (Object.hasOwn(shown, name) ? [] : [overview]));
  const attempts = sum(hidden.map(({ requests }) => requests));
  const failed = sum(hidden.map((overview) => overview.failed));
  const both = `${counted(attempts, 'attempt')}, ${count(failed)} failed`;
  yield* wrap(`… ${counted(hidden.length, 'more cluster')}: ${both} (--all shows each)`, width);
}

function* otherVersionLines(
  other: VersionDifference | undefined,
  { clusters, duration_s: durationS }: RunResult,
  width: number,
): Generator<string> {
  if (other === undefined) return;
  const { kind, name } = other.of;
  const part = kind === 'host' ? name : `${kind === 'locality' ? 'zone' : kind} ${name}`;
  const of = Object.keys(clusters).length > 1 ? other.cluster : undefined;
  const when =
    other.from_s === 0 && other.to_s >= durationS ? '' : ` from ${decimal(other.from_s, 3)} to ${seconds(other.to_s)}`;
  yield* wrap(printable(fill(WORDS.other_version, { ...other, part, of, when })), width);
}

/** Without clusters whose hosts are unknown, which the first lines mention: they got no requests. */
function withoutUnknown(result: RunResult): RunResult {
  const { clusters, unknown_hosts: names = [] } = result;
  if (names.length === 0) return result;
  const unknown = new Set(
    names.filter((name) => !clusters[name] || (clusters[name].requests === 0 && clusters[name].hosts.length === 0)),
  );
  const known = someClusters(clusters, (name) => !unknown.has(name));
  return Object.keys(known).length === 0 ? result : { ...result, clusters: known };
}

function header(result: RunResult, { width, paint, elapsedS }: TextReportOptions): string[] {
  const name = printable(result.scenario);
  const { duration_s, totals } = result;
  const busy = clusterOverviews(result.clusters).filter(([, { requests }]) => requests > 0);
  const kinds = new Set(busy.map(([, { over_tcp }]) => over_tcp === true));
  const numbers = {
    ...{ duration_s, requests: totals.requests, took: elapsedS?.toFixed(2) },
    failed: totals.failed === 0 ? 'none' : count(totals.failed),
    open: totals.in_flight === 0 ? undefined : totals.in_flight,
    ...{ over_tcp: kinds.size === 1 && kinds.has(true), mixed: kinds.size > 1 },
  };
  const facts = [`seed ${printable(result.seed)}`, fill(WORDS.totals, numbers), behavesAs(result)];
  const lines = leading(name, facts, width, paint);
  const asked = result.description === undefined ? [] : wrap(printable(result.description), width);
  if (asked.length > MAX_ASKED) asked.splice(MAX_ASKED - 1, Infinity, `${asked[MAX_ASKED - 1] ?? ''} …`);
  lines.push(...asked);
  if (result.partial === true) lines.push(...wrap(fill(WORDS.partial, result), width).map(paint.bad));
  return lines;
}

/** Of a question that is longer than this, a short report shows how it begins. */
const MAX_ASKED = 3;

function expectations(
  results: readonly ExpectationResult[],
  options: TextReportOptions,
  picks: (one: ExpectationResult) => boolean = () => true,
): string[] {
  if (results.length === 0) return [];
  const lines = results.flatMap((result, index) => {
    if (!picks(result)) return [];
    const measured = measuredText(result, options.expectations?.[index]);
    const verdict = result.passed ? 'ok' : 'FAILED';
    // No-break spaces keep the verdict in one piece.
    const end = `${verdict} (${measured})`.replaceAll(' ', '\u00a0');
    const text = `${printable(result.expectation)}  ${end}`;
    const paint = result.passed ? options.paint.good : options.paint.bad;
    return labelled('expect', text, options.width).map((line) =>
      line.replace(/\b(ok|FAILED) \(/, (found) => `${paint(found.slice(0, -2))} (`),
    );
  });
  return [...lines, ''];
}
