import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Problem } from '../../src/core/problem.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Json } from '../support/samples.js';

/**
 * One value of a sound scenario is broken: that is the one mistake to report. What follows from it (a field that is
 * missing now, a name that nobody has, advice on a part that could not be read) would only hide it.
 */
const folder = join(import.meta.dirname, '../../scenarios');
type Step = string | number;

function* pathsOf(value: Json, path: readonly Step[] = []): Generator<readonly Step[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  const entries: readonly (readonly [Step, Json])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [step, part] of entries) yield* pathsOf(part, [...path, step]);
}

/** A copy in which the value at a path is another. */
function changed(value: Json, path: readonly Step[], change: (old: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) => (index === step ? changed(item, rest, change) : item));
  }
  const map = value as Readonly<Record<string, Json>>;
  return { ...map, [step]: changed(map[step] ?? null, rest, change) };
}

/** A copy in which a key has a letter too many. */
function misspelt(value: Json, path: readonly Step[]): Json {
  const key = path.at(-1);
  return changed(value, path.slice(0, -1), (old) =>
    Object.fromEntries(
      Object.entries(old as object).map(([name, part]) => [name === key ? `${name}x` : name, part as Json]),
    ),
  );
}

const BREAK: Readonly<Record<string, (old: Json) => Json>> = {
  'another type': (old) => (typeof old === 'object' ? 7 : { nonsense: 1 }),
  'a list of a list': () => [[]],
  'an empty text': () => '',
};

function problemsOf(value: Json): readonly Problem[] {
  const readFile = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return loadScenario({ file: 'a.json', text: JSON.stringify(value) }, { lint: true, readFile }).problems;
}

/** Mistakes and warnings that the whole scenario does not have. */
function news(value: Json, known: ReadonlySet<string>): readonly string[] {
  return problemsOf(value)
    .filter(({ severity, rule }) => severity === 'error' || (severity === 'warning' && !known.has(rule)))
    .map(({ severity, path, message }) => `${severity} ${path}: ${message}`);
}

const scenarios = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, value: parse(readFileSync(join(folder, name), 'utf8')) as Json }));

/** Each kind of place once, in the first scenario that has it. */
const places = new Map<string, { readonly name: string; readonly value: Json; readonly path: readonly Step[] }>();
for (const { name, value } of scenarios) {
  for (const path of pathsOf(value)) {
    const free = path[0] === 'endpoints' || path[0] === 'dns' || path[0] === 'assignments';
    const shape = path.map((step, at) => (typeof step === 'number' || (free && at === 1) ? '*' : step)).join('.');
    if (!places.has(shape)) places.set(shape, { name, value, path });
  }
}

describe('one mistake is one problem', () => {
  it.each([...places])('%s', (_, { name, value, path }) => {
    const known = new Set(problemsOf(value).map(({ rule }) => rule));
    for (const [what, change] of Object.entries(BREAK)) {
      const found = news(changed(value, path, change), known);
      // What broke it may be allowed there: then there is nothing to report, or advice.
      const mistakes = found.filter((text) => text.startsWith('error'));
      if (mistakes.length > 0) expect({ name, what, found }).toEqual({ name, what, found: mistakes.slice(0, 1) });
    }
    if (typeof path.at(-1) === 'string') {
      const found = news(misspelt(value, path), known);
      const mistakes = found.filter((text) => text.startsWith('error'));
      if (mistakes.length > 0) expect({ name, found }).toEqual({ name, found: mistakes.slice(0, 1) });
    }
  });
});
