/** What the exit code tells a script; stable. */
export const ExitCode = {
  ok: 0,
  /** An expectation or a verification failed. */
  failed: 1,
  /** The input or the usage is wrong, or an output cannot be written. */
  input: 2,
  /** A defect of lbsim. */
  defect: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
