const encoder = new TextEncoder();

/** Text as the proxy hashes it: UTF-8, no terminator. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes {@link utf8} of the text. @returns how many bytes; it stops where there is no room for a character. */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  return encoder.encodeInto(text, bytes).written;
}
