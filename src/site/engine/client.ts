import { loadPart } from '../parts.js';
import type { Engine, EngineCall, EngineMessage } from './engine.js';

type Open = Readonly<{ call: EngineCall; resolve: (value: unknown) => void; reject: (error: unknown) => void }>;

/** A call was given up: its worker was ended. */
export class Abandoned extends Error {}

/** Made from a text in the page: no file is loaded, so a page on a disk works. */
let startEngine: () => Worker;

export async function provideEngine(source: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const frame = document.createElement('iframe');
  frame.hidden = true;
  // What the page may load from beside itself the engine may not, nor modules in it: workers have the policy of the frame, too.
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="script-src blob: 'wasm-unsafe-eval'" />`;
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  const inside = frame.contentDocument?.defaultView;
  if (!inside) throw new Error('This browser shows no frame, in which the engine would run.');
  startEngine = () => new inside.Worker(url);
}

export class EngineClient {
  private worker: Worker | undefined;
  private readonly open = new Map<number, Open>();
  private lastId = 0;

  constructor(private readonly onProgress: (progress: number) => void = () => undefined) {}

  get isBusy(): boolean {
    return this.open.size > 0;
  }

  ask<Name extends keyof Engine>(name: Name, ...args: Parameters<Engine[Name]>) {
    const id = ++this.lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      const call = { id, name, args };
      this.open.set(id, { call, resolve, reject });
      this.started().postMessage(call);
    });
    return answer as Promise<Awaited<ReturnType<Engine[Name]>>>;
  }

  /** Ends the current work; the next call starts a new worker. */
  restart(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.rejectAll(new Abandoned());
  }

  private rejectAll(error: Error): void {
    for (const { reject } of this.open.values()) reject(error);
    this.open.clear();
  }

  private started(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = startEngine();
    worker.onmessage = ({ data }: MessageEvent<EngineMessage>) => void this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.rejectAll(new Error(event.message));
    };
    return (this.worker = worker);
  }

  private async receive(message: EngineMessage): Promise<void> {
    if (message.kind === 'progress') {
      this.onProgress(message.progress);
      return;
    }
    const { id } = message;
    const open = this.open.get(id);
    if (open === undefined) return;
    if (message.kind === 'table-missing') {
      try {
        await this.ask('bringTable', await loadPart('v3'));
        // It may have been given up meanwhile.
        if (this.open.has(id)) this.started().postMessage(open.call);
      } catch (error) {
        this.open.delete(id);
        open.reject(error);
      }
      return;
    }
    this.open.delete(id);
    if (message.kind === 'answer') open.resolve(message.value);
    else open.reject(new Error(message.message));
  }
}
