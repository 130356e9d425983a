const encoder = new TextEncoder();

/** Text as the proxy hashes it: UTF-8, no terminator. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
