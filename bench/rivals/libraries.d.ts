/** What the benchmark uses of npm `hashring`, which has no types. */
declare module 'hashring' {
  export default class HashRing {
    /** @param servers weight by name. */
    constructor(
      servers: Readonly<Record<string, number>>,
      algorithm: string,
      options: { readonly 'vnode count': number; readonly 'max cache size': number },
    );
    readonly ring: readonly { readonly value: number; readonly server: string }[];
    get(key: string): string | undefined;
  }
}
