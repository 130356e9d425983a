import { loadPart } from '../parts.js';
import type { CompareAnswer, CompareRequest } from './protocol.js';

/** Works out what differs between two texts, in a worker that lies beside the page; of several questions only the last. */
export class Comparer {
  private url: string | undefined;
  private worker: Worker | undefined;
  private newest = 0;

  /** @returns undefined where another question, or {@link stop}, took the place of this one. */
  async ask(request: CompareRequest): Promise<CompareAnswer | undefined> {
    this.stop();
    const own = this.newest;
    this.url ??= URL.createObjectURL(new Blob([await loadPart('compare')], { type: 'text/javascript' }));
    if (own !== this.newest) return undefined;
    const worker = new Worker(this.url);
    this.worker = worker;
    const answer = await new Promise<CompareAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<CompareAnswer>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.postMessage(request);
    });
    worker.terminate();
    return own === this.newest ? answer : undefined;
  }

  /** At once, whatever is under way. */
  stop(): void {
    this.newest++;
    this.worker?.terminate();
    this.worker = undefined;
  }
}
