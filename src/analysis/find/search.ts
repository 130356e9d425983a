import type { Pause } from '../pause.js';
import type { Losses, Outcome } from './losses.js';
import type { Unit } from './records.js';
import { groupBy } from '../../core/lists.js';

export interface SmallestSet {
  readonly chosen: readonly Unit[];
  readonly outcome: Outcome;
  readonly smallest: boolean;
}

/** Number of sets evaluated one by one, smaller ones first; beyond it only some sequences of losses are tried. */
const SETS_TRIED = 1200;

/** Number of steps in a sequence of losses; shorter sequences go unit by unit. */
const STEPS_ALONG = 200;

type IsTrouble = (outcome: Outcome) => boolean;

/** Looks for small sets of units that cause trouble; results are cached. */
export class Search {
  private readonly known = new Map<string, Outcome>();
  private readonly kinds: readonly (readonly Unit[])[];

  constructor(
    private readonly units: readonly Unit[],
    private readonly losses: Losses,
    private readonly pause: Pause,
  ) {
    this.kinds = [...groupBy(units, ({ kind }) => kind).values()];
  }

  /** undefined: no tried set causes it, not even that of all units. */
  async smallest(isTrouble: IsTrouble): Promise<SmallestSet | undefined> {
    let tried = 0;
    for (let size = 1; size <= this.units.length; size++) {
      for (const counts of countsOf(this.kinds, size)) {
        if (++tried > SETS_TRIED) return this.along(isTrouble);
        const chosen = this.chosenBy(counts);
        const outcome = await this.outcomeOf(chosen);
        if (isTrouble(outcome)) return { chosen, outcome, smallest: true };
      }
    }
    return undefined;
  }

  /** Follows sequences of losses to the first trouble; then removes units that are not needed. */
  private async along(isTrouble: IsTrouble): Promise<SmallestSet | undefined> {
    let best: SmallestSet | undefined;
    for (const order of this.orders()) {
      const end = best === undefined ? order.length : best.chosen.length - 1;
      const size = await this.firstAlong(order, end, isTrouble);
      if (size === undefined) continue;
      const chosen = order.slice(0, size);
      best = await this.spared({ chosen, outcome: await this.outcomeOf(chosen), smallest: false }, isTrouble);
    }
    return best;
  }

  /** Trouble may end again with further losses, as panic spreads the load. So only steps are skipped. */
  private async firstAlong(order: readonly Unit[], end: number, isTrouble: IsTrouble): Promise<number | undefined> {
    const step = Math.ceil(end / STEPS_ALONG);
    for (let reached = step; reached < end + step; reached += step) {
      if (!isTrouble(await this.outcomeOf(order.slice(0, Math.min(reached, end))))) continue;
      for (let size = reached - step + 1; size < Math.min(reached, end); size++) {
        if (isTrouble(await this.outcomeOf(order.slice(0, size)))) return size;
      }
      return Math.min(reached, end);
    }
    return undefined;
  }

  /** Group by group, starting with each of them; and from all of them in turn. */
  private *orders(): Iterable<readonly Unit[]> {
    const groups = [...new Set(this.units.map(({ group }) => group))].map((name) =>
      this.units.filter(({ group }) => group === name),
    );
    for (let first = 0; first < groups.length; first++)
      yield [...groups.slice(first), ...groups.slice(0, first)].flat();
    const longest = groups.reduce((most, { length }) => Math.max(most, length), 0);
    yield Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat();
  }

  private async spared(found: SmallestSet, isTrouble: IsTrouble): Promise<SmallestSet> {
    let kept = found;
    const done = new Set<string>();
    for (const unit of found.chosen) {
      if (done.has(unit.kind)) continue;
      const chosen = kept.chosen.filter((other) => other !== unit);
      const outcome = await this.outcomeOf(chosen);
      if (isTrouble(outcome)) kept = { chosen, outcome, smallest: false };
      else done.add(unit.kind);
    }
    return kept;
  }

  private chosenBy(counts: readonly number[]): readonly Unit[] {
    return this.kinds.flatMap((kind, index) => kind.slice(0, counts[index]));
  }

  private async outcomeOf(chosen: readonly Unit[]): Promise<Outcome> {
    const counts = new Map<string, number>();
    for (const { kind } of chosen) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const key = this.kinds.map(([first]) => counts.get(first?.kind ?? '') ?? 0).join();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    await this.pause(Math.min(0.99, this.known.size / (2 * SETS_TRIED)));
    const outcome = await this.losses.lose(new Set(chosen.flatMap(({ addresses }) => addresses)));
    this.known.set(key, outcome);
    return outcome;
  }
}

/** All ways to take `size` units, by number of each kind. */
function* countsOf(kinds: readonly (readonly Unit[])[], size: number, from = 0): Generator<readonly number[]> {
  const [kind] = kinds.slice(from);
  if (kind === undefined) {
    if (size === 0) yield [];
    return;
  }
  const others = kinds.slice(from + 1).reduce((sum, { length }) => sum + length, 0);
  for (let count = Math.min(kind.length, size); count >= Math.max(0, size - others); count--) {
    for (const rest of countsOf(kinds, size - count, from + 1)) yield [count, ...rest];
  }
}
