import { cpuBench } from './contender.js';

export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

/** CPU milliseconds of one run: of all threads of the process, so that compiling and collecting garbage count. */
export interface Timing {
  readonly min: number;
  readonly median: number;
}

export interface Rounds {
  readonly rounds: number;
  /** Runs of each contender in each round. */
  readonly runs: number;
}

/**
 * Times contenders in turns.
 *
 * Every round runs all of them, each time beginning with another one, so that drift of the machine hits all alike. CPU
 * time instead of the clock on the wall keeps other work on the machine out of the figures.
 */
export function sideBySide(contenders: readonly Contender[], { rounds, runs }: Rounds): ReadonlyMap<string, Timing> {
  const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const bench = cpuBench(runs);
    contenders.forEach((_, i) => {
      const { name, run } = contenders[(i + round) % contenders.length] as Contender;
      bench.add(name, run, { beforeAll: () => globalThis.gc?.() });
    });
    for (const { name, result } of bench.runSync()) {
      if (!('latency' in result)) throw new Error(`${name} was not timed`);
      samples.get(name)?.push(...(result.latency.samples ?? []));
    }
  }
  return new Map([...samples].map(([name, values]) => [name, timing(values)]));
}

function timing(values: readonly number[]): Timing {
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted[0] ?? NaN, median: sorted[sorted.length >>> 1] ?? NaN };
}
