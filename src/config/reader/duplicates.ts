import type { MapEntry, MapNode } from '../source/document.js';
import type { Walk } from './context.js';
import { keySpan } from './spans.js';

/** Entries by key, the last of several; reports duplicates as the vocabulary requires. */
export function distinct(node: MapNode, walk: Walk): readonly MapEntry[] {
  const { entries } = node;
  if (entries.length < 2) return entries;
  const byKey = new Map<string, MapEntry>();
  for (const entry of entries) {
    const earlier = byKey.get(entry.key);
    if (earlier !== undefined) reportDuplicate(earlier, entry, entry.key, walk);
    byKey.set(entry.key, entry);
  }
  return byKey.size === entries.length ? entries : [...byKey.values()];
}

/** @param name of the field, where it has two spellings. */
export function reportDuplicate(earlier: MapEntry, later: MapEntry, name: string, walk: Walk): void {
  const { line } = walk.document.position(earlier.keyStart);
  walk.path.push(name);
  if (walk.vocabulary === 'proxy') {
    const text = `${later.key} is set twice; the proxy takes the last, this one, and ignores line ${line}`;
    walk.report('warning', 'duplicate-key', text, keySpan(later));
  } else walk.error('duplicate-key', `${later.key} is already set in line ${line}`, keySpan(later));
  walk.path.pop();
}
