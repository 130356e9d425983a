const encoder = new TextEncoder();

/** Text as the proxy hashes it: UTF-8, no terminator. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Order of `std::string`: by unsigned bytes, a prefix first. UTF-16 order differs from it outside the basic plane. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
