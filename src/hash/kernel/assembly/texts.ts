/** Hashes of texts: the keys of requests, one or many at a time. */
import { BLOCK, ensure, INPUT } from './layout';
import { murmur2 } from './murmur2';
import { xxHash64 } from './xxhash64';

let room: u32 = 0;

/** Makes room for a text of so many bytes. @returns where it goes. */
export function textAddress(length: u32): usize {
  ensure(INPUT + length + 8);
  return INPUT;
}

/** Hashes the text of so many bytes at {@link textAddress}. @returns where the hash is: the low, then the high half. */
export function hashText(length: u32, seedHi: u32, seedLo: u32): usize {
  store<u64>(BLOCK, xxHash64(INPUT, length, ((<u64>seedHi) << 32) | seedLo));
  return BLOCK;
}

/** The same with MurmurHash2. */
export function murmurText(length: u32): usize {
  store<u64>(BLOCK, murmur2(INPUT, length));
  return BLOCK;
}

/** Makes room for up to so many texts of so many bytes in all. */
export function startTexts(texts: u32, bytes: u32): void {
  room = texts;
  ensure(textsAddress() + bytes + 8);
}

/** Output: the low, then the high half of each hash, u32 each. */
export function textHashesAddress(): usize {
  return INPUT;
}

/** Input, u32 each: where each text ends; it begins where the one before it ends. */
export function textEndsAddress(): usize {
  return INPUT + ((<usize>room) << 3);
}

/** Input: the texts, one behind the other. */
export function textsAddress(): usize {
  return INPUT + 12 * (<usize>room);
}

/** @param count of those that were written. */
export function hashTexts(count: u32): void {
  const texts = textsAddress();
  const ends = textEndsAddress();
  let from: u32 = 0;
  for (let text: u32 = 0; text < count; text++) {
    const end = load<u32>(ends + ((<usize>text) << 2));
    store<u64>(INPUT + ((<usize>text) << 3), xxHash64(texts + from, end - from, 0));
    from = end;
  }
}
