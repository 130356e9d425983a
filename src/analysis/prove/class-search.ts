import type { ProxyVersion } from '../../core/version.js';
import { emptyPriorityState, normalizedTotal, type PriorityState, spreadLoad } from '../../hostset/priority-load.js';
import { type PrioritySlice, slicesOf } from '../../predict/list-shares.js';
import { addAll, largest, sum } from '../../core/values.js';
import type { Harm } from '../../settings/generated/measures.js';
import type { BalancerClasses, HostsAtRisk, Level } from './classes.js';
import { fewestIn, type LevelClass, type LevelLoss, type Pick as Picked } from './level-classes.js';
import type { Goal } from './zone-losses.js';

/** The fewest losses that bring a harm, and the rows of such a loss. */
export interface Fewest {
  readonly size: number;
  readonly rows: () => readonly number[];
}

const NO_HOSTS = { health: 0, degradedHealth: 0, hosts: 0, available: 0 };

/** Loads and panic as they are with nothing lost. */
const kept = ({ load, panic }: Pick<PriorityState, 'load' | 'panic'>): Pick<PriorityState, 'load' | 'panic'> => ({
  load: { healthy: [...load.healthy], degraded: [...load.degraded] },
  panic: [...panic],
});

/** Where nothing is left to speak of, the loads of the step before remain: levels lose one after the other, as in a prediction. */
function levelByLevel(
  { health, degradedHealth, ...before }: PriorityState,
  levels: readonly LevelClass[],
  threshold: number,
  version: ProxyVersion,
): PriorityState {
  const state = { ...before, ...kept(before), health: [...health], degradedHealth: [...degradedHealth] };
  for (const [level, own] of levels.entries()) {
    state.health[level] = own.health;
    state.degradedHealth[level] = own.degradedHealth;
    spreadLoad(state, levels, threshold, version);
  }
  return state;
}

/** Classes that are looked at, after which a search is given up. */
const MOST_CLASSES = 3e7;

/**
 * The fewest losses of hosts that requests of some kinds are divided among: all classes of the availability of their levels are
 * visited. These are the priorities of one balancer, or of an aggregate, whose members panic by themselves.
 */
export class ClassSearch {
  /** Classes that were visited. */
  visited = 0;
  private readonly places: readonly { readonly member: BalancerClasses; readonly level: Level }[];

  /** @param members of an aggregate; else one balancer. @param perSecond requests that they get. */
  constructor(
    readonly members: readonly BalancerClasses[],
    private readonly risk: HostsAtRisk,
    private readonly perSecond: number,
  ) {
    // Levels of an aggregate have hosts.
    const isPlace = ({ asked }: BalancerClasses, { hostSet }: Level): boolean =>
      asked.threshold === undefined || hostSet.hosts.length > 0;
    this.places = members.flatMap((member) =>
      member.levels.filter((level) => isPlace(member, level)).map((level) => ({ member, level })),
    );
  }

  /** Of all of its hosts. */
  get rows(): ReadonlySet<number> {
    return new Set(this.members.flatMap((member) => [...member.rows]));
  }

  /** Health goes by the weight of hosts. */
  get isByWeight(): boolean {
    return this.places.some(({ level }) => level.hostSet.weightedPriorityHealth);
  }

  /** @param most more losses are of no interest. @returns undefined where there are too many classes. */
  fewest(harms: readonly Harm[], most: number): ReadonlyMap<Goal, Fewest> | undefined {
    const { members, places } = this;
    const best = new Map<Goal, Fewest>();
    const isChain = members.some(({ asked }) => asked.isChain);
    const goals: readonly Goal[] = isChain ? [...harms, 'none'] : harms;
    const bounds = new Map(goals.map((goal) => [goal, most + 1]));
    let bound = most + 1;
    const settle = (goal: Goal, size: number, pickOf: (own: LevelClass) => Picked): void => {
      const picks = chosen.map(pickOf);
      best.set(goal, { size, rows: () => this.rowsOf(picks) });
      bounds.set(goal, size);
      bound = largest(bounds.values());
    };
    let state = emptyPriorityState();
    const chosen: LevelClass[] = [];
    const [first] = members;
    if (first === undefined) return best;
    const { balancer, threshold = balancer.threshold } = first.asked;
    const judge = (lost: number): void => {
      const slices = slicesOf(state.load);
      const inside = first.asked.threshold === undefined ? undefined : this.inside(chosen);
      const panics = inside
        ? places.map(({ member, level }) => inside.get(member)?.panic[level.hostSet.priority] === true)
        : state.panic;
      // Hosts of a level may differ in how long they take: at most so many are open.
      if (lost < (bounds.get('limit') ?? 0) && this.mostOpen(slices, panics) > (this.risk.admitted ?? Infinity))
        settle('limit', lost, (own) => fewestIn(own));
      for (const { all, percent } of inside ? this.divided(slices, inside) : [{ all: slices, percent: 100 }])
        for (const slice of all) {
          const [own, place] = [chosen[slice.priority], places[slice.priority]];
          // A table may choose a level of its cluster that has no hosts.
          if (lost < (bounds.get('failures') ?? 0) && place === undefined)
            settle('failures', lost, (one) => fewestIn(one));
          if (own === undefined || place === undefined) continue;
          const { member, level } = place;
          const isPanic = panics[slice.priority] === true;
          // In panic both parts of the load, of healthy hosts and of degraded ones, go to all of a level's hosts; always to one table.
          const isOne = isPanic || member.isTable;
          const some = isOne ? all.filter(({ priority }) => priority === slice.priority) : [slice];
          const reach = { slices: some, isPanic, percent };
          for (const [goal, size] of bounds) {
            // A smaller loss in this level is of another class.
            if (lost >= size || goal === 'limit') continue;
            const pick = member.pickFor(goal, level, own, reach);
            const whole = lost - own.least + pick.healthy + pick.degraded;
            if (whole < size) settle(goal, whole, (other) => (other === own ? pick : fewestIn(other)));
          }
        }
    };
    /** @param inside what levels of the same balancer cover: what covers the rest may leave it below its own threshold. */
    const visit = (at: number, lost: number, covered: number, inside: number): void => {
      if (this.visited > MOST_CLASSES) return;
      const place = places[at];
      if (place === undefined) {
        this.visited++;
        const isAggregate = first.asked.threshold !== undefined;
        if (isAggregate) state = { ...state, ...kept(emptyPriorityState()) };
        const { version } = balancer.config;
        if (isAggregate || normalizedTotal(state) > 0) spreadLoad(state, chosen, threshold, version);
        else state = levelByLevel(first.before, chosen, threshold, version);
        // An aggregate has no levels without hosts: the first of the others is asked, whatever it has.
        const { healthy } = state.load;
        const filled = chosen.findIndex(({ hosts }) => hosts > 0);
        if (isAggregate && filled > 0 && healthy[0] === 100)
          healthy.splice(0, 1, ...Array<number>(filled).fill(0), 100);
        judge(lost);
        return;
      }
      const before = places[at - 1]?.member === place.member ? inside : 0;
      for (const own of place.level.classes?.(Math.max(0, 100 - Math.min(covered, before))) ?? []) {
        if (lost + own.least >= bound) break;
        chosen[at] = own;
        state.health[at] = own.health;
        state.degradedHealth[at] = own.degradedHealth;
        visit(at + 1, lost + own.least, covered + own.health, before + own.health);
      }
    };
    visit(0, 0, 0, 0);
    return this.visited > MOST_CLASSES ? undefined : best;
  }

  /** The state of each member of an aggregate: it panics by itself. */
  private inside(chosen: readonly LevelClass[]): ReadonlyMap<BalancerClasses, PriorityState> {
    const { places } = this;
    const stateOf = ({ levels, asked, before }: BalancerClasses): PriorityState => {
      const own = levels.map((level) => chosen[places.findIndex((place) => place.level === level)] ?? NO_HOSTS);
      const state = {
        health: own.map(({ health }) => health),
        degradedHealth: own.map(({ degradedHealth }) => degradedHealth),
        ...kept(before),
        measured: before.measured,
      };
      spreadLoad(state, own, asked.balancer.threshold, asked.balancer.config.version);
      return state;
    };
    return new Map(this.members.map((member) => [member, stateOf(member)]));
  }

  /** Slices of an aggregate: a table chooses among the levels of its cluster once more, whichever was drawn. */
  private divided(slices: readonly PrioritySlice[], inside: ReadonlyMap<BalancerClasses, PriorityState>) {
    const { places, members } = this;
    return members.flatMap((member) => {
      const own = slices.filter(({ priority }) => places[priority]?.member === member);
      const state = inside.get(member);
      if (!member.isTable || own.length === 0 || state === undefined) return [{ all: own, percent: 100 }];
      const placeOf = (level: number): number =>
        places.findIndex((place) => place.member === member && place.level.hostSet.priority === level);
      const all = slicesOf(state.load).map((slice) => ({ ...slice, priority: placeOf(slice.priority) }));
      return [{ all, percent: sum(own.map(({ from, to }) => to - from)) }];
    });
  }

  private mostOpen(slices: readonly PrioritySlice[], panic: readonly boolean[]): number {
    const isTable = this.members.some((member) => member.isTable);
    const parts = slices.map(({ priority, degraded, from, to }) => {
      const list = panic[priority] === true ? 'all' : degraded && !isTable ? 'degraded' : 'healthy';
      return { share: (to - from) / 100, time: this.places[priority]?.level[list].slowest ?? 0 };
    });
    // Keys of a table do not divide among priorities as hashes that are drawn do.
    const times = parts.map(({ share, time }) => (isTable ? time : share * time));
    return this.perSecond * (isTable ? largest(times, 0) : sum(times));
  }

  private rowsOf(picks: readonly Picked[]): number[] {
    const rows: number[] = [];
    for (const [at, pick] of picks.entries())
      for (const of of ['healthy', 'degraded'] as const) addAll(rows, rowsIn(of, pick, this.places[at]?.level));
    return rows;
  }
}

function rowsIn(of: keyof LevelLoss, { hit, part, ...lost }: Picked, level: Level | undefined): readonly number[] {
  if (hit?.of === of) return hit.rows();
  const [from, to] = part?.weights?.[of] ?? [];
  if (from === undefined || to === undefined) return level?.[of].losable.slice(0, lost[of]) ?? [];
  const weights = level?.byWeight?.(of);
  return weights?.rows(lost[of], weights.most(lost[of], from, to) ?? 0) ?? [];
}
