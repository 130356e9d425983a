import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';
import { sound, soundJson, soundResult, stallSince } from './sound.js';

async function small(): Promise<RunResult> {
  const { scenario } = loadScenarioValue(
    {
      clusters: [{ name: 'NaN' }, { name: 'b' }],
      endpoints: { NaN: ['10.0.0.1:80'], b: ['10.0.0.2:80', '10.0.0.3:80'] },
      workloads: [{ cluster: 'b', arrivals: { constant: '10/s' }, stop: '1s' }],
    },
    'sound',
  );
  if (scenario === undefined) throw new Error('not valid');
  return runScenario(scenario, { predict: true });
}

describe('what the swarm looks for', () => {
  it('is not found in a run as it should be, whatever its names', async () => {
    const result = await small();
    expect(() => soundResult(result)).not.toThrow();
  });

  it.each<[string, readonly (string | number)[], number, RegExp]>([
    ['a share above 1', ['clusters', 'b', 'hosts', 0, 'share'], 1.0000000001, /hosts\[0\]\.share is 1\.0/],
    ['a share below 0', ['clusters', 'b', 'no_host', 'share'], -1e-12, /no_host\.share is -1e-12/],
    ['no number', ['clusters', 'b', 'hosts', 0, 'predicted_z'], NaN, /predicted_z is NaN/],
    ['an infinite one', ['clusters', 'b', 'latency_ms', 'mean'], Infinity, /mean is Infinity/],
    ['no number in a phase', ['clusters', 'b', 'phases', 0, 'hosts', 1, 'share'], NaN, /share is NaN/],
    ['no number in a statistic', ['stats', 'counters', 'cluster.b.update_attempt'], NaN, /update_attempt is NaN/],
  ])('is caught: %s', async (_, path, value, message) => {
    const result = await small();
    let at: object = result;
    for (const key of path.slice(0, -1)) at = (at as Record<string | number, object>)[key] ?? {};
    Object.assign(at, { [path.at(-1) ?? '']: value });
    expect(() => soundResult(result)).toThrow(message);
  });

  it('is caught in JSON, which writes null', () => {
    expect(() => soundJson({ a: [1, NaN] }, '{"a":[1,null]}', 'x')).toThrow('x.a.1 is NaN, and null in JSON');
    expect(() => soundJson({ a: null }, '{"a":null}', 'x')).not.toThrow();
  });

  it('is caught however deep', () => {
    expect(() => sound({ a: [{ b: { predicted_share: 2 } }] }, 'x')).toThrow('x.a[0].b.predicted_share is 2');
  });

  it('is a task that takes its time', () => {
    const before = process.cpuUsage();
    expect(stallSince(before)).toBeUndefined();
    while (process.cpuUsage(before).user < 20_000);
    expect(stallSince(before, 10)).toMatch(/^\d+ ms of CPU$/);
  });
});
