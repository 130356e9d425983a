import { entryOf } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';
import type { Micros } from '../../core/units.js';
import { factsOf, type LbPolicy } from '../../policy/registry.js';
import type { Behavior } from '../../settings/behavior.js';
import { isOmitted } from '../../upstream/retry.js';
import { attemptChances, type AttemptChances, type LoadedCluster } from './attempt-chances.js';
import {
  type Balancer,
  isHashPolicy,
  type ListPart,
  type PickContext,
  pickFromLists,
  residuesOf,
} from '../balancer.js';
import { differ } from '../list-shares.js';
import { Outcome, valueAt } from '../outcome.js';
import { type KindOutcome, outcomeOf, SCRIPTED } from '../request-outcome.js';
import * as retryChances from './retry-chances.js';
import type { RotationHost } from './rotation-chances.js';
import type { RequestKind, RequestHash } from '../traffic.js';
import { isObstacle, type Obstacle } from '../obstacle.js';
import { Hashes } from '../request-hashes.js';

export type KindChances =
  | { readonly kind: 'known'; readonly chances: retryChances.TryChances }
  /** Hosts take turns: the number of picks between two attempts matters. */
  | { readonly kind: 'turns'; readonly hosts: readonly RotationHost[]; readonly rejections: retryChances.Rejections }
  | { readonly kind: 'over'; readonly of: (fromUs: Micros, toUs: Micros) => retryChances.TryChances }
  | { readonly kind: 'unknown'; readonly why: Obstacle };

interface SuccessContext {
  readonly kind: RequestKind;
  readonly cluster: LoadedCluster;
  /** Where first attempts go. */
  readonly exact: KindOutcome;
  /** What is known of attempts already: most hosts behave as they did in the phase before. */
  readonly attempts: WeakMap<Behavior, AttemptChances | Obstacle>;
  /** Why a policy that looks at load cannot be predicted; undefined: it can. */
  readonly busy: Obstacle | undefined;
}

/** Of every host that a request may reach. */
interface HostChances extends AttemptChances {
  /** Every retry rejects it. */
  readonly omitted?: true;
}

export type KindSuccess = Readonly<{ chances: KindChances; longestUs: Micros; meanUs: Micros }>;

const unknown = (why: Obstacle): KindChances => ({ kind: 'unknown', why });

export function successOf(context: SuccessContext): KindSuccess {
  const known = context.kind.scripted ? SCRIPTED : hostChances(context);
  if (isObstacle(known)) return { chances: unknown(known), longestUs: 0, meanUs: 0 };
  const all = [...known.values()];
  return {
    chances: chancesOf(context, known),
    longestUs: all.reduce((most, { longestUs }) => Math.max(most, longestUs), 0),
    meanUs: all.reduce((most, { meanUs }) => Math.max(most, meanUs), 0),
  };
}

/** By row. @returns the obstacle where they are not known. */
function hostChances({ kind, cluster, attempts }: SuccessContext): ReadonlyMap<number, HostChances> | Obstacle {
  const known = new Map<number, HostChances>();
  const { view, settings, behaviorOf } = cluster;
  const quirks = quirksOf(view.version);
  const predicates = kind.spec.retryPolicy?.retryHostPredicate ?? [];
  for (const level of view.levels) {
    for (const host of level.hosts) {
      const behavior = behaviorOf(host, level.priority);
      const chances = entryOf(attempts, behavior, () => attemptChances(behavior, kind, settings.connections, quirks));
      if (isObstacle(chances)) return chances;
      const omitted = predicates.length > 0 && isOmitted(predicates, host, []);
      known.set(host.index, omitted ? { ...chances, omitted: true } : chances);
    }
  }
  return known;
}

function chancesOf(context: SuccessContext, known: ReadonlyMap<number, HostChances>): KindChances {
  const { kind, busy } = context;
  const { view } = context.cluster;
  const { retryPolicy } = kind.spec;
  const tries = 1 + (retryPolicy?.numRetries ?? 0);
  const chain = view.chain(kind.metadataMatch);
  const [link] = chain;
  if (link === undefined || chain.some(({ singleHost }) => singleHost)) return unknown({ kind: 'single_host' });
  const rejections = rejectionsOf(kind);
  const all = [...known.values()];
  const [first] = all;
  const alike = first !== undefined && all.every((one) => isAlike(one, first));
  if (isHashPolicy(view.config)) return byHash(context, known, tries, rejections);
  const lists: ListPart[] = [];
  const answer = new Outcome();
  if (chain.length > 1 && !alike) return unknown({ kind: 'several_subsets' });
  const pick = view.context(busy);
  const evenly = { split: () => ({ share: 1, drawn: true, granularity: 0, errorRequests: 0 }) };
  const noting = { ...pick, noteList: (list: ListPart) => void lists.push(list), ...(alike && { busy: evenly }) };
  pickFromLists(link.balancer, noting, answer);
  if (answer.obstacle !== undefined) return unknown(answer.obstacle);
  if (alike && chain.length === 1) return evenChances(first, all.length, answer.none, tries);
  if (chain.length > 1) return unknown({ kind: 'several_subsets' });
  const [only] = lists;
  const isRotation = takesTurns(view.config.lbPolicy);
  if (
    lists.length === 1 &&
    only !== undefined &&
    isRotation &&
    answer.none === 0 &&
    !only.group.level.delivered.sharesRows
  ) {
    if (retryPolicy?.retryPriority === undefined && only.group.hosts.length > 1 && !differ(only.group)) {
      const hosts = only.group.hosts.map(({ index }) => known.get(index) as HostChances);
      return {
        kind: 'turns',
        hosts: hosts.map((chances) => ({ chances, omitted: chances.omitted === true })),
        rejections,
      };
    }
  }
  return drawn(context, link.balancer, lists, known, tries, rejections);
}

/** Of policies with a formula. */
const takesTurns = (policy: LbPolicy): boolean => factsOf(policy)?.drawsHosts === false;

function isAlike(a: HostChances, b: HostChances): boolean {
  return a.done === b.done && a.accepted === b.accepted && a.failed === b.failed;
}

/** All hosts are equal, so it does not matter which one is picked. */
function evenChances(chances: HostChances, hosts: number, none: number, tries: number): KindChances {
  const kinds = [{ count: hosts, chances, omitted: false, priority: 0 }];
  const shares = { share: [(1 - none) / hosts], none };
  return followed(retryChances.drawnChances(kinds, retryChances.noMemory(shares), tries, NO_REJECTIONS));
}

function followed(chances: retryChances.TryChances | undefined): KindChances {
  return chances === undefined ? unknown({ kind: 'too_many_kinds' }) : { kind: 'known', chances };
}

const NO_REJECTIONS: retryChances.Rejections = { attempts: 0, previousHosts: false };

function rejectionsOf({ spec: { retryPolicy } }: RequestKind): retryChances.Rejections {
  const predicates = retryPolicy?.retryHostPredicate ?? [];
  if (retryPolicy === undefined || predicates.length === 0) return NO_REJECTIONS;
  const previousHosts = predicates.some(({ kind }) => kind === 'previous_hosts');
  return { attempts: retryPolicy.hostSelectionRetryMaxAttempts, previousHosts };
}

/** Picks are independent draws, or lists have equal hosts. */
function drawn(
  { kind, cluster: { view }, busy }: SuccessContext,
  balancer: Balancer,
  lists: readonly ListPart[],
  known: ReadonlyMap<number, HostChances>,
  tries: number,
  rejections: retryChances.Rejections,
): KindChances {
  const { retryPriority } = kind.spec.retryPolicy ?? {};
  if (retryPriority !== undefined && view.config.lbPolicy === 'RANDOM' && quirksOf(view.version).hostByPriorityDraw)
    return unknown({ kind: 'one_draw_for_both' });
  const everywhere = retryPriority === undefined ? lists : listsOfAll(balancer, view.context(busy));
  if (isObstacle(everywhere)) return unknown(everywhere);
  for (const list of [...lists, ...everywhere]) {
    const why = againstDrawing(list, known, rejections, view.config.lbPolicy);
    if (why !== undefined) return unknown(why);
  }
  const { kinds, kindOf } = kindsOf(everywhere, known);
  const sharesOf = (parts: readonly ListPart[], portions: (part: ListPart) => number): retryChances.PickShares => {
    const share = kinds.map(() => 0);
    for (const part of parts) {
      for (const { row, own } of hostShares(part)) {
        const index = kindOf.get(row) as number;
        const { count } = kinds[index] as retryChances.HostKind;
        share[index] = (share[index] as number) + (portions(part) * own) / count;
      }
    }
    const all = share.reduce((sum, own, index) => sum + own * (kinds[index] as retryChances.HostKind).count, 0);
    return { share, none: Math.max(0, 1 - all) };
  };
  const start =
    retryPriority === undefined
      ? retryChances.noMemory(sharesOf(lists, ({ portion }) => portion))
      : retryChances.triedPriorities({
          updateFrequency: retryPriority.updateFrequency,
          availability: balancer.state,
          sharesOf: (load) =>
            sharesOf(everywhere, ({ priority, portion, degraded }) => {
              const of = degraded ? load.degraded : load.healthy;
              return (portion * (of[priority] ?? 0)) / 100;
            }),
        });
  return followed(retryChances.drawnChances(kinds, start, tries, rejections));
}

/** The lists of every priority, each as if all requests reached it. */
function listsOfAll(balancer: Balancer, pick: PickContext): ListPart[] | Obstacle {
  const lists: ListPart[] = [];
  for (const priority of balancer.levels.keys()) {
    for (const degraded of [false, true]) {
      const answer = new Outcome();
      const context = { ...pick, noteList: (list: ListPart) => void lists.push(list) };
      pickFromLists({ ...balancer, slices: [{ priority, degraded, from: 0, to: 100 }] }, context, answer);
      if (answer.obstacle !== undefined) return answer.obstacle;
    }
  }
  return lists;
}

/** Why picks from a list are not independent draws. */
function againstDrawing(
  { group, split, drawn: isDrawn }: ListPart,
  known: ReadonlyMap<number, HostChances>,
  { attempts }: retryChances.Rejections,
  policy: LbPolicy,
): Obstacle | undefined {
  if (!isDrawn) return { kind: 'localities_take_turns' };
  if (split.drawn || group.hosts.length === 1) return undefined;
  const [first] = group.hosts.map(({ index }) => known.get(index));
  const alike = group.hosts.every(({ index }) => {
    const one = known.get(index);
    return one !== undefined && first !== undefined && isAlike(one, first) && one.omitted === first.omitted;
  });
  if (alike && attempts === 0) return undefined;
  return takesTurns(policy) && !differ(group) ? { kind: 'lists_take_turns' } : { kind: 'schedule_not_drawn' };
}

function* hostShares({ group, split }: ListPart): Generator<{ readonly row: number; readonly own: number }> {
  for (const [index, host] of group.hosts.entries()) yield { row: host.index, own: valueAt(split.share, index) };
}

/** Equal hosts: of one list, with the same share and the same chances. */
function kindsOf(
  lists: readonly ListPart[],
  known: ReadonlyMap<number, HostChances>,
): { readonly kinds: readonly retryChances.HostKind[]; readonly kindOf: ReadonlyMap<number, number> } {
  /** By row: a key of its properties. */
  const texts = new Map<number, string>();
  const priorities = new Map<number, number>();
  for (const [number, list] of lists.entries()) {
    for (const { row, own } of hostShares(list)) {
      texts.set(row, `${texts.get(row) ?? ''} ${number}:${own}`);
      priorities.set(row, list.priority);
    }
  }
  const indices = new Map<string, number>();
  const kinds: { -readonly [Key in keyof retryChances.HostKind]: retryChances.HostKind[Key] }[] = [];
  const kindOf = new Map<number, number>();
  for (const [row, text] of texts) {
    const chances = known.get(row);
    if (chances === undefined) continue;
    const { done, accepted, failed, omitted } = chances;
    const key = `${text} ${done} ${accepted} ${failed} ${omitted}`;
    const index = entryOf(indices, key, () => {
      return kinds.push({ count: 0, chances, omitted: omitted === true, priority: priorities.get(row) ?? 0 }) - 1;
    });
    (kinds[index] as { count: number }).count++;
    kindOf.set(row, index);
  }
  return { kinds, kindOf };
}

/** Requests with a hash come back to its host, unless their policy rejects hosts. */
function byHash(
  { kind, cluster: { view, rows }, exact, busy }: SuccessContext,
  known: ReadonlyMap<number, HostChances>,
  tries: number,
  rejections: retryChances.Rejections,
): KindChances {
  const chain = view.chain(kind.metadataMatch);
  const effective = quirksOf(view.version).tablesIgnoreRejections ? NO_REJECTIONS : rejections;
  const rejects = effective.attempts > 0;
  if (kind.spec.retryPolicy?.retryPriority !== undefined) return unknown({ kind: 'hashed_priorities' });
  if (kind.hash.kind === 'none') {
    if (rejects) return unknown({ kind: 'hash_drawn_again' });
    const size = rows.rows.length;
    // What circuit breakers refuse has a bound in chances, and is no reason that there are none.
    const outcome = kind.retried ? outcomeOf(kind, view, size, busy) : exact;
    if (typeof outcome === 'function' || outcome.obstacle !== undefined) return unknown({ kind: 'no_prediction' });
    const { share } = outcome.byRow(size);
    const hosts = [...known].filter(([row]) => (share[row] as number) > 0);
    const kinds = hosts.map(([, chances]): retryChances.HostKind => ({
      count: 1,
      chances,
      omitted: false,
      priority: 0,
    }));
    const shares = { share: hosts.map(([row]) => share[row] as number), none: outcome.none };
    return followed(retryChances.drawnChances(kinds, retryChances.noMemory(shares), tries, effective));
  }
  if (chain.length > 1) return unknown({ kind: 'several_subsets' });
  const [link] = chain;
  if (link === undefined) return unknown({ kind: 'no_balancer' });
  if (kind.hash.kind === 'keys' && kind.hash.keys.hasEmpty) return unknown({ kind: 'empty_key' });
  return { kind: 'over', of: chancesByHash(kind.hash, link.balancer, known, tries, effective) };
}

/**
 * How requests with a hash end, whose attempts reach hosts that are known in advance: always their own, but for those that the
 * retry policy rejects; then those behind it in the ring, or those of other slots.
 */
function chancesByHash(
  hash: Exclude<RequestHash, { readonly kind: 'none' }>,
  balancer: Balancer,
  known: ReadonlyMap<number, retryChances.HostKind['chances'] & { readonly omitted?: true }>,
  tries: number,
  rejections: retryChances.Rejections,
): (fromUs: Micros, toUs: Micros) => retryChances.TryChances {
  const mean = (hashes: Hashes, portions: Float64Array): retryChances.TryChances => {
    const all = pathsOf(hashes, balancer, known, tries, rejections).map((path) => retryChances.fixedChances(path()));
    const longest = all.reduce((most, { reach }) => Math.max(most, reach.length), 0);
    const [after, reach] = [new Array<number>(longest).fill(0), new Array<number>(longest).fill(0)];
    for (const [index, own] of all.entries()) {
      const portion = portions[index] as number;
      for (let attempt = 0; attempt < longest; attempt++) {
        (after[attempt] as number) += portion * (own.after[attempt] ?? own.after.at(-1) ?? 0);
        (reach[attempt] as number) += portion * (own.reach[attempt] ?? 0);
      }
    }
    return { after, reach };
  };
  return (fromUs, toUs) => {
    if (hash.kind === 'given') {
      const some = hash.requests.filter(({ atUs }) => atUs >= fromUs && atUs < toUs);
      const hashes = new Hashes(Uint32Array.from(some.flatMap(({ hi, lo }) => [hi, lo])));
      return mean(hashes, new Float64Array(some.length).fill(1 / some.length));
    }
    const { keys } = hash;
    const [from, to] = [hash.numberBefore(fromUs), hash.numberBefore(toUs)];
    const counted = keys.inTurn && from !== undefined && to !== undefined && to > from;
    return mean(keys.hashes, counted ? keys.window(from, to) : keys.probabilities);
  };
}

/** By hash: the hosts of its attempts. */
function pathsOf(
  hashes: Hashes,
  { tables: ofBalancer, slices }: Balancer,
  known: Parameters<typeof chancesByHash>[2],
  tries: number,
  rejections: retryChances.Rejections,
): (() => Generator<retryChances.HostKind['chances']>)[] {
  const tables = ofBalancer.map((table, priority) => {
    const residues = residuesOf(slices, priority);
    const first = new Int32Array(hashes.count).fill(-1);
    if (residues.includes(1)) table.find(hashes, residues, first);
    const others: Int32Array[] = [];
    const rowOf = (index: number, again: number): number =>
      again === 0
        ? (first[index] as number)
        : ((others[again - 1] ??= table.findAgain(hashes, again))[index] as number);
    return { residues, rowOf };
  });
  return Array.from({ length: hashes.count }, (_, index) => {
    const own = tables.find(({ residues }) => residues[hashes.residues[index] as number] === 1);
    return function* () {
      const tried = new Set<number>();
      for (let attempt = 0; attempt < tries; attempt++) {
        let row = -1;
        const again = attempt === 0 ? 0 : rejections.attempts;
        for (let more = 0; more <= again; more++) {
          row = own?.rowOf(index, more) ?? -1;
          const isRejected = known.get(row)?.omitted === true || (rejections.previousHosts && tried.has(row));
          if (attempt === 0 || row < 0 || !isRejected) break;
        }
        const chances = known.get(row);
        if (chances === undefined) return;
        tried.add(row);
        yield chances;
      }
    };
  });
}
