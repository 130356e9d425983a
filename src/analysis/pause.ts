/**
 * Called from time to time by long work with its progress, 0–1. The caller may show it, yield to other tasks, or reject,
 * which ends the work.
 */
export type Pause = (done: number) => Promise<void>;

export const NO_PAUSE: Pause = () => Promise.resolve();
