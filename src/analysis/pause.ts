/**
 * Called now and then by long work with how far it has come, 0–1. The caller shows it, gives others a turn, and may reject,
 * which ends the work.
 */
export type Pause = (done: number) => Promise<void>;

export const NO_PAUSE: Pause = () => Promise.resolve();
