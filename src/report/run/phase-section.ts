import { addAll, groupBy, sum } from '../../core/values.js';
import { printable } from '../../core/printable.js';
import { busiestOf, hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, PhaseResult } from '../../result/run-result.js';
import { causesText, failureList, happeningText } from '../../words/happenings.js';
import { reasonTexts } from '../../words/reasons.js';
import { count, counted, percent, phaseTimes, seconds, sentence, shortPercentDigits } from '../format.js';
import { groupingOf, groupsOf } from './groups.js';
import { range } from './host-shares.js';
import { hostTable, MAX_HOSTS } from './host-table.js';
import { displayWidth, type ReportLayout, shorten, spread, widest, wrap } from '../layout.js';
import { type Column, columnsOf, table } from '../table.js';

/** Host tables of all phases together may take this many lines; beyond it there is a line per phase. */
const MAX_PHASE_LINES = 60;
const MAX_PHASE_ROWS = 24;
const LEADING_PHASES = 16;
const TRAILING_PHASES = 4;

export function* phaseSection(cluster: ClusterResult, layout: ReportLayout): Generator<string> {
  const { phases } = cluster;
  let lines = 0;
  // Where the host tables are too much, the hosts of other phases are not examined.
  if (!layout.all && phases.some((phase) => (lines += hostLines(phase) + 3) > MAX_PHASE_LINES)) {
    yield* phaseTable(cluster, layout);
    return;
  }
  const time = phaseTimes(phases, true);
  for (const phase of phases) yield* phaseBlock(phase, time(phase), layout);
}

function hostLines(phase: PhaseResult): number {
  const hosts = hostsOf(phase)[Symbol.iterator]();
  let lines = 0;
  while (lines < MAX_HOSTS && hosts.next().done !== true) lines++;
  return lines;
}

function phaseBlock(phase: PhaseResult, when: string, layout: ReportLayout): string[] {
  const time = `  ${when}   `;
  const { requests, no_host: noHost, overflow } = phase;
  const causes = failureList(phase.failures);
  // One cause is beside the requests, several are on their own line.
  const several = Object.values(phase.failures).filter((failed) => failed > 0).length > 1;
  const failed = several ? `${count(phase.failed)} failed` : causes;
  const title = spread(
    time + printable(causesText(phase.causes)),
    counted(requests, 'request') + (failed === '' ? '' : `, ${failed}`),
    layout.width,
    ' '.repeat(time.length),
  );
  const lines = title.map(layout.paint.strong);
  if (several) lines.push(...wrap(`failed: ${causes}`, layout.width, '    ', '      '));
  lines.push(...reasonLines(phase, layout, 4), ...labels(phase, layout, 4));
  if (phase.requests > 0 && phase.hosts.length > 0)
    addAll(lines, hostTable({ rows: phase.hosts, noHost, overflow, atTheEnd: false }, layout, 4));
  return [...lines, ''];
}

/** @param before facts of the phase before, which need not be told again. */
function reasonLines(phase: PhaseResult, layout: ReportLayout, indent: number, before: PhaseResult['facts'] = []) {
  const margin = ' '.repeat(indent);
  const known = reasonTexts(before);
  return reasonTexts(phase.facts)
    .filter((reason) => !known.includes(reason))
    .flatMap((reason) =>
      wrap(sentence(reason), layout.width, `${margin}→ `, `${margin}  `).map((line) => layout.paint.odd(line)),
    );
}

/** Events in the phase that the balancers do not see. */
export function labels(phase: PhaseResult | undefined, layout: ReportLayout, indent: number): string[] {
  const margin = ' '.repeat(indent);
  const all = [...groupBy(phase?.happened ?? [], happeningText)].map(([label, facts]) => {
    const again = facts.length === 1 ? '' : `, ${count(facts.length)} times`;
    return `${seconds(facts[0]?.at_s ?? 0)}: ${label}${again}`;
  });
  const shown = layout.all || all.length <= 8 ? all : all.slice(0, 7);
  const lines = shown.flatMap((label) => wrap(printable(label), layout.width, `${margin}· `, `${margin}  `));
  if (shown.length < all.length) lines.push(`${margin}· … ${all.length - shown.length} more (--all)`);
  return phase !== undefined && lines.length > 0 && indent === 2 ? [...lines, ''] : lines;
}

/** A line or two per phase, for runs with many. @param room exactly one each, and no more lines than this. */
export function phaseTable(cluster: ClusterResult, layout: ReportLayout, room?: number): string[] {
  const { phases } = cluster;
  const most = room === undefined ? MAX_PHASE_ROWS : room - 1;
  const all = layout.all || phases.length <= most;
  const trailing = room === undefined ? TRAILING_PHASES : 1;
  const leading = room === undefined ? LEADING_PHASES : Math.max(1, most - 2);
  const shown = all ? phases : [...phases.slice(0, leading), ...phases.slice(-trailing)];
  const time = phaseTimes(phases, true);
  const { text, number } = columnsOf(shown);
  const columns = [
    text('phase', time),
    number('requests', ({ requests }) => count(requests)),
    sharesColumn(cluster, shown),
    phases.some((phase) => phase.cross_zone !== undefined) &&
      number('crosses zones', ({ cross_zone: crosses }) => (crosses === undefined ? '' : percent(crosses.share))),
    hasLoads(cluster) && number('peak load', (phase) => percent(busiestOf(phase)?.load ?? 0, 0)),
    phases.some((phase) => phase.no_host.requests > 0) && number('no host', (phase) => percent(phase.no_host.share)),
    phases.some((phase) => phase.failed > 0) && number('failed', ({ failed }) => count(failed)),
    phases.some((phase) => panicsIn(phase) !== '') &&
      text(cluster.priorities.length > 1 ? 'panic in' : 'panic', panicsIn, { paint: layout.paint.odd }),
  ];
  // Causes are beside the numbers where there is room, so the columns keep their natural width.
  const [headings = '', ...rows] = table(columns, { ...layout, width: Infinity }, 2);
  const rowWidth = widest([headings, ...rows]);
  const lines = sideBySide(headings, rowWidth, layout.paint.faint('began with'), layout.width).slice(0, 1);
  const causeRoom = layout.width - rowWidth - 2;
  const caused = rows.map((row, index) => {
    const cause = printable(causesText(shown[index]?.causes ?? []));
    return {
      whole: sideBySide(row, rowWidth, cause, layout.width),
      line: inColumn(row, rowWidth, displayWidth(cause) <= causeRoom ? cause : `${cause.slice(0, causeRoom - 1)}…`),
    };
  });
  const isRoomy = room === undefined || sum(caused.map(({ whole }) => whole.length)) < room - (all ? 1 : 2);
  caused.forEach(({ whole, line }, index) => {
    const [phase, before] = [shown[index], shown[index - 1]];
    if (phase === undefined) return;
    lines.push(...(isRoomy ? whole : [line]));
    if (room === undefined) lines.push(...reasonLines(phase, layout, 6, before?.facts), ...labels(phase, layout, 6));
    if (!all && index === leading - 1)
      lines.push(`  … ${counted(phases.length - shown.length, 'phase')} in between (--all lists them)`);
  });
  return [...lines, ''];
}

/** Some host can serve so much and no more. */
export const hasLoads = ({ hosts }: ClusterResult): boolean => hosts.some(({ load }) => load !== undefined);

function panicsIn({ priorities }: PhaseResult): string {
  const panicked = priorities.flatMap(({ panic, priority }) => (panic ? [String(priority)] : []));
  if (panicked.length === 0) return '';
  if (priorities.length === 1) return 'yes';
  return panicked.length === priorities.length ? 'all' : panicked.join(', ');
}

function sharesColumn(cluster: ClusterResult, phases: readonly PhaseResult[]): Column {
  const grouping = groupingOf(cluster.hosts, 4);
  const { text } = columnsOf(phases.map((phase) => (phase.requests > 0 ? phase : undefined)));
  if (grouping === undefined) {
    return text('a host gets', (phase) => {
      const hosts = [...hostsOf(phase)];
      // Hosts that are out began the phase, or one before; of the others it is news that they get nothing.
      const idle = hosts.filter(({ requests, health }) => requests === 0 && health === 'healthy').length;
      return range(hosts) + (idle === 0 || idle === hosts.length ? '' : `, ${count(idle)} idle`);
    });
  }
  const names = groupsOf(cluster.hosts, grouping).map((group) => group.name);
  const heading = names.map((name) => shorten(name, 12)).join(' / ');
  return text(grouping.isPair === true ? heading : `${grouping.plural} ${heading}`, (phase) => {
    const groups = new Map(groupsOf(hostsOf(phase), grouping).map((group) => [group.name, group.share]));
    return `${names.map((name) => shortPercentDigits(groups.get(name) ?? 0)).join(' / ')} %`;
  });
}

/** `text` after `row`, in its own column where that fits, or below it. */
function sideBySide(row: string, rowWidth: number, text: string, width: number): string[] {
  const line = inColumn(row, rowWidth, text);
  if (displayWidth(line) <= width) return [line];
  return [...wrap(row.trimStart(), width, '  ', '      '), ...wrap(text, width, '      ')];
}

const inColumn = (row: string, rowWidth: number, text: string): string =>
  `${row}${' '.repeat(rowWidth - displayWidth(row))}  ${text}`;
