import { printable } from '../../core/printable.js';

/** A text as wrapped YAML comments. */
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
