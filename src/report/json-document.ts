import { printableJson } from '../core/printable.js';

/** Columns of indentation of each level. */
export const INDENT = 2;

/** A document for machines: two spaces of indentation, the fields in the order of the contract, a newline at the end. */
export function jsonDocument(value: unknown): string {
  return `${jsonText(value)}\n`;
}

export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, null, INDENT));
}
