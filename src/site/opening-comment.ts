/** How long the comment is that a text opens with, without the end of its last line; 0: it opens with something else. */
export const openingComment = (text: string): number => /^(?:#.*\n)*#.*(?=\n)/.exec(text)?.[0].length ?? 0;
