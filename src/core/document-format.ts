/**
 * The version of the form of every JSON document that a command prints. A field that is added leaves it as it is; one that
 * goes or changes its meaning raises it.
 */
export const FORMAT = 1;

export interface Versioned {
  /** The version of the form of this document. */
  readonly format: typeof FORMAT;
}
