import { basename, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/** The entry points of the package, which lead to nearly all sources: what is asked of one is known to the others. */
const DOORS = ['index.ts', 'policies/index.ts', 'policies/hashing/index.ts', 'testing/index.ts'];

let program: ts.Program | undefined;

function programWith(file: string): ts.Program {
  if (program?.getSourceFile(file) !== undefined) return program;
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  if (read.error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(read.error.messageText, ' '));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const files = [...DOORS.map((door) => join(root, 'src', door)), ...(program?.getRootFileNames() ?? []), file];
  return (program = ts.createProgram([...new Set(files)], options, undefined, program));
}

/** A source file as the compiler understands it, and what it exports. */
export function typeProgram(file: string): {
  readonly checker: ts.TypeChecker;
  readonly exported: readonly ts.Symbol[];
} {
  const program = programWith(file);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return { checker, exported: module === undefined ? [] : checker.getExportsOfModule(module) };
}

/** What `tsc --strict` says of texts that import the package by its name; one program for all of them. */
export function compilerErrors(texts: ReadonlyMap<string, string>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: ['node'],
    paths: { lbsim: [join(root, 'src/index.ts')], 'lbsim/*': [join(root, 'src/*/index.ts')] },
  };
  const files = new Map([...texts].map(([name, text]) => [join(root, 'test', `${name}.ts`), text]));
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (path) => files.has(path) || disk.fileExists(path);
  host.readFile = (path) => files.get(path) ?? disk.readFile(path);
  host.getSourceFile = (path, version) => {
    const text = files.get(path);
    return text === undefined ? disk.getSourceFile(path, version) : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...files.keys(), join(root, 'src/core/ambient/wasm.d.ts')], options, host);
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((found) => {
      const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(found.start ?? 0).line + 1;
      return `${basename(path, '.ts')}:${line} ${ts.flattenDiagnosticMessageText(found.messageText, ' ')}`;
    });
  });
}
