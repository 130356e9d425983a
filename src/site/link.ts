import type { LoadOptions } from '../index.js';
import { isModuleName } from '../scenario/modules/module-shape.js';
import { pack, unpack } from './packed.js';

/** A text as the user named it. */
export type SourceFile = Readonly<{ file: string; text: string }>;

const TEXTS = ['seed', 'proxyVersion', 'durationText', 'warmupText'] as const;
const LISTS = ['set', 'unhealthy', 'fail', 'hosts', 'clusters'] as const;

/** A text without a name is a module where it exports something. */
export const isCode = (text: string): boolean => /^export\b/m.test(text);

/** Policies of one's own, which are code. */
export const modulesOf = (files: readonly SourceFile[]) => files.filter(({ file }) => isModuleName(file));

export const textsOf = (files: readonly SourceFile[]) => files.filter(({ file }) => !isModuleName(file));

/** Options beside the text, as the command has them. */
export type Overrides = Pick<
  LoadOptions,
  (typeof TEXTS)[number] | (typeof LISTS)[number] | 'api' | 'allowUnknownFields'
>;

/** One scenario, in one text or several. */
export type Subject = Readonly<{ files: readonly SourceFile[]; overrides: Overrides }>;

/** The contents of a link: texts and the state of the page. It is data: a module in it is run once the reader has allowed it. */
export interface Shared extends Subject {
  /** The time to show first, in seconds; absent: that which tells most. */
  readonly at?: number;
  /** A, where this is B of a comparison. */
  readonly beside?: Subject;
}

const PREFIX = '#s=';
/** Longer addresses get lost in chats and mails. */
export const MAX_LINK = 30_000;
/** Maximum size of an unpacked link: a few kilobytes can contain gigabytes of zeros. */
const MAX_TEXT = 4_000_000;

/** The fragment of an address, which browsers do not send. */
export const toFragment = async (shared: Shared): Promise<string> => PREFIX + (await pack(JSON.stringify(shared)));

/** @returns undefined for any other fragment. @throws Error that explains an invalid one. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  let text: string;
  try {
    text = await unpack(fragment.slice(PREFIX.length), MAX_TEXT);
  } catch (error) {
    if (error instanceof RangeError) {
      const most = MAX_TEXT / 1_000_000;
      throw new RangeError(`This link unfolds to more than ${most} MB, which is not read.`, { cause: error });
    }
    throw new Error('This link is damaged: a part of it is missing. Ask for it again.', { cause: error });
  }
  return readShared(text);
}

/** A shipped scenario by its name, as `#example=showcase&at=30`; undefined for any other fragment. */
export function exampleIn(fragment: string): { readonly name: string; readonly at?: number } | undefined {
  const fields = new URLSearchParams(fragment.slice(1));
  const name = fields.get('example');
  if (name === null) return undefined;
  const at = Number(fields.get('at') ?? NaN);
  return { name, ...(Number.isFinite(at) && { at: Math.max(0, at) }) };
}

function readShared(text: string): Shared {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('This link holds no scenario.', { cause: error });
  }
  const { at, beside } = fieldsOf(value);
  return {
    ...readSubject(value),
    ...(typeof at === 'number' && Number.isFinite(at) && { at }),
    ...(beside !== undefined && { beside: readSubject(beside) }),
  };
}

function readSubject(value: unknown): Subject {
  const { files, overrides } = fieldsOf(value);
  const list = Array.isArray(files) ? files.map(fieldsOf) : [];
  const texts = list.flatMap(({ file, text: content }) =>
    typeof file === 'string' && typeof content === 'string' ? [{ file, text: content }] : [],
  );
  if (texts.length === 0 || texts.length !== list.length) throw new Error('This link holds no scenario.');
  return { files: texts, overrides: readOverrides(fieldsOf(overrides)) };
}

/** What is known, where it has the right type; its values are checked like those of a command line. */
function readOverrides(given: Readonly<Record<string, unknown>>): Overrides {
  const { api, allowUnknownFields } = given;
  return {
    ...Object.fromEntries(TEXTS.filter((name) => typeof given[name] === 'string').map((name) => [name, given[name]])),
    ...Object.fromEntries(LISTS.filter((name) => isTexts(given[name])).map((name) => [name, given[name]])),
    ...((api === 'v2' || api === 'v3') && { api }),
    ...(allowUnknownFields === true && { allowUnknownFields }),
  };
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
