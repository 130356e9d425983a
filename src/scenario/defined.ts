/** Drops the fields that are undefined: the compiler distinguishes them from absent ones. */
export function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** The same object without one field. */
export function without<T extends object, Key extends keyof T>(value: T, key: Key): Omit<T, Key> {
  const copy: Partial<T> = { ...value };
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy that nobody else has seen
  delete copy[key];
  return copy as Omit<T, Key>;
}
