import xxhash from 'xxhash-wasm';

/** Hashes the key of a request as the proxy's hash policies do: xxHash64, seed 0. */
export interface KeyHasher {
  /** Synchronous; writes the hash into `out` as two unsigned 32-bit halves. */
  hash(key: string, out: { hi: number; lo: number }): void;
}

/** Once per process or run: the WebAssembly module behind it is compiled asynchronously, the hashing is not. */
export async function createKeyHasher(): Promise<KeyHasher> {
  const library = await xxhash();
  // The library answers with a BigInt. Storing it and reading its halves is cheaper than BigInt arithmetic, and no
  // BigInt gets further than this line.
  const halves = new DataView(new ArrayBuffer(8));
  return {
    hash: (key, out) => {
      halves.setBigUint64(0, library.h64(key));
      out.hi = halves.getUint32(0);
      out.lo = halves.getUint32(4);
    },
  };
}
