const encoder = new TextEncoder();

/** Text as the proxy hashes it: UTF-8, no terminator. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Writes {@link utf8} of the text. @returns how many bytes; it stops where there is no room for a character. */
export const writeUtf8 = (text: string, bytes: Uint8Array): number => encoder.encodeInto(text, bytes).written;
