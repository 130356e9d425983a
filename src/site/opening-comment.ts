/** How long the comment is that a text opens with, without the end of its last line; 0: it opens with something else. */
export function openingComment(text: string): number {
  return /^(?:#.*\n)*#.*(?=\n)/.exec(text)?.[0].length ?? 0;
}
