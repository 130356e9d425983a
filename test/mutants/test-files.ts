import { readdirSync, readFileSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import '../support/property-seed.js';

/** A test, as a function of this process. */
export interface Test {
  readonly name: string;
  readonly check: () => Promise<void>;
}

type Body = (...args: readonly unknown[]) => unknown;
type Declare = (name: string, body?: Body) => void;

declare global {
  /** What a test file that is being loaded gets as `vitest`. */
  var collecting: Readonly<Record<string, unknown>>;
}

/**
 * All tests of the given files and folders, so that what is reached can be noted of each, in one process.
 *
 * Of vitest they get `expect` and `vi` as they are, and a `describe`, `it` and `test` that collect.
 */
export async function testsOf(places: readonly string[]): Promise<readonly Test[]> {
  const { chai, expect, vi } = await import('vitest');
  // Vitest's own needs its runner.
  chai.util.addMethod(chai.Assertion.prototype, 'toMatchFileSnapshot', function (this: object, file: string) {
    expect(chai.util.flag(this, 'object')).toBe(readFileSync(file, 'utf8'));
  });
  register('../../scripts/collecting-hooks.mjs', import.meta.url);
  const found: Test[] = [];
  for (const file of places.flatMap(testFiles)) {
    const { collected, api } = collectorOf(file);
    globalThis.collecting = { ...api, expect, vi };
    await import(pathToFileURL(join(PROJECT, file)).href);
    found.push(...collected);
  }
  return found;
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

function testFiles(place: string): readonly string[] {
  if (statSync(join(PROJECT, place)).isFile()) return [place];
  const files = readdirSync(join(PROJECT, place), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${place}/${name}`);
}

/** What a test file imports as `vitest`, and the tests that it then declares. */
function collectorOf(file: string): { readonly collected: Test[]; readonly api: Readonly<Record<string, unknown>> } {
  const collected: Test[] = [];
  const [before, after]: readonly [Body[], Body[]] = [[], []];
  const names: string[] = [];
  let skips = false;
  let finished: Body[] = [];
  const declareTest: Declare = (name, body) => {
    if (body === undefined || skips) return;
    const check = async (): Promise<void> => {
      finished = [];
      for (const hook of before) await hook();
      try {
        await body({});
      } finally {
        for (const hook of [...finished, ...after]) await hook();
      }
    };
    collected.push({ name: [file, ...names, name].join(' > '), check });
  };
  const declareGroup: Declare = (name, body) => {
    names.push(name);
    body?.();
    names.pop();
  };
  const skipping =
    (declare: Declare) =>
    (isSkipped: boolean): Declare =>
    (name, body) => {
      const outside = skips;
      skips ||= isSkipped;
      declare(name, body);
      skips = outside;
    };
  const withVariants = (declare: Declare): Declare =>
    Object.assign((name: string, body?: Body) => declare(name, body), {
      each: (rows: readonly unknown[]) => (name: string, body: Body) => {
        for (const [index, row] of rows.entries()) {
          const args: readonly unknown[] = Array.isArray(row) ? row : [row];
          declare(`${name.replace('%s', String(args[0]))} #${index + 1}`, () => body(...args));
        }
      },
      skipIf: skipping(declare),
      runIf: (isRun: boolean) => skipping(declare)(!isRun),
    });
  const test = withVariants(declareTest);
  return {
    collected,
    api: {
      describe: withVariants(declareGroup),
      it: test,
      test,
      beforeEach: (body: Body) => before.push(body),
      afterEach: (body: Body) => after.push(body),
      onTestFinished: (body: Body) => finished.push(body),
      // Tests are asked again and again: there is no last one.
      afterAll: () => undefined,
    },
  };
}
