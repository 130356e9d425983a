/** A case file with one expectation made wrong. */
export interface Alteration {
  /** Where, as `vectors[0].steps[1].expect`. */
  readonly path: string;
  /** What was done, and to which kind of expectation, as `phases[].hosts: a share vanishes`. */
  readonly kind: string;
  readonly content: unknown;
}

/** What says what must come out: these keys and everything below them. */
const EXPECTATION = /^(expect.*|pick_priority|observed)$/;
/** What places an expectation in time, or is an account of the proxy that no simulation gives. */
const NO_EXPECTATION = /^(from_s|to_s|bin_s|proxy_version|message|stats_at_start)$/;
/** Lists that stand for one expectation: one entry alone may be wrong without a contradiction. */
const WHOLE = /^(sequence|expect_any)$/;

/** Every way to make one expectation of a file wrong. */
export function* alterations(content: unknown): Generator<Alteration> {
  const isVerdict = Reflect.has(Object(content) as object, 'expected');
  for (const path of expectations(content, [], false)) {
    // Where the document rules, what was observed is told for the record.
    if (isVerdict && path.at(-1) === 'accepted' && path.includes('observed')) continue;
    const before = valueAt(content, path);
    for (const [how, value] of wrongValues(before, path, content)) {
      const copy: unknown = structuredClone(content);
      for (const [at, changed] of value) setAt(copy, at, changed);
      yield { path: describe(path), kind: `${kindOf(path)}: ${how}`, content: copy };
    }
  }
}

type Path = readonly (string | number)[];
/** What to write where. */
type Change = readonly (readonly [Path, unknown])[];

function* expectations(value: unknown, path: Path, expected: boolean): Generator<Path> {
  const key = path.at(-1);
  const whole = typeof key === 'string' && WHOLE.test(key);
  if (expected && (whole || typeof value !== 'object' || value === null)) {
    yield path;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (expected && NO_EXPECTATION.test(name)) continue;
    yield* expectations(
      child,
      [...path, Array.isArray(value) ? Number(name) : name],
      expected || EXPECTATION.test(name),
    );
  }
}

function* wrongValues(value: unknown, path: Path, content: unknown): Generator<readonly [string, Change]> {
  const parent = valueAt(content, path.slice(0, -1));
  if (typeof value === 'number' && isCounts(path)) {
    yield* wrongCounts(value, path, parent as Readonly<Record<string, number>>);
    return;
  }
  if (typeof value === 'number' && path.at(-2) === 'stats') {
    // As far off as a share of all requests can be told from chance, and by one.
    yield ['half of it and ten more', [[path, Math.ceil(value * 1.5) + 10]]];
    yield ['one more', [[path, value + 1]]];
    return;
  }
  yield ['another value', [[path, altered(value)]]];
}

/** The maps of a recording whose counts add up to all requests. */
function isCounts(path: Path): boolean {
  return path.includes('observed') && path.at(-2) === 'hosts';
}

/** A share that goes to another host leaves a recording in which everything else adds up. */
function* wrongCounts(
  value: number,
  path: Path,
  counts: Readonly<Record<string, number>>,
): Generator<readonly [string, Change]> {
  yield ['one more', [[path, value + 1]]];
  const key = path.at(-1) as string;
  const other = Object.keys(counts).find((name) => name !== key) ?? '192.0.2.1:1';
  const moved = (part: number): Change => [
    [path, value - part],
    [[...path.slice(0, -1), other], (counts[other] ?? 0) + part],
  ];
  if (value > 0) yield ['all of it goes to another host', moved(value)];
  if (value > 3) yield ['half of it goes to another host', moved(Math.ceil(value / 2))];
}

function altered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return entries.map((entry, index) => (typeof entry === 'number' ? (index % 2 === 0 ? entry : 0) : altered(entry)));
  }
  // Far more than any tolerance.
  if (typeof value === 'number') return value + 2000;
  if (typeof value === 'boolean') return !value;
  if (value === 'ok') return 'error';
  return value === 'error' ? 'ok' : '192.0.2.1:1';
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);
}

function setAt(root: unknown, path: Path, value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1) as string | number] = value;
}

function describe(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
}

/** The path without the names of hosts, workloads and statistics. */
function kindOf(path: Path): string {
  const from = path.findIndex((key) => typeof key === 'string' && EXPECTATION.test(key));
  const keys = path.slice(from === -1 ? 0 : from).filter((key) => key !== 'observed');
  return keys
    .map((key, index) => {
      if (typeof key === 'number') return '[]';
      const named = index > 0 && NAMED.test(String(keys[index - 1])) ? '*' : key;
      return index === 0 ? named : `.${named}`;
    })
    .join('');
}

/** Their keys are names. */
const NAMED =
  /^(hosts|stats|other|attempts|status|bins|workloads|mappings|upstream_side|host_table|expect_stats|expect_counts)$/;
