import { type Decision, type LoadBalancer, type PickRequest, resetDecision } from '../load-balancer.js';
import type { HostSet } from '../host-set.js';
import { noZoneCounts } from './subset-stats.js';
import { isList, type Struct, own } from '../../core/values.js';
import type { SubsetConfig } from '../lb-config.js';
import type { Selector } from './subset-plan.js';
import { canonicalEntries, canonicalValue, type MetadataEntry } from './subset-values.js';

/** The selector's subset of a host, lists taken whole, as {@link canonicalEntries}; undefined: the host lacks a key. */
export function hostTuple(selector: Selector, metadata: Struct): string | undefined {
  const { keys, keyTexts } = selector;
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (!Object.hasOwn(metadata, key)) return undefined;
    text += (i > 0 ? ',' : '') + (keyTexts[i] as string) + canonicalValue(metadata[key] ?? null);
  }
  return text;
}

export const tupleEntries = (selector: Selector, metadata: Struct): readonly MetadataEntry[] =>
  selector.keys.map((key) => ({ key, value: own(metadata, key) ?? null }));

/** Whether `list_as_any` makes several subsets of this host's metadata. */
export const hasLists = (selector: Selector, metadata: Struct): boolean =>
  selector.keys.some((key) => isList(own(metadata, key) ?? null));

/**
 * Under `list_as_any`: a subset for each choice of list elements, combined over the keys. An empty list drops the keys
 * up to and including its own: the proxy starts a new tuple whenever it has none, so `{a: [], b: "x"}` is in the subset
 * `{b: "x"}` of a selector `[a, b]`.
 */
export function listTuples(selector: Selector, metadata: Struct): readonly (readonly MetadataEntry[])[] {
  if (!selector.keys.every((key) => Object.hasOwn(metadata, key))) return [];
  let tuples: readonly (readonly MetadataEntry[])[] = [];
  for (const key of selector.keys) {
    const value = metadata[key] ?? null;
    const choices = (isList(value) ? value : [value]).map((choice) => ({ key, value: choice }));
    if (tuples.length === 0) tuples = choices.map((choice) => [choice]);
    else tuples = tuples.flatMap((tuple) => choices.map((choice) => [...tuple, choice]));
  }
  return tuples;
}

/** The subsets of a host: one for each selector whose keys it has, and for each choice of list elements, equal ones too. */
export const tuplesOf = (selectors: readonly Selector[], listAsAny: boolean, metadata: Struct): readonly string[] =>
  selectors.flatMap((selector) =>
    listAsAny && hasLists(selector, metadata)
      ? listTuples(selector, metadata).map(canonicalEntries)
      : (hostTuple(selector, metadata) ?? []),
  );

/** Whether a host is in the default subset: it has every entry of `default_subset`, or that is empty. */
export function defaultSubsetMatcher(config: SubsetConfig): (metadata: Struct) => boolean {
  const wanted = Object.entries(config.defaultSubset).map(([key, value]) => ({ key, text: canonicalValue(value) }));
  return (metadata) =>
    wanted.every(({ key, text }) => {
      if (!Object.hasOwn(metadata, key)) return false;
      const value = metadata[key] ?? null;
      if (config.listAsAny && isList(value)) return value.some((element) => canonicalValue(element) === text);
      return canonicalValue(value) === text;
    });
}

const NO_ROWS: readonly number[] = [];

/** One subset: the hosts that belong to it, by priority, and what balances them; of a prediction nothing does. */
export class BalancedSubset {
  /** By priority the rows of the hosts that belong to it, ascending, delivered to it or not. */
  readonly rows: (readonly number[] | undefined)[] = [];
  /** Overprovisioning by priority, percent; only where a subset keeps the factors that it was made with. */
  factors: number[] = [];
  /** `waiting`: no host has created it yet. `empty`: kept for the return of its hosts. Default subsets start active. */
  state: 'waiting' | 'active' | 'empty' = this.key === undefined ? 'active' : 'waiting';
  /** Priorities whose hosts are not delivered to it yet: it was empty at the time. */
  pending: Set<number> | undefined;
  /** undefined: no host has created it yet; or `singleHost`, where the first host of the lowest level answers. */
  inner: LoadBalancer | undefined;
  /** By priority: the lists that were delivered last. */
  readonly levels: (HostSet | undefined)[] = [];
  readonly zoneCounts = noZoneCounts();
  /** Over all levels that were delivered, whatever their health. */
  hostCount = 0;

  /** @param name as in reports: `any`. @param key canonical text of its keys and values; undefined: default or any. */
  constructor(
    readonly name: string,
    readonly key: string | undefined,
    readonly singleHost: boolean,
  ) {}

  get active(): boolean {
    return this.state === 'active';
  }

  /** The rows of the hosts that were delivered to it. */
  rowsAt(priority: number): readonly number[] {
    return this.pending?.has(priority) === true ? NO_ROWS : (this.rows[priority] ?? NO_ROWS);
  }

  /** Hosts of all priorities, whatever their health. */
  get size(): number {
    let size = 0;
    for (let priority = 0; priority < this.rows.length; priority++) size += this.rowsAt(priority).length;
    return size;
  }

  choose(request: PickRequest, decision: Decision): void {
    if (this.inner === undefined) this.chooseFirst(request, decision);
    else this.inner.choose(request, decision);
  }

  /** `single_host_per_subset`: no policy and no health, the first host of the lowest level that has one. */
  private chooseFirst(request: PickRequest, decision: Decision): void {
    resetDecision(decision);
    const priority = this.levels.findIndex((level) => level?.hosts[0] !== undefined);
    const host = this.levels[priority]?.hosts[0];
    if (host === undefined) return;
    decision.host = host;
    decision.priority = priority;
    if (request.trace !== undefined) request.trace({ kind: 'only_host', inputs: { host: host.address } });
  }

  get firstIsUnhealthy(): boolean {
    return this.levels.find((level) => level?.hosts[0] !== undefined)?.hosts[0]?.isUnhealthy === true;
  }
}
