import { posix } from 'node:path';
import ts from 'typescript';

/**
 * The folders of `src/`, in the order in which data flows through them: a file imports from its own folder or from those
 * to its left. The last group is the edge; its folders may use one another.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['core'],
  ['hash'],
  ['random'],
  ['schedule'],
  ['host'],
  ['policy'],
  ['hostset'],
  ['settings'],
  ['stats'],
  ['upstream'],
  ['result'],
  ['simulation'],
  ['config'],
  ['scenario'],
  ['predict'],
  ['analysis'],
  ['policies'],
  ['testing'],
  ['words'],
  ['report'],
  ['sink', 'cli', 'web', 'site', 'real-proxy'],
];

const rankOf = new Map(LAYERS.flatMap((group, rank) => group.map((folder) => [folder, rank] as const)));

/** The layer of a path such as `src/policy/maglev.ts`; the library's index, directly in `src/`, stands above all but the edge. */
function layer(path: string): { readonly name: string; readonly rank: number } {
  const [, name = '', ...rest] = path.split('/');
  if (rest.length === 0) return { name, rank: LAYERS.length - 1.5 };
  return { name, rank: rankOf.get(name) ?? Infinity };
}

/**
 * Imports that go against the order, as sentences; empty is what we want. Type imports count: a layer that knows the
 * words of a later one depends on it.
 *
 * @param files contents by path from the project's root, `/` between folders.
 */
export function layerViolations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, source] of files) {
    const from = layer(path);
    if (from.rank === Infinity) {
      found.push(`${path}: the folder ${from.name} has no place in the order`);
      continue;
    }
    for (const { fileName } of ts.preProcessFile(source, true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), fileName);
      if (!target.startsWith('src/')) {
        found.push(`${path} imports ${fileName}: outside src/`);
        continue;
      }
      const to = layer(target);
      if (to.rank > from.rank) found.push(`${path} imports ${fileName}: ${from.name} stands before ${to.name}`);
    }
  }
  return found;
}

/**
 * The files of each import cycle, those that import one another first; empty is what we want. Type imports count here too:
 * files that know of each other are understood only together.
 *
 * @param files as {@link layerViolations} takes them.
 */
export function importCycles(files: ReadonlyMap<string, string>): string[][] {
  const imports = new Map<string, readonly string[]>();
  for (const [path, source] of files) {
    const targets = ts.preProcessFile(source, true, true).importedFiles.flatMap(({ fileName }) => {
      const target = posix.join(posix.dirname(path), fileName).replace(/\.js$/, '');
      return [`${target}.ts`, `${target}.tsx`].filter((file) => files.has(file));
    });
    imports.set(path, targets);
  }
  // What imports nothing that is left is in no cycle, nor is what nothing that is left imports.
  const left = new Set(imports.keys());
  const takeOut = (isFree: (path: string) => boolean): boolean => {
    const free = [...left].filter(isFree);
    for (const path of free) left.delete(path);
    return free.length > 0;
  };
  const importsNothing = (path: string): boolean => !(imports.get(path) ?? []).some((target) => left.has(target));
  while (takeOut(importsNothing));
  const isImported = (path: string): boolean => [...left].some((one) => imports.get(one)?.includes(path) === true);
  while (takeOut((path) => !isImported(path)));
  const cycles: string[][] = [];
  for (const start of left) {
    if (cycles.some((cycle) => cycle.includes(start))) continue;
    const cycle = shortestWayBack(start, imports);
    if (cycle.length > 0) cycles.push(cycle);
  }
  return cycles;
}

/**
 * What a file needs at run time: itself and all that it imports, and they import, types left out.
 *
 * @param files as {@link layerViolations} takes them.
 */
export function neededBy(entry: string, files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const needed = new Set([entry]);
  for (const path of needed) for (const file of importedAtRunTime(path, files)) needed.add(file);
  return needed;
}

/**
 * The imports that lead into a folder from files outside, as `from -> to`, types left out.
 *
 * @param files as {@link layerViolations} takes them.
 */
export function waysInto(folder: string, files: ReadonlyMap<string, string>): string[] {
  const isInside = (path: string): boolean => path.startsWith(`${folder}/`);
  return [...files.keys()].flatMap((path) => {
    const into = isInside(path) ? [] : importedAtRunTime(path, files).filter(isInside);
    return into.map((target) => `${path} -> ${target}`);
  });
}

/**
 * The packages, Node's own left out, that a file needs at run time as it begins; what is imported in a function comes later.
 *
 * @param files as {@link layerViolations} takes them.
 */
export function packagesNeededBy(entry: string, files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const modules = [...neededBy(entry, files)].flatMap((path) => modulesAtRunTime(path, files));
  const others = modules.filter((module) => !/^(\.|node:)/.test(module));
  return new Set(others.map((module) => module.split('/', module.startsWith('@') ? 2 : 1).join('/')));
}

function importedAtRunTime(path: string, files: ReadonlyMap<string, string>): string[] {
  return modulesAtRunTime(path, files).flatMap((module) => {
    const target = posix.join(posix.dirname(path), module).replace(/\.js$/, '');
    return [`${target}.ts`, `${target}.tsx`].filter((file) => files.has(file));
  });
}

/** By source: many files need the same ones. */
const modulesOf = new Map<string, readonly string[]>();

function modulesAtRunTime(path: string, files: ReadonlyMap<string, string>): readonly string[] {
  const source = files.get(path) ?? '';
  const known = modulesOf.get(source);
  if (known !== undefined) return known;
  const { statements } = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const modules = statements.map(moduleAtRunTime).filter((module) => module !== undefined);
  modulesOf.set(source, modules);
  return modules;
}

/** The module that a statement imports from, or exports again, more than types; undefined: none. */
function moduleAtRunTime(statement: ts.Statement): string | undefined {
  const isOfTypes = (names: ts.Node | undefined): boolean =>
    names !== undefined &&
    (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
    names.elements.length > 0 &&
    names.elements.every((one) => one.isTypeOnly);
  const textOf = (module: ts.Expression | undefined) => module && ts.isStringLiteral(module) && module.text;
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    return isTypeOnly || isOfTypes(exportClause) ? undefined : textOf(moduleSpecifier) || undefined;
  }
  if (!ts.isImportDeclaration(statement)) return undefined;
  const { importClause: clause, moduleSpecifier } = statement;
  const isType = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const areTypes = clause?.name === undefined && isOfTypes(clause?.namedBindings);
  return isType || areTypes ? undefined : textOf(moduleSpecifier) || undefined;
}

/** Empty where no import leads back. */
function shortestWayBack(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const ways = new Map([[start, [start]]]);
  for (const [path, way] of ways) {
    for (const target of imports.get(path) ?? []) {
      if (target === start) return way;
      if (!ways.has(target)) ways.set(target, [...way, target]);
    }
  }
  return [];
}

/** Two words, one after the other. */
const TWO_WORDS = /[a-z]\S* +\S*[a-z]/i;

/** The literals of two words and more in these files, each with its path: what a file says, besides names. */
export function sentencesIn(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, source]) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const text = literalText(node);
      if (text !== undefined && TWO_WORDS.test(text)) found.push(`${path}: ${text}`);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
    return found;
  });
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `0${literal.text}`).join('');
}
