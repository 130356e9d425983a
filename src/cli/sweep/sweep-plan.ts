import { Readable } from 'node:stream';
import {
  type Axis,
  type Design,
  grid,
  latinHypercube,
  parseAxis,
  randomDesign,
  reworded,
} from '../../analysis/sweep/axis.js';
import { type Bound, type Measure, measureNamed, measuresOf, parseBound } from '../../analysis/sweep/sweep.js';
import { sum } from '../../core/lists.js';
import type { SweepMeasures } from '../../report/sweep-report.js';
import type { Scenario } from '../../scenario/model.js';
import { maskedText } from '../../scenario/secret-words.js';
import { setsWithoutSecrets } from '../../scenario/secrets.js';
import { InputError, UsageError } from '../errors.js';
import { requestsOf } from '../long-work.js';
import { readScenario, type Runnable, type ScenarioSource } from '../input/scenario-file.js';
import type { SweepOptions } from '../program/generated/commands.js';
import { Session } from '../session.js';

export function axesOf({ vary = [] }: SweepOptions): readonly Axis[] {
  const axes = vary.map((text) => {
    const axis = parseAxis(text);
    if (typeof axis === 'string') throw new UsageError(maskedText(`--vary ${text}: ${axis}`));
    return axis;
  });
  const paths = axes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined)
    throw new UsageError(maskedText(`--vary ${twice} stands twice: write all of its values together`));
  return axes;
}

/** The same without what is secret where it is put: it changes no result, and results are told, stored and sent. */
export function axesWithoutSecrets(
  axes: readonly Axis[],
  { inputs, options: { set = [], api } }: ScenarioSource,
): readonly Axis[] {
  return axes.map((axis) =>
    reworded(axis, (changes) => setsWithoutSecrets([...set, ...changes], inputs, api).slice(set.length)),
  );
}

export function designOf(axes: readonly Axis[], { random, latinHypercube: cube }: SweepOptions, seed: string): Design {
  if (random !== undefined) return randomDesign(axes, random, seed);
  return cube === undefined ? grid(axes) : latinHypercube(axes, cube, seed);
}

/** Values of an axis that are read before anything is run: the others differ from these in their numbers alone. */
const READ_FIRST = 20;

/** What is known of a sweep before it begins. */
export interface CheckedAxes {
  /** With the files that any of the values names. */
  readonly source: ScenarioSource;
  /** Of a run on average; undefined: that depends on the run. */
  readonly requests: number | undefined;
}

/**
 * Reads the scenario with each value of each axis, one at a time, so that a mistake is reported before anything is run.
 *
 * @throws InputError where none of the values of an axis can be, or the field is not known.
 */
export async function checkAxes(
  axes: readonly Axis[],
  { source, scenario }: Runnable,
  files: readonly string[],
  options: SweepOptions,
  session: Session,
): Promise<CheckedAxes> {
  const named = new Map(source.named.map((one) => [`${one.writtenIn}\0${one.path}`, one]));
  const base = requestsOf(scenario);
  let requests = base;
  for (const { path, size, at } of axes) {
    const found: (number | undefined)[] = [];
    const shown = Math.min(size, READ_FIRST);
    const indices = new Set(
      Array.from({ length: shown }, (_, n) => Math.round((n * (size - 1)) / Math.max(1, shown - 1))),
    );
    for (const index of indices) {
      const change = `${path}=${at(index)}`;
      const set = [...(options.set ?? []), change];
      const read = await readScenario(files, { ...options, set, source: true }, again(source, session));
      for (const one of read.source.named) named.set(`${one.writtenIn}\0${one.path}`, one);
      if (read.scenario !== undefined) found.push(requestsOf(read.scenario));
      const errors = read.problems.filter(({ severity }) => severity === 'error');
      if (errors.length === 0) continue;
      const label = `--set ${change}`;
      const located = errors.map((problem) =>
        problem.file === label ? { ...problem, file: `--vary ${change}` } : problem,
      );
      throw new InputError(located, read.sources);
    }
    // As if fields did not depend on each other.
    requests = product(requests, ratioOf(meanOf(found), base));
  }
  return { source: { ...source, named: [...named.values()] }, requests: requests && Math.round(requests) };
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : sum(known) / values.length;
}

function ratioOf(mean: number | undefined, base: number | undefined): number | undefined {
  if (mean === undefined || base === undefined) return undefined;
  return base === 0 ? 1 : mean / base;
}

function product(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}

/** Standard input can be read once: after that it is what was read. */
function again({ inputs }: ScenarioSource, session: Session): Session {
  const piped = inputs.find(({ file }) => file === '-');
  return piped === undefined ? session : new Session({ ...session.io, stdin: Readable.from([piped.text]) });
}

export function planMeasures(scenario: Scenario, options: SweepOptions): SweepMeasures {
  const known = measuresOf(busyClusters(scenario));
  const named = (option: string, name: string): Measure => {
    const measure = measureNamed(name, known);
    if (typeof measure === 'string') throw new UsageError(`${option} ${name}: ${measure}`);
    return measure;
  };
  const { minimize, maximize, subjectTo = [] } = options;
  const wanted = minimize ?? maximize;
  const asked = (options.measure ?? []).map((name) => named('--measure', name));
  const bounds = subjectTo.map((text): Bound => {
    const bound = parseBound(text, known);
    if (typeof bound === 'string') throw new UsageError(`--subject-to ${text}: ${bound}`);
    return bound;
  });
  const goal =
    wanted === undefined
      ? undefined
      : {
          measure: named(minimize === undefined ? '--maximize' : '--minimize', wanted),
          maximize: minimize === undefined,
          bounds,
        };
  const all = [
    ...known,
    ...asked,
    ...bounds.map(({ measure }) => measure),
    ...(goal === undefined ? [] : [goal.measure]),
  ];
  return { kept: [...new Map(all.map((one) => [one.number, one])).values()], asked, goal };
}

/** Clusters that requests are sent to, in the order of the scenario. */
function busyClusters({ clusters, workloads, requests }: Scenario): readonly string[] {
  const busy = new Set([
    ...workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster)),
    ...requests.map(({ cluster }) => cluster),
  ]);
  return clusters.flatMap(({ name }) => (busy.has(name) ? [name] : []));
}
