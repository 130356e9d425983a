/** Text as characters of an address: compressed, in base64url. The same in a browser and in Node. */
export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return toBase64Url(await collect(packed, Infinity));
}

/** @param most bytes: kilobytes may hold gigabytes of zeros. @throws RangeError beyond; else if `packed` is damaged. */
export async function unpack(packed: string, most = Infinity): Promise<string> {
  const stream = new Blob([fromBase64Url(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream, most));
}

type Bytes = Uint8Array<ArrayBuffer>;

async function collect(stream: ReadableStream<Bytes>, most: number): Promise<Bytes> {
  const parts: BlobPart[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new RangeError('too long');
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** A block of text embedded in the page. */
export const carried = (id: string): string => document.getElementById(id)?.textContent ?? '';
