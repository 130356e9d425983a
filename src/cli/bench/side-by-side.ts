import { Bench } from 'tinybench';

/**
 * Times contenders in turns, as CPU milliseconds of one run: other work on the machine stays out of them. Each round begins with another
 * one, so that drift of the machine hits all alike. @param runs of each contender in each round.
 */
export function sideBySide(contenders: readonly { name: string; run: () => unknown }[], rounds: number, runs = 1) {
  const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const bench = cpuBench(runs);
    const first = round % contenders.length;
    for (const { name, run } of [...contenders.slice(first), ...contenders.slice(0, first)])
      bench.add(name, run, { beforeAll: () => globalThis.gc?.() });
    for (const { name, result } of bench.runSync()) {
      if (!('latency' in result)) throw new Error(`${name} was not timed`);
      samples.get(name)?.push(...(result.latency.samples ?? []));
    }
  }
  for (const values of samples.values()) values.sort((a, b) => a - b);
  return new Map(
    [...samples].map(([name, all]) => [name, { min: all[0] ?? NaN, median: all[all.length >>> 1] ?? NaN }]),
  );
}

/** Runs of each task, without others before, on a clock of the CPU time of all threads: compiling and collecting garbage count. */
export function cpuBench(iterations: number): Bench {
  const now = (): number => Object.values(process.cpuUsage()).reduce((sum: number, used: number) => sum + used) / 1000;
  return new Bench({ now, time: 0, iterations, warmup: false, retainSamples: true, throws: true });
}
