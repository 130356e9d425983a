import { yamlValue, type ScalarNode, type SourceNode } from '../../config/reader.js';
import { printable, printableJson } from '../../core/printable.js';

export function comment(text: string, indent = 0): string[] {
  const head = `${' '.repeat(indent)}# `;
  const [, margin = ''] = /^( *)/.exec(text) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const part of printable(text).trimStart().split(' ')) {
    if (line !== '' && line.length + part.length > 96 - indent) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? part : ` ${part}`;
  }
  return [...lines, line].map((one) => `${head}${margin}${one}`);
}

/** Maximum length of a value on the line of its field. */
const LINE = 110;

/**
 * Readable YAML: short values on one line, others with one field or entry per line. It parses to the same values, and no
 * text in it can be taken for anything but a value. @param indent columns in front of each line.
 */
export function yamlLines(node: SourceNode, indent = 0): string[] {
  if (node.kind === 'list') return node.items.flatMap((item) => entryLines(item, indent));
  if (node.kind === 'map') return node.entries.flatMap(({ key, value }) => fieldLines(key, value, indent));
  return [`${' '.repeat(indent)}${scalarText(node)}`];
}

/** `key: value`, or the value below its key. */
export function fieldLines(key: string, value: SourceNode, indent = 0): string[] {
  const head = `${' '.repeat(indent)}${wordText(key)}:`;
  const line = inline(value, LINE - head.length);
  if (line !== undefined) return [`${head} ${line}`];
  return [head, ...yamlLines(value, indent + 2)];
}

/** `- value`, the first field of a map beside the dash. */
function entryLines(item: SourceNode, indent: number): string[] {
  const dash = `${' '.repeat(indent)}- `;
  const line = inline(item, LINE - dash.length);
  if (line !== undefined) return [`${dash}${line}`];
  const [first = '', ...rest] = yamlLines(item, indent + 2);
  return [`${dash}${first.slice(indent + 2)}`, ...rest];
}

/** The value on one line of at most this many columns; undefined: it does not fit. Scalars always fit. */
function inline(node: SourceNode, room: number): string | undefined {
  if (node.kind === 'scalar') return scalarText(node);
  const parts: string[] = [];
  let left = room - 2;
  const nodes: readonly (readonly [string, SourceNode])[] =
    node.kind === 'list'
      ? node.items.map((item) => ['', item])
      : node.entries.map(({ key, value }) => [`${wordText(key)}: `, value]);
  for (const [head, value] of nodes) {
    const text = left < 0 ? undefined : inline(value, left - head.length);
    if (text === undefined) return undefined;
    parts.push(`${head}${text}`);
    left -= head.length + text.length + 2;
  }
  if (left + 2 < 0 && parts.length > 0) return undefined;
  return node.kind === 'list' ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

function scalarText(node: ScalarNode): string {
  const value = yamlValue(node);
  // Numbers are copied as written: those of 64 bits do not fit a double.
  return typeof value === 'string' ? wordText(value) : node.text === '' ? 'null' : node.text;
}

/** A text, without quotes where it cannot be taken for anything else. */
function wordText(text: string): string {
  const plain =
    /^[A-Za-z_./][\w./:@%+*-]*$/.test(text) ||
    /^\d+(?:\.\d+){3}$/.test(text) ||
    /^\d[\w.:/-]*[A-Za-z:/][\w./-]*$/.test(text);
  const isWord =
    plain && !text.endsWith(':') && !/^(?:true|false|null|y|yes|n|no|on|off|[\d:]+|0[xo].*|[.\d].*e\d+)$/i.test(text);
  if (isWord && typeof yamlValue({ kind: 'scalar', text, quoted: false, start: 0, end: 0 }) === 'string') return text;
  return printableJson(JSON.stringify(text));
}
