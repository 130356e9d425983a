/**
 * The values of headers that the proxy adds: text with the commands of access logging.
 *
 * `%COMMAND%`, `%COMMAND(ARGUMENTS)%`, `%COMMAND(ARGUMENTS):LENGTH%`; a percent sign alone is `%%`.
 */
import { KNOWN_NAMES } from '../generated/known-names.js';
import { didYouMean } from '../reader/error-words.js';

const WITH_ARGUMENTS: ReadonlySet<string> = new Set(KNOWN_NAMES.with_arguments);
const EITHER_WAY: ReadonlySet<string> = new Set(KNOWN_NAMES.either_way);
const PLAIN: ReadonlySet<string> = new Set(KNOWN_NAMES.plain);

const COMMAND = /%%|%([A-Z0-9_]+)(\([^)]*\))?(?::\d+)?%/g;

/** Why the proxy rejects a header's value; undefined: it does not. */
export function headerFormatProblem(value: string): string | undefined {
  let literal = '';
  let end = 0;
  for (const { 0: found, 1: name, 2: args, index } of value.matchAll(COMMAND)) {
    literal += value.slice(end, index);
    end = index + found.length;
    if (literal.includes('%')) break;
    const problem = name === undefined ? undefined : commandProblem(name, found, args);
    if (problem !== undefined) return problem;
    literal += ' '.repeat(found.length);
  }
  const at = (literal + value.slice(end)).indexOf('%');
  return at === -1
    ? undefined
    : `Incorrect configuration: ${value}. Couldn't find valid command at position ${at}; a percent sign alone is %%`;
}

function commandProblem(name: string, found: string, args = '()'): string | undefined {
  if (WITH_ARGUMENTS.has(name)) return args === '()' ? `${found}: ${name} requires parameters` : undefined;
  if (EITHER_WAY.has(name)) return undefined;
  if (PLAIN.has(name)) {
    return found === `%${name}%` ? undefined : `${found}: ${name} does not take any parameters or length`;
  }
  const known = [...WITH_ARGUMENTS, ...EITHER_WAY, ...PLAIN];
  return `${found}: field '${name}' not supported as custom header${didYouMean(name, known)}`;
}
