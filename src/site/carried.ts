/** A block of text embedded in the page. */
export function carried(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}
