import { compileKernel, instantiate, writeText } from './kernel/kernel.js';

/** Hashes the key of a request as the proxy's hash policies do: xxHash64, seed 0. */
export interface KeyHasher {
  /** Synchronous; writes the hash into `out` as two unsigned 32-bit halves. */
  hash(key: string, out: { hi: number; lo: number }): void;
}

/** Bytes that most keys fit into. */
const USUAL_ROOM = 4096;

/** Once per process or run: it has its own memory, and its code is compiled asynchronously. */
export async function createKeyHasher(): Promise<KeyHasher> {
  await compileKernel();
  const kernel = instantiate();
  let room = 0;
  let address = 0;
  let bytes = new Uint8Array();
  let words = new Uint32Array();
  const makeRoom = (length: number): void => {
    room = length;
    address = kernel.textAddress(room);
    bytes = new Uint8Array(kernel.memory.buffer);
    words = new Uint32Array(kernel.memory.buffer);
  };
  makeRoom(USUAL_ROOM);
  return {
    hash: (key, out) => {
      // A UTF-16 unit takes up to three bytes of UTF-8.
      if (3 * key.length > room) makeRoom(3 * key.length);
      const at = kernel.hashText(writeText(key, bytes, address) - address) >>> 2;
      out.lo = words[at] as number;
      out.hi = words[at + 1] as number;
    },
  };
}
