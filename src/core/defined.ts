/** Drops the fields that are undefined: the compiler distinguishes them from absent ones. */
export function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** The same object without one field. */
export function withoutField<T extends object, Key extends keyof T>(value: T, key: Key): Omit<T, Key> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Omit<T, Key>;
}
