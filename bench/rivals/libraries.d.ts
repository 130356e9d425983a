/** What the benchmark uses of npm `hashring`, which has no types. */
declare module 'hashring' {
  export default class HashRing {
    /** @param servers weight by name. */
    constructor(
      servers: Readonly<Record<string, number>>,
      algorithm: string,
      options: { readonly 'vnode count': number; readonly 'max cache size': number },
    );
    get(key: string): string | undefined;
    remove(server: string): void;
  }
}

/** What the benchmark uses of npm `consistent-hash`, which has no types. */
declare module 'consistent-hash' {
  export default class ConsistentHash {
    /** @param options.range so many places on the ring. */
    constructor(options: { readonly range: number; readonly weight: number });
    add(node: string): this;
    get(name: string): string;
    remove(node: string): void;
  }
}

declare module 'simjs';
