/** core.*: messages that many others share: locality, node, headers, data sources. */
import type { Messages } from './api/generated/read-messages.js';
import { KNOWN_NAMES } from './generated/known-names.js';
import { didYouMean, mapping, message, reading, valid, rule, messageWith, readerOf, type Rule } from './reader.js';
import { FILLED, limited } from './reader/limits.js';
import { string } from './reader/proto/strings.js';
import { struct } from './reader/proto/well-known.js';

const namedStructs = mapping(struct(), (key) => (key === '' ? 'a key must not be empty' : undefined));

messageWith('core.Metadata', { own: () => ({ filter_metadata: namedStructs }) });

export const Node = message('core.Node');
export type Node = Messages['core.Node'];

message(
  'core.HeaderValue',
  valid(
    'header-format',
    'value',
    'Format specifiers in the value are complete, and the proxy knows them.',
    headerFormatProblem,
  ),
  valid('header-name', 'key', 'Neither host nor a header that begins with a colon may be set.', (key: string) =>
    isProtected(key) ? `${key}: :-prefixed or host headers may not be modified` : undefined,
  ),
);

/** Headers that routes and health checks must not change: the proxy has other fields for them. */
export const isProtected = (header: string): boolean => header.startsWith(':') || header.toLowerCase() === 'host';

const WITH_ARGUMENTS: ReadonlySet<string> = new Set(KNOWN_NAMES.with_arguments);
const EITHER_WAY: ReadonlySet<string> = new Set(KNOWN_NAMES.either_way);
const PLAIN: ReadonlySet<string> = new Set(KNOWN_NAMES.plain);

const COMMAND = /%%|%([A-Z0-9_]+)(\([^)]*\))?(?::\d+)?%/g;

/**
 * Why the proxy rejects the value of a header that it adds, a text with the commands of access logging; undefined: it does not.
 * `%COMMAND%`, `%COMMAND(ARGUMENTS)%`, `%COMMAND(ARGUMENTS):LENGTH%`; a percent sign alone is `%%`.
 */
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
  if (PLAIN.has(name))
    return found === `%${name}%` ? undefined : `${found}: ${name} does not take any parameters or length`;
  const known = [...WITH_ARGUMENTS, ...EITHER_WAY, ...PLAIN];
  return `${found}: field '${name}' not supported as custom header${didYouMean(name, known)}`;
}

export const REDACTED = '[redacted]';

const readText = readerOf(limited(string(), [FILLED]));

/** Path of a file that the proxy reads at start. */
const filePath = reading<string>('string', (node, walk) => {
  const path = readText(node, walk);
  if (typeof path !== 'string' || path === REDACTED || walk.options.fileExists?.(path) !== false) return path;
  const text = `Invalid path: ${path}: there is no such file here, and a proxy does not start without it`;
  // A simulation needs no certificate.
  if (walk.options.forRun === true) walk.report('warning', 'file', text, node);
  else return walk.error('file', text, node);
  return path;
});

messageWith('core.DataSource', { own: () => ({ filename: filePath }) });
export type DataSource = Messages['core.DataSource'];

/** The proxy compares whole milliseconds, of which there is at least one. */
const wholeMs = (us: number): number => Math.max(1, Math.floor(us / 1000));

/** @param text the proxy's message, which differs between messages. */
export const backoffOrder = (text: string): Rule<Messages['core.BackoffStrategy']> =>
  rule('backoff-order', ['base_interval', 'max_interval'], ({ baseInterval, maxInterval }, report) => {
    if (maxInterval !== undefined && wholeMs(maxInterval) < wholeMs(baseInterval)) report(text, ['max_interval']);
  });

message('core.BackoffStrategy', backoffOrder('max_interval must be greater than or equal to the base_interval'));
