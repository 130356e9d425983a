const encoder = new TextEncoder();

/** Text as the proxy hashes it: UTF-8, no terminator. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes {@link utf8} of the text. @returns how many bytes; it stops where there is no room for a character. */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  return encoder.encodeInto(text, bytes).written;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
