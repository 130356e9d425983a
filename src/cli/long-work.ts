import type { SingleBar } from 'cli-progress';
import type { Pause } from '../analysis/pause.js';
import { InterruptedError, type Io, MemoryError, type Session } from './session.js';
import { endOf } from '../settings/world.js';
import { ExpectedArrivals } from '../scenario/check/expected-arrivals.js';
import type { Scenario } from '../scenario/model.js';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export class Happening {
  happened = false;
  private resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((done) => (this.resolve = done));

  readonly happens = (): void => {
    this.happened = true;
    this.resolve();
  };
}

/** Whether the user has interrupted, from construction until release. */
export class Interrupt extends Happening {
  readonly release = this.io.onInterrupt(this.happens);

  constructor(private readonly io: Io) {
    super();
  }
}

const SHOW_AFTER_MS = 400;
const REDRAW_MS = 100;

/** A bar on standard error while a run takes long; nothing where standard error is no terminal. */
export class Progress {
  private readonly startMs: number = this.io.monotonicMs();
  private lastMs = -Infinity;
  private bar: SingleBar | undefined;

  note = (): string => '';

  /** @param doing the work, in a word. */
  constructor(
    private readonly io: Io,
    private readonly doing = 'simulating',
  ) {}

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

async function startBar(io: Io, doing: string): Promise<SingleBar> {
  const { SingleBar, Format } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    stream: io.stderr,
    format: `${doing}  {bar}  {percentage} %  {eta_formatted} left  {note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    // Before the bar has moved nobody knows: that would be written as NFs.
    formatTime: (seconds, options, unit) =>
      Number.isFinite(seconds) ? Format.TimeFormat(seconds, options, unit) : '?',
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(1000, 0, { note: '' });
  return bar;
}

/** With less of it left the heap may fill before the next look, and V8 ends the process without a word: this part of it … */
const LEFT = 0.15;
/** … and of a small one the room for the objects of one slice. */
const ROOM_BYTES = 24 * 2 ** 20;
/** Room for new objects, three semi-spaces: V8's limit has it, and old objects may not use it. */
const NEW_BYTES = (Number.parseInt(process.versions.node) >= 24 ? 192 : 48) * 2 ** 20;

export interface HeapLook {
  /** What is in use and what there may be of old objects, in bytes. */
  readonly heap: () => { readonly used: number; readonly limit: number };
  readonly collect: () => void;
}

export const THIS_PROCESS: HeapLook = {
  heap: () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return { used, limit: limit - NEW_BYTES };
  },
  collect: () => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  },
};

/** Called between slices of long work: its queues and open requests may fill the memory. @throws MemoryError */
export function checkMemory({ heap, collect }: HeapLook = THIS_PROCESS): void {
  if (!isFull(heap())) return;
  collect();
  const now = heap();
  if (!isFull(now)) return;
  const [used, limit] = [now.used, now.limit].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`);
  throw new MemoryError(`There is not enough memory for this: ${used ?? ''} of ${limit ?? ''} are in use.`);
}

const isFull = ({ used, limit }: ReturnType<HeapLook['heap']>): boolean =>
  limit - used < Math.max(LEFT * limit, Math.min(ROOM_BYTES, limit / 2));

/** Requests of a run of the file as it stands; undefined: that depends on the run. */
export function requestsOf(scenario: Scenario): number | undefined {
  let sum = scenario.requests.length;
  const endUs = endOf(scenario);
  for (const { arrivals, startUs, stopUs = endUs } of scenario.workloads) {
    const own = new ExpectedArrivals(arrivals, startUs, stopUs, [], true).before(endUs);
    if (own === undefined) return undefined;
    sum += own;
  }
  return sum;
}

/** Of a common machine, in seconds: of a run before its first request, and of each request. */
const OF_A_RUN = 0.005;
const OF_A_REQUEST = 1.5e-6;
/** Until a thread has read the program. */
const OF_A_THREAD = 0.4;

/** A guess of the time that these runs take. @param requests of each. */
export const secondsOf = (runs: number, requests: number, threads: number): number =>
  (runs * (OF_A_RUN + requests * OF_A_REQUEST)) / threads + (threads > 1 ? OF_A_THREAD : 0);

/** Threads where nobody says: the machine's; one where that is faster. @param requests of each; undefined: unknown. */
export function threadsFor(runs: number, requests: number | undefined, threads: number): number {
  const most = Math.min(threads, runs);
  if (requests === undefined) return most;
  return secondsOf(runs, requests, most) < secondsOf(runs, requests, 1) ? most : 1;
}

export interface LongWork {
  readonly pause: Pause;
  /** What does not pause is to end then. */
  readonly interrupt: Interrupt;
  readonly progress: Progress;
  /** A pause that shows no progress. */
  readonly breathe: () => Promise<void>;
}

/** A bar shows the progress, and Ctrl-C takes effect at each pause. @throws InterruptedError if the user interrupts. */
export async function longWork<Result>(
  doing: string,
  session: Session,
  work: (pause: Pause, long: LongWork) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(session.io, doing);
  const interrupt = new Interrupt(session.io);
  const breathe = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (interrupt.happened) throw new InterruptedError();
    checkMemory();
  };
  const pause: Pause = async (done) => {
    await progress.update(done);
    await breathe();
  };
  try {
    return await work(pause, { pause, breathe, interrupt, progress });
  } finally {
    progress.stop();
    interrupt.release();
  }
}
