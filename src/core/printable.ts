/**
 * Names come from the user's file, which may come from a stranger: text in a terminal, a table or a log must neither move
 * the cursor, nor split a line, nor change the direction of text. These characters do: control characters of both sets,
 * separators of lines and paragraphs, and marks of direction.
 */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line of text: U+FFFD stands for each of these characters. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

export const printableLines = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : '\ufffd'));

/** Those of them that JSON does not escape by itself. */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON, or a piece of it, that says the same with these characters escaped; its own line feeds and tabs stay. */
export const printableJson = (json: string): string =>
  json.replace(LEFT_BY_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text in HTML or XML, and in its attributes. Characters that they cannot contain, even escaped, are to be replaced before. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Promise || ('then' in value && typeof value.then === 'function');
}

export function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return 'a symbol';
  if (isPromise(value)) return 'a promise';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Begins with a capital letter, unless it begins with a name. */
export const capital = (text: string): string =>
  /^[a-z]+[ :]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Capital letter and full stop; a reason that begins with a name keeps it as it is. */
export function sentence(text: string): string {
  const begun = capital(printable(text));
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
