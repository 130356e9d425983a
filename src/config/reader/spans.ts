import type { MapEntry, Path, SourceNode } from '../source/document.js';
import { camel } from './letter-case.js';
import { isNull } from './error-words.js';

export type Span = Readonly<{ start: number; end: number }>;

export const keySpan = (entry: MapEntry): Span => ({ start: entry.keyStart, end: entry.keyEnd });

/** The place that a caret should point at: the first key of a map, the start of a list, a whole scalar. */
export function headSpan(node: SourceNode): Span {
  if (node.kind === 'scalar') return node;
  const first = node.kind === 'map' ? node.entries[0] : undefined;
  const shown = first !== undefined && first.keyEnd > first.keyStart;
  return shown ? keySpan(first) : { start: node.start, end: node.start + 1 };
}

/** The span of a part, or of its nearest parent that the file has. */
export function locate(node: SourceNode, path: Path): Span {
  let span = headSpan(node);
  let at = node;
  for (const step of path) {
    if (at.kind === 'map') {
      const entry = entryOf(at, String(step));
      if (entry === undefined) return span;
      span = keySpan(entry);
      at = entry.value;
    } else if (at.kind === 'list' && typeof step === 'number') {
      const item = at.items[step];
      if (item === undefined) return span;
      span = headSpan(item);
      at = item;
    } else return span;
  }
  return at.kind === 'scalar' && at.end > at.start ? at : span;
}

/** The entry of a name in either case: the last one counts. */
export const entryOf = (node: SourceNode, name: string): MapEntry | undefined =>
  node.kind !== 'map' ? undefined : node.entries.findLast(({ key }) => key === name || key === camel(name));

/** Whether a field is there and has a value. */
export function isWritten(node: SourceNode, path: Path): boolean {
  let at: SourceNode | undefined = node;
  for (const step of path) {
    if (at?.kind === 'list') at = typeof step === 'number' ? at.items[step] : undefined;
    else at = at === undefined ? undefined : entryOf(at, String(step))?.value;
  }
  return at !== undefined && !isNull(at);
}
