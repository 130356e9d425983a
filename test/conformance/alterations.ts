/** A case file with one expectation made wrong. */
export interface Alteration {
  /** Where, as `vectors[0].steps[1].expect`. */
  readonly path: string;
  readonly content: unknown;
}

/** What says what must come out: these keys and everything below them. */
const EXPECTATION = /^(expect.*|pick_priority|observed)$/;
/** Parts of recordings that place an expectation, or are not compared where `expected` rules. */
const NO_EXPECTATION = /^(from_s|to_s|accepted)$/;
/** Lists that stand for one expectation: one entry alone may be wrong without a contradiction. */
const WHOLE = /^(sequence|expect_any)$/;

/** Every way to make one expectation of a file wrong; each must make a case of the file fail. */
export function* alterations(content: unknown): Generator<Alteration> {
  for (const path of expectations(content, [], false)) {
    const copy: unknown = structuredClone(content);
    alterAt(copy, path);
    yield { path: describe(path), content: copy };
  }
}

type Path = readonly (string | number)[];

function* expectations(value: unknown, path: Path, expected: boolean): Generator<Path> {
  const key = path.at(-1);
  const whole = typeof key === 'string' && WHOLE.test(key);
  if (expected && (whole || typeof value !== 'object' || value === null)) {
    yield path;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (path.at(-1) === 'observed' && NO_EXPECTATION.test(name)) continue;
    if (expected && (name === 'from_s' || name === 'to_s')) continue;
    yield* expectations(
      child,
      [...path, Array.isArray(value) ? Number(name) : name],
      expected || EXPECTATION.test(name),
    );
  }
}

function alterAt(root: unknown, path: Path): void {
  let parent = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  const last = path.at(-1) as string | number;
  parent[last] = altered(parent[last]);
}

function altered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return entries.map((entry, index) => (typeof entry === 'number' ? (index % 2 === 0 ? entry : 0) : altered(entry)));
  }
  // Far more than any tolerance of the cases that this is used on.
  if (typeof value === 'number') return value + 2000;
  if (typeof value === 'boolean') return !value;
  if (value === 'ok') return 'error';
  return value === 'error' ? 'ok' : '192.0.2.1:1';
}

function describe(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
}
