import { own } from '../core/own.js';
import { compareBytes } from '../core/byte-order.js';
import type { JsonValue, Struct } from '../core/json.js';
import { sameJson } from '../core/json.js';
import type { SelectorFallbackPolicy, SubsetConfig, SubsetFallbackPolicy } from '../hostset/lb-config.js';
import type { LevelSnapshot } from './level-snapshot.js';
import type { LevelView } from './level.js';
import { sizeOf } from './level.js';

/** One of those who are asked for a host, in turn, until one has any. */
export type Question =
  /** The subset of hosts with these entries of metadata. `final`: a subset that has hosts at all has the last word. */
  | { readonly kind: 'subset'; readonly criteria: Struct; readonly singleHost: boolean }
  | { readonly kind: 'default' }
  | { readonly kind: 'any' };

/** The key of a route's metadata that `metadata_fallback_policy: FALLBACK_LIST` reads. */
export const FALLBACK_LIST = 'fallback_list';

interface Selector {
  readonly keys: readonly string[];
  readonly policy: SelectorFallbackPolicy;
  readonly reducedTo: readonly string[];
  readonly singleHost: boolean;
}

/** A node of the tree that the proxy makes of all selectors' sorted keys. */
interface Node {
  readonly children: Map<string, Node>;
  /** The selector that made this node with its last key: only its fallback policy counts. */
  owner: Selector | undefined;
}

/** The subset configuration of a cluster, as a request meets it. */
export class SubsetRules {
  private readonly selectors: readonly Selector[];
  private readonly root: Node = { children: new Map(), owner: undefined };

  constructor(private readonly config: SubsetConfig) {
    const selectors = config.selectors
      .map((selector) => ({
        keys: [...new Set(selector.keys)].sort(compareBytes),
        policy: selector.fallbackPolicy,
        reducedTo: selector.fallbackKeysSubset,
        singleHost: selector.singleHostPerSubset,
      }))
      .filter((selector) => selector.keys.length > 0);
    this.selectors = config.allowRedundantKeys
      ? [...selectors].sort((a, b) => b.keys.length - a.keys.length)
      : selectors;
    for (const selector of this.selectors) this.grow(selector);
  }

  /**
   * Who is asked, given which subsets have hosts.
   *
   * @param exists whether any host, of whatever health, has these entries.
   */
  questions(metadata: Struct | undefined, exists: (criteria: Struct) => boolean): Question[] {
    if (metadata === undefined || !this.config.metadataFallbackList || !(FALLBACK_LIST in metadata)) {
      return this.ask(metadata ?? {}, exists);
    }
    const { [FALLBACK_LIST]: list, ...rest } = metadata;
    if (!isList(list) || list.length === 0) return this.ask(rest, exists);
    return list.flatMap((entry) => this.ask(isStruct(entry) ? { ...rest, ...entry } : rest, exists));
  }

  private ask(metadata: Struct, exists: (criteria: Struct) => boolean): Question[] {
    let criteria = metadata;
    for (let steps = 0; steps <= Object.keys(metadata).length; steps++) {
      if (this.config.allowRedundantKeys) criteria = this.withoutRedundantKeys(criteria);
      const keys = Object.keys(criteria).sort(compareBytes);
      const selector = keys.length === 0 ? undefined : this.selectors.find((known) => sameList(known.keys, keys));
      if (selector !== undefined && exists(criteria)) {
        return [{ kind: 'subset', criteria, singleHost: selector.singleHost }];
      }
      const owner = this.find(keys)?.owner;
      if (owner === undefined) return this.clusterFallback();
      switch (owner.policy) {
        case 'NOT_DEFINED':
          return this.clusterFallback();
        case 'KEYS_SUBSET': {
          const { reducedTo } = owner;
          criteria = Object.fromEntries(Object.entries(criteria).filter(([key]) => reducedTo.includes(key)));
          continue;
        }
        case 'NO_FALLBACK':
        case 'ANY_ENDPOINT':
        case 'DEFAULT_SUBSET':
          return fallback(owner.policy);
      }
    }
    // Only a fallback_keys_subset that has all of its selector's keys leads here; validation refuses it.
    return [];
  }

  private clusterFallback(): Question[] {
    const { fallbackPolicy, panicModeAny } = this.config;
    const first = fallback(fallbackPolicy);
    return panicModeAny && fallbackPolicy !== 'NO_FALLBACK' ? [...first, { kind: 'any' }] : first;
  }

  private withoutRedundantKeys(criteria: Struct): Struct {
    const selector = this.selectors.find(({ keys }) => keys.every((key) => Object.hasOwn(criteria, key)));
    if (selector === undefined) return criteria;
    return Object.fromEntries(Object.entries(criteria).filter(([key]) => selector.keys.includes(key)));
  }

  private grow(selector: Selector): void {
    let node = this.root;
    for (const [depth, key] of selector.keys.entries()) {
      let child = node.children.get(key);
      if (child === undefined) {
        child = { children: new Map(), owner: depth === selector.keys.length - 1 ? selector : undefined };
        node.children.set(key, child);
      }
      node = child;
    }
  }

  private find(keys: readonly string[]): Node | undefined {
    let node: Node | undefined = keys.length === 0 ? undefined : this.root;
    for (const key of keys) node = node?.children.get(key);
    return node;
  }
}

/**
 * Who belongs to a subset, by level. While hosts keep their places, only those whose metadata changed are looked at again: a
 * change of health costs a subset what it costs its own hosts.
 */
export class SubsetMembers {
  private readonly found = new Map<string, Map<number, Found>>();

  constructor(private readonly config: SubsetConfig) {}

  /** Positions in the columns of a level. */
  in(question: Question, columns: LevelSnapshot): Uint32Array {
    if (question.kind === 'any') return columns.everybody;
    const name = nameOf(question);
    const { members, metadata, priority } = columns;
    let levels = this.found.get(name);
    if (levels === undefined) this.found.set(name, (levels = new Map<number, Found>()));
    const known = levels.get(priority);
    if (known?.members === members && known.metadata === metadata) return known.at;
    const wanted = Object.entries(question.kind === 'default' ? this.config.defaultSubset : question.criteria);
    const found = lookThrough(columns, wanted, this.config.listAsAny, known?.members === members ? known : undefined);
    levels.set(priority, found);
    return found.at;
  }
}

interface Found extends Pick<LevelSnapshot, 'members' | 'metadata'> {
  /** By position: 1 for those who belong. */
  readonly belongs: Uint8Array;
  readonly at: Uint32Array;
}

/** @param before of the same members: only those with other metadata are asked again. */
function lookThrough(
  { members, metadata }: LevelSnapshot,
  wanted: readonly (readonly [string, JsonValue])[],
  listAsAny: boolean,
  before: Found | undefined,
): Found {
  const known = before?.metadata;
  let belongs = before?.belongs ?? new Uint8Array(members.length);
  for (let position = 0; position < members.length; position++) {
    const own = metadata[position] as Struct;
    if (known !== undefined && known[position] === own) continue;
    const part = Number(has(own, wanted, listAsAny));
    if (belongs[position] === part) continue;
    // What was found before stays as it is.
    if (belongs === before?.belongs) belongs = belongs.slice();
    belongs[position] = part;
  }
  if (before !== undefined && belongs === before.belongs) return { ...before, metadata };
  let count = 0;
  for (let position = 0; position < belongs.length; position++) count += belongs[position] as number;
  const at = new Uint32Array(count);
  let next = 0;
  for (let position = 0; position < belongs.length; position++) if (belongs[position] === 1) at[next++] = position;
  return { members, metadata, belongs, at };
}

/** The hosts of a question, level by level. */
export function levelsOf(
  question: Question,
  levels: readonly LevelView[],
  config: SubsetConfig,
  members: SubsetMembers,
): LevelView[] {
  return levels.map((level) =>
    level.filter(members.in(question, level.columns), (counts) => weightsWithin(level, counts, config)),
  );
}

/** As reports name who answered: `{stage: "prod", version: 2}`, `default`, `any`. */
export function nameOf(question: Question): string {
  if (question.kind !== 'subset') return question.kind;
  const keys = Object.keys(question.criteria).sort(compareBytes);
  return `{${keys.map((key) => `${key}: ${text(question.criteria[key] ?? null)}`).join(', ')}}`;
}

/** Locality weights hold inside subsets only if that is asked for; scaled, they count the subset's part of the hosts. */
function weightsWithin(
  level: LevelView,
  counts: () => readonly number[],
  { localityWeightAware, scaleLocalityWeight }: SubsetConfig,
): readonly number[] | undefined {
  const { placeWeights } = level;
  if (!localityWeightAware || placeWeights === undefined) return undefined;
  if (!scaleLocalityWeight) return placeWeights;
  const { places } = level;
  const hosts = counts();
  return placeWeights.map((weight, index) => {
    const whole = places[index] === undefined ? 0 : sizeOf(places[index].all);
    // Single precision, as in the proxy: Math.round of a positive value rounds halves up, as its round() does.
    return whole === 0 ? 0 : Math.round(Math.fround(Math.fround(weight * (hosts[index] ?? 0)) / whole));
  });
}

function has(metadata: Struct, wanted: readonly (readonly [string, JsonValue])[], listAsAny: boolean): boolean {
  for (const [key, value] of wanted) {
    const found = own(metadata, key);
    if (found === undefined) return false;
    if (listAsAny && isList(found)) {
      if (!found.some((element) => sameJson(element, value))) return false;
    } else if (!sameJson(found, value)) {
      return false;
    }
  }
  return true;
}

function fallback(policy: SubsetFallbackPolicy): Question[] {
  switch (policy) {
    case 'NO_FALLBACK':
      return [];
    case 'ANY_ENDPOINT':
      return [{ kind: 'any' }];
    case 'DEFAULT_SUBSET':
      return [{ kind: 'default' }];
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isStruct(value: JsonValue): value is Struct {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** Keys of maps in order, so that equal values have one name. */
function text(value: JsonValue): string {
  if (isList(value)) return `[${value.map(text).join(',')}]`;
  if (!isStruct(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${text(value[key] ?? null)}`).join(',')}}`;
}
