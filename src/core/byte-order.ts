/**
 * Order of two strings as the proxy sorts them: by their UTF-8 bytes, which is the order of their code points.
 * JavaScript's own `<` compares UTF-16 units, and so puts characters beyond U+FFFF (written as surrogates from 0xD800
 * on) before those of U+E000 … U+FFFF.
 */
export function compareBytes(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates above every other unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
