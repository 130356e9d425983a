import { compileKernel, instantiate, writeText } from './kernel/kernel.js';

/** Hashes the key of a request as the proxy's hash policies do: xxHash64, seed 0. */
export interface KeyHasher {
  /** Synchronous; writes the hash into `out` as two unsigned 32-bit halves. */
  hash(key: string, out: { hi: number; lo: number }): void;
}

/** Once per process or run: it has its own memory, and its code is compiled asynchronously. */
export async function createKeyHasher(): Promise<KeyHasher> {
  await compileKernel();
  const kernel = instantiate();
  let bytes = new Uint8Array();
  let words = new Uint32Array();
  return {
    hash: (key, out) => {
      // A UTF-16 unit takes up to three bytes of UTF-8.
      const address = kernel.textAddress(3 * key.length);
      if (bytes.buffer !== kernel.memory.buffer) {
        bytes = new Uint8Array(kernel.memory.buffer);
        words = new Uint32Array(kernel.memory.buffer);
      }
      const at = kernel.hashText(writeText(key, bytes, address) - address) >>> 2;
      out.lo = words[at] as number;
      out.hi = words[at + 1] as number;
    },
  };
}
