import { existsSync } from 'node:fs';
import type { Problem } from '../core/problem.js';
import { hasErrors } from '../core/problem.js';
import { loadScenario } from '../scenario/load.js';
import type { Scenario } from '../scenario/model.js';
import { relativeTo } from '../scenario/trace.js';
import { unsupportedFeatures } from '../simulation/support.js';
import { errorCode, InputError, reasonOf } from './errors.js';
import { readWholeFile, RefusedFile } from './read-file.js';
import { readInput } from './read-input.js';
import type { Session } from './session.js';

/** What every command that takes a scenario takes with it. */
export interface ScenarioOptions {
  readonly proxyVersion?: string;
  readonly seed?: string;
  readonly duration?: string;
  readonly set?: readonly string[];
  readonly unhealthy?: readonly string[];
  readonly fail?: readonly string[];
  /** Also look for what is legal and does not do what it seems to. */
  readonly lint?: boolean;
  /** Also look for the files that the proxy's configuration names. */
  readonly files?: boolean;
}

export interface ReadScenario {
  /** undefined exactly where `problems` has errors. */
  readonly scenario: Scenario | undefined;
  readonly problems: readonly Problem[];
  /** Text by file name, to show lines of it. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Reads and checks a scenario; what is wrong with its content is returned, what keeps it from being read is thrown. */
export async function readScenario(file: string, options: ScenarioOptions, session: Session): Promise<ReadScenario> {
  const text = await readInput(file, session.io);
  const sources = new Map([[file, text]]);
  const { scenario, problems } = loadScenario(
    { file, text },
    {
      proxyVersion: options.proxyVersion,
      seed: options.seed,
      durationText: options.duration,
      set: options.set,
      unhealthy: options.unhealthy,
      fail: options.fail,
      lint: options.lint,
      fileExists: options.files === true ? existsSync : undefined,
      readFile: (path) => {
        const name = relativeTo(file, path);
        const content = readNamed(name);
        sources.set(name, content);
        return content;
      },
    },
  );
  const failed = hasErrors(problems);
  return { scenario: failed ? undefined : scenario, problems, sources };
}

/** Some ten million arrivals. */
const MAX_NAMED_BYTES = 128 * 1024 * 1024;

/** A file that the scenario names; the message of what is thrown becomes a part of a problem. */
function readNamed(path: string): string {
  try {
    return new TextDecoder('utf-8').decode(readWholeFile(path, MAX_NAMED_BYTES));
  } catch (error) {
    if (error instanceof RefusedFile) throw new Error(asClause(error.message), { cause: error });
    throw new Error(errorCode(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error), { cause: error });
  }
}

function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/**
 * Reads a scenario that is to be run: warnings go to standard error, anything that keeps it from running is thrown.
 */
export async function readRunnable(file: string, options: ScenarioOptions, session: Session): Promise<Scenario> {
  const { scenario, problems, sources } = await readScenario(file, options, session);
  if (scenario === undefined) throw new InputError(problems, sources);
  const unsupported = unsupportedProblems(scenario, file, 'error');
  if (unsupported.length > 0) throw new InputError([...problems, ...unsupported], sources);
  const audible = problems.filter((problem) => problem.severity !== 'note');
  if (audible.length > 0) await session.warn(audible, '', sources);
  return scenario;
}

/** What the scenario asks for that cannot be simulated yet, by name. */
export function unsupportedProblems(scenario: Scenario, file: string, severity: 'error' | 'warning'): Problem[] {
  return unsupportedFeatures(scenario).map(({ feature, path }) => ({
    severity,
    file,
    path,
    line: 0,
    column: 0,
    message: `not supported yet: ${feature}`,
    rule: 'not-supported',
  }));
}
