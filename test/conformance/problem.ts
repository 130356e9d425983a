import { FormatError } from './fields.js';

/** What to tell of an exception: an unreadable case needs no stack, a defect of ours does. */
export function problemOf(error: unknown): string {
  if (error instanceof FormatError || error instanceof SyntaxError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
