/** A case that this runner cannot read: an unknown key, kind or step, a value of another shape. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/**
 * Reads one JSON object and remembers what was asked of it, so that a key that nobody compares is an error instead of
 * a case that passes too easily.
 */
export class Fields {
  private readonly asked = new Set<string>();

  private constructor(
    private readonly value: Readonly<Record<string, unknown>>,
    readonly path: string,
  ) {}

  /** @throws FormatError if `value` is no object. */
  static of(value: unknown, path: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object', value);
    return new Fields(value as Readonly<Record<string, unknown>>, path);
  }

  get keys(): readonly string[] {
    return Object.keys(this.value);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.value, key);
  }

  unknown(key: string): unknown {
    this.asked.add(key);
    return this.has(key) ? this.value[key] : undefined;
  }

  /** Keys that inform the reader and are not compared. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.asked.add(key);
  }

  string(key: string): string {
    return asString(this.unknown(key), this.at(key));
  }

  optionalString(key: string): string | undefined {
    return this.optional(key, asString);
  }

  number(key: string): number {
    return asNumber(this.unknown(key), this.at(key));
  }

  optionalNumber(key: string): number | undefined {
    return this.optional(key, asNumber);
  }

  optionalBoolean(key: string): boolean | undefined {
    return this.optional(key, asBoolean);
  }

  list(key: string): readonly unknown[] {
    return asList(this.unknown(key), this.at(key));
  }

  optionalList(key: string): readonly unknown[] | undefined {
    return this.optional(key, asList);
  }

  strings(key: string): readonly string[] {
    return this.list(key).map((entry, i) => asString(entry, `${this.at(key)}[${i}]`));
  }

  numbers(key: string): readonly number[] {
    return this.list(key).map((entry, i) => asNumber(entry, `${this.at(key)}[${i}]`));
  }

  optionalNumbers(key: string): readonly number[] | undefined {
    this.asked.add(key);
    return this.has(key) ? this.numbers(key) : undefined;
  }

  optionalStrings(key: string): readonly string[] | undefined {
    this.asked.add(key);
    return this.has(key) ? this.strings(key) : undefined;
  }

  object(key: string): Fields {
    return Fields.of(this.unknown(key), this.at(key));
  }

  optionalObject(key: string): Fields | undefined {
    this.asked.add(key);
    return this.has(key) ? this.object(key) : undefined;
  }

  objects(key: string): readonly Fields[] {
    return this.list(key).map((entry, i) => Fields.of(entry, `${this.at(key)}[${i}]`));
  }

  optionalObjects(key: string): readonly Fields[] {
    this.asked.add(key);
    return this.has(key) ? this.objects(key) : [];
  }

  /** A map of numbers, as expected statistics. */
  optionalCounts(key: string): ReadonlyMap<string, number> | undefined {
    const counts = this.optionalObject(key);
    return counts === undefined ? undefined : new Map(counts.keys.map((name) => [name, counts.number(name)]));
  }

  /** @throws FormatError if the object has a key that was never asked for. */
  end(): void {
    const unknown = this.keys.filter((key) => !this.asked.has(key));
    if (unknown.length > 0) {
      throw new FormatError(`${this.path}: unknown ${unknown.map((key) => JSON.stringify(key)).join(', ')}`);
    }
  }

  private optional<T>(key: string, read: (value: unknown, path: string) => T): T | undefined {
    const value = this.unknown(key);
    return this.has(key) ? read(value, this.at(key)) : undefined;
  }

  private at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }
}

export function asString(value: unknown, path: string): string {
  return typeof value === 'string' ? value : fail(path, 'a string', value);
}

export function asNumber(value: unknown, path: string): number {
  return typeof value === 'number' ? value : fail(path, 'a number', value);
}

export function asBoolean(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : fail(path, 'true or false', value);
}

export function asList(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : fail(path, 'a list', value);
}

function fail(path: string, wanted: string, value: unknown): never {
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
  throw new FormatError(`${path}: expected ${wanted}, found ${found}`);
}
