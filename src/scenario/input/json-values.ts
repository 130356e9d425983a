/** Consecutive JSON values without separators, as in streams of answers and logs. */
export function valuesInRow(text: string): readonly { readonly text: string; readonly start: number }[] {
  const values: { readonly text: string; readonly start: number }[] = [];
  let depth = 0;
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at += 1;
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth < 0) return [];
      if (depth === 0) values.push({ text: text.slice(start, at + 1), start });
    } else if (depth === 0 && !/\s|\ufeff/.test(character ?? '')) return [];
  }
  return depth === 0 ? values : [];
}
