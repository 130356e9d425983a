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

export function mapValues<From, To>(
  of: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}

export function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const gone = new Set(others);
  return items.filter((item) => !gone.has(item));
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

export function present<Item>(items: readonly (Item | undefined)[]): readonly Item[] {
  return items.filter((item) => item !== undefined);
}

export function presentEntries<Item>(items: readonly (Item | undefined)[]): readonly (readonly [number, Item])[] {
  return items.flatMap((item, index) => (item === undefined ? [] : [[index, item] as const]));
}

/** Where a value belongs in an ascending list: the index of the first that is not below it. */
export function firstNotBelow(ascending: ArrayLike<number>, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
