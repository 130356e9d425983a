import { printableJson } from '../core/printable.js';

/** A document for machines: two spaces of indentation, the fields in the order of the contract, a newline at the end. */
export function jsonDocument(value: unknown): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`;
}
