import type { Io } from '../io.js';

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

/** A shorter run needs no bar. */
const SHOW_AFTER_MS = 400;
const REDRAW_MS = 100;

interface Bar {
  update(current: number, shown: { readonly note: string }): void;
  stop(): void;
}

/** A bar on standard error while a run takes long; nothing where standard error is no terminal. */
export class Progress {
  private readonly startMs: number;
  private lastMs = -Infinity;
  private bar: Bar | undefined;

  /**
   * @param doing the work, in a word.
   * @param note what follows the bar.
   */
  constructor(
    private readonly io: Io,
    private readonly doing = 'simulating',
    private readonly note = (): string => '',
  ) {
    this.startMs = io.monotonicMs();
  }

  /** Seconds since the start. */
  get elapsedS(): number {
    return (this.io.monotonicMs() - this.startMs) / 1000;
  }

  /** @param fraction 0–1. */
  async update(fraction: number): Promise<void> {
    if (this.io.stderr.isTTY !== true) return;
    const now = this.io.monotonicMs();
    if (now - this.startMs < SHOW_AFTER_MS || now - this.lastMs < REDRAW_MS) return;
    this.lastMs = now;
    this.bar ??= await startBar(this.io, this.doing);
    this.bar.update(Math.floor(fraction * 1000), { note: this.note() });
  }

  /** Removes the bar, so that the report begins on a clean line. */
  stop(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}

async function startBar(io: Io, doing: string): Promise<Bar> {
  const { SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    stream: io.stderr,
    format: `${doing}  {bar}  {percentage} %  {eta_formatted} left  {note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(1000, 0, { note: '' });
  return bar;
}
