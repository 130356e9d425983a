import { type LoadOptions, type LoadResult, loadScenario } from '../../scenario/load.js';
import type { RunOptions } from '../program/generated/commands.js';

/** Options of a call that change what its files say. */
export type SourceOptions = Pick<RunOptions, (typeof NAMES)[number]>;

const NAMES = [
  ...(['proxyVersion', 'api', 'seed', 'duration', 'warmup', 'set', 'cluster', 'hosts', 'unhealthy', 'fail'] as const),
  'allowUnknownStaticFields',
] as const satisfies readonly (keyof RunOptions)[];

/** A file that a scenario names, as it was read. */
export interface NamedText {
  /** As the scenario writes it. */
  readonly path: string;
  readonly writtenIn: string;
  readonly text: string;
}

/**
 * All that a scenario is made of but code, as plain data: another thread or machine reads the same scenario out of it.
 */
export interface ScenarioSource {
  readonly inputs: readonly { readonly file: string; readonly text: string }[];
  readonly named: readonly NamedText[];
  readonly options: SourceOptions;
}

/** What `loadScenario` takes for these options of a call. */
export function loadOptionsOf(options: SourceOptions): LoadOptions {
  const { duration, warmup, cluster, allowUnknownStaticFields, ...same } = sourceOptionsOf(options);
  return {
    ...same,
    durationText: duration,
    warmupText: warmup,
    clusters: cluster,
    allowUnknownFields: allowUnknownStaticFields,
  };
}

/** These options alone, of all that a call has. */
export function sourceOptionsOf(options: SourceOptions): SourceOptions {
  return Object.fromEntries(NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** @param set further changes, as of `--set`, after those of the source. */
export function loadSource(
  { inputs, named, options }: ScenarioSource,
  set: readonly string[],
  policies: Readonly<Record<string, unknown>>,
): LoadResult {
  return loadScenario(inputs, {
    ...loadOptionsOf({ ...options, set: [...(options.set ?? []), ...set] }),
    policies,
    statistics: false,
    readFile: (path, writtenIn) => {
      const found = named.find((one) => one.path === path && one.writtenIn === writtenIn);
      // A change may name a file that the scenario did not.
      if (found === undefined) throw new Error('only files that the scenario names itself can be read here');
      return found.text;
    },
  });
}
