/** A question that has no answer; the message says why, or what can be asked. */
export class NoAnswer extends Error {}
