import type { ScalarNode, SourceNode } from '../source/document.js';

const NULL = new Set(['', '~', 'null', 'Null', 'NULL']);

/** An absent or null value. */
export function isNull(node: SourceNode): boolean {
  return node.kind === 'scalar' && !node.quoted && NULL.has(node.text);
}

/** YAML 1.2 core schema; integers past 2⁵³ are rounded, read `text` where that matters. */
export function yamlValue(node: ScalarNode): string | number | boolean | null {
  const { text } = node;
  if (node.quoted) return text;
  if (NULL.has(text)) return null;
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  if (/^0o[0-7]+$/.test(text) || /^0x[\da-fA-F]+$/.test(text)) return Number(text);
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^\.(nan|NaN|NAN)$/.test(text)) return NaN;
  return text;
}
