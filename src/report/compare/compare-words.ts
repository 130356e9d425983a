import type { Interval } from '../../analysis/interval.js';
import type {
  KeyComparison,
  KeyStep,
  LossSummary,
  Measure,
  MovedKeysResult,
  SubsetKeys,
} from '../../analysis/compare/comparison.js';
import { count, counted, listed, millis, percent, percentDigits, seconds, sentence } from '../format.js';
import { printable } from '../../core/printable.js';
import { type ReportLayout, wrap } from '../layout.js';

/** Steps that are shown without `--all`. */
const MAX_STEPS = 8;
const MAX_SUBSETS = 8;

/** Which hosts keep which keys, independent of traffic. */
export function keyLines(keys: KeyComparison, layout: ReportLayout): string[] {
  const { width, paint } = layout;
  const lines = [paint.strong('  keys, out of all possible ones')];
  const subsets = Object.entries(keys.subsets ?? {});
  const shownSubsets = layout.all ? subsets : subsets.slice(0, MAX_SUBSETS);
  const say = (text: string): void => {
    lines.push(...wrap(sentence(text), width, '    ', '      '));
  };
  for (const text of movedTexts(keys, layout)) say(text);
  for (const [name, own] of shownSubsets) for (const text of movedTexts(own, layout)) say(`${printable(name)} ${text}`);
  if (subsets.length > shownSubsets.length)
    lines.push(`    … ${counted(subsets.length - shownSubsets.length, 'more subset')} (--all)`);
  for (const text of lossTexts('host', keys.single_host_failures)) say(text);
  for (const text of lossTexts('zone', keys.zone_failures)) say(text);
  if (lines.length > 1) return lines;
  // Two sides without tables to compare say nothing of keys.
  return keys.between.some((moved) => moved !== null) ? [...lines, '    nothing moves'] : [];
}

function movedTexts(keys: SubsetKeys, layout: ReportLayout): string[] {
  const texts: string[] = [];
  keys.between.forEach((moved, index) => {
    if (moved === null) return;
    const pair = `A → ${letterOf(index + 1)}`;
    texts.push(moved.moved === 0 ? `${pair}: every key keeps its host` : `${pair}: ${movedText(moved)}`);
  });
  const steps = keys.over_time.flatMap((side, index) =>
    side.filter(({ moved }) => moved > 0).map((step) => ({ step, side: index })),
  );
  steps.sort((a, b) => a.step.at_s - b.step.at_s || a.side - b.side);
  const shown = layout.all ? steps : steps.slice(0, MAX_STEPS);
  for (const { step, side } of shown) texts.push(`at ${seconds(step.at_s)} in ${letterOf(side)}: ${stepText(step)}`);
  if (steps.length > shown.length) texts.push(`… ${counted(steps.length - shown.length, 'more step')} (--all)`);
  return texts;
}

function movedText({ moved, minimum }: MovedKeysResult): string {
  return `${percent(moved)} move to another host; with these shares at least ${percent(minimum)} had to`;
}

function stepText({ moved, orphaned, minimum }: KeyStep): string {
  const why = orphaned > 0 ? `${percent(orphaned)} because their host is gone` : `at least ${percent(minimum)} had to`;
  return `${percent(moved)} move to another host, ${why}`;
}

function lossTexts(what: 'host' | 'zone', sides: readonly (LossSummary | null)[] = []): string[] {
  const texts = sides.map((summary) => lossText(what, summary));
  return [...new Set(texts)].map((text) => {
    const letters = texts.flatMap((own, side) => (own === text ? [letterOf(side)] : []));
    return `${listed(letters)}, one ${what} lost: ${text}`;
  });
}

function lossText(what: 'host' | 'zone', summary: LossSummary | null): string {
  if (summary === null) return 'there is no table';
  const { losses, moved, orphaned, worst } = summary;
  const needless = moved - orphaned;
  const found = losses.find(({ lost }) => lost === worst);
  const all = `${percent(moved, 2)} of the keys move, ${percent(orphaned, 2)} because their host is gone`;
  const rest = needless > 1e-9 ? `and ${percent(needless, 2)} though it is not` : 'and no other';
  const mean = losses.length > 1 ? ` (mean of ${counted(losses.length, what)})` : '';
  if (found === undefined || losses.length === 1) return `${all} ${rest}${mean}`;
  return `${all} ${rest}${mean}; at worst ${percent(found.moved - found.orphaned, 2)} though it is not, when ${printable(found.lost)} goes`;
}

/** A, B, C … */
export function letterOf(side: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + side);
}

/** Zero after rounding. */
const NOTHING = 1e-9;

/** There is a change that chance does not explain. Without an interval (one run) every change counts. */
export function isClear(change: Interval | null): boolean {
  if (change === null) return false;
  const { mean, low, high } = change;
  if (Math.abs(mean) < NOTHING) return false;
  return low === null || high === null || low > 0 || high < 0;
}

export function sharesOf({ mean }: Measure): readonly number[] {
  return mean.flatMap((value) => value ?? []);
}

function signed(value: number, shown: (size: number) => string): string {
  return `${value < 0 ? '−' : '+'}${shown(Math.abs(value))}`;
}

/** Half the width of the interval; undefined where it is unknown or zero. */
function reachOf({ mean, high }: Interval): number | undefined {
  const reach = high === null ? 0 : high - mean;
  return reach < NOTHING ? undefined : reach;
}

/** "+3.2 points", "−3.2 ± 0.4 points": a difference of shares. */
export function pointsChange(change: Interval, digits = 1): string {
  const reach = reachOf(change);
  const within = reach === undefined ? '' : ` ± ${percentDigits(reach, digits)}`;
  return `${signed(change.mean, (size) => percentDigits(size, digits))}${within} points`;
}

/** "−4,035 ± 12": a difference of counts. */
export function countChange(change: Interval): string {
  const shown = (value: number): string => count(Math.round(value));
  const reach = reachOf(change);
  return `${signed(change.mean, shown)}${reach === undefined ? '' : ` ± ${shown(Math.ceil(reach))}`}`;
}

/** "+1.20 ms ± 0.100 ms" */
export function millisChange(change: Interval): string {
  const reach = reachOf(change);
  return `${signed(change.mean, millis)}${reach === undefined ? '' : ` ± ${millis(reach)}`}`;
}

/** "+0.12 ± 0.03": a difference of multiples. */
export function timesChange(change: Interval): string {
  const shown = (value: number): string => String(Number(value.toFixed(2)));
  const reach = reachOf(change);
  return `${signed(change.mean, shown)}${reach === undefined ? '' : ` ± ${shown(Math.ceil(100 * reach) / 100)}`}`;
}
