import { compare, comparisonAnswer, UnsupportedError } from '../../index.js';
import { load } from './load.js';
import type { CompareAnswer, CompareRequest } from './protocol.js';

/** Runs of each side: enough for most differences to be told from chance, few enough to wait for. */
const RUNS = 3;

interface WorkerScope {
  postMessage(answer: CompareAnswer): void;
  onmessage: ((event: MessageEvent<CompareRequest>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

/** Compares two texts once; its owner ends it when the answer is no longer wanted. A defect is an error of the worker. */
scope.onmessage = ({ data }) => {
  void compared(data).then(
    (answer) => scope.postMessage(answer),
    (error: unknown) => {
      setTimeout(() => {
        throw error;
      });
    },
  );
};

async function compared(subjects: CompareRequest): Promise<CompareAnswer> {
  const sides = subjects.flatMap((subject, index) => {
    const { scenario } = load(subject);
    return scenario === undefined ? [] : [{ name: 'AB'[index] ?? '', scenario }];
  });
  if (sides.length < subjects.length) return ['One of the two texts has errors.'];
  try {
    return comparisonAnswer(await compare(sides, { runs: RUNS }));
  } catch (error) {
    if (error instanceof UnsupportedError) return [error.message];
    throw error;
  }
}
