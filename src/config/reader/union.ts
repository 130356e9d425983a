import type { MapNode, SourceNode } from '../source/document.js';
import type { ReaderOf } from './fields.js';
import type { Schema } from './schema.js';
import { INVALID, type Walk, type Read } from './context.js';
import { describe } from './error-words.js';

type Kinds = ReadonlySet<SourceNode['kind']>;

interface Branch {
  readonly read: Read;
  readonly accepts: Kinds;
  /** The option without wrappers such as optional. */
  readonly inner: Schema<unknown>;
}

/** Options of the value's kind are tried; of maps the one that knows most keys, so that a typo is reported as such. */
export function unionReader(options: readonly Schema<unknown>[], readerOf: ReaderOf): Read {
  const branches = options.map((option): Branch => {
    const inner = unwrap(option);
    return { read: readerOf(option), accepts: kindsOf(inner), inner };
  });
  const fittingFor = (kind: SourceNode['kind']): readonly Branch[] =>
    branches.filter((branch) => branch.accepts.has(kind));
  const byKind = { scalar: fittingFor('scalar'), list: fittingFor('list'), map: fittingFor('map') };
  return (node, walk) => {
    const fitting = byKind[node.kind];
    if (fitting.length === 0) {
      return walk.error('type', `expected ${kindWords(branches)}, found ${describe(node)}`, node);
    }
    const [single] = fitting;
    if (fitting.length === 1 && single !== undefined) return single.read(node, walk);
    let nearest: Walk | undefined;
    for (const { read } of node.kind === 'map' ? bestFirst(fitting, node) : fitting) {
      const trial = walk.trial();
      const value = read(node, trial);
      if (value !== INVALID && trial.errors === 0) {
        walk.accept(trial);
        return value;
      }
      if (nearest === undefined || (node.kind !== 'map' && trial.errors < nearest.errors)) nearest = trial;
    }
    if (nearest !== undefined) walk.accept(nearest);
    return INVALID;
  };
}

function bestFirst(branches: readonly Branch[], node: MapNode): readonly Branch[] {
  const score = ({ inner }: Branch): number => {
    // None where the option is not a map of fields.
    const shape = inner.marks.message?.shape ?? {};
    return node.entries.reduce((sum, entry) => sum + (Object.hasOwn(shape, entry.key) ? 1 : 0), 0);
  };
  return branches
    .map((branch) => ({ branch, score: score(branch) }))
    .sort((a, b) => b.score - a.score)
    .map(({ branch }) => branch);
}

function unwrap(schema: Schema<unknown>): Schema<unknown> {
  let inner = schema;
  for (;;) {
    const { marks, form } = inner;
    if (marks.message !== undefined || marks.read !== undefined || !('inner' in form)) return inner;
    inner = form.inner;
  }
}

const ALL_KINDS: Kinds = new Set(['scalar', 'list', 'map'] as const);
const SCALARS: Kinds = new Set(['scalar'] as const);

function kindsOf(inner: Schema<unknown>): Kinds {
  const { marks, form } = inner;
  if (marks.message !== undefined) return new Set(['map'] as const);
  if (marks.read !== undefined) return marks.plain === true ? SCALARS : ALL_KINDS;
  if (form.kind === 'map') return new Set(['map'] as const);
  if (form.kind === 'list' || form.kind === 'tuple') return new Set(['list'] as const);
  return form.kind === 'union' ? new Set(form.options.flatMap((option) => [...kindsOf(unwrap(option))])) : ALL_KINDS;
}

function kindWords(branches: readonly Branch[]): string {
  const kinds = new Set(branches.flatMap((branch) => [...branch.accepts]));
  return [...kinds].map((kind) => (kind === 'scalar' ? 'a plain value' : `a ${kind}`)).join(' or ');
}
