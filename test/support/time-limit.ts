import { beforeEach } from 'vitest';

/**
 * A time limit guards against what hangs, not against what is slow: vitest.config.ts sets it far above what any test takes,
 * and where it is reached nevertheless, this is said with it.
 */
beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? []) {
      if (/timed out in \d+ms/.test(error.message)) error.message = `slow machine? ${error.message}`;
    }
  });
});
