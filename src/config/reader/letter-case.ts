const camelCache = new Map<string, string>();

/** `consecutive_5xx` → `consecutive5xx`, as protobuf names fields in JSON; what has no underscore stays as it is. */
export function camel(name: string): string {
  const known = camelCache.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/_+([^_])/g, (_, letter: string) => letter.toUpperCase());
  if (camelCache.size < 10_000) camelCache.set(name, made);
  return made;
}

/** `lbPolicy` → `lb_policy`: for suggestions only: it cannot know whether a digit starts a word. */
export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);

/** Names by each spelling that the proxy reads: as they are, and as protobuf's JSON has them. */
export const spellings = (names: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...names].flatMap((name) => [[camel(name), name] as const, [name, name] as const]));
