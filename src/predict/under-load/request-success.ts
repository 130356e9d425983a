import { entryOf, type Writable } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';
import type { Micros } from '../../core/units.js';
import { factsOf, type LbPolicy } from '../../policy/registry.js';
import type { Behavior } from '../../settings/behavior.js';
import { isOmitted } from '../../upstream/retry.js';
import { attemptChances, type AttemptChances, type LoadedCluster } from './attempt-chances.js';
import { type Balancer, isHashPolicy, type ListPart, pickFromLists, residuesOf } from '../balancer.js';
import { differ } from '../list-shares.js';
import { Outcome, valueAt } from '../outcome.js';
import { hashesIn, type KindOutcome, outcomeOf, SCRIPTED } from '../request-outcome.js';
import * as retryChances from './retry-chances.js';
import type { RotationHost } from './rotation-chances.js';
import type { RequestKind, RequestHash } from '../traffic.js';
import { isObstacle, type Obstacle } from '../obstacle.js';
import type { Hashes } from '../request-hashes.js';

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
    chances: new Attempts(context, known).chances(),
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

/** The attempts of requests of one kind. */
class Attempts {
  private readonly view = this.context.cluster.view;
  private readonly chain = this.view.chain(this.context.kind.metadataMatch);
  private readonly retryPolicy = this.context.kind.spec.retryPolicy;
  private readonly tries = 1 + (this.retryPolicy?.numRetries ?? 0);
  private readonly rejections = this.rejectionsOf();

  /** @param known chances of every host that a request may reach, by row. */
  constructor(
    private readonly context: SuccessContext,
    private readonly known: ReadonlyMap<number, HostChances>,
  ) {}

  private rejectionsOf(): retryChances.Rejections {
    const { retryHostPredicate: predicates = [], hostSelectionRetryMaxAttempts: attempts = 0 } = this.retryPolicy ?? {};
    if (predicates.length === 0) return NO_REJECTIONS;
    return { attempts, previousHosts: predicates.some(({ kind }) => kind === 'previous_hosts') };
  }

  chances(): KindChances {
    const { view, chain, known, rejections } = this;
    const [link] = chain;
    if (link === undefined || chain.some(({ singleHost }) => singleHost)) return unknown({ kind: 'single_host' });
    const all = [...known.values()];
    const [first] = all;
    const alike = first !== undefined && all.every((one) => isAlike(one, first));
    if (isHashPolicy(view.config)) return this.byHash();
    const lists: ListPart[] = [];
    const answer = new Outcome();
    if (chain.length > 1 && !alike) return unknown({ kind: 'several_subsets' });
    const evenly = { split: () => ({ share: 1, drawn: true, granularity: 0, errorRequests: 0 }) };
    const noting = { ...this.noting(lists), ...(alike && { busy: evenly }) };
    pickFromLists(link.balancer, noting, answer);
    if (answer.obstacle !== undefined) return unknown(answer.obstacle);
    if (alike && chain.length === 1) {
      // All hosts are equal, so it does not matter which one is picked.
      const kinds = [{ count: all.length, chances: first, omitted: false, priority: 0 }];
      return this.followed(kinds, retryChances.noMemory([(1 - answer.none) / all.length]), NO_REJECTIONS);
    }
    if (chain.length > 1) return unknown({ kind: 'several_subsets' });
    const [{ group } = { group: undefined }, ...others] = lists;
    const isOne = group !== undefined && others.length === 0 && answer.none === 0;
    if (!isOne || !takesTurns(view.config.lbPolicy) || group.level.delivered.sharesRows || group.hosts.length < 2)
      return this.drawn(link.balancer, lists);
    if (this.retryPolicy?.retryPriority !== undefined || differ(group)) return this.drawn(link.balancer, lists);
    const chances = group.hosts.map(({ index }) => known.get(index) as HostChances);
    const hosts = chances.map((one) => ({ chances: one, omitted: one.omitted === true }));
    return { kind: 'turns', hosts, rejections };
  }

  private noting(lists: ListPart[]) {
    return { ...this.view.context(this.context.busy), noteList: (list: ListPart) => void lists.push(list) };
  }

  private followed(
    kinds: readonly retryChances.HostKind[],
    memory: retryChances.PriorityMemory,
    rejections = this.rejections,
  ): KindChances {
    const chances = retryChances.drawnChances(kinds, memory, this.tries, rejections);
    return chances === undefined ? unknown({ kind: 'too_many_kinds' }) : { kind: 'known', chances };
  }

  /** Picks are independent draws, or lists have equal hosts. */
  private drawn(balancer: Balancer, lists: readonly ListPart[]): KindChances {
    const { view } = this;
    const { retryPriority } = this.retryPolicy ?? {};
    if (retryPriority !== undefined && view.config.lbPolicy === 'RANDOM' && quirksOf(view.version).hostByPriorityDraw)
      return unknown({ kind: 'one_draw_for_both' });
    const everywhere = retryPriority === undefined ? lists : this.listsOfAll(balancer);
    if (isObstacle(everywhere)) return unknown(everywhere);
    for (const list of [...lists, ...everywhere]) {
      const why = this.againstDrawing(list);
      if (why !== undefined) return unknown(why);
    }
    const { kinds, kindOf } = this.kindsOf(everywhere);
    const sharesOf = (parts: readonly ListPart[], portions: (part: ListPart) => number): readonly number[] => {
      const share = kinds.map(() => 0);
      for (const part of parts) {
        for (const { row, own } of hostShares(part)) {
          const index = kindOf.get(row) as number;
          const { count } = kinds[index] as retryChances.HostKind;
          share[index] = (share[index] as number) + (portions(part) * own) / count;
        }
      }
      return share;
    };
    const own = sharesOf(lists, ({ portion }) => portion);
    if (retryPriority === undefined) return this.followed(kinds, retryChances.noMemory(own));
    const start = retryChances.triedPriorities({
      updateFrequency: retryPriority.updateFrequency,
      availability: balancer.state,
      sharesOf: (load) =>
        sharesOf(everywhere, ({ priority, portion, degraded }) => {
          const of = degraded ? load.degraded : load.healthy;
          return (portion * (of[priority] ?? 0)) / 100;
        }),
    });
    return this.followed(kinds, start);
  }

  /** The lists of every priority, each as if all requests reached it. */
  private listsOfAll(balancer: Balancer): ListPart[] | Obstacle {
    const lists: ListPart[] = [];
    for (const priority of balancer.levels.keys()) {
      for (const degraded of [false, true]) {
        const answer = new Outcome();
        const slices = [{ priority, degraded, from: 0, to: 100 }];
        pickFromLists({ ...balancer, slices }, this.noting(lists), answer);
        if (answer.obstacle !== undefined) return answer.obstacle;
      }
    }
    return lists;
  }

  /** Why picks from a list are not independent draws. */
  private againstDrawing({ group, split, drawn: isDrawn }: ListPart): Obstacle | undefined {
    if (!isDrawn) return { kind: 'localities_take_turns' };
    if (split.drawn || group.hosts.length === 1) return undefined;
    const chances = group.hosts.map(({ index }) => this.known.get(index));
    const [first] = chances;
    const alike = chances.every(
      (one) => one !== undefined && first !== undefined && isAlike(one, first) && one.omitted === first.omitted,
    );
    if (alike && this.rejections.attempts === 0) return undefined;
    const isRotation = takesTurns(this.view.config.lbPolicy) && !differ(group);
    return isRotation ? { kind: 'lists_take_turns' } : { kind: 'schedule_not_drawn' };
  }

  /** Equal hosts: of one list, with the same share and the same chances. */
  private kindsOf(lists: readonly ListPart[]) {
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
    const kinds: Writable<retryChances.HostKind>[] = [];
    const kindOf = new Map<number, number>();
    for (const [row, text] of texts) {
      const chances = this.known.get(row);
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
  private byHash(): KindChances {
    const { kind, cluster, exact, busy } = this.context;
    const { chain, view } = this;
    const rejections = quirksOf(view.version).tablesIgnoreRejections ? NO_REJECTIONS : this.rejections;
    if (this.retryPolicy?.retryPriority !== undefined) return unknown({ kind: 'hashed_priorities' });
    if (kind.hash.kind === 'none') {
      if (rejections.attempts > 0) return unknown({ kind: 'hash_drawn_again' });
      const size = cluster.rows.rows.length;
      // What circuit breakers refuse has a bound in chances, and is no reason that there are none.
      const outcome = kind.retried ? outcomeOf(kind, view, size, busy) : exact;
      if (typeof outcome === 'function' || outcome.obstacle !== undefined) return unknown({ kind: 'no_prediction' });
      const shares = outcome.byRow(size).share;
      const hosts = [...this.known].filter(([row]) => (shares[row] as number) > 0);
      const kinds = hosts.map(([, chances]) => ({ count: 1, chances, omitted: false, priority: 0 }));
      const share = hosts.map(([row]) => shares[row] as number);
      return this.followed(kinds, retryChances.noMemory(share), rejections);
    }
    if (chain.length > 1) return unknown({ kind: 'several_subsets' });
    const [link] = chain;
    if (link === undefined) return unknown({ kind: 'no_balancer' });
    if (kind.hash.kind === 'keys' && kind.hash.keys.hasEmpty) return unknown({ kind: 'empty_key' });
    return { kind: 'over', of: this.byOwnHash(kind.hash, link.balancer, rejections) };
  }

  /**
   * How requests with a hash end, whose attempts reach hosts that are known in advance: always their own, but for those that the
   * retry policy rejects; then those behind it in the ring, or those of other slots.
   */
  private byOwnHash(
    hash: Exclude<RequestHash, { readonly kind: 'none' }>,
    balancer: Balancer,
    rejections: retryChances.Rejections,
  ): (fromUs: Micros, toUs: Micros) => retryChances.TryChances {
    return (fromUs, toUs) => {
      const { hashes, portions } = hashesIn(hash, fromUs, toUs);
      const all = this.pathsOf(hashes, balancer, rejections).map((path) => retryChances.fixedChances(path()));
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
  }

  /** By hash: the hosts of its attempts. */
  private pathsOf(hashes: Hashes, balancer: Balancer, rejections: retryChances.Rejections) {
    const { known, tries } = this;
    const tables = balancer.tables.map((table, priority) => {
      const residues = residuesOf(balancer.slices, priority);
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
}

const NO_REJECTIONS: retryChances.Rejections = { attempts: 0, previousHosts: false };

/** Of policies with a formula. */
const takesTurns = (policy: LbPolicy): boolean => factsOf(policy)?.drawsHosts === false;

const isAlike = (a: HostChances, b: HostChances): boolean =>
  a.done === b.done && a.accepted === b.accepted && a.failed === b.failed;

function* hostShares({ group, split }: ListPart): Generator<{ readonly row: number; readonly own: number }> {
  for (const [index, host] of group.hosts.entries()) yield { row: host.index, own: valueAt(split.share, index) };
}
