import type { Io } from './io.js';

/** Whether the user has interrupted, from construction until release. */
export class Interrupt {
  happened = false;
  readonly promise: Promise<void>;
  readonly release: () => void;

  constructor(io: Io) {
    let resolve: () => void = () => undefined;
    this.promise = new Promise((done) => (resolve = done));
    this.release = io.onInterrupt(() => {
      this.happened = true;
      resolve();
    });
  }
}
