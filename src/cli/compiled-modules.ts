import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** Bytecode fits one build of V8 alone. */
const ENGINE = `${process.versions.v8}-${process.platform}-${process.arch}`;

const builtin = createRequire(import.meta.url);

interface Module {
  exports: unknown;
}

type Body = (exports: unknown, require: (id: string) => unknown, module: Module, file: string, dir: string) => void;

/**
 * The CommonJS modules of a folder, with the bytecode that V8 made of them earlier: reading its own program is a third of
 * what a short run costs. V8 turns down what it cannot use (of another version, under other flags, of a source of another
 * length) and compiles the module as ever.
 */
export class CompiledModules {
  /** Where the bytecode for this very engine is, if there is any. */
  readonly bytecode: string;
  private readonly modules = new Map<string, Module>();
  private readonly scripts = new Map<string, Script>();

  constructor(private readonly folder: string) {
    this.bytecode = join(folder, 'bytecode', ENGINE);
  }

  /** @param id what these modules `require`: a file of the folder as `./run.js`, or a module of Node. */
  readonly load = (id: string): unknown => {
    if (!id.startsWith('./')) return builtin(id);
    const name = id.slice(2);
    const known = this.modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    this.modules.set(name, module);
    const file = join(this.folder, name);
    const script = this.compile(name, file);
    this.scripts.set(name, script);
    const body = script.runInThisContext() as Body;
    body.call(module.exports, module.exports, this.load, module, file, this.folder);
    return module.exports;
  };

  /** Keeps the bytecode of what has been loaded, with that of the functions that have been called. */
  save(): void {
    mkdirSync(this.bytecode, { recursive: true });
    for (const [name, script] of this.scripts) writeFileSync(this.bytecodeOf(name), script.createCachedData());
  }

  private compile(name: string, filename: string): Script {
    // Latin-1 is read fastest: the bundle is ASCII.
    const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
    const cachedData = readIfThere(this.bytecodeOf(name));
    return new Script(source, cachedData === undefined ? { filename } : { filename, cachedData });
  }

  private bytecodeOf(name: string): string {
    return join(this.bytecode, `${name}.bin`);
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
