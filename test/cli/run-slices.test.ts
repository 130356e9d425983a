import { describe, expect, it } from 'vitest';
import { drive } from '../../src/cli/runs/run-slices.js';
import { Interrupt } from '../../src/cli/long-work.js';
import type { Io } from '../../src/cli/session.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation, type Simulation } from '../../src/words/library.js';

async function simulation(fields: object): Promise<Simulation> {
  const { scenario } = loadScenarioValue(
    {
      clusters: [{ name: 'b' }],
      endpoints: { b: ['10.0.0.1:80'] },
      workloads: [{ cluster: 'b', arrivals: { constant: '1000/s' }, stop: '1h' }],
      ...fields,
    },
    'driven',
  );
  if (scenario === undefined) throw new Error('not valid');
  return createSimulation(scenario);
}

/** Interrupts after the first slice, with a clock that is so much later at each look. */
async function firstSlice(run: Simulation, msPerLook: number): Promise<{ finished: boolean; looks: number }> {
  let listener: () => void = () => undefined;
  let [now, looks] = [0, 0];
  const monotonicMs = (): number => {
    looks++;
    return (now += msPerLook);
  };
  const io = { onInterrupt: (heard: () => void) => ((listener = heard), () => undefined) } as Partial<Io> as Io;
  const interrupt = new Interrupt(io);
  const onSlice = (): Promise<void> => {
    listener();
    return Promise.resolve();
  };
  const finished = await drive(run, { monotonicMs, pace: Infinity, interrupt, onSlice });
  return { finished, looks };
}

describe('a slice of a run', () => {
  it('ends after some thousand events where they are fast', async () => {
    const run = await simulation({});
    expect((await firstSlice(run, 0)).finished).toBe(false);
    expect(run.nowUs).toBeGreaterThan(10_000_000);
    expect(run.nowUs).toBeLessThan(30_000_000);
  });

  it('ends after some hundred events where they are slow', async () => {
    const run = await simulation({});
    const { finished, looks } = await firstSlice(run, 20);
    expect(finished).toBe(false);
    expect(looks).toBeLessThan(5);
    expect(run.nowUs).toBeLessThan(600_000);
  });

  it('looks at the clock after each event that may look at every host', async () => {
    const entry = (status: string, from: string): object => ({ every: '2ms', from, set_health: { hosts: {}, status } });
    const run = await simulation({
      workloads: [{ cluster: 'b', arrivals: { constant: '1/h' }, stop: '5m' }],
      timeline: [entry('UNHEALTHY', '1ms'), entry('HEALTHY', '2ms')],
    });
    await firstSlice(run, 20);
    // Each entry is two such events: it acts, and discovery delivers.
    expect(run.nowUs).toBeLessThanOrEqual(2000);
  });
});
