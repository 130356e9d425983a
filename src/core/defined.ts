/** Drops the fields that are undefined: the compiler distinguishes them from absent ones. */
export function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

export function withoutField<T extends object, Key extends keyof T>(value: T, ...keys: readonly Key[]): Omit<T, Key> {
  const dropped: readonly PropertyKey[] = keys;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name))) as Omit<T, Key>;
}
