/** A unit of loss. */
export interface Unit {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Units of one kind are interchangeable. */
  readonly kind: string;
  /** Units that belong together, as hosts of a zone. */
  readonly group: string;
}
