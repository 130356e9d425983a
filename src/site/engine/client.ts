import { loadPart } from '../parts.js';
import type { Answers, Ask, EngineRequest, EngineMessage } from './protocol.js';

interface Open {
  readonly request: EngineRequest;
  readonly resolve: (value: Answers[keyof Answers]) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: number) => void) | undefined;
}

/** A request was cancelled: its worker was ended. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** One worker with the engine, made from a text in the page: no file is loaded, so a page on a disk works. */
export class EngineClient {
  private readonly url: string;
  private worker: Worker | undefined;
  private readonly open = new Map<number, Open>();
  private lastId = 0;

  constructor(source: string) {
    this.url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  }

  ask<K extends EngineRequest['kind']>(
    question: Extract<Ask, { readonly kind: K }>,
    onProgress?: (progress: number) => void,
  ): Promise<Answers[K]> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const request = { ...question, id };
      this.open.set(id, { request, resolve: (value) => resolve(value as Answers[K]), reject, onProgress });
      this.started().postMessage(request);
    });
  }

  /** Ends the current work; the next request starts a new worker. */
  restart(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.open.values()) reject(new Abandoned());
    this.open.clear();
  }

  private started(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(this.url);
    worker.onmessage = ({ data }: MessageEvent<EngineMessage>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      for (const { reject } of this.open.values()) reject(new Error(event.message));
      this.open.clear();
    };
    return (this.worker = worker);
  }

  private receive(message: EngineMessage): void {
    const open = this.open.get(message.id);
    if (open === undefined) return;
    switch (message.kind) {
      case 'progress':
        open.onProgress?.(message.progress);
        return;
      case 'answer':
        this.open.delete(message.id);
        open.resolve(message.value);
        return;
      case 'table-missing':
        loadPart('v3').then(
          (table) => {
            // It may have been given up meanwhile.
            if (!this.open.has(message.id)) return;
            this.started().postMessage({ kind: 'table', text: table });
            this.started().postMessage(open.request);
          },
          (error: unknown) => {
            this.open.delete(message.id);
            open.reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
        return;
      case 'defect':
        this.open.delete(message.id);
        open.reject(new Error(message.message));
        return;
    }
  }
}
