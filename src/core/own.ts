/**
 * An entry of a table by a name from outside, such as a file or a query: inherited properties (`constructor`, `__proto__`)
 * are no entries.
 */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
