/** What the exit code tells a script; stable. */
export const ExitCode = {
  ok: 0,
  /** An expectation or a verification failed. */
  failed: 1,
  /** The input, the usage or the surroundings (cannot write) are wrong. */
  input: 2,
  /** A defect of lbsim. */
  defect: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
