/**
 * An entry of a table by a name that comes from a file, from a query, from anybody: what every object inherits
 * (`constructor`, `__proto__`) is no entry.
 */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
