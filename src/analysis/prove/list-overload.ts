import { entryOf, sum } from '../../core/values.js';
import { type PrioritySlice, sharesByResidue } from '../../predict/list-shares.js';
import { NEGLIGIBLE } from './losses.js';

/** A host of a list, as an overload sees it. */
export interface Member {
  readonly row: number;
  /** Part of the requests that it gets, relative to others of its list. */
  readonly weight: number;
  /** Requests a second that it can take. */
  readonly capacity: number;
  /** It can still be lost; `stays`: it answers whatever happens; `dead`: it does not. */
  readonly state: 'losable' | 'stays' | 'dead';
}

/** So many of a list can be lost, from `from` to `to`, and some host that is left is above its capacity. */
export interface Way {
  readonly from: number;
  readonly to: number;
  /** Which, given how many. */
  readonly rows: (count: number) => readonly number[];
  /** Whether it does, where that takes long to tell, or depends on what these weigh together. Default: yes. */
  readonly holds?: (weight?: number) => boolean;
  /** The row that has to be left. */
  readonly kept?: number | undefined;
}

/** All ways to overload a list, given the requests a second that reach it. */
export type Overload = (perSecond: number) => readonly Way[];

/** Whether a host with this share is above its capacity. */
export const isOver = (share: number, perSecond: number, capacity: number): boolean =>
  (share * perSecond) / capacity > 1 + NEGLIGIBLE;

/** The least number from 0 to `most` for which it holds, if it holds for all larger ones; Infinity: for none. */
function leastOf(most: number, holds: (value: number) => boolean): number {
  if (most < 0 || !holds(most)) return Infinity;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A host that is to be left. */
export interface Kept {
  /** In the order of losses; undefined: it cannot be lost. */
  readonly place: number | undefined;
}

/** One of the hosts that are alike, and can be overloaded. */
type Target = Kept & Pick<Member, 'row' | 'weight' | 'capacity'>;

/** What is left of a list of hosts that share by weight, with the heaviest lost. */
export class ListWeights {
  /** Those that can be lost, the heaviest first. */
  private readonly order: readonly Member[];
  /** The weight that is left, by how many of them are lost. */
  private readonly left: Float64Array;
  readonly targets: readonly Target[];

  constructor(members: readonly Member[]) {
    this.order = members.filter(({ state }) => state === 'losable').sort((a, b) => b.weight - a.weight);
    this.left = new Float64Array(this.order.length + 1);
    let left = (this.left[0] = sum(members.map(({ weight }) => weight)));
    for (const [index, { weight }] of this.order.entries()) this.left[index + 1] = left -= weight;
    const targets = new Map<string, Target>();
    const add = ({ row, weight, capacity }: Member, place?: number): void => {
      if (capacity === Infinity) return;
      entryOf(targets, `${weight} ${capacity} ${place === undefined}`, () => ({ row, weight, capacity, place }));
    };
    for (const [place, member] of this.order.entries()) if (member !== this.order[place - 1]) add(member, place);
    for (const member of members) if (member.state === 'stays') add(member);
    this.targets = [...targets.values()];
  }

  placeOf(member: Member): Kept {
    return { place: member.state === 'losable' ? this.order.indexOf(member) : undefined };
  }

  /** How many can be lost; beside a target that has to stay. */
  most(target?: Kept): number {
    return this.order.length - (target?.place === undefined ? 0 : 1);
  }

  /** The share of a target, 0–1, when so many of the heaviest others are lost. */
  share({ weight, place }: Target, lost: number): number {
    const isBefore = place === undefined || lost <= place;
    return weight / (isBefore ? (this.left[lost] as number) : (this.left[lost + 1] as number) + weight);
  }

  /** The share of a target when others that weigh so much are lost. */
  shareBeside({ weight }: Target, lost: number): number {
    return weight / ((this.left[0] as number) - lost);
  }

  /** Rows of so many, the heaviest first, with a target left. */
  rows(lost: number, target?: Kept): number[] {
    const others = this.order.filter((_, place) => place !== target?.place);
    return others.slice(0, lost).map(({ row }) => row);
  }
}

/**
 * A list whose hosts share by weight: the more are lost, and the heavier, the more gets each that is left.
 *
 * @param stray of the requests, a host may get so much more than its weight says.
 */
export function weightOverload(members: readonly Member[], stray = 0): Overload {
  const list = new ListWeights(members);
  return (perSecond) =>
    list.targets.map((target) => {
      const to = list.most(target);
      const from = leastOf(to, (lost) => isOver(list.share(target, lost) + stray, perSecond, target.capacity));
      const holds = (weight?: number): boolean =>
        weight === undefined || isOver(list.shareBeside(target, weight) + stray, perSecond, target.capacity);
      return { from, to, rows: (count) => list.rows(count, target), holds, kept: target.row };
    });
}

/** A way for each number of losses up to `most`. @param find rows of such a loss; undefined: there is none. */
export const waysOf = (most: number, find: (lost: number) => readonly number[] | undefined): Way[] =>
  Array.from({ length: most + 1 }, (_, lost) => ({
    from: lost,
    to: lost,
    rows: () => find(lost) ?? [],
    holds: () => find(lost) !== undefined,
  }));

/**
 * A list from which the draw of the priority picks the host as well: shares depend on how many hosts there are, and on their place,
 * which follows from how many are lost before it.
 */
export function drawOverload(members: readonly Member[], slice: Pick<PrioritySlice, 'from' | 'to'>): Overload {
  const losable = members.filter(({ state }) => state === 'losable');
  const find = (lost: number, perSecond: number): readonly number[] | undefined => {
    const shares = sharesByResidue(members.length - lost, slice);
    let before = 0;
    for (const [place, { state, capacity }] of members.entries()) {
      const from = before + (state === 'losable' ? 1 : 0);
      const most = state === 'dead' ? -1 : Math.min(lost, before);
      for (let own = Math.max(0, lost - losable.length + from); own <= most; own++) {
        if (isOver(shares[(place - own) % shares.length] ?? 0, perSecond, capacity))
          return [...losable.slice(0, own), ...losable.slice(from, from + lost - own)].map(({ row }) => row);
      }
      before = from;
    }
    return undefined;
  };
  return (perSecond) => waysOf(losable.length, (lost) => find(lost, perSecond));
}

/** The hosts of one locality that share by weight, all of which can be lost, and its own weight when so many of them are. */
export interface WeightedLocality {
  readonly members: readonly Member[];
  readonly weight: (lost: number) => number;
}

/**
 * Localities that take turns by their weights, which shrink with the hosts that are lost.
 *
 * A host gets most when the others in its locality are lost, the heaviest first, and as much as possible of the weight of other
 * localities: which of their hosts to lose for that is worked out for every number of them, locality by locality.
 *
 * @param stray as in {@link weightOverload}; localities without a weight have no part in a table. undefined: there is none.
 */
export function localityOverload(localities: readonly WeightedLocality[], stray?: number): Overload {
  const lists = localities.map(({ members, weight }) => ({ list: new ListWeights(members), weight }));
  const weighted = lists.filter(({ weight }) => weight(0) !== 0);
  // When all hosts of these are lost, those without a weight share as one list.
  const weightedRows = weighted.flatMap(({ list }) => list.rows(Infinity));
  const unweighted = localities.filter(({ weight }) => weight(0) === 0);
  const rest = stray === undefined ? unweighted.flatMap(({ members }) => members) : [];
  const overloadRest = weightOverload(rest);
  const elsewhere = weighted.map((one) => new Elsewhere(lists.filter((other) => other !== one)));
  return (perSecond) => [
    ...weighted.flatMap(({ list, weight }, at) => {
      const others = elsewhere[at];
      if (others === undefined) return [];
      return list.targets.flatMap((target) =>
        Array.from({ length: list.most(target) + 1 }, (_, own): Way => {
          const [part, share] = [weight(own), list.share(target, own)];
          const over = (lost: number): boolean =>
            isOver((part / (part + others.weight(lost))) * share + (stray ?? 0), perSecond, target.capacity);
          const rows = (count: number): number[] => [...list.rows(own, target), ...others.rows(count - own)];
          return { from: own + leastOf(others.size, over), to: own + others.size, rows };
        }),
      );
    }),
    ...overloadRest(perSecond).map(({ from, to, rows }) => ({
      from: weightedRows.length + from,
      to: weightedRows.length + to,
      rows: (count: number) => [...weightedRows, ...rows(count - weightedRows.length)],
    })),
  ];
}

/** The least weight that is left of some localities, by how many of their hosts are lost. */
export class Elsewhere {
  private least = Float64Array.of(0);
  /** By locality and number: how many of that locality. */
  private readonly choices: Int32Array[] = [];

  constructor(
    private readonly localities: readonly { readonly list: ListWeights; readonly weight: WeightedLocality['weight'] }[],
    most = Infinity,
  ) {
    for (const { list, weight } of localities) {
      const grown = new Float64Array(Math.min(this.least.length + list.most(), most + 1)).fill(Infinity);
      const choice = new Int32Array(grown.length);
      for (let own = 0; own <= list.most(); own++) {
        const part = weight(own);
        for (let lost = 0; lost < Math.min(this.least.length, grown.length - own); lost++) {
          const together = (this.least[lost] as number) + part;
          if (together >= (grown[lost + own] as number)) continue;
          grown[lost + own] = together;
          choice[lost + own] = own;
        }
      }
      this.least = grown;
      this.choices.push(choice);
    }
  }

  get size(): number {
    return this.least.length - 1;
  }

  weight(lost: number): number {
    return this.least[lost] as number;
  }

  rows(lost: number): number[] {
    let left = lost;
    return this.localities.flatMap((_, index) => {
      const at = this.localities.length - 1 - index;
      const own = this.choices[at]?.[left] ?? 0;
      left -= own;
      return this.localities[at]?.list.rows(own) ?? [];
    });
  }
}
