/** The page with `text` in place of what stands between `<!-- NAME: … -->` and `<!-- /NAME -->`. */
export function between(page: string, name: string, text: string): string {
  const begin = new RegExp(`<!-- ${name}: [^\\n]* -->\\n`).exec(page);
  const end = page.indexOf(`<!-- /${name} -->`);
  if (begin === null || end < begin.index) throw new Error(`the page has no place for ${name}`);
  return `${page.slice(0, begin.index)}${begin[0]}\n${text}\n\n${page.slice(end)}`;
}
