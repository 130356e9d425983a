import { Engine } from './engine.js';
import type { EngineRequest, EngineMessage } from './protocol.js';

/** The global scope of a worker. */
interface WorkerScope {
  postMessage(message: EngineMessage): void;
  onmessage: ((event: MessageEvent<EngineRequest>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

const channel = new MessageChannel();
const turns: (() => void)[] = [];
channel.port1.onmessage = () => turns.shift()?.();

const engine = new Engine({
  post: (message) => scope.postMessage(message),
  nowMs: () => performance.now(),
  turn: () =>
    new Promise((resolve) => {
      turns.push(resolve);
      channel.port2.postMessage(null);
    }),
});

scope.onmessage = ({ data }) => void engine.receive(data);
