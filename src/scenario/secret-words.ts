/** Secrets in a text that cannot be read, in a comment, in an option: by the words in front of them, and by their own look. */
import { nearest } from '../config/reader/error-words.js';
import { snake } from '../config/reader/letter-case.js';
import { SECRET_NAMES } from './generated/secret-names.js';

const WORDS =
  /passw|secret|token|credential|authoriz|cookie|private|api_?key|access_?key|json_key|bearer|inline_(?:str|byt|cod)|pkcs|pem$|cert|hmac/;

/** Whether a field of this name, or of a misspelling of it, may hold a secret. */
export function isSecretName(name: string): boolean {
  const word = snake(name.slice(name.lastIndexOf('.') + 1))
    .toLowerCase()
    .replaceAll('-', '_');
  return (
    word.length > 3 && (WORDS.test(word) || (word.length > 5 && nearest(word, SECRET_NAMES.secrets) !== undefined))
  );
}

/** A name and what stands behind it, up to the end of a value in quotes, of a value in braces, or of the line. */
const NAMED =
  /(?<head>["']?(?<name>[A-Za-z_][\w.-]*)["']?[ \t]*[:=][ \t]*)(?<value>"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s,}\]{["'][^,}\]\n]*)/g;
/** The lines of a block belong to its name. */
const BLOCK = /^(?<indent>[ \t]*)(?:- +)*["']?(?<name>[A-Za-z_][\w.-]*)["']?[ \t]*:[ \t]*(?:[|>][-+\d]*)?[ \t]*$/;
const PEM = /-----BEGIN [^\n]*?(?:-----END [^\n]*?-----|$(?![^]))/gs;
/** Credentials in an address, a scheme of authorization, words that no one remembers, keys that begin with what they are. */
const ITSELF = [
  /(?<=:\/\/)[^\s/@"']+(?=@)/g,
  /(?<=\b(?:Bearer|Basic|Negotiate|ApiKey) )[\w.~+/=-]{4,}/gi,
  /\bey[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  /(?<![\w.:/-])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{24,}={0,2}/g,
  /(?<![\w.:/-])(?:api_?key|token|secret|[prs]k|gh[ops]|xox[abps]|glpat)[_-](?=[\w-]*\d)[\w-]{8,}/gi,
];

/** The text with `*` in the place of each character of what looks like a secret. */
export function maskedText(text: string): string {
  let masked = text.replace(PEM, stars);
  masked = masked.replace(NAMED, (whole: string, head: string, name: string, value: string) =>
    isSecretName(name) && !/^[|>][-+\d]*\s*$/.test(value) ? head + stars(value) : whole,
  );
  for (const pattern of ITSELF) masked = masked.replace(pattern, stars);
  return withoutBlocks(masked);
}

/** Lines below a name that are further in. */
function withoutBlocks(text: string): string {
  let inside: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      const depth = line.length - line.trimStart().length;
      if (inside !== undefined && (line.trim() === '' || depth > inside)) {
        // A message has fields of its own.
        return NAMED_LINE.test(line) ? line : stars(line);
      }
      const block = BLOCK.exec(line);
      inside = block !== null && isSecretName(block.groups?.['name'] ?? '') ? depth : undefined;
      return line;
    })
    .join('\n');
}

const NAMED_LINE = /^\s*(?:- +)*["']?[A-Za-z_@][\w.-]*["']?\s*:(?:\s|$)/;

/** As many stars as characters; what shows the layout stays. */
export const stars = (text: string): string => text.replace(/[^\s]/g, '*');
