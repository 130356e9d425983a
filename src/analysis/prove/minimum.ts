import { addTo, countsOf, groupBy, largest, only, present, sameItems, smallest, sum } from '../../core/values.js';
import type { PriorityState } from '../../hostset/priority-load.js';
import type { AskedBalancer } from '../../predict/at-rest.js';
import type { Pause } from '../pause.js';
import type { Harm } from '../../settings/generated/measures.js';
import type { Undecided } from '../../predict/generated/plain-obstacles.js';
import { FEW_ENOUGH } from './alike.js';
import { ClassSearch, type Fewest } from './class-search.js';
import { BalancerClasses, type MergedBalancer } from './classes.js';
import { overloadCheck } from './filling-tables.js';
import { fewestByKind, type LossSearch } from './kind-boxes.js';
import type { Goal } from './zone-losses.js';
import { type Losses, NEGLIGIBLE, NoPrediction } from './losses.js';
import type { Unit } from './loss-units.js';
import type { Covered, NoSplit, Outcome } from './generated/findings.js';

/** The smallest set of units that brings a harm, as far as it is known. */
export interface Minimum {
  /** No smaller set brings it; Infinity: none does. */
  readonly atLeast: number;
  /** A set that does; absent: none is known. It is the smallest where it has `atLeast` units. */
  readonly units?: readonly Unit[];
  /** Lost beside them. */
  readonly zone?: Unit;
  readonly covered: Covered;
  /** Why classes do not decide; absent: they do. */
  readonly undecided?: Undecided;
  /** Why some set of `atLeast` units cannot be judged. */
  readonly obstacle?: NoSplit;
}

export type Minima = ReadonlyMap<Harm, Minimum>;

/** Whether an outcome has a harm. */
export function brings(harm: Harm, { panic, failed, fullest, outside, open }: Outcome): boolean {
  switch (harm) {
    case 'panic':
      return panic;
    case 'failures':
      return failed > NEGLIGIBLE;
    case 'overload':
      return (fullest?.load ?? 0) > 1 + NEGLIGIBLE;
    case 'outside':
      return (outside ?? 0) > NEGLIGIBLE;
    case 'limit':
      return open !== null && open.requests > open.admitted * (1 + NEGLIGIBLE);
  }
}

interface Search extends LossSearch {
  /** Larger sets are of no interest. */
  readonly most: number;
}

/** Hosts of all sets that are evaluated one by one, at each proxy. */
const MOST_HOSTS = 4e6;
const MOST_SETS = 20_000;
/** Where each set takes a table; all sets of up to three of so many units are fewer than {@link MOST_SETS}. */
const MOST_TABLES = 5100;
const FEW_UNITS = 49;
/** Of more units, no sizes beyond three are tried. */
const ALL_OF = 12;
/** Of a size of which not all can be. */
const MOST_OF_SOME = 500;
/** Hosts that losses are to overload, and units that are looked at for that. */
const TARGETS = 4;
const MOST_SINGLE = 500;
/** Steps along a sequence of losses. */
const STEPS_ALONG = 50;

/**
 * For each harm the smallest set of units: tries sets, small ones first, those of one kind once; beyond a bound only sequences of
 * losses, which prove nothing.
 *
 * @param known of each harm, why no set smaller than `atLeast` brings it.
 */
export async function smallestSets(search: Search, known: Minima): Promise<Minima> {
  const { losses, units, beside, most: limit, pause } = search;
  const found = new Map<Harm, Minimum>();
  const most = Math.min(limit, units.length);
  const bounded = [...known].filter(([, { atLeast }]) => atLeast > 0);
  for (const [harm, own] of await along(search, new Map(bounded.map(([harm, { atLeast }]) => [harm, atLeast])))) {
    const one = known.get(harm);
    if (one !== undefined) found.set(harm, { ...one, units: own });
  }
  const kinds = [...groupBy(units, ({ kind }) => kind).values()];
  const isMany = losses.size > FEW_ENOUGH;
  const mostSets = isMany ? 1 : Math.min(MOST_SETS, Math.ceil(MOST_HOSTS / losses.size / losses.rest.proxies));
  /** All of up to three units. */
  const fewSets = losses.isExhaustive ? (kinds.length ** 3 + 5 * kinds.length) / 6 : 0;
  const mostOf = (size: number): number => {
    if (losses.isExhaustive && size <= 3) return Infinity;
    if (!losses.isTable || (size <= 3 && kinds.length <= FEW_UNITS)) return mostSets;
    return size <= 3 || kinds.length <= ALL_OF ? Math.min(MOST_TABLES, mostSets) : 0;
  };
  const mayOverload = overloadCheck(losses);
  // Outlier detection ejects the first ones as far as it may: any of them may be the last.
  const isAnyLast = losses.noticedBy === 'outlier_detection' && units === losses.units(losses.single);
  const ordersOf = (set: readonly Unit[]): readonly (readonly Unit[])[] =>
    isAnyLast && set.length > 1 ? set.map((_, at) => [...set.slice(at), ...set.slice(0, at)]) : [set];
  let checked = 0;
  /** Of all harms that have none. */
  const settle = (atLeast: number, more: Pick<Minimum, 'units' | 'obstacle'> = {}, which = [...known.keys()]): void => {
    for (const harm of which) {
      const before = known.get(harm);
      if (before === undefined || found.has(harm)) continue;
      const isKnown = before.atLeast >= atLeast;
      const covered = isKnown ? before.covered : ({ by: 'sets', number: checked } as const);
      found.set(harm, { ...before, ...more, atLeast: Math.max(atLeast, before.atLeast), covered });
    }
  };
  const first = smallest([...known].flatMap(([harm, { atLeast }]) => (found.has(harm) ? [] : [atLeast])));
  for (let size = first; size <= most; size++) {
    let end = mostOf(size);
    const rest = countsOf(kinds, size);
    let sets = checked;
    while (sets < end && end < Infinity && rest.next().done !== true) sets++;
    // Where not all of a size can be tried, some of them may do.
    if (sets >= end) end = Math.min(end, checked + MOST_OF_SOME);
    for (const counts of countsOf(kinds, size)) {
      if (found.size === known.size) return found;
      if (checked >= end) {
        const open = [...known.keys()].filter((harm) => !found.has(harm));
        const own = await along(search, new Map(open.map((harm) => [harm, most])));
        for (const harm of open) {
          const set = own.get(harm);
          settle(size, set && { units: set }, [harm]);
        }
        return found;
      }
      const set = kinds.flatMap((kind, index) => kind.slice(0, counts[index]));
      await pause(Math.min(0.99, checked / Math.max(fewSets, mostSets)));
      const isOverload = [...known.keys()].every((harm) => harm === 'overload' || found.has(harm));
      checked++;
      for (const order of ordersOf(set)) {
        if (isOverload && !mayOverload([...beside, ...order])) continue;
        const outcome = await outcomeOf(search, order);
        if (outcome instanceof NoPrediction) {
          checked--;
          settle(size, { obstacle: outcome.fact });
          return found;
        }
        const brought = [...known.keys()].filter((harm) => brings(harm, outcome));
        settle(size, { units: order }, brought);
      }
    }
  }
  settle(most < limit ? Infinity : limit + 1);
  return found;
}

async function outcomeOf({ losses, beside }: Pick<Search, 'losses' | 'beside'>, units: readonly Unit[]) {
  try {
    return await losses.lose([...beside, ...units]);
  } catch (error) {
    if (error instanceof NoPrediction) return error;
    throw error;
  }
}

/**
 * Follows sequences of losses to the first that brings a harm: group by group, and from all groups in turn.
 *
 * @param wanted longest sequence of interest, by harm.
 */
async function along(search: Search, wanted: ReadonlyMap<Harm, number>): Promise<ReadonlyMap<Harm, readonly Unit[]>> {
  const { units, losses } = search;
  const best = new Map<Harm, readonly Unit[]>();
  if (wanted.size === 0 || losses.size > FEW_ENOUGH) return best;
  const groups = [...groupBy(units, ({ group }) => group).values()];
  const longest = largest(groups.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat();
  const bySize = [...units].sort((a, b) => b.rows.length - a.rows.length);
  const isOfTable = losses.isTable && wanted.has('overload') && units.length <= MOST_SINGLE;
  const orders = [...(isOfTable ? await byGain(search) : []), bySize, inTurn, groups.flat(), groups.reverse().flat()];
  for (const order of orders.filter((one, at) => orders.findIndex((other) => sameItems(one, other)) === at)) {
    const known = new Map<number, Outcome | NoPrediction>();
    for (const [harm, most] of wanted) {
      const end = Math.min(most, (best.get(harm)?.length ?? order.length + 1) - 1);
      const step = Math.max(1, Math.ceil(end / STEPS_ALONG));
      for (let size = step; size < end + step; size += step) {
        const set = order.slice(0, Math.min(size, end));
        const outcome = known.get(set.length) ?? (await outcomeOf(search, set));
        known.set(set.length, outcome);
        if (outcome instanceof NoPrediction || !brings(harm, outcome)) continue;
        best.set(harm, set);
        break;
      }
    }
  }
  return best;
}

/** All units, those first that alone move the most requests to one host: for each of some hosts that it takes the fewest of. */
async function byGain(search: Search): Promise<readonly (readonly Unit[])[]> {
  const { units, losses } = search;
  const sharesOf = async (lost: readonly Unit[]): Promise<ArrayLike<number>> => {
    const outcome = await outcomeOf(search, lost);
    return outcome instanceof NoPrediction ? [] : outcome.shares;
  };
  const before = await sharesOf([]);
  const single: { readonly unit: Unit; readonly shares: ArrayLike<number> }[] = [];
  for (const unit of units) single.push({ unit, shares: await sharesOf([unit]) });
  const aims = losses.hosts.map(({ host: { index } }) => {
    const shareIn = (shares: ArrayLike<number>): number => shares[index] ?? 0;
    const others = single.filter(({ unit }) => !unit.rows.includes(index));
    const order = others.sort((a, b) => shareIn(b.shares) - shareIn(a.shares));
    let [count, missing] = [0, (losses.capacities[index] ?? 0) / losses.perSecond - shareIn(before)];
    while (count < order.length && missing >= 0) missing -= shareIn(order[count++]?.shares ?? []) - shareIn(before);
    return { count: missing < 0 ? count : Infinity, order: order.map(({ unit }) => unit) };
  });
  return aims
    .sort((a, b) => a.count - b.count)
    .slice(0, TARGETS)
    .map(({ order }) => order);
}

/**
 * For each harm the fewest hosts, or records, whose loss brings it, beside others that are lost in any case.
 *
 * They are counted by class: priorities know of each other only what percentage is available. Where that does not decide, sets are
 * tried one by one.
 *
 * @param beside those that are lost already.
 * @param most   larger losses are of no interest.
 */
export async function fewestHosts(
  losses: Losses,
  harms: readonly Harm[],
  pause: Pause,
  beside: readonly Unit[] = [],
  most = Infinity,
): Promise<Minima> {
  const base = losses.numbersOf(beside);
  const lost = sum(base);
  const all = losses.units(losses.single);
  const units = lost === 0 ? all : all.filter(({ rows }) => rows.some((row) => base[row] === 0));
  const unitOf = new Map([...new Set(units)].map((unit) => [unit.rows[0], unit]));
  const left = losses.size - sum(losses.hosts.map(({ host }) => base[host.index] ?? 0));
  const bound = Math.min(most, left);
  // What nobody notices changes nothing for hosts that are left, and fails the requests of its own.
  const mostNoticed = Math.max(0, losses.mostNoticed - losses.down.rows.length - lost);
  const noticed = Math.min(bound, mostNoticed);
  const already = await outcomeOf({ losses, beside: [] }, beside);
  if (already instanceof NoPrediction) {
    const unknown: Minimum = { atLeast: 0, covered: { by: 'sets', number: 0 }, obstacle: already.fact };
    return new Map(harms.map((harm) => [harm, unknown]));
  }
  const { rest, down, capacities, times, outside, gone, unseen } = losses;
  const canBeLost = (row: number): boolean => base[row] === 0 && !unseen.has(row);
  const losable = new Set(losses.hosts.map(({ host }) => host.index).filter(canBeLost));
  const lostRows = [...rest.rows.keys()].map((row) => rest.lostRow(row)).filter((row) => row >= rest.rows.length);
  const dead = new Set([...down.rows, ...[...rest.rows.keys()].filter((row) => (base[row] ?? 0) > 0), ...lostRows]);
  const risk = { losable, unseen, dead, capacities, times, outside, admitted: rest.admitted, most: noticed };
  losses.apply([]);
  const intact = new Map(rest.asked(gone).map(({ unplaced, balancer }) => [unplaced, balancer.state]));
  losses.apply(losses.isLogical ? [] : beside);
  const searches = [...groupBy(merged(rest.asked(gone, losable)), ({ group }) => group).values()].map((asked) => {
    const perSecond = losses.perSecond * (asked[0]?.portion ?? 0);
    const stateOf = ({ unplaced, balancer }: AskedBalancer): PriorityState => intact.get(unplaced) ?? balancer.state;
    const members = asked.map((one) => new BalancerClasses(one, stateOf(one), risk, perSecond));
    return new ClassSearch(members, risk, perSecond);
  });
  const whyUndecided = whyNot({ losses, units: all }, searches);
  const undecided = new Map(harms.map((harm) => [harm, noticed === 0 ? undefined : whyUndecided(harm)]));
  const decided = harms.filter((harm) => undecided.get(harm) === undefined);
  const results = decided.length === 0 || noticed === 0 ? [] : searches.map((one) => one.fewest(decided, noticed));
  const visited = sum(searches.map((one) => one.visited));
  const ofClasses: Covered = noticed === 0 ? { by: 'limit', number: 0 } : { by: 'classes', number: visited };
  const search = { losses, units, beside, risk, noticed: mostNoticed, pause, brings };
  const found = new Map<Harm, Minimum>();
  const open = new Map<Harm, Minimum>();
  const fewestOf = (goal: Goal): Fewest | undefined =>
    results.flatMap((one) => one?.get(goal) ?? []).sort((a, b) => a.size - b.size)[0];
  /** As soon as some requests go on to other balancers, classes of the first ones say nothing of these. */
  const further = new Map<Harm, Minimum[]>();
  for (const [at, search] of searches.entries()) {
    const none = results[at]?.get('none');
    if (none === undefined) continue;
    const later = decided.filter((harm) => !brings(harm, already) && none.size < (fewestOf(harm)?.size ?? Infinity));
    const hosts = present(none.rows().map((row) => unitOf.get(row)));
    const { members, rows } = search;
    // None of them is left, and the next ones take their place.
    const isSingle = members.some(({ asked }) => asked.singleHost);
    const isAll = isSingle || units.filter(({ rows: [row = -1] }) => rows.has(row)).length === none.size;
    const isEmptied = isAll && none.size > 0 && !searches.some((one) => one.isByWeight);
    const minima = isEmptied
      ? await fewestHosts(losses, later, pause, beside.concat(hosts), most - none.size)
      : undefined;
    for (const harm of later) {
      const { units: own, ...one } =
        minima?.get(harm) ?? ({ atLeast: 0, covered: ofClasses, undecided: 'chain' } as const);
      addTo(further, harm, {
        ...one,
        atLeast: none.size + one.atLeast,
        ...(one.undecided === undefined && { covered: { by: 'classes', number: visited + one.covered.number } }),
        ...(own && { units: [...hosts, ...own] }),
      });
    }
  }
  for (const harm of harms) {
    if (brings(harm, already)) {
      found.set(harm, { atLeast: 0, units: [], covered: { by: 'sets', number: 1 } });
      continue;
    }
    const unknown = undecided.get(harm) ?? (results.includes(undefined) ? 'size' : undefined);
    const isByKind = unknown === 'shared_hosts' || unknown === 'aggregate_levels';
    const kinds = isByKind ? await fewestByKind(search, harm).catch(only(NoPrediction, () => undefined)) : undefined;
    const covered: Covered = kinds ? { by: 'classes', number: kinds.visited } : ofClasses;
    if (unknown !== undefined && kinds?.isOpen !== false) {
      const known: Covered = kinds ? covered : { by: 'sets', number: 0 };
      open.set(harm, { atLeast: kinds?.size ?? 0, covered: known, undecided: unknown });
      continue;
    }
    const fewest = kinds ? kinds.fewest : fewestOf(harm);
    const next = further.get(harm)?.sort((a, b) => a.atLeast - b.atLeast)[0];
    if (next !== undefined && next.atLeast < (fewest?.size ?? Infinity)) {
      (next.units?.length === next.atLeast ? found : open).set(harm, next);
    } else if (fewest !== undefined) {
      const own = present(fewest.rows().map((row) => unitOf.get(row)));
      const isGap = own.length > fewest.size;
      const minimum: Minimum = { atLeast: fewest.size, units: own, covered, ...(isGap && { undecided: 'table' }) };
      const isBound = searches.some(({ members }) => members.some((one) => one.isBound(harm)));
      const outcome = await outcomeOf({ losses, beside }, own);
      // RANDOM may draw priority and host at once: then not all hosts of a list have requests.
      const rule = losses.isTable ? 'table' : isBound ? 'zone_routing' : 'drawn_host';
      if (!(outcome instanceof NoPrediction) && brings(harm, outcome)) found.set(harm, minimum);
      else open.set(harm, { atLeast: fewest.size, covered, undecided: harm === 'limit' ? 'open_times' : rule });
    } else if (harm === 'failures' && noticed < bound) {
      open.set(harm, { atLeast: noticed + 1, covered });
    } else {
      found.set(harm, { atLeast: noticed === bound && bound < left ? bound + 1 : Infinity, covered });
    }
  }
  return new Map([...found, ...(await smallestSets({ losses, units, beside, most, pause }, open))]);
}

/** Why classes of balancers do not decide on a cluster; undefined: they do. */
function whyNot({ losses, units: all }: Pick<Search, 'losses' | 'units'>, searches: readonly ClassSearch[]) {
  const { rest, size, isLogical } = losses;
  // A record of several hosts, or of several names, is no host of its own; nor is one that has the address of another.
  const isOne = all.length === size && all.every(({ rows }) => rows.length === 1);
  const isTwice = isLogical || !isOne || new Set(rest.hosts.map(({ host }) => host.address)).size < rest.hosts.length;
  const isUncounted = rest.requests === null && searches.length > 1;
  const rows = searches.length < 2 ? [] : searches.flatMap((one) => [...one.rows]);
  const isShared = rows.length > new Set(rows).size;
  const isApart = searches.some(({ members }) => members.some(({ asked }) => asked.divided && !asked.isWhole));
  return (harm: Harm): Undecided | undefined => {
    const [why] = present(searches.flatMap(({ members }) => members.map((one) => one.whyNot(harm))));
    if (why !== undefined) return why;
    if (isUncounted) return 'uncounted';
    if (isTwice) return 'no_own_record';
    if (isApart) return 'aggregate_levels';
    return isShared && harm === 'overload' ? 'shared_hosts' : undefined;
  };
}

/** The balancers of proxies that are alike are one, with the requests of all. */
const merged = (asked: readonly AskedBalancer[]): MergedBalancer[] =>
  [...groupBy(asked, ({ group, name }) => `${group} ${name}`).values()].flatMap((alike) => {
    const portion = sum(alike.map((one) => one.portion));
    // One kind of request may have further balancers to ask where another has none.
    const isChain = alike.some((one) => one.isChain);
    const parts = alike.flatMap((one) => one.parts);
    const sides = [...groupBy(alike, ({ place }) => place).values()].flatMap((own) =>
      own.slice(0, 1).map((one) => ({ ...one, portion: sum(own.map((each) => each.portion)) })),
    );
    return alike.slice(0, 1).map((first) => ({ ...first, portion, isChain, parts, sides }));
  });
