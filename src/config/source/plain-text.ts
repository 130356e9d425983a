/**
 * Text over several lines: what becomes of its line ends.
 *
 * Source: YAML 1.2.2, §6.5 Line folding, §8.1 Block scalar styles.
 */

/**
 * Lines of plain or quoted text as one: a line end is a space, empty lines are line ends.
 *
 * @param lines without the space that indents them, except before the first and after the last.
 */
export function foldLines(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  let empty = 0;
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    if (line === '' && index < lines.length - 1) {
      empty += 1;
      continue;
    }
    text += empty === 0 ? ' ' : '\n'.repeat(empty);
    text += line;
    empty = 0;
  }
  return text;
}

export interface BlockTextStyle {
  /** `>`: line ends become spaces. */
  readonly folded: boolean;
  /** What becomes of the end: `-` no line end, `+` all of them, '' one. */
  readonly chomp: '' | '-' | '+';
}

/** @param lines of a block scalar without their indentation, at least one of them not empty. */
export function blockText(lines: readonly string[], { folded, chomp }: BlockTextStyle): string {
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last -= 1;
  const content = lines.slice(0, last);
  const text = folded ? foldBlock(content) : content.join('\n');
  if (chomp === '-') return text;
  return chomp === '' ? `${text}\n` : text + '\n'.repeat(lines.length - last + 1);
}

/** Empty lines before the first count, as line ends. */
function foldBlock(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  return '\n'.repeat(first) + foldLines(lines.slice(first));
}
