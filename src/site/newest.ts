/** One call at a time, and of those that wait only the newest. @returns settles when nothing waits any more. */
export function newest<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let waiting: Args | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      for (let next = waiting; next !== undefined; next = waiting) {
        waiting = undefined;
        await act(...next);
      }
    } finally {
      running = undefined;
    }
  };
  return (...args) => {
    waiting = args;
    return (running ??= run());
  };
}
