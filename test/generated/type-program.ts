import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/** A source file as the compiler understands it, and what it exports. */
export function typeProgram(file: string): {
  readonly checker: ts.TypeChecker;
  readonly exported: readonly ts.Symbol[];
} {
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  if (read.error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(read.error.messageText, ' '));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return { checker, exported: module === undefined ? [] : checker.getExportsOfModule(module) };
}
