import { PolicyFailure } from '../../policy/foreign/policy-module.js';
import { messageOf } from '../number-format.js';
import { Engine, type EngineCall, type EngineMethods, type EngineMessage } from './engine.js';
import { TableMissing } from './tables-on-demand.js';

interface WorkerScope {
  postMessage(message: EngineMessage): void;
  onmessage: ((event: MessageEvent<EngineCall>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

const channel = new MessageChannel();
const turns: (() => void)[] = [];
channel.port1.onmessage = () => turns.shift()?.();

const engine: EngineMethods = new Engine({
  onProgress: (progress) => scope.postMessage({ kind: 'progress', progress }),
  nowMs: () => performance.now(),
  turn: () =>
    new Promise((resolve) => {
      turns.push(resolve);
      channel.port2.postMessage(null);
    }),
});

async function answered<Name extends keyof Engine>({ id, name, args }: EngineCall<Name>): Promise<EngineMessage> {
  try {
    return { kind: 'answer', id, value: await engine[name](...args) };
  } catch (error) {
    if (error instanceof TableMissing) return { kind: 'table-missing', id };
    const whose = error instanceof PolicyFailure ? 'policy' : 'engine';
    return { kind: 'defect', id, message: `The ${whose} failed: ${messageOf(error)}` };
  }
}

scope.onmessage = ({ data }) => void answered(data).then((message) => scope.postMessage(message));
