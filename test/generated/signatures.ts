import { join } from 'node:path';
import ts from 'typescript';
import { typeProgram } from './type-program.js';

/** The functions of a module with their signatures, as "explain(scenario, options?): Promise<Explanation>", by name. */
export function signaturesOf(path: string): ReadonlyMap<string, string> {
  const { checker, exported } = typeProgram(join(import.meta.dirname, '../..', path));
  const signatures = new Map<string, string>();
  for (const symbol of exported) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [signature] = checker.getTypeOfSymbol(target).getCallSignatures();
    if (!(target.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) || signature === undefined) continue;
    const parameters = signature.parameters.map((parameter) => named(parameter, checker));
    const returned = checker.typeToString(signature.getReturnType()).replace(', any, any>', '>');
    signatures.set(symbol.name, `${symbol.name}(${parameters.join(', ')}): ${returned}`);
  }
  return signatures;
}

/** Of a parameter that is taken apart, the last word of its type stands for a name: `layout` of a ReportLayout. */
function named(parameter: ts.Symbol, checker: ts.TypeChecker): string {
  const { valueDeclaration: declaration } = parameter;
  if (declaration === undefined || !ts.isParameter(declaration)) return parameter.name;
  const type = checker.typeToString(checker.getTypeOfSymbol(parameter));
  const word = /[A-Z][a-z]+$/.exec(type)?.[0] ?? type;
  const name = ts.isIdentifier(declaration.name) ? parameter.name : word.toLowerCase();
  return `${name}${checker.isOptionalParameter(declaration) ? '?' : ''}`;
}
