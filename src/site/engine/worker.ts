import { Engine } from './engine.js';
import type { Ask, Told } from './protocol.js';

/** What a worker has that a page has not. */
interface WorkerScope {
  postMessage(message: Told): void;
  onmessage: ((event: MessageEvent<Ask>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

const channel = new MessageChannel();
const turns: (() => void)[] = [];
channel.port1.onmessage = () => turns.shift()?.();

const engine = new Engine({
  tell: (told) => scope.postMessage(told),
  nowMs: () => performance.now(),
  turn: () =>
    new Promise((resolve) => {
      turns.push(resolve);
      channel.port2.postMessage(null);
    }),
});

scope.onmessage = ({ data }) => void engine.hear(data);
