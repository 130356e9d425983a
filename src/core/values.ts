/** Lists of any length. A call that takes some 120,000 values as its arguments overflows the stack: a hostile file may have as many problems. */

export function addAll<Value>(into: Value[], values: Iterable<Value>): void {
  for (const value of values) into.push(value);
}

/** Items of one key together, keys in the order in which they first appear. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** The value of a key, which is made where there is none yet. */
export function entryOf<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** All ways to take `size` units, by number of each kind. */
export function* countsOf(kinds: readonly { readonly length: number }[], size: number): Generator<readonly number[]> {
  const counts = kinds.map(() => 0);
  const left = kinds.map((_, at) => sum(kinds.slice(at).map(({ length }) => length)));
  function* from(first: number, wanted: number): Generator<readonly number[]> {
    if (wanted === 0) yield [...counts];
    for (let at = first; wanted > 0 && (left[at] ?? 0) >= wanted; at++) {
      for (let own = Math.min(kinds[at]?.length ?? 0, wanted); own > 0; own--) {
        counts[at] = own;
        yield* from(at + 1, wanted - own);
      }
      counts[at] = 0;
    }
  }
  yield* from(0, size);
}

export const mapValues = <From, To>(
  of: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));

export function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const gone = new Set(others);
  return items.filter((item) => !gone.has(item));
}

/** The items whose key an earlier one has, with their indices. */
export function repeats<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly [number, Item][] {
  const seen = new Set<unknown>();
  return [...items.entries()].filter(([, item]) => {
    const { size } = seen;
    return seen.add(keyOf(item)).size === size;
  });
}

/** `name`, `name-2`, `name-3` …: the first that is free, which it takes. */
export function freeName(name: string, taken: Set<string>, separator = '-'): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${separator}${number}`;
  taken.add(free);
  return free;
}

export function sameItems(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** @param least where no value is larger. */
export function largest(values: Iterable<number>, least = -Infinity): number {
  let found = least;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** @param most where no value is smaller. */
export function smallest(values: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const value of values) if (value < found) found = value;
  return found;
}

export const present = <Item>(items: readonly (Item | undefined)[]): Item[] =>
  items.filter((item) => item !== undefined);

export const presentEntries = <Item>(items: readonly (Item | undefined)[]): readonly (readonly [number, Item])[] =>
  items.flatMap((item, index) => (item === undefined ? [] : [[index, item] as const]));

/** The first whole number of which something is true, as of all after it; `to` where it is true of none before. */
export function firstWhere(from: number, to: number, isTrue: (number: number) => boolean): number {
  let [first, last] = [from, to];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (isTrue(middle)) last = middle;
    else first = middle + 1;
  }
  return last;
}

/** Where a value belongs in an ascending list: the index of the first that is not below it. */
export const firstNotBelow = (ascending: ArrayLike<number>, value: number): number =>
  firstWhere(0, ascending.length, (at) => (ascending[at] as number) >= value);

export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** An entry of a table by a name from outside (file, query): inherited ones (`constructor`, `__proto__`) are none. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A JSON value, as protobuf's `Value`; a `Struct` is a map of them. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | Struct;

export interface Struct {
  readonly [key: string]: JsonValue;
}

/** `google.protobuf.Any` in JSON: the fields of a message beside its `@type`. */
export interface AnyValue {
  /** As written. */
  readonly typeUrl: string;
  /** The message, by its name in documentation: `config.metrics.v2.StatsdSink`, `auth.UpstreamTlsContext`. */
  readonly type: string;
  /** The message, if its type is known here; else its fields as they are. */
  readonly value: unknown;
  readonly known: boolean;
}

/** Deep equality of JSON values, by type: 1 is not "1"; the order of an object's keys does not matter. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((element, index) => sameJson(element, b[index] as JsonValue));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] as JsonValue, b[key] as JsonValue));
}

export const jsonText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

export const isStruct = (value: JsonValue | undefined): value is Struct =>
  typeof value === 'object' && value !== null && !isList(value);

/** Adds fields that are made when they are first read. */
export function lazily<T extends object, Made extends object>(
  to: T,
  fields: { readonly [Key in keyof Made]: () => Made[Key] },
): T & Made {
  for (const [name, make] of Object.entries<() => unknown>({ ...fields })) {
    let made: unknown;
    Object.defineProperty(to, name, { get: () => (made ??= make()), enumerable: true, configurable: true });
  }
  return to as T & Made;
}

/** Drops the fields that are undefined: the compiler distinguishes them from absent ones. */
export const defined = <T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };

export function withoutField<T extends object, Key extends keyof T>(value: T, ...keys: readonly Key[]): Omit<T, Key> {
  const dropped: readonly PropertyKey[] = keys;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name))) as Omit<T, Key>;
}

/** What `work` gives, or `otherwise` where it throws: for questions whose errors all mean the same. */
export const attempt = <Result, Otherwise>(work: () => Result, otherwise: Otherwise): Result | Otherwise =>
  catching(work, () => otherwise);

/** What `work` gives, or what is made of its error, as by {@link only}. */
export function catching<Result, Otherwise>(
  work: () => Result,
  handle: (error: unknown) => Otherwise,
): Result | Otherwise {
  try {
    return work();
  } catch (error) {
    return handle(error);
  }
}

/** For {@link catching}, and `catch` of a promise: what is made of errors of one kind; others are thrown on. */
export const only =
  <Kind, Result>(kind: abstract new (...given: never[]) => Kind, handle: (error: Kind) => Result) =>
  (error: unknown): Result => {
    if (error instanceof kind) return handle(error);
    throw error;
  };

/** A function of a union, by the kind of its member. */
export function byKind<Union extends { readonly kind: string }, Result, Rest extends readonly unknown[] = []>(cases: {
  readonly [Kind in Union['kind']]: (value: Union & { readonly kind: Kind }, ...rest: Rest) => Result;
}): (value: Union, ...rest: Rest) => Result {
  return (value, ...rest) => {
    const ofKind: (value: never, ...rest: Rest) => Result = cases[value.kind as Union['kind']];
    return ofKind(value as never, ...rest);
  };
}
