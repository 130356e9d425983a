/** An entry of a table by a name from outside (file, query): inherited ones (`constructor`, `__proto__`) are none. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
