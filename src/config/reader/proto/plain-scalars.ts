import type { ScalarNode } from '../../source/document.js';
import type { Walk } from '../context.js';

export const INT64_MIN = -9223372036854775808n;
export const INT64_MAX = 9223372036854775807n;

/** A pattern for these words in any case: JSON Schema has no flags. */
export function anyCase(words: readonly string[]): string {
  const letters = (word: string): string =>
    word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(?:${words.map(letters).join('|')})$`;
}

const YAML_BOOL = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|(n|N|no|No|NO|false|False|FALSE|off|Off|OFF))$/;

export function plainBool(node: ScalarNode, walk: Walk): boolean | undefined {
  if (walk.document.isJson(node)) return node.text === 'true' ? true : node.text === 'false' ? false : undefined;
  return boolOf(YAML_BOOL, node.text);
}

/** @param words that are bools, the false ones in a group. */
export function boolOf(words: RegExp, text: string): boolean | undefined {
  const match = words.exec(text);
  return match === null ? undefined : match[1] === undefined;
}

/** How the proxy's reader interprets a scalar, without the type of the field. */
export function plainKind(node: ScalarNode, walk: Walk): 'string' | 'bool' | 'number' {
  if (node.quoted) return 'string';
  const { text } = node;
  if (walk.document.isJson(node)) return text === 'true' || text === 'false' ? 'bool' : 'number';
  const first = text.charCodeAt(0);
  const numberLike = (first >= 48 && first <= 57) || first === 43 || first === 45;
  if (numberLike) {
    const value = yamlInteger(text);
    return value !== undefined && value >= -2147483648n && value <= 2147483647n ? 'number' : 'string';
  }
  return YAML_BOOL.test(text) ? 'bool' : 'string';
}

/** A plain scalar that the proxy's YAML reader reads as an int64: decimal, `0x…`, or octal with a leading 0. */
export function yamlInteger(text: string): bigint | undefined {
  if (!/^[-+]?(?:0[xX][\da-fA-F]+|\d+)$/.test(text)) return undefined;
  const negative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  let value: bigint;
  if (/^0\d+$/.test(digits)) {
    if (!/^[0-7]+$/.test(digits)) return undefined;
    value = BigInt(`0o${digits}`);
  } else value = BigInt(digits);
  value = negative ? -value : value;
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
