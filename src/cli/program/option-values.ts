import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import type { U64 } from '../../core/u64.js';
import type { Micros } from '../../core/units.js';
import { attempt, type Struct } from '../../core/values.js';
import type { ProxyVersion } from '../../core/version.js';
import type { Documents } from '../../report/documents.js';
import { type Parsed, parseDuration, parsePercent, parseU64, parseVersion } from '../../scenario/fields/units.js';

/** The names for `lbsim schema --output`. */
export type OutputName = keyof Documents;

/** Virtual seconds per wall-clock second; Infinity: as fast as possible. */
export type Pace = number;

type Reader<Read> = (text: string, before?: never) => Read;

/** @param allowed what it is, as errors say. */
function reader<Read>(read: (text: string) => Read, fits: (value: Read) => boolean, allowed: string): Reader<Read> {
  return (text) => {
    const value = read(text);
    if (fits(value)) return value;
    throw new InvalidArgumentError(allowed);
  };
}

const matching = (form: RegExp, allowed: string): Reader<string> => reader(String, (text) => form.test(text), allowed);

const gather = (value: string, values: readonly string[] = []): readonly string[] => [...values, value];

function valueOf<Value>(parsed: Parsed<Value>): Value {
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.message}.`);
  return parsed.value;
}

const microseconds = (text: string): Micros => valueOf(parseDuration(text));
const milliseconds = (text: string): number => microseconds(text) / 1000;
const hash = (text: string): U64 => valueOf(parseU64(text.trim()));

function pair(text: string): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new InvalidArgumentError('Write NAME=VALUE.');
  return { [text.slice(0, equals)]: text.slice(equals + 1) };
}

function json(text: string): Struct {
  const read = attempt(() => JSON.parse(text) as Struct, undefined);
  if (read === undefined) throw new InvalidArgumentError('This is no JSON; write {"version": "2"} or version=2.');
  return read;
}

const hostName = matching(/^[\w.-]+$/, 'It is a host name without a port.');
const SHA_256 = 'It is a SHA-256 of 64 hexadecimal digits: sha256sum my-policy.mjs prints it.';
const digest = matching(/^[\da-f]{64}$/i, SHA_256);

/** Readers of the values of options, by the name that commands.yaml has for them. */
const VALUES = {
  repeated: gather,
  positive: reader(Number, (value) => value > 0 && value !== Infinity, 'It is a number above 0.'),
  duration: microseconds,
  milliseconds,
  /** What a timer takes, in milliseconds. */
  limit: reader(milliseconds, (limit) => limit >= 1 && limit < 2 ** 31, 'It is a time from 1ms to 24 days.'),
  interval: reader(microseconds, (us) => us > 0, 'An interval is longer than 0: write 1s or 500ms.'),
  /** `1x`, `0.5x`, `10x` or `max`. */
  pace: reader(
    (text): Pace => (text === 'max' ? Infinity : Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1])),
    (factor) => factor > 0,
    'It is 1x, 10x, 0.5x … or max.',
  ),
  /** `1%` or `0.01`. */
  precision: reader(
    (text) => valueOf(parsePercent(text)),
    (share) => share > 0 && share < 1,
    'It lies between 0% and 100%: write 1%.',
  ),
  /** `1e-6` */
  chance: reader(
    Number,
    (chance) => chance >= 1e-12 && chance < 1,
    'It is a chance from 1e-12 to below 1: write 1e-6.',
  ),
  /** `5000-requests` */
  requests: reader(
    (text) => Number(/^(\d+)(?:-requests)?$/.exec(text)?.[1]),
    (number) => number >= 1,
    'It is a number of requests: write 5000-requests.',
  ),
  page: matching(/^https?:\/\/[^\s?#]+$/i, 'It is an address, as http://localhost:9901.'),
  port: reader(
    (text) => (/^\d{1,5}$/.test(text) ? Number(text) : NaN),
    (number) => number <= 65_535,
    'It is a whole number from 0 to 65535.',
  ),
  address: reader(
    (text) => (text === 'localhost' ? '127.0.0.1' : text.replace(/^\[(.*)\]$/, '$1')),
    (ip) => isIP(ip) !== 0,
    'It is an IP address of this machine, as 127.0.0.1 or ::1.',
  ),
  hash,
  /** `5,6` */
  hashes: (text: string) => text.split(',').map(hash),
  /** Names in lower case. */
  headers: (text: string, before?: Readonly<Record<string, string>>) => ({
    ...before,
    ...pair(text.replace(/^[^=]*/, (name) => name.toLowerCase())),
  }),
  /** `k=v`, each a text, or one JSON object. */
  metadata: (text: string, before?: Struct): Struct => ({
    ...before,
    ...(text.trimStart().startsWith('{') ? json(text) : pair(text)),
  }),
  version: (text: string): ProxyVersion => {
    const parsed = parseVersion(text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError(`${parsed.message}; docs/fidelity.md says what differs between versions.`);
  },
  /** Allowed in a Host header. */
  names: (text: string, before?: readonly string[]) => gather(hostName(text), before),
  digests: (text: string, before?: readonly string[]) => gather(digest(text).toLowerCase(), before),
} satisfies Readonly<Record<string, Reader<unknown>>>;

/** The name of a reader, or a range of whole numbers, as `1..1024`. */
type ValueName = keyof typeof VALUES | `${number}..${number}`;

/** What the reader of this name makes of a text. @public the types of options use it. */
export type Value<Name extends ValueName> = Name extends keyof typeof VALUES
  ? ReturnType<(typeof VALUES)[Name]>
  : number;

export function valueReader(name: ValueName): (text: string, before: unknown) => unknown {
  const [least, most] = name.split('..').map(Number);
  const read =
    least === undefined || most === undefined ? VALUES[name as keyof typeof VALUES] : wholeNumber(least, most);
  return read as (text: string, before: unknown) => unknown;
}

function wholeNumber(least: number, most: number): Reader<number> {
  const fits = (value: number): boolean => Number.isInteger(value) && value >= least && value <= most;
  return reader(Number, fits, `It is a whole number from ${least} to ${most}.`);
}

/** Those of these options that are given, as users write them. */
export const givenOf = <Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly NoInfer<Name>[],
): readonly string[] =>
  names
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);

export interface Details {
  readonly words: string;
  readonly value?: ValueName;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** The default, as users write it. */
  readonly shown?: string;
  readonly required?: true;
  readonly conflicts?: string[];
}

/** Options that do not go together, by their names without dashes. */
export interface Refused {
  /** Given together; of a list one of them. */
  readonly of: readonly (string | readonly string[])[];
  /** Where none of these is given. */
  readonly without?: readonly string[];
  /** OPTION: the one of the last list. */
  readonly because: string;
}

/** By their flags, as commander writes them. */
type Entries = Readonly<Record<string, Details>>;

/** The form of commands.yaml. @public the module that is made of it says that it has this form. */
export interface CommandLine {
  /** The commands by what one wants, most used first. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The last lines of --help. */
  readonly closing: string;
  readonly outputs: readonly OutputName[];
  readonly summaries: Readonly<Record<string, string>>;
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly argument: Entries;
        readonly options: Entries;
        readonly refused?: readonly Refused[];
        readonly examples: readonly string[];
      }
    >
  >;
  readonly topics: Readonly<Record<string, string>>;
}
