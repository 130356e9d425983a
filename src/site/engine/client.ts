import { loadPart } from '../parts.js';
import type { Engine, EngineCall, EngineMessage } from './engine.js';

type Open = Readonly<{ call: EngineCall; resolve: (value: unknown) => void; reject: (error: unknown) => void }>;

/** A call was given up: its worker was ended. */
export class Abandoned extends Error {}

/** Made from a text in the page: no file is loaded, so a page on a disk works. */
let engineUrl = '';

export function provideEngine(source: string): void {
  engineUrl = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

export class EngineClient {
  private worker: Worker | undefined;
  private readonly open = new Map<number, Open>();
  private lastId = 0;

  constructor(private readonly onProgress: (progress: number) => void = () => undefined) {}

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
    const worker = new Worker(engineUrl);
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
