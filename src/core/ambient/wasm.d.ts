/** The part of the WebAssembly interface that the hash kernels use; the DOM library is kept out of engine code. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    /** Keeps a module apart from other values at compile time. */
    private readonly module: undefined;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
