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
  ['config'],
  ['scenario'],
  ['predict'],
  ['stats'],
  ['upstream'],
  ['result'],
  ['simulation'],
  ['testing'],
  ['report'],
  ['sink', 'cli', 'web'],
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
