import type { Overrides, SourceFile } from './engine/protocol.js';

/** The contents of a link: texts and the state of the page. It is data: nothing in it is run, opened or loaded. */
export interface Shared {
  readonly files: readonly SourceFile[];
  readonly overrides: Overrides;
  /** The time to show first, in seconds. */
  readonly at: number;
}

const PREFIX = '#s=';
/** Longer addresses get lost in chats and mails. */
export const MAX_LINK = 30_000;
/** Maximum size of an unpacked link: a few kilobytes can contain gigabytes of zeros. */
const MAX_TEXT = 4_000_000;

/** The fragment of an address, which browsers do not send. */
export async function toFragment(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await collect(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  return PREFIX + toBase64Url(packed);
}

/**
 * @returns undefined for any other fragment.
 * @throws Error that explains an invalid one.
 */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  let text: string;
  try {
    const packed = fromBase64Url(fragment.slice(PREFIX.length));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    text = new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream, MAX_TEXT));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error('This link is damaged: a part of it is missing. Ask for it again.', { cause: error });
  }
  return readShared(text);
}

function readShared(text: string): Shared {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('This link holds no scenario.', { cause: error });
  }
  const { files, overrides, at } = fieldsOf(value);
  const list = Array.isArray(files) ? files.map(fieldsOf) : [];
  const texts = list.flatMap(({ file, text: content }) =>
    typeof file === 'string' && typeof content === 'string' ? [{ file, text: content }] : [],
  );
  if (texts.length === 0 || texts.length !== list.length) throw new Error('This link holds no scenario.');
  const { seed, proxyVersion } = fieldsOf(overrides);
  return {
    files: texts,
    overrides: {
      ...(typeof seed === 'string' && { seed }),
      ...(typeof proxyVersion === 'string' && { proxyVersion }),
    },
    at: typeof at === 'number' && Number.isFinite(at) ? at : 0,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new RangeError(`This link unfolds to more than ${most / 1_000_000} MB, which is not read.`);
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
