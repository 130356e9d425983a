import type { ClusterResult } from './run-result.js';

export type Stretch = Readonly<{ from_s: number; to_s: number; amount: number }>;

/** When something happened: nearly all of it from `from_s` to `to_s`. */
export interface Timing {
  /**
   * `throughout` the run, in one `window`, or in several `bursts` with nothing between them; `unknown` where nothing finer
   * than the whole run was counted.
   */
  kind: 'throughout' | 'window' | 'bursts' | 'unknown';
  from_s: number;
  to_s: number;
  /** A very small part of it lies outside. */
  nearly: boolean;
  /** How often it began; 1 unless in bursts. */
  bursts: number;
}

/** Nearly all is at least this part. */
const NEARLY = 0.95;
/** A window of at least this part of a run counts as the whole run. */
const THROUGHOUT = 0.9;
/** A stretch with less than this part of the heaviest one does not begin or end a window. */
const LIGHT = 0.05;
/** A gap has no events for more than this part of the time between the first and the last … */
const GAP = 0.05;
/** … and at least this many would have been expected in it. */
const EXPECTED = 10;

/**
 * @param stretches one after the other, of which some have an amount: intervals of a course, in which the ends of the window
 *                  snap to phases and labels; or phases, where there is no course.
 */
export function timingOf(stretches: readonly Stretch[], cluster: ClusterResult, durationS: number): Timing {
  if (stretches.length < 2 && cluster.course === undefined && instantsOf(cluster).some((time) => time > 0))
    return { kind: 'unknown', from_s: 0, to_s: durationS, nearly: false, bursts: 1 };
  const some = stretches.filter(({ amount }) => amount > 0);
  const { window, nearly } = heart(some);
  const [first, last] = [window[0], window[window.length - 1]];
  if (first === undefined || last === undefined)
    return { kind: 'throughout', from_s: 0, to_s: durationS, nearly: false, bursts: 1 };
  const isIn = (time: number): boolean => time >= first.from_s && time < last.to_s;
  // Phases are finer than the intervals of a long course, and coarser where no change is seen.
  const phases = cluster.phases.filter((phase) => phase.failed > 0 && isIn(phase.from_s));
  const failures = phases.map(({ from_s, to_s, failed: amount }) => ({ from_s, to_s, amount }));
  const bursts = Math.max(...[window, failures].map((some) => burstsOf(some, last.to_s - first.from_s)));
  const instants = cluster.course === undefined ? [] : instantsOf(cluster);
  const isFirst = (time: number): boolean => time >= first.from_s && time < first.to_s;
  const from = phases.find((phase) => isFirst(phase.from_s))?.from_s ?? instants.find(isFirst) ?? first.from_s;
  const to = instants.findLast((time) => time > last.from_s && time < last.to_s && time > from) ?? last.to_s;
  const kind = bursts > 1 ? 'bursts' : to - from >= THROUGHOUT * durationS ? 'throughout' : 'window';
  return { kind, from_s: from, to_s: to, nearly, bursts };
}

/** From the first to the last heavy stretch, where almost nothing lies outside; else all. */
function heart(some: readonly Stretch[]): { readonly window: readonly Stretch[]; readonly nearly: boolean } {
  const most = some.reduce((amount, one) => Math.max(amount, one.amount), 0);
  const isHeavy = ({ amount }: Stretch): boolean => amount >= LIGHT * most;
  const window = some.slice(some.findIndex(isHeavy), some.findLastIndex(isHeavy) + 1);
  const nearly = window.length < some.length;
  return sum(window) >= NEARLY * sum(some) ? { window, nearly } : { window: some, nearly: false };
}

const sum = (stretches: readonly Stretch[]): number => stretches.reduce((total, { amount }) => total + amount, 0);

/** A gap in which some would have been expected ends a burst. */
function burstsOf(window: readonly Stretch[], lengthS: number): number {
  const perSecond = sum(window) / lengthS;
  return window.filter(({ from_s: from, to_s: to }, index) => {
    const before = window[index - 1];
    if (before === undefined) return true;
    const gap = from - before.to_s;
    return gap > Math.max((to - from) / 2, GAP * lengthS) && gap * perSecond >= EXPECTED;
  }).length;
}

/** When the timeline acted or the balancers saw something new. */
const instantsOf = ({ phases }: ClusterResult): number[] =>
  phases.flatMap((phase) => [phase.from_s, ...phase.happened.map(({ at_s: at }) => at)]).sort((a, b) => a - b);
