import { Engine } from './engine.js';
import type { EngineMessage, EngineRequest, TableMessage } from './protocol.js';
import { bringTableOfV3 } from './tables-on-demand.js';

interface WorkerScope {
  postMessage(message: EngineMessage): void;
  onmessage: ((event: MessageEvent<EngineRequest | TableMessage>) => void) | null;
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

scope.onmessage = ({ data }) => {
  if (data.kind === 'table') bringTableOfV3(data.text);
  else void engine.receive(data);
};
