/** A broken promise inside lbsim: reported as a defect (exit code 3), never as a mistake of the user. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
