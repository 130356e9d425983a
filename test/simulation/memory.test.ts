import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation, type ScenarioRun } from '../../src/analysis/run/run-scenario.js';

/** Slots ever used and pending events: bounded by the requests open at one time, not by their total. */
const tableSizes = (run: ScenarioRun) => ({
  requests: run['router'].requests.slots.length,
  exchanges: run['router'].hosts.exchanges.slots.length,
  events: run['world'].queue.size,
});

/** Rows that the tables of a run of `durationS` seconds needed at most, and how many requests it had. */
async function sizesOf(name: string, durationS: number) {
  const text = readFileSync(new URL(`../../bench/${name}.yaml`, import.meta.url), 'utf8');
  // A tenth of the hosts and of the rate: the same load.
  const set = ['endpoints.backend.0.count=10', 'workloads.0.arrivals=1000/s', 'workloads.0.stop=1000s'];
  const { scenario } = loadScenario({ file: name, text }, { durationText: `${durationS}s`, set });
  if (scenario === undefined) throw new Error(`${name} does not load`);
  const simulation = await createSimulation(scenario);
  let events = 0;
  while (!simulation.advance(500)) events = Math.max(events, tableSizes(simulation).events);
  return { ...tableSizes(simulation), events, total: simulation.result().totals.requests };
}

describe('what is kept of an answer that comes too late is freed', () => {
  const cases = {
    'by a time-out': [],
    'by a host that hangs again and again': [
      { every: '2s', from: '1s', set_behavior: { hosts: {}, down: 'hang' } },
      { every: '2s', from: '2s', recover: {} },
    ],
  };
  it.each(Object.entries(cases))('%s', async (_, timeline) => {
    const { scenario, problems } = loadScenarioValue(
      {
        clusters: [{ name: 'c' }],
        endpoints: { c: ['10.0.0.1:80'] },
        behavior: [{ hosts: {}, service_time: '1s', network_latency: '100ms' }],
        workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, timeout: '0.3s', stop: '20s' }],
        timeline,
      },
      'late',
    );
    if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join());
    const simulation = await createSimulation(scenario);
    while (!simulation.advance(500));
    // Of 2,000 requests some 120 are under way at one time.
    expect(simulation.result().totals.requests).toBe(2000);
    expect(tableSizes(simulation).exchanges).toBeLessThan(300);
  });
});

describe.each(['million', 'million-lifecycle'])('%s', (name) => {
  it('keeps rows for what is open at one time, however many requests come and go', async () => {
    const short = await sizesOf(name, 20);
    const long = await sizesOf(name, 80);
    expect(long.total).toBeGreaterThan(3.8 * short.total);
    // At most 20,000 and 80,000 requests, time-outs of 15 s: a row per request, or an event that lingers for each
    // time-out, would be thousands.
    for (const { requests, exchanges, events } of [short, long]) {
      expect(requests).toBeLessThan(1000);
      expect(exchanges).toBeLessThan(1000);
      expect(events).toBeLessThan(1000);
    }
  });
});
