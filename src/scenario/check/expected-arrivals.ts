import type { TimelineEntry } from '../model.js';
import { byKind, firstNotBelow } from '../../core/values.js';
import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import { type Arrivals, type RateAt, occurrences } from '../../settings/world.js';
import { atAnotherRate, countBefore, evenTimes, type EvenTimes } from '../../schedule/even-times.js';

/** The rates that the timeline sets for a workload up to `endUs`, ascending. */
export function rateChanges(timeline: readonly TimelineEntry[], workload: string, endUs: Micros): RateAt[] {
  const changes = timeline.flatMap((entry) => {
    const { action } = entry;
    if (action.kind !== 'set_rate' || action.workload !== workload) return [];
    return occurrences(entry, endUs).map((atUs) => ({ atUs, perSecond: action.perSecond }));
  });
  return changes.sort((a, b) => a.atUs - b.atUs);
}

/** The expected number of requests of a workload before a moment, from its rates alone. */
export class ExpectedArrivals {
  /** Counts are certain whole numbers; false: they are means. */
  readonly certain: boolean;
  private readonly pieces: Piece[];
  /** Of each piece. */
  private readonly starts: Micros[] = [this.startUs];
  /** Requests before the start of each of the first pieces, as far as needed so far; undefined: not known. */
  private readonly sums: (number | undefined)[] = [0];

  /** @param changes of the timeline, ascending. @param busy answers take time: a closed workload has no own rate. */
  constructor(
    arrivals: Arrivals,
    private readonly startUs: Micros,
    private readonly stopUs: Micros,
    changes: readonly RateAt[],
    busy: boolean,
  ) {
    this.certain = arrivals.kind !== 'poisson' && arrivals.kind !== 'ramp';
    this.pieces = [{ fromUs: startUs, before: firstPiece(arrivals, startUs, busy) }];
    if (arrivals.kind === 'closed') return;
    let times = arrivals.kind === 'constant' ? evenTimes(arrivals.perSecond, startUs) : undefined;
    for (const { atUs, perSecond } of changes) {
      const fromUs = Math.max(atUs, startUs);
      times &&= atAnotherRate(times, perSecond, fromUs);
      const before = times === undefined ? pieceAfterChange(arrivals, perSecond, fromUs) : timesBefore(times);
      this.pieces.push({ fromUs, before });
      this.starts.push(fromUs);
    }
  }

  /** Requests before `atUs` (exclusive); undefined: it depends on the run. */
  before(atUs: Micros): number | undefined {
    const end = Math.min(atUs, this.stopUs);
    if (end <= this.startUs) return 0;
    const last = firstNotBelow(this.starts, end) - 1;
    const sum = this.sumBefore(last);
    const count = sum === undefined ? undefined : this.pieces[last]?.before(end);
    return sum === undefined || count === undefined ? undefined : sum + count;
  }

  private sumBefore(piece: number): number | undefined {
    for (let index = this.sums.length; index <= piece; index++) {
      const { fromUs, before } = this.pieces[index - 1] as Piece;
      const untilUs = (this.pieces[index] as Piece).fromUs;
      const count = untilUs <= fromUs ? 0 : before(untilUs);
      const sum = this.sums[index - 1];
      this.sums.push(sum === undefined || count === undefined ? undefined : sum + count);
    }
    return this.sums[piece];
  }
}

type Piece = Readonly<{ fromUs: Micros; before: (untilUs: Micros) => number | undefined }>;

const firstPiece = byKind<Arrivals, Piece['before'], [startUs: Micros, busy: boolean]>({
  poisson: ({ perSecond }, startUs) => steady(perSecond, startUs),
  constant: ({ perSecond }, startUs) => timesBefore(evenTimes(perSecond, startUs)),
  ramp:
    ({ points }, startUs) =>
    (untilUs) =>
      rampArea(points, untilUs) - rampArea(points, startUs),
  trace:
    ({ timesUs }, startUs) =>
    (untilUs) =>
      firstNotBelow(timesUs, untilUs) - firstNotBelow(timesUs, startUs),
  closed: ({ thinkTime, users }, startUs, busy) => {
    if (busy || thinkTime.kind !== 'constant' || thinkTime.value <= 0) return () => undefined;
    const rounds = evenTimes(MICROS_PER_SECOND / thinkTime.value, startUs);
    return (untilUs) => users * countBefore(rounds, untilUs);
  },
});

/** From a change on, arrivals keep the new mean; a trace ends. */
const pieceAfterChange = ({ kind }: Arrivals, perSecond: number, fromUs: Micros): Piece['before'] =>
  kind === 'trace' ? () => 0 : steady(perSecond, fromUs);

function steady(perSecond: number, fromUs: Micros): Piece['before'] {
  return (untilUs) => ((untilUs - fromUs) * perSecond) / MICROS_PER_SECOND;
}

const timesBefore =
  (times: EvenTimes): Piece['before'] =>
  (untilUs) =>
    countBefore(times, untilUs);

/** Mean arrivals of a ramp up to a moment: the rate is linear between points and level before and after them. */
function rampArea(points: readonly RateAt[], untilUs: Micros): number {
  const [first] = points;
  if (first === undefined) return 0;
  let area = Math.min(untilUs, first.atUs) * first.perSecond;
  for (const [index, left] of points.entries()) {
    if (untilUs <= left.atUs) break;
    const right = points[index + 1];
    if (right === undefined) {
      area += (untilUs - left.atUs) * left.perSecond;
      break;
    }
    const width = Math.min(untilUs, right.atUs) - left.atUs;
    if (width <= 0) continue;
    const slope = (right.perSecond - left.perSecond) / (right.atUs - left.atUs);
    area += width * (left.perSecond + (slope * width) / 2);
  }
  return area / MICROS_PER_SECOND;
}
