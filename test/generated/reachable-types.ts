import { join } from 'node:path';
import ts from 'typescript';
import { typeProgram } from './type-program.js';

const sources = join(import.meta.dirname, '../../src');

/** Not in the declarations of the package. */
export const isInternal = (node: ts.Node): boolean =>
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');

/** The interfaces of other modules that one of the same name extends: the reference shows their members with its own. */
export function sameNamedBases(declaration: ts.Declaration, checker: ts.TypeChecker): readonly ts.Symbol[] {
  if (!ts.isInterfaceDeclaration(declaration)) return [];
  return (declaration.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .flatMap(({ expression }) => aliased(checker.getSymbolAtLocation(expression), checker) ?? [])
    .filter(({ name }) => name === declaration.name.text);
}

export const aliased = (symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined =>
  symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/**
 * The types of the sources that a reader of an entry point's types comes to, and that it does not export: each with the
 * way to it.
 *
 * @param without exports that are taken for not exported.
 */
export function unexportedTypes(file: string, without: readonly string[] = []): readonly string[] {
  const { checker, exported } = typeProgram(file);
  const known = exported.flatMap((symbol) => (without.includes(symbol.name) ? [] : (aliased(symbol, checker) ?? [])));
  const declarations = known.flatMap(({ declarations: own = [] }) => own);
  const fine = new Set([...known, ...declarations.flatMap((declaration) => sameNamedBases(declaration, checker))]);
  const seen = new Set<ts.Symbol>();
  const found: string[] = [];
  const read = (symbol: ts.Symbol, way: string): void => {
    if (seen.has(symbol)) return;
    seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) visit(declaration, way);
  };
  const visit = (node: ts.Node, way: string): void => {
    if (isInternal(node) || isHidden(node)) return;
    const symbol = aliased(typeNameOf(node, checker), checker);
    const from = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
    if (symbol !== undefined && from.startsWith(sources) && !(symbol.flags & ts.SymbolFlags.TypeParameter)) {
      if (!fine.has(symbol) && !seen.has(symbol)) found.push(`${way} > ${symbol.name}`);
      read(symbol, `${way} > ${symbol.name}`);
    }
    ts.forEachChild(node, (child) => visit(child, way));
  };
  known.forEach((symbol) => read(symbol, symbol.name));
  return found;
}

/** What no declaration has: bodies, private members, initial values of what has a type. */
function isHidden(node: ts.Node): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if (ts.isClassElement(node))
    if (ts.getCombinedModifierFlags(node) & hidden || (node.name && ts.isPrivateIdentifier(node.name))) return true;
  const { parent } = node;
  if (ts.isBlock(node)) return ts.isFunctionLike(parent);
  if (ts.isVariableDeclaration(node)) return node.type === undefined;
  return (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) && parent.initializer === node;
}

function typeNameOf(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (ts.isTypeReferenceNode(node)) return checker.getSymbolAtLocation(node.typeName);
  return ts.isExpressionWithTypeArguments(node) ? checker.getSymbolAtLocation(node.expression) : undefined;
}
